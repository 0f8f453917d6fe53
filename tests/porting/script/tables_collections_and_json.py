"""What the functions of dictionaries, arrays and JSON give: for each function, scripts and their values."""

from tests.porting.script.evaluating import Fails
from tests.porting.script.tables_logical_and_general import Table

COMPANY = """j = '{"company":[{"name":"J","p":[{"t":"x"},{"t":"y"}],"n":1.50,"on":true,"no":null}]}'; """

DICTIONARY: Table = {
    "Dict": [("Dict()", {}), ("d = Dict(); d['k'] = 1; d[2] = 'b'; d", {"k": 1, "2": "b"})],
    "Map": [("Map()", {})],
    "Array": [("Array()", []), ("a = Array(); a[-1] = 'x'; a[Length(a)] = 'y'; a", ["x", "y"])],
    "Collection": [("Collection()", [])],
    "AddToDict": [
        ("d = Dict(); AddToDict(d, 'k', 1)", True),
        ("d = Dict(); AddToDict(d, 'k', 1); AddToDict(d, 'k', 2)", False),
        ("AddToDict($new, 'k', Null()); $new", {"k": None}),
        ("$d = 'text'; AddToDict($d, 1, 'v'); $d", {"1": "v"}),
        ("AddToDict(Dict(), Null(), 1)", Fails("a key of a dictionary is null")),
        ("AddToDict(1, 'k', 1)", Fails("give a variable, or a dictionary by Dict()")),
    ],
    "HasKey": [
        ("d = Dict(); d['k'] = Null(); HasKey(d, 'k')", True),
        ("HasKey(Dict(), 'k')", False),
        ("HasKey({1}, '0')", False),
        ("HasKey($never, 'k')", False),
    ],
    "GetKeys": [
        ("d = Dict(); d['a'] = 1; d['b'] = 2; GetKeys(d)", ["a", "b"]),
        ("GetKeys({1})", Fails("GetKeys wants dict to be a dictionary; it is of the type array")),
        ("GetKeys($never)", Fails("GetKeys wants dict to be of the type dict; it is null")),
    ],
    "RemoveKey": [
        ("d = Dict(); d['a'] = 1; RemoveKey(d, 'a')", True),
        ("RemoveKey(Dict(), 'a')", False),
    ],
    "CollectValues": [
        ("d = Dict(); d['a'] = 1; d['b'] = 2; CollectValues(d, {'b', 'x', 'a'})", [2, None, 1])
    ],
    "MapCache": [
        ("d = Dict(); MapCache(d, 'k', 5); MapCache(d, 'k', 1 / 0)", 5),
        ("MapCache($d, 'k', 5); $d", {"k": 5}),
    ],
    "SortArray": [
        ("a = {3, 1, 2}; SortArray(a); a", [1, 2, 3]),
        ("a = {3, 1, 2}; SortArray(a, false); a", [3, 2, 1]),
        ("a = {'b', 'B', 'a'}; SortArray(a); a", ["B", "a", "b"]),
        ("a = {10, 9, 'b', 'a', Null()}; SortArray(a); a", [None, 9, 10, "a", "b"]),
        ("a = {{1, 'b'}, {2, 'a'}}; SortArray(a, 1); a", [[2, "a"], [1, "b"]]),
        ("a = {{1}, {2}}; SortArray(a, 0, false); a", [[2], [1]]),
        ("SortArray({1})", None),
        ("SortArray({1}, 1)", Fails("every element to be an array with the index 1")),
    ],
    "ReduceDimension": [
        ("ReduceDimension({{1, 2}, {3}})", [1, 2, 3]),
        ("ReduceDimension({{{1}, {2}}, {{3}}})", [[1, 2], [3]]),
        ("ReduceDimension({1})", Fails("ReduceDimension wants array to be an array of arrays")),
    ],
}

JSON: Table = {
    "GetJSONString": [
        (COMPANY + "GetJSONString(j, '/company/[0]/p/[1]/t')", "y"),
        (COMPANY + "GetJSONString(j, '/company/0/p/1/t')", "y"),
        (COMPANY + "GetJSONString(j, '/company/[0]/p')", '[{"t":"x"},{"t":"y"}]'),
        (COMPANY + "GetJSONString(j, '/company/0/n')", "1.5"),
        (COMPANY + "GetJSONString(j, '/company/0/on')", "true"),
        (COMPANY + "GetJSONString(j, '/company/0/no')", "null"),
        (COMPANY + "GetJSONString(j, '/company/0/none')", "null"),
        (COMPANY + "GetJSONString(j, '/company/5')", "null"),
        ("GetJSONString('[1]', '/')", "[1]"),
        (
            "GetJSONString('oops', '/a')",
            Fails("GetJSONString: 'oops' is no JSON: Expecting value at position 0"),
        ),
    ],
    "GetJSONStringEx": [
        (COMPANY + "GetJSONStringEx(j, '/company/0/name')", "J"),
        (COMPANY + "GetJSONStringEx(j, '/nope', 'null')", "null"),
        (COMPANY + "GetJSONStringEx(j, '/nope')", None),
    ],
    "JSONParser": [
        (COMPANY + "JSONParser(j)['company'][0]['name']", "J"),
        ("JSONParser('[1, 2.0, true, null, \"a\"]')", [1, 2.0, True, None, "a"]),
        ("JSONParser('{\"a\":')", Fails("is no JSON")),
    ],
    "JSONStringify": [
        (
            "d = Dict(); d['ok'] = true; d['n'] = 3; d['z'] = Null(); JSONStringify(d)",
            '{"ok":1,"n":3,"z":null}',
        ),
        ("JSONStringify({'say \"hi\"', 'a\\nb', 'c\\\\d'})", '["say \\"hi\\"","a\\nb","c\\\\d"]'),
        ("JSONStringify('é')", '"é"'),
        ("JSONStringify(JSONParser('[2.0, 2.5, false]'))", "[2,2.5,0]"),
        ("JSONStringify(Date('2018-12-25'))", '"2018-12-25 00:00:00"'),
        ("a = {1}; a[0] = a; JSONStringify(a)", Fails("does one contain itself?")),
    ],
}

"""What the logical and general functions give: for each function, scripts and their values."""

from tests.porting.script.evaluating import Fails

from callagain.porting.script import Value

Table = dict[str, list[tuple[str, Value | Fails]]]

LOGICAL: Table = {
    "If": [
        ("If(1 == 1, 'yes', 'no')", "yes"),
        ("If(false, 'yes', 'no')", "no"),
        ("If(false, 'yes')", None),
        ("If('0', 1, 2)", 2),
        ("If('0.5', 1, 2)", 1),
        ("If('TRUE', 1, 2)", 1),
        ("If('no', 1, 2)", 2),
        ("If('', 1, 2)", 2),
        ("If($never, 1, 2)", 2),
        ("IF(true, $a = 1; $b = 2; , $c = 3;); $a + $b", 3),
        ("If(true, , 1)", None),
        ("If(true, 1, 1 / 0)", 1),
        ("If({}, 1, 2)", Fails("a value of type array is no condition")),
        ("If(true)", Fails("If takes 2 to 3 arguments and got 1")),
    ],
    "Case": [
        ("Case(1 == 2, 'a', 1 == 1, 'b', true, 'c')", "b"),
        ("Case(false, 1)", None),
        ("Case(false, 1, true, 2)", 2),
        ("Case(true, 1, 1 / 0, 2)", 1),
        ("Case(false, 1 / 0, true, $x = 1; 'done')", "done"),
        ("Case(true, 1, false)", Fails("Case takes pairs of a condition and a result, and got 3 arguments")),
    ],
    "While": [
        ("i = 0; While(i < 3, i++); i", 3),
        ("i = 0; While(i < 3, i++)", None),
        ("s = ''; i = 0; while(i < 3, s = s + i; i = i + 1;); s", "012"),
        (
            "$jitterbit.scripting.while.max_iterations = 10; While(true, $i++)",
            Fails("'++' of a variable that"),
        ),
        ("$i = 0; $jitterbit.scripting.while.max_iterations = 10; While(true, $i++)", Fails("10 iterations")),
        ("$i = 0; $jitterbit.scripting.while.max_iterations = 10; While($i < 10, $i++); $i", 10),
    ],
    "Equal": [
        ("Equal({1, 2}, {1, 2})", True),
        ("Equal({1, {2, 3}}, {1, {2, '3'}})", True),
        ("Equal({1, 2}, {1})", False),
        ("Equal(0, '')", True),
        ("Equal(Null(), Null())", True),
        ("Equal({1}, 1)", False),
        ("a = Dict(); a['x'] = 1; b = Dict(); b['x'] = '1'; Equal(a, b)", True),
    ],
}

GENERAL: Table = {
    "ArgumentList": [
        ("ArgumentList(a, b); IsNull(a) && IsNull(b)", True),
        ("ArgumentList(a)", None),
        ("ArgumentList(1)", Fails("ArgumentList takes names of local variables")),
    ],
    "CancelOperationChain": [("CancelOperationChain('enough')", None)],
    "Eval": [
        ("Eval(1 / 0, 'caught')", "caught"),
        ("Eval(5, 'caught')", 5),
        ("Eval(RaiseError('boom'), 'caught')", "caught"),
        ("Eval(RaiseError('boom'), ''); GetLastError()", "boom"),
        ("Eval(1, $n = 1); IsNull($n)", True),
        ("Eval(Nonsense(), 1)", Fails("there is no function 'Nonsense'")),
    ],
    "Get": [
        ("$a = 5; Get('a')", 5),
        ("$a.b = 5; Get('a.b')", 5),
        ("Get('never')", None),
        ("$a = {1, {2, 3}}; Get('a', 1, 0)", 2),
        ("$a = {1, 2}; Get($a, 1)", 2),
        ("$a = {1, 2}; Get('a', 2)", None),
        ("Get(1)", Fails("the name of a global variable is a string")),
    ],
    "GetName": [("$order.id = 1; GetName($order.id)", "order.id"), ("GetName(1 + 1)", "")],
    "GUID": [("Length(GUID())", 36), ("Mid(GUID(), 14, 1)", "4")],
    "IfEmpty": [
        ("IfEmpty('', 'd')", "d"),
        ("IfEmpty(Null(), 'd')", "d"),
        ("IfEmpty('x', 1 / 0)", "x"),
        ("IfEmpty(0, 'd')", 0),
        ("IfEmpty({}, 'd')", []),
    ],
    "IfNull": [("IfNull($never, 'd')", "d"), ("IfNull('', 1 / 0)", "")],
    "InList": [
        ("InList('b', 'a', 'b', 'b')", 2),
        ("InList('x', 'a')", 0),
        ("InList('x')", 0),
        ("InList(1, '2', '1')", 2),
    ],
    "IsInteger": [
        ("IsInteger(5)", True),
        ("IsInteger(5.0)", True),
        ("IsInteger(5.5)", False),
        ("IsInteger('5')", True),
        ("IsInteger('-5')", True),
        ("IsInteger('5.5')", False),
        ("IsInteger(Null())", False),
        ("IsInteger(true)", False),
    ],
    "IsNull": [
        ("IsNull(Null())", True),
        ("IsNull($never)", True),
        ("IsNull('')", False),
        ("IsNull(0)", False),
    ],
    "IsValid": [
        ("IsValid(1 / 0)", False),
        ("IsValid(1)", True),
        ("IsValid(1 / 0); GetLastError()", "division by 0; compare with 0 before"),
    ],
    "Length": [
        ("Length('abc')", 3),
        ("Length('añ😀')", 3),
        ("Length({1, 2})", 2),
        ("Length(Null())", 0),
        ("Length(12.50)", 4),
        ("Length(true)", 1),
        ("Length(HexToBinary('00ff'))", 2),
    ],
    "Null": [
        ("Null()", None),
        ("Null() == Null()", False),
        ("Null() != Null()", True),
        ("'a' + Null()", "a"),
    ],
    "Random": [
        ("Random(3, 3)", 3),
        ("r = Random(1, 6); r >= 1 && r <= 6", True),
        ("Random(2, 1)", Fails("Random wants min to be at most max")),
    ],
    "RandomString": [
        ("Length(RandomString(12))", 12),
        ("RandomString(3, 'a')", "aaa"),
        ("RandomString(0)", ""),
        ("RandomString(3, '')", Fails("at least one character")),
    ],
    "ReadArrayString": [
        ("ReadArrayString('{a,b,1}')", ["a", "b", "1"]),
        ("ReadArrayString('{1,2}', 'int')", [1, 2]),
        ('ReadArrayString(\'{{a,"b,c"},{"d""e"}}\')', [["a", "b,c"], ['d"e']]),
        ("ReadArrayString('{}')", []),
        ("ReadArrayString('{a,}')", ["a", ""]),
        ("ReadArrayString('{a')", Fails("with a } for each {")),
        ("ReadArrayString('{1}', 'date')", Fails("there is no type 'date' here")),
    ],
    "RunOperation": [
        (
            "RunOperation('LLM Call')",
            Fails('RunOperation wants a tag, such as RunOperation("<TAG>operation:'),
        ),
        ("RunOperation('<TAG>script:X</TAG>')", Fails("RunOperation wants a tag")),
        ("RunOperation('<TAG>operation:X</TAG>')", Fails("the project has no operation 'X'; known: none")),
    ],
    "RunScript": [("RunScript('<TAG>script:X</TAG>')", Fails("the project has no script 'X'; known: none"))],
    "Set": [
        ("Set('a', 5); $a", 5),
        ("Set('a-b', 5); Get('a-b')", 5),
        ("Set('a', 5)", 5),
        ("Set('a', 'x', -1); Set('a', 'y', -1); $a", ["x", "y"]),
        ("$a = {1, 2}; Set($a, 9, 0); $a", [9, 2]),
        ("$a = {{1}, {2}}; Set('a', 9, 1, 0); $a", [[1], [9]]),
    ],
    "Sleep": [("Sleep(3)", None)],
}

LOGGING: Table = {
    "WriteToOperationLog": [("WriteToOperationLog('a' + 1)", "a1")],
    "RaiseError": [("RaiseError('boom'); 'after'", Fails("boom"))],
    "GetLastError": [
        ("GetLastError()", ""),
        ("SetLastError('mine'); GetLastError()", "mine"),
        ("SetLastError('mine'); $jitterbit.operation.last_error", "mine"),
    ],
    "SetLastError": [("SetLastError('mine')", None)],
    "ResetLastError": [("SetLastError('mine'); ResetLastError(); GetLastError()", "")],
}

CACHE: Table = {
    "ReadCache": [("ReadCache('k')", None), ("WriteCache('k', 1); ReadCache('k')", 1)],
    "WriteCache": [
        ("WriteCache('k', {1})", [1]),
        ("WriteCache('k', 1, 60, 'project'); ReadCache('k')", None),
    ],
}

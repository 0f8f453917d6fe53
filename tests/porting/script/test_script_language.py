"""The language itself: what is read, and what operators make of it."""

import pytest
from tests.porting.script.evaluating import Fails, outcome, same

from callagain.porting.script import (
    GUIDE,
    Caller,
    LocalHost,
    Mode,
    OperationFailed,
    ScriptError,
    UnknownFunctionError,
    Value,
    parse,
    read_tag,
    run_script,
)
from callagain.porting.script.modes import mode_of
from callagain.porting.script.syntax import Assignment, Call

J = """j='{"company":[{"name":"J","p":[{"t":"x"},{"t":"y"}]}]}'; """

# The scripts by which an interpreter of this language is best known.
KNOWN: list[tuple[str, Value | Fails]] = [
    ('"n=" + 5 + " ok=" + true + " no=" + false', "n=5 ok=1 no=0"),
    ('1 + 2 + "a" + 1 + 2', "3a12"),
    ('If(Null()==Null(), "eq", If(IsNull($never), "isnull", "?")) + $never + "."', "isnull."),
    ('String("abc"==0) + String("1234x"==1234) + String("10"<"9") + String("10"<9)', "1110"),
    ("true || false && false", True),
    ("$n=0; false && ($n=1); true || ($n=2); $n", 0),
    ('$a="";$b=""; If(1==1, $a="t"; $b="u"; , $a="f";); $a+$b', "tu"),
    (
        '$function_name="b"; CASE($function_name=="a", "A", $function_name=="b", $s="hit"; "B", '
        'true, "unknown") + $s',
        "Bhit",
    ),
    ("$i=0; $go=true; max=5; while($go==true && $i<max, $i=$i+1; If($i==3, $go=false);); $i", 3),
    (J + 'GetJSONString(j,"/company/[0]/p/[1]/t") + GetJSONString(j,"/company/0/p/1/t")', "yy"),
    (J + 'GetJSONString(j,"/company/[0]/employees")', "null"),
    (J + 'GetJSONString(j,"/company/[1]")', "null"),
    (J + 'GetJSONStringEx(j,"/nope","null")', "null"),
    ('d=Dict(); d["ok"]=true; d["n"]=3; d["z"]=Null(); JSONStringify(d)', '{"ok":1,"n":3,"z":null}'),
    ('RaiseError("boom"); "after"', Fails("boom")),
    ('Eval(RaiseError("boom"),"caught") + GetLastError()', "caughtboom"),
    ("$jitterbit.scripting.while.max_iterations=10; $i=0; While(true,$i++)", Fails("reached 10 iterations")),
    (r'TrimChars("\"\"hi\" he said\"", "\"")', 'hi" he said'),
    (
        r'"{\"c\":\"" + Replace("say \"x\"\nnext", "\"", "\\\"") + "\"}"',
        '{"c":"say \\"x\\"\nnext"}',
    ),
]

LEXICAL: list[tuple[str, Value | Fails]] = [
    ("<trans> 1 + 1 </trans>", 2),
    ("// before\n<TRANS>\n5\n</Trans>  // after", 5),
    ("// before\n<trans>\n5\n</trans>  // after", 5),
    ("1; // a comment\n 2 /* and\n one of two lines */ ; 3 // the last", 3),
    ("'http://x' /* // */ + '/*'", "http://x/*"),
    (r""" "a\tb\n\"c\" \\ \' \q" """, 'a\tb\n"c" \\ \' \\q'),
    (r""" 'it\'s "so"' """, 'it\'s "so"'),
    ('"two\nlines"', "two\nlines"),
    ("'one\nline'", "oneline"),
    ("12", 12),
    ("12.", 12),
    (".5", 0.5),
    ("TRUE && !False", True),
    ("$gpt.registeredTools = 'x'; $gpt.registeredTools", "x"),
    ("größe = 1; größe", 1),
    ("RunOperation(<TAG>operation:X</TAG>)", Fails("the project has no operation 'X'")),
    ("“x”", Fails("a typographic quote opens no string; write \" or '")),
    ("", None),
    (";;", None),
    ("1;", 1),
]

OPERATORS: list[tuple[str, Value | Fails]] = [
    ("1 + 2 * 3", 7),
    ("(1 + 2) * 3", 9),
    ("2 ^ 3 ^ 2", 64),
    ("-2 ^ 2", 4),
    ("!false == true", True),
    ("!1 + 1", Fails("cannot add bool + number")),
    ("1 < 2 == true", True),
    ("2 * 3 ^ 2", 18),
    ("7 / 2", 3.5),
    ("6 / 2", 3),
    ("0.1 + 0.2", 0.1 + 0.2),
    ("10 - 2 - 3", 5),
    ("2 ^ 62", 2**62),
    ("2 ^ 64", 2.0**64),
    ("2 ^ 0.5", 2**0.5),
    ("1 / 0", Fails("division by 0; compare with 0 before")),
    ("10 ^ 400", Fails("10 ^ 400 is no finite number")),
    ("'5' + 1", "51"),
    (
        "'5' * 2",
        Fails("cannot multiply string * number: illegal operation; convert strings by Int or Double"),
    ),
    ("true + 1", Fails("illegal operation")),
    ("Null() + 5", 5),
    ("Null() + 'x'", "x"),
    ("Null() - 5", -5),
    ("5 * Null()", 0),
    ("5 / Null()", Fails("cannot divide number / null")),
    ("-'5x'", "-5"),
    ("-Null()", Fails("there is no negative of a value of type null")),
    ("a = b = 3; a + b", 6),
    ("a = 1; a += 2; a -= '1'", Fails("cannot subtract number - string")),
    ("a = 'x'; a += 1; a", "x1"),
    ("$n += 5; $n", 5),
    ("a = 1; b = a++; b + ':' + a", "1:2"),
    ("a = 1; b = ++a; b + ':' + a", "2:2"),
    ("a = 1; b = a; b++; a", 1),
    ("s = '5'; s--; s", "4"),
    ("a = {1}; a[0]++; a", [2]),
    ("$never++", Fails("'++' of a variable that is null; set it to 0 before")),
    ("1 & 0 | 1", True),
    ("'' == false", True),
    ("'1' == true", True),
    ("'abc' == true", False),
    ("true == 2", True),
    ("true < 2", True),
    ("true < false", Fails("'<' between two booleans")),
    ("Null() != 1", True),
    ("Null() < 1", False),
    ("'b' > 'a'", True),
    ("'1.50' == 1.5", True),
    ("'2' == '2.0'", False),
    ("Dict() == 1", False),
    ("Dict() < 1", Fails("'<' cannot compare dictionary and number")),
    ("Date('2018-12-25') - Date('2018-12-24')", 86400),
    ("String(Date('2018-12-25') + 60)", "2018-12-25 00:01:00"),
    ("Date('2018-12-25') > Date('2018-12-24')", True),
    ("{1, 2} + 1", [2, 3]),
    ("{1, 2} + {3, 4}", [4, 6]),
    ("{1, 2} == {1, 3}", [True, False]),
    ("'#' + {1, 'a'}", ["#1", "#a"]),
    ("{1, 2} + {1}", Fails("'+' on two arrays with 2 and 1 elements; make them the same size")),
    ("!{1, 0}", [False, True]),
    ("a = {1}; b = a; b[0] = 2; a", [2]),
]

ELEMENTS: list[tuple[str, Value | Fails]] = [
    ("{1, {2, 'x'}}[1][1]", "x"),
    ("a = Array(); a[2] = 'x'; a", [None, None, "x"]),
    ("$a[-1] = 1; $a[-1] = 2; $a", [1, 2]),
    ("$a[1][0] = 'x'; $a", [None, ["x"]]),
    ("{1, 2}[5]", None),
    ("{1, 2}[-1]", Fails("the index -1 is negative; the first element is 0")),
    ("{1}['0']", None),
    ("a = {}; a['k'] = 1; a", []),
    ("$d['k'] = 1", Fails("the variable is not set, so it has no 'k'; make it a dictionary by Dict()")),
    ("Dict()['k']", None),
    ("$never[0]", None),
    ("'abc'[0]", Fails("a value of type string has no elements")),
    ("x = y", Fails("the local variable 'y' is not set; set it before, or write $y for a global one")),
    ("_1", None),
    ("nonsense(1)", Fails("there is no function 'nonsense'; check its spelling")),
]

ROWS = [*KNOWN, *LEXICAL, *OPERATORS, *ELEMENTS]


@pytest.mark.parametrize(("script", "expected"), ROWS, ids=[script for script, _ in ROWS])
def test_a_script_has_this_value(script: str, expected: Value | Fails) -> None:
    found = outcome(script)
    assert same(found, expected), f"{script} gave {found!r} and not {expected!r}"


@pytest.mark.parametrize(
    ("script", "guide", "strict"),
    [
        (J + "GetJSONString(j, '/nope')", "null", Fails("nope is not a valid path (in /nope)")),
        (J + "GetJSONString(j, '/company/[1]')", "null", Fails("1 is out of range")),
        ("{1}[5]", None, Fails("'5' is out of range; the array has 1 elements")),
        ("Dict()['k']", None, Fails("the dictionary has no key 'k'; check by HasKey before")),
        ("a = {}; a['k'] = 1; a", [], Fails("'k' is no index of an array")),
        ("Bool('1')", True, False),
    ],
)
def test_the_modes_part_where_guide_and_reference_do(
    script: str, guide: Value | Fails, strict: Value | Fails
) -> None:
    assert same(outcome(script, "guide"), guide)
    assert same(outcome(script, "strict"), strict)


def test_a_mode_of_ones_own_keeps_the_quotes_of_json_strings() -> None:
    quoted = Mode("quoted", GUIDE.missing_path_is_null, True, True, quoted_json_strings=True)
    assert outcome(r"""GetJSONString('{"a":"x\\ny"}', "/a")""", quoted) == r'"x\ny"'


def test_an_unknown_mode_is_told_with_those_there_are() -> None:
    with pytest.raises(ValueError, match="there is no mode 'lax'; the modes are guide, strict"):
        mode_of("lax")


def test_globals_and_a_host_are_not_given_together() -> None:
    with pytest.raises(TypeError, match="give globals, or a host"):
        run_script("1", globals={}, host=LocalHost())


def test_runscript_passes_arguments_and_gives_the_last_value_as_a_string() -> None:
    host = LocalHost()
    inner = parse("ArgumentList(a, b); $seen = _1 + '/' + _2 + '/' + IsNull(_3); a * 2", "Inner")
    host.scripts = {
        "Inner": lambda arguments, caller: run_script(inner, host=host, arguments=arguments, caller=caller)
    }
    assert run_script('RunScript("<TAG>script:Inner</TAG>", 21, "x")', host=host) == "42"
    assert host.variables["seen"] == "21/x/1"


def test_runoperation_is_false_for_an_operation_that_fails_and_the_last_error_says_why() -> None:
    def fail(_: Caller) -> None:
        raise OperationFailed("HTTP 500")

    host = LocalHost(operations={"LLM Call": fail})
    script = 'If(!RunOperation("<TAG>operation:LLM Call</TAG>"), GetLastError())'
    assert run_script(script, host=host) == "HTTP 500"


def host_with_tool(script: str) -> LocalHost:
    def tool(caller: Caller) -> None:
        run_script(script, host=host, caller=caller)

    host = LocalHost(operations={"Tool": tool})
    return host


def test_an_operation_whose_script_fails_has_failed() -> None:
    controller = 'RunOperation("<TAG>operation:Tool</TAG>") + ":" + GetLastError()'
    assert run_script(controller, host=host_with_tool("RaiseError('boom')")) == "0:boom"


def test_a_misspelled_function_in_an_operation_is_not_taken_for_a_failure() -> None:
    with pytest.raises(UnknownFunctionError, match="did you mean Length"):
        run_script('RunOperation("<TAG>operation:Tool</TAG>")', host=host_with_tool("Lenght('x')"))


def test_what_a_host_raises_goes_through() -> None:
    def fail(_: Caller) -> None:
        raise KeyError("of the host")

    host = LocalHost(operations={"X": fail})
    with pytest.raises(KeyError, match="of the host"):
        run_script('Eval(RunOperation("<TAG>operation:X</TAG>"), 1)', host=host)


def test_the_tree_knows_places_and_comments() -> None:
    script = parse("// first\n$a = 1;\n  Length($a) /* last */", "Sample")
    assignment, call = script.body.items
    assert isinstance(assignment, Assignment)
    assert isinstance(call, Call)
    assert (assignment.place, call.place) == ((2, 1), (3, 3))
    assert [(comment.text, comment.place, comment.block) for comment in script.comments] == [
        ("first", (1, 1), False),
        ("last", (3, 14), True),
    ]


@pytest.mark.parametrize(
    ("text", "kind", "name"),
    [
        ("<TAG>operation:LLM Call</TAG>", "operation", "LLM Call"),
        ("<TAG>script:Append Tool Result</TAG>", "script", "Append Tool Result"),
        ("<TAG>Operations/a/b/LLM Call</TAG>", "operation", "LLM Call"),
        ("<TAG>activity:http/LLM/post/Send</TAG>", "activity", "http/LLM/post/Send"),
        ("op.2f46dad9-e697-428e-b248-ede2a6a1b3d4", "operation", "2f46dad9-e697-428e-b248-ede2a6a1b3d4"),
    ],
)
def test_a_tag_is_read(text: str, kind: str, name: str) -> None:
    tag = read_tag(text)
    assert tag is not None
    assert (tag.kind, tag.name) == (kind, name)


@pytest.mark.parametrize(
    "text", ["LLM Call", "<TAG></TAG>", "<TAG>x</TAG>", "op.1", "<TAG>operation: </TAG>"]
)
def test_what_is_no_tag_is_none(text: str) -> None:
    assert read_tag(text) is None


def test_an_error_is_the_innermost_one_with_its_place() -> None:
    with pytest.raises(ScriptError) as caught:
        run_script("x = 1;\nIf(x == 1,\n   y = {1,\n     1 / 0})")
    assert caught.value.place == (4, 8)

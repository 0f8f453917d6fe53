"""What a script's author is told, word for word."""

import pytest

from callagain.porting.script import ScriptError, parse, run_script, unknown_calls


def told(script: str) -> str:
    with pytest.raises(ScriptError) as caught:
        run_script(parse(script, "Parse"))
    return str(caught.value)


@pytest.mark.parametrize(
    ("script", "message"),
    [
        (
            "If($a == 1,\n   $b = 2;\n   $c = 3",
            "Parse, line 3, column 10: expected ';', ',' or ')', found the end of the script; "
            "')' closes the call of If at line 1, column 3\n"
            "       $c = 3\n"
            "             ^",
        ),
        (
            "$a = 1\n$b = 2;",
            "Parse, line 2, column 1: expected an operator or ';', found '$b'; "
            "end the statement before it with ';'\n"
            "    $b = 2;\n"
            "    ^",
        ),
        (
            "x = foo(1)",
            "Parse, line 1, column 5: there is no function 'foo'; did you mean Floor?\n"
            "    x = foo(1)\n"
            "        ^",
        ),
        (
            '$n = Lenght("abc");',
            "Parse, line 1, column 6: there is no function 'Lenght'; did you mean Length?\n"
            '    $n = Lenght("abc");\n'
            "         ^",
        ),
        (
            "DbLookup('x')",
            "Parse, line 1, column 1: DBLookup is a function of Jitterbit that is not supported here; "
            "write this step in Python\n"
            "    DbLookup('x')\n"
            "    ^",
        ),
        (
            'a = "no end;',
            'Parse, line 1, column 5: this string does not end; close it with " and write a quote inside it '
            'as \\"\n'
            '    a = "no end;\n'
            "        ^",
        ),
        (
            "1 + /* no end",
            "Parse, line 1, column 5: this comment does not end; close it with */\n"
            "    1 + /* no end\n"
            "        ^",
        ),
        (
            "If($a = 1 && $b = 2, 1)",
            "Parse, line 1, column 17: '=' can only change a variable or an element of one; "
            "to compare, write '=='\n"
            "    If($a = 1 && $b = 2, 1)\n"
            "                    ^",
        ),
        (
            "If(1, 2));",
            "Parse, line 1, column 9: ')' closes nothing; remove it, or open it before\n"
            "    If(1, 2));\n"
            "            ^",
        ),
        (
            "5 % 2",
            "Parse, line 1, column 3: there is no operator %; write Mod(a, b)\n    5 % 2\n      ^",
        ),
        (
            "1e3",
            "Parse, line 1, column 1: '1e3' is no number; a number has digits and one point, "
            "and no exponent\n"
            "    1e3\n"
            "    ^",
        ),
        (
            "<trans>\n1",
            "Parse, line 2, column 2: the script opens with <trans>; close it with </trans>\n    1\n     ^",
        ),
        (
            "<javascript>\nvar a;\n</javascript>",
            "Parse, line 1, column 1: this is a JavaScript script, and not Jitterbit Script; "
            "run it as JavaScript\n"
            "    <javascript>\n"
            "    ^",
        ),
        (
            "total = count + 1",
            "Parse, line 1, column 9: the local variable 'count' is not set; set it before, or write $count "
            "for a global one\n"
            "    total = count + 1\n"
            "            ^",
        ),
        (
            "Left('abc')",
            "Parse, line 1, column 1: Left takes 2 arguments and got 1; "
            "it is string Left(string str, int n)\n"
            "    Left('abc')\n"
            "    ^",
        ),
        (
            "$x = 'a' *\n\t2",
            "Parse, line 1, column 10: cannot multiply string * number: illegal operation; "
            "convert strings by Int or Double\n"
            "    $x = 'a' *\n"
            "             ^",
        ),
        (
            'GetKeys(\n  "a")',
            "Parse, line 2, column 3: GetKeys wants dict to be a dictionary; it is of the type string\n"
            '      "a")\n'
            "      ^",
        ),
        (
            "$x = ;",
            "Parse, line 1, column 6: expected a value, a variable or a function, found ';'; "
            "write what is missing here\n"
            "    $x = ;\n"
            "         ^",
        ),
    ],
)
def test_a_mistake_is_told_with_its_place_and_what_to_do(script: str, message: str) -> None:
    assert told(script) == message


def test_of_a_long_line_the_part_around_the_place_is_shown() -> None:
    message = told(f"$a = {'1 + ' * 100}nonsense;")
    headline, line, caret = message.split("\n")
    assert headline.startswith("Parse, line 1, column 406: ")
    assert len(line) < 120
    assert line[caret.index("^") :].startswith("nonsense;")


def test_the_functions_that_are_not_here_are_found_without_running_the_script() -> None:
    script = parse("If($a, DbLookup($b),\n Foo()); Length($c)")
    assert [(call.name, call.place) for call in unknown_calls(script)] == [
        ("DbLookup", (1, 8)),
        ("Foo", (2, 2)),
    ]

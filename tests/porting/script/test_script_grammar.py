"""The grammar, by scripts that nobody wrote."""

import random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from callagain.porting.script import Limits, ScriptError, parse, run_script, script_text
from callagain.porting.script.syntax import (
    ArrayLiteral,
    Assignment,
    Call,
    Expression,
    Global,
    Index,
    Literal,
    Local,
    Operation,
    Operations,
    Statements,
    Step,
    Unary,
)
from callagain.porting.script.tokens import Place

HERE = Place(1, 1)
LEVELS = (("||",), ("&&",), ("<", ">", "==", "!=", "<=", ">="), ("+", "-"), ("*", "/"), ("^",))


class Trees:
    """Trees by chance, each by a seed."""

    def __init__(self, seed: int) -> None:
        self._chance = random.Random(seed)

    def statements(self, depth: int) -> Statements:
        return Statements(tuple(self.node(depth) for _ in range(self._chance.randint(0, 2))), HERE)

    def node(self, depth: int) -> Expression:
        if depth == 0 or self._chance.random() < 0.2:
            return self._leaf()
        kinds = (
            self._operations,
            self._call,
            self._array,
            self._unary,
            self._step,
            self._assignment,
            self._index,
        )
        return self._chance.choice(kinds)(depth - 1)

    def _leaf(self) -> Expression:
        text = "".join(self._chance.choices("ab \\\"'\n\t$;é😀/*<", k=self._chance.randint(0, 6)))
        numbers = (
            self._chance.randint(0, 10**20),
            self._chance.random(),
            self._chance.random() * 10**25,
            5e-324,
        )
        values = (text, *numbers, 0.5, 1, True, False)
        return self._target(0) if self._chance.random() < 0.4 else Literal(self._chance.choice(values), HERE)

    def _target(self, depth: int) -> Local | Global | Index:
        name = self._chance.choice(("a", "_1", "If", "größe", "a_b"))
        if depth and self._chance.random() < 0.3:
            return Index(Local(name, HERE), (self.node(depth - 1),), HERE)
        return Local(name, HERE) if self._chance.random() < 0.5 else Global(f"{name}.x", HERE)

    def _operations(self, depth: int) -> Expression:
        level = self._chance.choice(LEVELS)
        count = self._chance.randint(1, 3)
        rest = [Operation(self._chance.choice(level), self.node(depth), HERE) for _ in range(count)]
        return Operations(self.node(depth), tuple(rest), HERE)

    def _arguments(self, depth: int) -> tuple[Statements, ...]:
        return tuple(self.statements(depth) for _ in range(self._chance.randint(0, 3)))

    def _call(self, depth: int) -> Expression:
        return Call(self._chance.choice(("If", "foo", "While")), self._arguments(depth), HERE)

    def _array(self, depth: int) -> Expression:
        return ArrayLiteral(self._arguments(depth), HERE)

    def _unary(self, depth: int) -> Expression:
        return Unary(self._chance.choice("!-"), self.node(depth), HERE)

    def _step(self, depth: int) -> Expression:
        prefix = self._chance.random() < 0.5
        return Step(self._chance.choice(("++", "--")), self._target(depth), prefix, HERE)

    def _assignment(self, depth: int) -> Expression:
        symbol = self._chance.choice(("=", "+=", "-="))
        return Assignment(self._target(depth), symbol, self.node(depth), HERE)

    def _index(self, depth: int) -> Expression:
        target = self.node(depth)
        keys = tuple(self.node(depth) for _ in range(self._chance.randint(1, 2)))
        return self._leaf() if isinstance(target, Index) else Index(target, keys, HERE)


pieces = st.sampled_from(
    [
        *"+-*/^!<>=&|(){}[],;.$\"'\n ", "==", "++", "+=", "//", "/*", "*/", "<trans>", "</trans>", "If(",
        "While(", "Length(", "x", "$y", "_1", "true", "1", "2.5", '"a"', "Null()", "Dict()", "Array()",
        "GetJSONString(", "Eval(", "Split(", "RegExMatch(", "é", "\0",
    ]
)  # fmt: skip


@settings(max_examples=200, deadline=None)
@given(st.integers(0, 2**32))
def test_what_is_printed_is_read_as_the_same_tree(seed: int) -> None:
    body = Trees(seed).statements(depth=4)
    printed = "".join(f"{script_text(item)};\n" for item in body.items)
    parsed = parse(printed)
    assert parsed.body == body
    assert script_text(parsed) == printed


def error_of(text: str) -> ScriptError | None:
    try:
        run_script(text, limits=Limits(iterations=20, steps=20_000))
    except ScriptError as error:
        return error
    return None


@settings(max_examples=200, deadline=None)
@given(st.one_of(st.text(max_size=60), st.lists(pieces, max_size=25).map("".join)))
def test_no_text_raises_anything_but_an_error_of_scripts(text: str) -> None:
    error = error_of(text)
    if error is not None:
        assert error.place is not None
        assert "\n" not in error.headline
        assert str(error).startswith(error.headline)


@pytest.mark.parametrize(
    ("script", "printed"),
    [
        ("(1+2)*3", "(1 + 2) * 3;\n"),
        ("1+(2*3)", "1 + 2 * 3;\n"),
        ("!(a&b)", "!(a && b);\n"),
        ("2^(-1)", "2 ^ -1;\n"),
        ("If(x,a;b;,);", "If(x, a; b, );\n"),
        ("'it''s'", None),
        ("'say \"x\"'", '"say \\"x\\"";\n'),
        ("f(;)", "f(;);\n"),
    ],
)
def test_a_script_is_printed_with_the_parentheses_it_needs(script: str, printed: str | None) -> None:
    if printed is None:
        with pytest.raises(ScriptError):
            parse(script)
    else:
        assert script_text(parse(script)) == printed

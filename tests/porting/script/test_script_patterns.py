"""Regular expressions: what they match is what Python's `re` matches, and the time is linear."""

import re
from contextlib import suppress

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from callagain.porting.script import Limits, ScriptArgumentError, ScriptError
from callagain.porting.script.limits import Meter
from callagain.porting.script.patterns import compile_pattern, search

atoms = st.sampled_from(["a", "b", "ab", ".", "[ab]", "[^a]", r"\w", r"\b", "^", "$", ""])


def larger(inside: st.SearchStrategy[str]) -> st.SearchStrategy[str]:
    repeats = st.sampled_from(["*", "+", "?", "*?", "+?", "??", "{2}", "{0,2}", "{1,}"])
    return st.one_of(
        st.builds("{}{}".format, inside, inside),
        st.builds("({}|{})".format, inside, inside),
        st.builds("(?:x{}){}".format, inside, repeats),
        st.builds("({})".format, inside),
    )


@settings(max_examples=100, deadline=None)
@given(st.recursive(atoms, larger, max_leaves=6), st.text("abx", max_size=8))
def test_a_match_is_the_one_that_perl_finds(pattern: str, text: str) -> None:
    expected = re.compile(pattern, re.MULTILINE | re.DOTALL).search(text)
    found = search(compile_pattern(pattern), text, 0, Meter(Limits()))
    assert (found and (found.start, found.end)) == (expected and expected.span())


@pytest.mark.parametrize(
    ("pattern", "text", "found"),
    [
        (r"(?i)HELLO", "say hello", "hello"),
        (r"(?i:h)i", "Hi", "Hi"),
        (r"[[:digit:]]+", "a42", "42"),
        (r"[\d\-x]+", "a4-x", "4-x"),
        (r"\x41\x{42}", "xAB", "AB"),
        (r"[]a]+", "x]a", "]a"),
        (r"a{,2}", "a{,2}", "a{,2}"),
        (r"😀+", "x😀😀", "😀😀"),
        (r"\Aab|\Bc\z", "xc", "c"),
        (r"^b$", "a\nb\nc", "b"),
        (r"a.b", "a\nb", "a\nb"),
    ],
)
def test_what_a_pattern_finds(pattern: str, text: str, found: str) -> None:
    match = search(compile_pattern(pattern), text, 0, Meter(Limits()))
    assert match is not None
    assert match.group(0) == found


@pytest.mark.parametrize(
    ("pattern", "message"),
    [
        ("a)", "the regular expression 'a)' has a ')' that closes nothing at position 1"),
        ("*a", "has a '*' that repeats nothing at position 0"),
        ("a**", "has a repeat of a repeat at position 2"),
        ("[a", "has a '[' that is not closed at position 2"),
        ("(?=a)", "has '(?=', which is not supported here, at position 1"),
        (r"a\q", r"has the escape '\q', which is not supported here, at position 2"),
        ("[z-a]", "has a range that has no order at position 4"),
        ("(a{500}){500}", "has repeats that are too large"),
        ("[[:nope:]]", "has '[:nope', which is no class of characters, at position 1"),
        ("a\\", r"has a '\' with nothing behind it"),
    ],
)
def test_what_a_pattern_cannot_have(pattern: str, message: str) -> None:
    with pytest.raises(ScriptArgumentError) as caught:
        compile_pattern(pattern)
    assert message in caught.value.message


@settings(max_examples=100, deadline=None)
@given(st.text("ab(|)*+?{2,}[]^$\\.x-:", max_size=20))
def test_no_pattern_raises_anything_but_an_error_of_scripts(pattern: str) -> None:
    with suppress(ScriptError):
        search(compile_pattern(pattern), "aabbx" * 3, 0, Meter(Limits()))


@pytest.mark.parametrize("pattern", ["(a*)*c", "(a|a)*c", "(a|aa)+$", "(.*)(.*)(.*)c", "a*a*a*a*c"])
def test_patterns_that_go_back_for_ever_elsewhere_take_linear_time(pattern: str) -> None:
    def steps(size: int) -> int:
        meter = Meter(Limits())
        assert search(compile_pattern(pattern), "a" * size + "b", 0, meter) is None
        return Limits().steps - meter.steps_left

    assert steps(4_000) < 3 * max(steps(2_000), 4_096)

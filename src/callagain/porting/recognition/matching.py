"""What the condition of a branch compares: one value with a name, with several, or with how names begin."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TypeAlias

from callagain.porting.recognition.facts import Facts
from callagain.porting.recognition.values import Part, Value, Variable
from callagain.porting.script import syntax

Subject: TypeAlias = Variable | Part

_SEARCH = ("index", "countsubstring", "regexmatch")
_PART_OF_A_NAME = ("left", "mid", "right", "regexreplace")


@dataclass(frozen=True, slots=True)
class Match:
    """prefixes: what names begin with. contains: names are looked for inside of the subject.

    is_open: the condition asks something else of the subject, alone or besides.
    """

    subject: Subject
    names: tuple[str, ...] = ()
    contains: bool = False
    negated: bool = False
    prefixes: tuple[str, ...] = ()
    is_open: bool = False


def match_of(condition: syntax.Node, facts: Facts) -> Match | None:
    """What a condition compares; None if it does not compare a variable or a part of JSON with texts."""
    node = last_of(condition)
    match node:
        case syntax.Operations(first, (only,)) if only.operator in ("==", "!="):
            negated = only.operator == "!="
            return _equal(first, only.operand, facts, negated=negated) or _compared(node, facts)
        case syntax.Operations(first, rest) if rest[0].operator in ("||", "&&"):
            matches = [match_of(each, facts) for each in (first, *(part.operand for part in rest))]
            return _either(matches) if rest[0].operator == "||" else _both(matches)
        case syntax.Operations(_, (_,)):
            return _compared(node, facts)
        case syntax.Call(name, (one, other)) if name.lower() == "equal":
            return _equal(one, other, facts)
        case syntax.Unary("!", operand):
            found = match_of(operand, facts)
            return Match(found.subject, is_open=True) if found is not None else None
        case syntax.Call():
            return _searched(node, facts)
        case _:
            return None


def last_of(node: syntax.Node) -> syntax.Node:
    """The expression that a list of statements is worth."""
    return node.items[-1] if isinstance(node, syntax.Statements) and node.items else node


def _equal(one: syntax.Node, other: syntax.Node, facts: Facts, *, negated: bool = False) -> Match | None:
    for left, right in ((one, other), (other, one)):
        subject, name = _subject(left, facts), _value(right, facts).text
        if subject is None or not name:
            continue
        part = last_of(left)
        if not isinstance(part, syntax.Call) or part.name.lower() not in _PART_OF_A_NAME:
            return Match(subject, (name,), negated=negated)
        if not negated and _is_prefix(part, name, facts):
            return Match(subject, prefixes=(name,))
        return Match(subject, is_open=True)
    return None


def _is_prefix(call: syntax.Call, text: str, facts: Facts) -> bool:
    """Whether a call is Left of as many characters as a text has."""
    if call.name.lower() != "left" or len(call.arguments) != 2:
        return False
    return _value(call.arguments[1], facts).constant == len(text)


def _compared(node: syntax.Operations, facts: Facts) -> Match | None:
    """`Index(subject, "a") >= 0`, `0 < InList(subject, "a", "b")`; others of this kind are open."""
    (only,) = node.rest
    for side, other, operators in (
        (node.first, only.operand, (">", ">=", "!=")),
        (only.operand, node.first, ("<", "<=", "!=")),
    ):
        found = _searched(last_of(side), facts)
        if found is None:
            continue
        number = _value(other, facts).constant
        # `>= 0` of a position and `> 0` of a number of occurrences say that the text is there.
        return found if only.operator in operators and number in _there(side) else _open(found)
    return None


def _there(side: syntax.Node) -> tuple[int, ...]:
    call = last_of(side)
    return (0, -1) if isinstance(call, syntax.Call) and call.name.lower() == "index" else (0, 1)


def _open(match: Match) -> Match:
    return Match(match.subject, is_open=True)


def _searched(node: syntax.Node, facts: Facts) -> Match | None:
    """`InList(subject, "a", "b")`, and `Index(subject, "a")` and the like, which look into a longer text."""
    if not isinstance(node, syntax.Call) or len(node.arguments) < 2:
        return None
    name = node.name.lower()
    if name != "inlist" and name not in _SEARCH:
        return None
    subject = _subject(node.arguments[0], facts)
    others = node.arguments[1:] if name == "inlist" else node.arguments[1:2]
    names = [text for each in others if (text := _value(each, facts).text)]
    if subject is None:
        return None
    if len(names) != len(others):
        return Match(subject, is_open=True)
    return Match(subject, tuple(names), contains=name != "inlist")


def _either(matches: Sequence[Match | None]) -> Match | None:
    """`a == "x" || a == "y"`: both names have this branch."""
    found = [each for each in matches if each is not None]
    if not found or len(found) != len(matches) or any(each.negated for each in found):
        return None
    if len({each.subject for each in found}) > 1:
        return None
    return Match(
        found[0].subject,
        tuple(dict.fromkeys(name for each in found for name in each.names)),
        any(each.contains for each in found),
        prefixes=tuple(dict.fromkeys(prefix for each in found for prefix in each.prefixes)),
        is_open=any(each.is_open for each in found),
    )


def _both(matches: Sequence[Match | None]) -> Match | None:
    """`$call_llm_again && a == "x"`: the comparison among others. All of them `!=` is what no name fits."""
    found = [each for each in matches if each is not None]
    positive = [each for each in found if not each.negated]
    if len(positive) == 1:
        (match,) = positive
        others = any(each is not match and each.subject == match.subject for each in found)
        return _open(match) if match.prefixes and others else match
    if positive and len({each.subject for each in positive}) == 1:
        return _open(positive[0])
    return found[0] if found and not positive and len(found) == len(matches) > 1 else None


def _subject(node: syntax.Node, facts: Facts) -> Subject | None:
    source = _value(node, facts).only
    if isinstance(source, Variable | Part):
        return source
    node = last_of(node)
    return Variable(node.name) if isinstance(node, syntax.Global) else None


def _value(node: syntax.Node, facts: Facts) -> Value:
    return facts.value_of(last_of(node))

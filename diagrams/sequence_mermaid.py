"""A run's sequence diagram as Mermaid text."""

from collections.abc import Iterator, Mapping

from callagain.diagrams.mermaid import name_in_a_sequence, statements, text_in_a_sequence
from callagain.diagrams.sequence import (
    MOST_ROUNDS,
    Kind,
    Message,
    Part,
    Participant,
    Remark,
    Together,
    sequence,
)
from callagain.diagrams.walk import Walk

_ARROWS = {Kind.CALL: "->>", Kind.DECISION: "->>", Kind.RESULT: "-->>", Kind.ERROR: "--x", Kind.RETRY: "-x"}
_INDENT = "    "


def sequence_mermaid(walk: Walk, *, rounds: int = MOST_ROUNDS) -> str:
    """Who said what to whom in a run: the caller, the loop, the LLM endpoint and each tool.

    rounds: of a longer run only so many are drawn, the first and the last ones; a note says what is left out.
    """
    diagram = sequence(walk, rounds=rounds)
    ids = {each: f"P{number}" for number, each in enumerate(diagram.participants)}
    return statements("sequenceDiagram", _lines(diagram.participants, diagram.parts, ids))


def _lines(
    participants: tuple[Participant, ...], parts: tuple[Part, ...], ids: Mapping[Participant, str]
) -> Iterator[str]:
    for each in participants:
        yield f"participant {ids[each]} as {name_in_a_sequence(each.name)}"
    for part in parts:
        if isinstance(part, Together):
            yield from _together(part, ids)
        else:
            yield _line(part, ids)


def _together(part: Together, ids: Mapping[Participant, str]) -> Iterator[str]:
    for number, branch in enumerate(part.branches):
        yield "and" if number else "par"
        for each in branch:
            yield f"{_INDENT}{_line(each, ids)}"
    yield "end"


def _line(part: Message | Remark, ids: Mapping[Participant, str]) -> str:
    words = text_in_a_sequence(part.text)
    if isinstance(part, Message):
        return f"{ids[part.source]}{_ARROWS[part.kind]}{ids[part.target]}: {words}"
    return f"Note over {','.join(dict.fromkeys(ids[each] for each in part.over))}: {words}"

"""The pieces of a response, as a stream brings them.

A piece says nothing that can be acted upon: calls are run when the response is whole, and a response that is
asked for again begins anew.
"""

from dataclasses import dataclass
from typing import TypeAlias


@dataclass(frozen=True, slots=True)
class TextDelta:
    """The next piece of the answer's text."""

    text: str


@dataclass(frozen=True, slots=True)
class ReasoningDelta:
    """The next piece of what the model says it thinks."""

    text: str


@dataclass(frozen=True, slots=True)
class ArgumentsDelta:
    """The next piece of a tool call.

    index: which call of this response, from 0, in the order of their first pieces. call_id, name: as far as
    they are known; either may be empty. arguments: the piece of the arguments' text; may be empty.
    """

    index: int
    call_id: str
    name: str
    arguments: str


Delta: TypeAlias = TextDelta | ReasoningDelta | ArgumentsDelta

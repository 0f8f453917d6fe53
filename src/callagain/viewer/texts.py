"""The texts of a page. Each stands in it once, and a request is put together from them in the browser.

A run of many rounds sends nearly the same request again and again. Were each of them to stand in the page, it
would grow by the square of the run's length.
"""

from collections.abc import Sequence

from callagain.diagrams.walk import SentRequest
from callagain.engine.growing_sequence import GrowingSequence
from callagain.engine.json_text import Json, JsonObject
from callagain.engine.variables import Variables

# The version of tools_messages before the first round.
_EMPTY = 0


class Texts:
    """Texts by their places, in the order in which they came."""

    def __init__(self) -> None:
        self._places: dict[str, int] = {}

    def place(self, text: str) -> int:
        """Where the text stands."""
        return self._places.setdefault(text, len(self._places))

    def of(self, text: str) -> JsonObject:
        """What stands for it as the value of a variable: {"text": place}."""
        return {"text": self.place(text)}

    def as_json(self) -> list[Json]:
        return list(self._places)


class Rounds:
    """The versions of tools_messages: each is the beginning of the one before it, and what was appended.

    A version is [the version before, how many of its fragments stay, the places of the further ones].
    """

    def __init__(self, texts: Texts) -> None:
        self._texts = texts
        self._versions: list[Json] = [[_EMPTY, 0, []]]
        self._newest = _EMPTY
        self._sequence: GrowingSequence[bytes] | None = None
        self._fragments: list[bytes] = []

    def version(self, sequence: GrowingSequence[bytes]) -> int:
        """The number of this version. It is cheap for one that grew out of the version asked for before."""
        if sequence is self._sequence:
            return self._newest
        fragments = list(sequence)
        if fragments != self._fragments:
            stay = _common_length(self._fragments, fragments)
            added: list[Json] = [self._texts.place(each.decode()) for each in fragments[stay:]]
            self._versions.append([self._newest, stay, added])
            self._newest = len(self._versions) - 1
        self._sequence, self._fragments = sequence, fragments
        return self._newest

    def as_json(self) -> list[Json]:
        return self._versions


class Requests:
    """InAndOut as what it is joined from: [opening, closing, base messages, version of tools_messages].

    The first three are places of texts; the base messages are null if there are none.
    """

    def __init__(self, texts: Texts, rounds: Rounds) -> None:
        self._texts = texts
        self._rounds = rounds

    def of(self, variables: Variables) -> JsonObject:
        """The value of InAndOut: {"request": parts}, or {"text": place} where it was assigned whole."""
        if variables.assigned_request is not None:
            return self._texts.of(variables.assigned_request.decode())
        body, base = variables.request, variables.non_tool_messages
        return {
            "request": [
                self._texts.place(body.opening.decode()),
                self._texts.place(body.closing.decode()),
                self._texts.place(base.decode()) if base else None,
                self._rounds.version(variables.tools_messages),
            ]
        }

    def sent(self, request: SentRequest) -> JsonObject:
        """What stands for a body that was sent; an operation may send something other than InAndOut."""
        kept = request.kept
        return self._texts.of(kept.decode()) if isinstance(kept, bytes) else self.of(kept)


def _common_length(one: Sequence[bytes], other: Sequence[bytes]) -> int:
    """How many fragments both begin with. Lists are compared by identity first, so this is fast."""
    if one == other[: len(one)]:
        return len(one)
    pairs = enumerate(zip(one, other, strict=False))
    return next((place for place, (a, b) in pairs if a != b), min(len(one), len(other)))

"""Expected calls and the calls of a run, put side by side so that as little as possible differs."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

from callagain.engine.json_text import JsonObject
from callagain.testing.trajectory_expected import ExpectedCall

# What each difference counts. A call with other arguments is nearer than one that is missing.
_OTHER_ARGUMENTS = 1
_NOT_CALLED = 2
_NOT_EXPECTED = 2


@dataclass(frozen=True, slots=True)
class RunCall:
    """A call that the model asked for. note: what became of it, unless its tool simply ran."""

    name: str
    arguments: JsonObject | None
    note: str | None = None


@dataclass(frozen=True, slots=True)
class Row:
    """An expected call beside the call of this number (from 1), or one of them alone.

    is_allowed: a call alone that may be there.
    """

    expected: ExpectedCall | None = None
    call: RunCall | None = None
    number: int | None = None
    is_allowed: bool = False
    differences: Sequence[str] = field(default_factory=list[str])

    @property
    def is_right(self) -> bool:
        if self.expected is None or self.call is None:
            return self.is_allowed
        return not self.differences


def align(expected: Sequence[ExpectedCall], calls: Sequence[RunCall], *, others_allowed: bool) -> list[Row]:
    """The rows in the one order of both; all are right if the calls are as expected.

    others_allowed: calls may stand before, between and after the expected ones.
    """
    for_another = 0 if others_allowed else _NOT_EXPECTED
    # least[i][j]: what differs at the least between expected[i:] and calls[j:].
    least = [[0] * (len(calls) + 1) for _ in range(len(expected) + 1)]

    def steps(i: int, j: int) -> Iterator[tuple[int, int, int]]:
        """What differs from here on, by how many expected calls and calls the next row takes."""
        if i < len(expected) and j < len(calls) and expected[i].name == calls[j].name:
            is_other = bool(expected[i].differences(calls[j].arguments))
            yield least[i + 1][j + 1] + is_other * _OTHER_ARGUMENTS, 1, 1
        if j < len(calls):
            yield least[i][j + 1] + for_another, 0, 1
        if i < len(expected):
            yield least[i + 1][j] + _NOT_CALLED, 1, 0

    for i in reversed(range(len(expected) + 1)):
        for j in reversed(range(len(calls) + 1)):
            least[i][j] = min((cost for cost, _, _ in steps(i, j)), default=0)

    rows: list[Row] = []
    i = j = 0
    while (i, j) != (len(expected), len(calls)):
        _, of_expected, of_calls = min(steps(i, j), key=lambda step: step[0])
        if of_expected and of_calls:
            rows.append(_pair(expected[i], calls, j))
        elif of_calls:
            rows.append(Row(call=calls[j], number=j + 1, is_allowed=others_allowed))
        else:
            rows.append(Row(expected=expected[i]))
        i, j = i + of_expected, j + of_calls
    return rows


def pair_in_any_order(expected: Sequence[ExpectedCall], calls: Sequence[RunCall]) -> list[Row]:
    """A row for each call, then one for each expected call that is missing.

    An expected call that fits several calls leaves to another the one that the other needs.
    """
    partners = _most_partners(expected, calls)
    left = [i for i in range(len(expected)) if i not in partners.values()]
    for j, call in enumerate(calls):
        namesake = next((i for i in left if expected[i].name == call.name), None)
        if j not in partners and namesake is not None:
            partners[j] = namesake
            left.remove(namesake)
    rows = [
        _pair(expected[partners[j]], calls, j) if j in partners else Row(call=call, number=j + 1)
        for j, call in enumerate(calls)
    ]
    return rows + [Row(expected=expected[i]) for i in left]


def _most_partners(expected: Sequence[ExpectedCall], calls: Sequence[RunCall]) -> dict[int, int]:
    """For as many calls as possible the expected call that each one fits, both by their index.

    Source: the augmenting paths of Kuhn's method for bipartite matching.
    """
    fitting = [
        [j for j, call in enumerate(calls) if call.name == one.name and not one.differences(call.arguments)]
        for one in expected
    ]
    partners: dict[int, int] = {}

    def finds_partner(i: int, tried: set[int]) -> bool:
        free = next((j for j in fitting[i] if j not in partners), None)
        if free is not None:
            partners[free] = i
            return True
        for j in fitting[i]:
            if j not in tried:
                tried.add(j)
                if finds_partner(partners[j], tried):
                    partners[j] = i
                    return True
        return False

    for i in range(len(expected)):
        finds_partner(i, set())
    return partners


def _pair(expected: ExpectedCall, calls: Sequence[RunCall], index: int) -> Row:
    call = calls[index]
    return Row(expected, call, index + 1, differences=expected.differences(call.arguments))

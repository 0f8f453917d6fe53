"""Collects the differences of one case, each at the first place where it is seen."""

from callagain.porting.parity.model import CaseResult, Difference, Status
from callagain.porting.parity.shown import Shown
from callagain.porting.parity.values import Leaf, unfolded


class Findings:
    """What is found in a case.

    A wrong value is handed on from variable to variable, and into every request that follows. So the same two
    values, and a variable that has differed in the same way before, are found once.
    """

    def __init__(self, case: str, shown: Shown) -> None:
        self._case = case
        self._shown = shown
        self._found: list[Difference] = []
        self._seen: set[tuple[str, str, str]] = set()
        self._added: dict[str, None] = {}
        self._left_out: dict[str, None] = {}
        self._notes: list[str] = []

    def add(self, after: str, variable: str, leaf: Leaf, trap: str | None = None) -> None:
        """A place where a variable differs."""
        for each in unfolded(leaf):
            self._add(after, variable, each, trap)

    def _add(self, after: str, variable: str, leaf: Leaf, trap: str | None) -> None:
        # A number or a truth value may differ in many ways by chance; a text or a message does not.
        is_distinct = any(isinstance(value, str | list | dict) for value in (leaf.design, leaf.python))
        key = ("" if is_distinct else leaf.path or variable, repr(leaf.design), repr(leaf.python))
        if key in self._seen:
            return
        self._seen.add(key)
        name = f"{variable}: {leaf.path}" if leaf.path else variable
        shown = self._shown.pair(leaf.design, leaf.python)
        self._found.append(Difference(self._case, after, self._shown.line(name), *shown, trap))

    def added(self, field: str) -> None:
        """A field that callagain sends on its own."""
        self._added[self._shown.line(field)] = None

    def left_out(self, field: str) -> None:
        """An empty field that callagain does not send back."""
        self._left_out[self._shown.line(field)] = None

    def note(self, text: str) -> None:
        self._notes.append(self._shown.line(text))

    def result(self) -> CaseResult:
        differences = tuple(each for each in self._found if each.trap is None)
        return CaseResult(
            self._case,
            Status.DIFFERENT if differences else Status.SAME,
            differences,
            tuple(each for each in self._found if each.trap is not None),
            tuple(self._added),
            tuple(self._left_out),
            tuple(self._notes),
        )

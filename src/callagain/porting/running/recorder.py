"""Takes the snapshots and the log of a run, and keeps secrets out of both."""

from collections.abc import Iterable, Mapping

from callagain.porting.running.runs import Kind, Outcome, Snapshot
from callagain.porting.script.errors import ScriptLimitError
from callagain.porting.script.values import Value

HIDDEN = "***"
_SHORTEST_SECRET = 4
MAX_COPIED = 5_000_000


class Recorder:
    """The record of one run.

    secrets: the values of secret project variables; each is `***` wherever it stands in a text. One of less
    than four characters is hidden where it is a whole value, as it would be found in everything else.
    max_copied: elements of arrays and dictionaries in all snapshots together.
    """

    def __init__(self, secrets: Iterable[str], *, max_copied: int = MAX_COPIED) -> None:
        self.log: list[str] = []
        self.snapshots: list[Snapshot] = []
        # The longest first, since one may be the beginning of another.
        self._secrets = sorted({secret for secret in secrets if secret}, key=len, reverse=True)
        self._max_copied = max_copied
        self._copied = 0

    def hide(self, text: str) -> str:
        """The text without the secrets in it."""
        for secret in self._secrets:
            if text == secret:
                return HIDDEN
            if len(secret) >= _SHORTEST_SECRET:
                text = text.replace(secret, HIDDEN)
        return text

    def write(self, line: str) -> None:
        """Takes a line of the operation log."""
        self.log.append(self.hide(line))

    def take(
        self, kind: Kind, name: str, variables: Mapping[str, Value], log_from: int, error: str | None
    ) -> None:
        """Takes a snapshot. log_from: how many lines the log had when the operation or script began."""
        known: dict[int, Value] = {}
        copied = {name: self._copy(value, known) for name, value in variables.items()}
        outcome = Outcome.COMPLETED if error is None else Outcome.FAILED
        log = tuple(self.log[log_from:])
        hidden = None if error is None else self.hide(error)
        self.snapshots.append(Snapshot(kind, name, copied, outcome, log, hidden))

    def _copy(self, value: Value, known: dict[int, Value]) -> Value:
        """known: the copies of arrays and dictionaries by their identity; one may be in many places."""
        if isinstance(value, str):
            return self.hide(value)
        if not isinstance(value, list | dict):
            return value
        if id(value) not in known:
            self._count(len(value))
            if isinstance(value, list):
                elements: list[Value] = []
                known[id(value)] = elements
                elements.extend(self._copy(each, known) for each in value)
            else:
                members: dict[str, Value] = {}
                known[id(value)] = members
                members.update((key, self._copy(each, known)) for key, each in value.items())
        return known[id(value)]

    def _count(self, size: int) -> None:
        self._copied += size
        if self._copied > self._max_copied:
            raise ScriptLimitError(
                f"the snapshots of this run hold more than {self._max_copied:,} elements of arrays and "
                "dictionaries; look for a loop that collects without end"
            )

"""A run: its inputs and one ordered log of entries. `apply(entry)` is the only way in, live or replayed.

    run = Run(chain, inputs)
    for step in run.walk(): ...                  # operations, until something is needed from outside
    for key, command in run.open.ready(): ...    # what may be performed now
    run.apply(Intent(key, command.digest))
    run.apply(Receipt(key, value))               # and walk again

A run knows no clock, no network and no thread; a driver does what is needed with those. To fold a log over a
new Run of the same inputs gives the same run, as far as the log goes.
"""

from collections.abc import Callable, Iterator
from copy import copy
from dataclasses import dataclass, replace
from typing import Literal, TypeAlias

from callagain.engine.chain import Chain
from callagain.engine.commands import Key
from callagain.engine.diagnosis import explain_limit
from callagain.engine.errors import EntryError, Failure
from callagain.engine.links import COMPLETED, FAILED, FINAL_STATES, LIMIT, ON_FAIL, ON_SUCCESS
from callagain.engine.log_entries import Entry, Resumed
from callagain.engine.open_commands import OpenCommands
from callagain.engine.operation import Activity
from callagain.engine.problem import Problem
from callagain.engine.run_inputs import Inputs
from callagain.engine.spending import budget_below_spent, carry_spending
from callagain.engine.variables import Variables
from callagain.engine.wire.reply import Note

Outcome: TypeAlias = Literal["completed", "limit", "failed", "suspended"]
"""What a drive of a run comes to."""

_OUTCOMES: dict[str, Outcome] = {COMPLETED: "completed", LIMIT: "limit", FAILED: "failed"}


@dataclass(frozen=True, slots=True)
class Step:
    """One operation that has ended: where it stood, how it ended, where that led, and what it changed."""

    number: int
    operation: str
    event: str
    target: str
    before: Variables
    after: Variables
    problem: Problem | None = None

    @property
    def notes(self) -> tuple[Note, ...]:
        """The lines that the operation wrote to the log."""
        return self.after.notes


# It takes no entry, so all runs may share it.
_NOTHING_OPEN = OpenCommands()


@dataclass(frozen=True, slots=True)
class _Mark:
    """Where a run that has ended can go on: in the last operation that had something performed.

    Nothing was performed after it, so nothing is performed twice.
    """

    number: int
    state: str
    before: Variables
    variables: Variables
    open: OpenCommands
    entered: bool


class Run:
    """Where a run of a chain stands. Made from the log alone, it stands where the log ends.

    state: the operation that comes next, or waits; or a final state. problem: why the run came to it.
    open: the commands that the operation waits for. on_entry, on_step: told of each, where the run is kept.
    """

    def __init__(self, chain: Chain, inputs: Inputs) -> None:
        self.chain = chain
        self.inputs = inputs
        self.state = chain.initial
        self.variables = Variables.of(inputs)
        self.problem: Problem | None = None
        self.open: OpenCommands = _NOTHING_OPEN
        self.log: list[Entry] = []
        self.trace: list[Step] = []
        self.on_entry: Callable[[Entry], None] | None = None
        self.on_step: Callable[[Step], None] | None = None
        self._number: int = 1
        self._highest: int = 1
        self._entered = False
        self._before = self.variables
        self._mark = _Mark(1, self.state, self._before, self.variables, self.open, entered=False)
        self._is_closing = False
        self._kept = self.variables

    def walk(self) -> Iterator[Step]:
        """Performs operations until something is needed from outside, and yields each when it has ended."""
        while (step := self._move()) is not None:
            yield step

    @property
    def outcome(self) -> Outcome | None:
        """The final state; "suspended" for a run that only a decision can move; or None."""
        if self.state in _OUTCOMES:
            return _OUTCOMES[self.state]
        waits = self.open.held and not self.open.ready() and not self.open.unanswered()
        return "suspended" if waits else None

    def with_only(self, key: Key) -> "Run":
        """The run as it stands, waiting for the command of this key alone: to find out what comes of it.

        It is not to be walked on; what came of the command is applied to the whole run.
        """
        alone = copy(self)
        alone.open, alone.log, alone.trace = self.open.only(key), [], []
        alone.on_entry = alone.on_step = None
        return alone

    def apply(self, entry: Entry) -> None:
        """Takes an entry. Raises EntryError, and changes nothing, if it does not fit the run as it stands."""
        for _ in self.walk():
            pass
        if isinstance(entry, Resumed):
            self._resume(entry)
        else:
            self.open.take(entry)
        self.log.append(entry)
        if self.on_entry is not None:
            self.on_entry(entry)

    def _move(self) -> Step | None:
        if self.state in FINAL_STATES:
            return None
        operation = self.chain.operations[self.state]
        if not isinstance(operation, Activity):
            return self._perform(operation.run)
        if not self._entered:
            variables = self.variables.copy()
            try:
                commands = operation.request(variables)
            except Failure as failure:
                return self._end(ON_FAIL, self.variables.copy(notes=variables.notes), failure.problem)
            self.open = OpenCommands(self._number, commands)
            self._before, self.variables, self._entered = self.variables, variables, True
        receipts = self.open.receipts
        if receipts is None:
            return None
        if self.open.commands and not self._is_closing:
            kept = self.open.without_requests()
            self._mark = _Mark(self._number, self.state, self._before, self.variables, kept, entered=True)
        return self._perform(lambda variables: operation.receive(variables, receipts))

    def _perform(self, action: Callable[[Variables], None]) -> Step:
        # What an Activity wrote to the log on entering stays when it takes its receipts.
        variables = self.variables.copy(notes=self.variables.notes if self._entered else ())
        try:
            action(variables)
        except Failure as failure:
            after = self.variables.copy(notes=variables.notes)
            # What was used stays used.
            after.requests = variables.requests
            after.usage = after.usage + failure.problem.usage
            return self._end(ON_FAIL, after, failure.problem)
        return self._end(ON_SUCCESS, variables, None)

    def _end(self, event: str, after: Variables, problem: Problem | None) -> Step:
        if problem is not None:
            problem = replace(problem, operation=self.state)
        after.problem = problem
        target = self.chain.next_state(self.state, event, after)
        before = self._before if self._entered else self.variables
        step = Step(self._number, self.state, event, target, before, after, problem)
        self.trace.append(step)
        if target == LIMIT and problem is None:
            problem = replace(after.limit_reached or explain_limit(after), operation=self.state)
        if not self._is_closing:
            # What a resumed run counts anew by itself, as it walks from the mark.
            self._kept = after
            self._is_closing = self.chain.operations[self.state].is_closing
        self.state, self.variables, self.problem = target, after, problem
        # A number is given once, so that no two commands of a run have one key.
        self._number = self._highest = self._highest + 1
        self._entered, self.open = False, _NOTHING_OPEN
        if self.on_step is not None:
            self.on_step(step)
        return step

    def _resume(self, entry: Resumed) -> None:
        if self.state not in (LIMIT, FAILED):
            raise EntryError(f"resumed: a run in state {self.state!r} did not end at a limit or by a failure")
        mark, changes = self._mark, dict(entry.changes)
        for name, value in changes.items():
            if (used := budget_below_spent(self.variables, name, value)) is not None:
                raise EntryError(f"resumed: {name}={value} is below the {used} that the run has used already")
        variables = mark.variables.copy()
        limit = changes.pop("max_iterations", variables.max_iterations)
        if not isinstance(limit, int) or isinstance(limit, bool) or limit < 0:
            raise EntryError(f"resumed: max_iterations must be a whole number, 0 or more, not {limit!r}")
        try:
            variables.limits = variables.limits.changed(changes)
        except ValueError as error:
            raise EntryError(f"resumed: {error}") from None
        variables.max_iterations = limit
        carry_spending(self.variables, since=mark.variables if entry.discard else self._kept, to=variables)
        self.state, self.problem, self._number = mark.state, None, mark.number
        self.variables, self._before, self._entered = variables, mark.before, mark.entered
        self.open, self._is_closing = mark.open.again(self._asked(mark), discard=entry.discard), False

    def _asked(self, mark: _Mark) -> OpenCommands:
        """The commands that the operation asked for there: it asks for the same ones again."""
        operation = self.chain.operations[mark.state]
        if not mark.entered or not isinstance(operation, Activity):
            return _NOTHING_OPEN
        return OpenCommands(mark.number, operation.request(mark.before.copy()))

"""A run: its inputs and one ordered log of entries. `apply(entry)` is the only way in, live or replayed.

    run = Run(chain, inputs)
    for step in run.walk(): ...         # operations, until something is needed from outside
    for key, command in run.ready(): ...   # what may be performed now
    run.apply(Intent(key, command.digest))
    run.apply(Receipt(key, value))      # and walk again

A run knows no clock, no network and no thread; a driver does what is needed with those. To fold a log over a
new Run of the same inputs gives the same run, as far as the log goes.
"""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, replace
from typing import Literal, TypeAlias

from callagain.engine.chain import Chain
from callagain.engine.commands import Command, Key, SendRequest
from callagain.engine.diagnosis import explain_limit
from callagain.engine.entries import Decision, Entry, Held, Intent, Receipt, Resumed
from callagain.engine.errors import EntryError, Failure, Problem
from callagain.engine.inputs import Inputs
from callagain.engine.json_text import Json
from callagain.engine.links import FAILED, FINAL_STATES, LIMIT, ON_FAIL, ON_SUCCESS
from callagain.engine.operation import Activity
from callagain.engine.variables import Variables
from callagain.engine.wire.reply import Note

Outcome: TypeAlias = Literal["completed", "limit", "failed", "suspended"]


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


@dataclass(frozen=True, slots=True)
class _Mark:
    """Where a run that has ended can go on: its last LLM Call, with the receipts it had."""

    number: int
    state: str
    before: Variables
    variables: Variables
    commands: Mapping[Key, Command]
    receipts: Mapping[Key, Json]


class Run:
    """Where a run of a chain stands. Made from the log alone, it stands where the log ends."""

    def __init__(self, chain: Chain, inputs: Inputs) -> None:
        self.chain = chain
        self.inputs = inputs
        self.state = chain.initial
        self.variables = Variables.of(inputs)
        self.problem: Problem | None = None
        self.log: list[Entry] = []
        self.trace: list[Step] = []
        self.commands: Mapping[Key, Command] = {}
        self.held: dict[Key, Held] = {}
        self.released: frozenset[Key] = frozenset()
        self._number = 1
        self._entered = False
        self._before = self.variables
        self._intents: set[Key] = set()
        self._receipts: dict[Key, Json] = {}
        self._mark: _Mark | None = None

    # What a driver sees

    def walk(self) -> Iterator[Step]:
        """Performs operations until something is needed from outside, and yields each when it has ended."""
        while (step := self._move()) is not None:
            yield step

    def ready(self) -> list[tuple[Key, Command]]:
        """The commands that may be performed now, in order. Looking changes nothing."""
        found: list[tuple[Key, Command]] = []
        open_before = False
        for key, command in self.commands.items():
            if key in self._receipts:
                continue
            if command.sequential and open_before:
                break
            if key not in self._intents and key not in self.held:
                found.append((key, command))
            if command.sequential:
                break
            open_before = True
        return found

    def unanswered(self) -> list[tuple[Key, Command]]:
        """The commands with an intent and no receipt: under way, or, in a run taken up anew, unknown."""
        return [
            (key, command)
            for key, command in self.commands.items()
            if key in self._intents and key not in self._receipts and key not in self.held
        ]

    @property
    def outcome(self) -> Outcome | None:
        """The final state, "suspended" for a run that only a decision can move, or None."""
        if self.state == "completed":
            return "completed"
        if self.state == LIMIT:
            return "limit"
        if self.state == FAILED:
            return "failed"
        return "suspended" if self.held and not self.ready() and not self.unanswered() else None

    # The one way in

    def apply(self, entry: Entry) -> None:
        """Takes an entry. Raises EntryError, and changes nothing, if it does not fit the run as it stands."""
        for _ in self.walk():
            pass
        match entry:
            case Intent():
                self._intend(entry)
            case Receipt():
                self._receive(entry)
            case Held():
                self._hold(entry)
            case Decision():
                self._decide(entry)
            case Resumed():
                self._resume(entry)
        self.log.append(entry)

    # Operations

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
                return self._end(ON_FAIL, self.variables.copy(), failure.problem)
            self.commands = {(self._number, place): command for place, command in enumerate(commands)}
            self._before, self.variables, self._entered = self.variables, variables, True
        if len(self._receipts) < len(self.commands):
            return None
        receipts = [self._receipts[key] for key in self.commands]
        self._set_mark()
        return self._perform(lambda variables: operation.receive(variables, receipts))

    def _perform(self, action: Callable[[Variables], None]) -> Step:
        # What an Activity wrote to the log on entering stays when it takes its receipts.
        variables = self.variables.copy(notes=self.variables.notes if self._entered else ())
        try:
            action(variables)
        except Failure as failure:
            return self._end(ON_FAIL, self.variables.copy(), failure.problem)
        return self._end(ON_SUCCESS, variables, None)

    def _end(self, event: str, after: Variables, problem: Problem | None) -> Step:
        after.problem = problem
        target = self.chain.next_state(self.state, event, after)
        before = self._before if self._entered else self.variables
        step = Step(self._number, self.state, event, target, before, after, problem)
        self.trace.append(step)
        self.state, self.variables, self.problem = target, after, problem
        if target == LIMIT and problem is None:
            self.problem = explain_limit(after)
        self._number += 1
        self._leave()
        return step

    def _leave(self) -> None:
        self._entered = False
        self.commands = {}
        self.held = {}
        self.released = frozenset()
        self._intents = set()
        self._receipts = {}

    def _set_mark(self) -> None:
        if any(isinstance(command, SendRequest) for command in self.commands.values()):
            self._mark = _Mark(
                self._number, self.state, self._before, self.variables, self.commands, self._receipts
            )

    # Entries

    def _open_command(self, key: Key, what: str) -> Command:
        command = self.commands.get(key)
        if command is None:
            raise EntryError(f"{what} for {key}: in state {self.state!r} no command has this key")
        if key in self._receipts:
            raise EntryError(f"{what} for {key}: the command has its receipt already")
        if key in self.held:
            raise EntryError(f"{what} for {key}: the command is held ({self.held[key].why}); decide first")
        return command

    def _intend(self, entry: Intent) -> None:
        command = self._open_command(entry.key, "intent")
        if command.digest != entry.digest:
            raise EntryError(
                f"intent for {entry.key}: the command differs from the one in the log; the chain, the inputs "
                "or an operation have changed since"
            )
        if entry.key not in self._intents and entry.key not in dict(self.ready()):
            raise EntryError(f"intent for {entry.key}: a call before it is an ordering point, and still open")
        self._intents.add(entry.key)

    def _receive(self, entry: Receipt) -> None:
        self._open_command(entry.key, "receipt")
        if entry.key not in self._intents:
            raise EntryError(f"receipt for {entry.key}: there was no intent")
        self._receipts[entry.key] = entry.value

    def _hold(self, entry: Held) -> None:
        self._open_command(entry.key, "hold")
        self.held[entry.key] = entry

    def _decide(self, entry: Decision) -> None:
        if entry.key not in self.held:
            raise EntryError(f"decision about {entry.key}: no command of this key is held")
        command = self.commands[entry.key]
        if command.digest != entry.digest:
            raise EntryError(f"decision about {entry.key}: it was made about another command")
        if entry.verdict == "answer":
            self._receipts[entry.key] = entry.value
        elif entry.verdict == "edit":
            if isinstance(command, SendRequest) or not isinstance(entry.value, dict):
                raise EntryError(f"decision about {entry.key}: only a call can be edited, with a JSON object")
            self.commands = {**self.commands, entry.key: replace(command, arguments=entry.value)}
        del self.held[entry.key]
        self._intents.discard(entry.key)
        self.released = self.released | {entry.key}

    def _resume(self, entry: Resumed) -> None:
        if self.state not in (LIMIT, FAILED) or self._mark is None:
            raise EntryError(f"resumed: a run in state {self.state!r} has no LLM Call to go back to")
        if unknown := set(entry.changes) - {"max_iterations"}:
            raise EntryError(f"resumed: {', '.join(sorted(unknown))} cannot be changed")
        variables = self._mark.variables.copy()
        limit = entry.changes.get("max_iterations", variables.max_iterations)
        if not isinstance(limit, int) or isinstance(limit, bool) or limit < 0:
            raise EntryError(f"resumed: max_iterations must be 0 or more, not {limit!r}")
        variables.max_iterations = limit
        mark = self._mark
        self._leave()
        self.state, self.variables, self.problem, self._number = mark.state, variables, None, mark.number
        self._before, self._entered, self.commands = mark.before, True, mark.commands
        if not entry.discard:
            self._receipts = dict(mark.receipts)
            self._intents = set(mark.receipts)

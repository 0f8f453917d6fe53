"""Where the turns of a conversation are kept: in the memory of this process, or in a journal."""

import asyncio
import copy
import threading
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Protocol, TypeAlias, TypeVar
from weakref import WeakKeyDictionary

from callagain.engine.errors import RunInProgressError
from callagain.engine.journal.store import JournalFile, NewTurn, Settled, StoredConversation, StoredTurn
from callagain.engine.json_text import Json, JsonObject
from callagain.engine.spending import Spent
from callagain.live_run import LiveRun

Value = TypeVar("Value")
# Number, the user's message, what later turns are told of it.
Said: TypeAlias = tuple[int, Json, Sequence[JsonObject]]


class TurnStore(Protocol):
    """The turns of one conversation, of which only the last one can go on.

    Raises RunInProgressError where somebody else is driving that turn, or has begun another one.
    """

    @property
    def conversation_id(self) -> str: ...

    def read(self) -> StoredConversation: ...

    def said(self, first: int) -> Sequence[Said]:
        """Of the turns from this number on."""
        ...

    def begin(self, live: LiveRun[object], turn: NewTurn) -> None:
        """The run that is about to begin is this turn. Raises now, or makes the beginning raise."""
        ...

    def live(self, run_id: str) -> LiveRun[object] | None:
        """The run of the last turn; None if it is in the journal."""
        ...

    def take(self, run_id: str) -> LiveRun[object] | None:
        """The same, which is about to go on."""
        ...

    def leave(self, run_id: str) -> None:
        """Nobody here drives the run any more."""
        ...

    def settle(self, settled: Settled) -> None: ...

    def discard(self, number: int, spent: Spent | None) -> None: ...

    def delete(self) -> None: ...

    async def apart(self, action: Callable[[], Value]) -> Value:
        """Does what may have to wait for a file, without blocking the event loop."""
        ...


@dataclass(slots=True)
class _TurnInMemory:
    number: int
    message: Json
    run_id: str
    live: LiveRun[object] | None
    is_driven: bool = True
    outcome: str | None = None
    kind: str | None = None
    messages: Sequence[JsonObject] = ()
    spent: Spent | None = None

    def stored(self, conversation_id: str) -> StoredTurn:
        result = None if self.live is None or self.is_driven else self.live.result
        kind = self.kind if result is None or result.error is None else result.error.kind
        stands = "running" if self.is_driven else "interrupted" if result is None else result.outcome
        driver = f"this process runs it; wait until the conversation {conversation_id!r} is free"
        return StoredTurn(
            self.number,
            self.run_id,
            self.outcome or stands,
            kind,
            is_settled=self.outcome is not None,
            kept=len(self.messages),
            spent=self.spent,
            driver=driver if self.is_driven else None,
        )


class TurnsInMemory:
    """The turns of a conversation in this process."""

    def __init__(self, conversation_id: str) -> None:
        self.conversation_id = conversation_id
        self._turns: list[_TurnInMemory] = []
        self._revision = 0
        self._lock = threading.Lock()

    def read(self) -> StoredConversation:
        with self._lock:
            turns = tuple(turn.stored(self.conversation_id) for turn in self._turns)
            return StoredConversation(self._revision, turns)

    def said(self, first: int) -> Sequence[Said]:
        with self._lock:
            turns = [turn for turn in self._turns if turn.number >= first]
            return [copy.deepcopy((turn.number, turn.message, turn.messages)) for turn in turns]

    def begin(self, live: LiveRun[object], turn: NewTurn) -> None:
        with self._lock:
            if turn.revision != self._revision:
                raise self._busy()
            if self._turns:
                self._turns[-1].live = None
            message = copy.deepcopy(turn.message)
            self._turns.append(_TurnInMemory(turn.number, message, live.run_id, live))
            self._revision += 1

    def live(self, run_id: str) -> LiveRun[object] | None:
        with self._lock:
            return next((turn.live for turn in self._turns if turn.run_id == run_id), None)

    def take(self, run_id: str) -> LiveRun[object] | None:
        with self._lock:
            last = self._last(run_id)
            last.is_driven = True
            if last.outcome in ("limit", "failed"):
                last.outcome, last.messages, last.spent = None, (), None
            self._revision += 1
            return last.live

    def leave(self, run_id: str) -> None:
        with self._lock:
            for turn in self._turns[-1:]:
                if turn.run_id == run_id:
                    turn.is_driven = False

    def settle(self, settled: Settled) -> None:
        with self._lock:
            for turn in self._turns[-1:]:
                if turn.run_id == settled.run_id and turn.outcome is None:
                    turn.outcome, turn.kind = settled.outcome, settled.kind
                    turn.messages, turn.spent = copy.deepcopy(settled.messages), settled.spent
                    self._revision += 1

    def discard(self, number: int, spent: Spent | None) -> None:
        with self._lock:
            last = self._last(next((turn.run_id for turn in self._turns if turn.number == number), ""))
            last.outcome, last.messages, last.spent = "discarded", (), last.spent or spent
            last.live = None
            self._revision += 1

    def delete(self) -> None:
        with self._lock:
            if self._turns:
                self._last(self._turns[-1].run_id)
            self._turns.clear()
            self._revision += 1

    async def apart(self, action: Callable[[], Value]) -> Value:
        return action()

    def _last(self, run_id: str) -> _TurnInMemory:
        for last in self._turns[-1:]:
            if last.run_id == run_id and not last.is_driven:
                return last
        raise self._busy()

    def _busy(self) -> RunInProgressError:
        return RunInProgressError(
            f"another turn of the conversation {self.conversation_id!r} has begun meanwhile; wait until it "
            "has ended"
        )


@dataclass(frozen=True, slots=True)
class TurnsInJournal:
    """The turns of a conversation in a journal, for all processes. The lease of a run keeps others away."""

    journal: JournalFile
    conversation_id: str

    def read(self) -> StoredConversation:
        return self.journal.conversations.read(self.conversation_id)

    def said(self, first: int) -> Sequence[Said]:
        return self.journal.conversations.messages(self.conversation_id, first)

    def begin(self, live: LiveRun[object], turn: NewTurn) -> None:
        self.journal.conversations.expect(live.run_id, turn)

    def live(self, run_id: str) -> LiveRun[object] | None:  # noqa: ARG002 - it is in the journal
        return None

    def take(self, run_id: str) -> LiveRun[object] | None:  # noqa: ARG002 - whoever drives it takes its lease
        return None

    def leave(self, run_id: str) -> None:
        self.journal.conversations.forget(run_id)

    def settle(self, settled: Settled) -> None:
        self.journal.conversations.settle(settled)

    def discard(self, number: int, spent: Spent | None) -> None:
        self.journal.conversations.discard(self.conversation_id, number, spent)

    def delete(self) -> None:
        self.journal.conversations.delete(self.conversation_id)

    async def apart(self, action: Callable[[], Value]) -> Value:
        return await asyncio.to_thread(action)


class _Memory:
    """The conversations of this process, for as long as their loops live."""

    def __init__(self) -> None:
        self._of_loops: WeakKeyDictionary[object, dict[str, TurnsInMemory]] = WeakKeyDictionary()
        self._lock = threading.Lock()

    def turns(self, loop: object, conversation_id: str) -> TurnsInMemory:
        with self._lock:
            conversations = self._of_loops.setdefault(loop, {})
            return conversations.setdefault(conversation_id, TurnsInMemory(conversation_id))


_MEMORY = _Memory()


def turn_store(loop: object, journal: JournalFile | None, conversation_id: str) -> TurnStore:
    """In the journal if the loop has one, and else in memory, where it belongs to this loop."""
    if journal is not None:
        return TurnsInJournal(journal, conversation_id)
    return _MEMORY.turns(loop, conversation_id)

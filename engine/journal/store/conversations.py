"""Conversations in a journal: turns in their order, each with the run that answers it.

A turn comes into the file with its run, in one transaction, so that there is neither without the other. While
its run goes on, the lease of that run keeps everybody else from the conversation; and a turn goes on only as
long as there is none after it. What later turns are told of a turn is written when its run has ended.
"""

from collections.abc import Generator, Sequence
from contextlib import contextmanager
from sqlite3 import Connection
from typing import cast

from callagain.engine.drivers.clock import Clock
from callagain.engine.errors import JournalError, RunInProgressError
from callagain.engine.journal.store.connecting import reading
from callagain.engine.journal.store.leases import Leases
from callagain.engine.journal.store.run_rows import delete_run
from callagain.engine.journal.store.times import as_text
from callagain.engine.journal.store.turn_rows import (
    NewTurn,
    Settled,
    StoredConversation,
    check_last,
    check_next,
    discard_turn,
    gone_on,
    insert_turn,
    read_conversation,
    read_messages,
    reopen_turn,
    settle_turn,
)
from callagain.engine.journal.store.writer import Writer
from callagain.engine.json_text import Json, JsonObject
from callagain.engine.spending import Spent


class Conversations:
    """The conversations of one file, by their ids; safe for any number of threads and processes."""

    def __init__(self, path: str, writer: Writer, leases: Leases, clock: Clock, lock_seconds: float) -> None:
        self._path = path
        self._writer = writer
        self._leases = leases
        self._clock = clock
        self._lock_seconds = lock_seconds
        self._expected: dict[str, NewTurn] = {}

    def read(self, conversation_id: str) -> StoredConversation:
        """As it stands. Of an id that is not there, one in which nothing was said.

        Raises JournalError for a file, or rows, that cannot be read.
        """
        with self._undamaged(conversation_id), reading(self._path, self._lock_seconds) as connection:
            found = read_conversation(connection, conversation_id, None)
        if found is not None:
            return found

        # Who still has a lease is known for certain behind what waits to be written.
        def read(connection: Connection) -> StoredConversation | None:
            return read_conversation(
                connection, conversation_id, lambda run_id: self._driver(connection, run_id)
            )

        with self._undamaged(conversation_id):
            return cast("StoredConversation", self._writer.ask(read))

    def messages(
        self, conversation_id: str, first: int = 1
    ) -> Sequence[tuple[int, Json, Sequence[JsonObject]]]:
        """Of the turns from this number on: number, the user's message, what later turns are told of it."""
        with self._undamaged(conversation_id), reading(self._path, self._lock_seconds) as connection:
            return read_messages(connection, conversation_id, first)

    def expect(self, run_id: str, turn: NewTurn) -> None:
        """The run of this id, when it begins, is this turn.

        It then raises RunInProgressError, and does not begin, if the conversation is not any more as it was.
        """
        self._expected[run_id] = turn

    def forget(self, run_id: str) -> None:
        """The run has begun, or does not begin."""
        self._expected.pop(run_id, None)

    def settle(self, settled: Settled) -> None:
        """Writes what later turns are told of a turn; nothing if its run has gone on, or goes on.

        It need not outlive a loss of power: the run says it again.
        """
        at = as_text(self._clock.date())

        def settle(connection: Connection) -> None:
            if self._driver(connection, settled.run_id) is None:
                settle_turn(connection, settled, at)

        self._writer.ask(settle, settled.run_id)

    def discard(self, conversation_id: str, number: int, spent: Spent | None) -> None:
        """Leaves the last turn out. spent: what it has used, if that is not written already.

        Raises RunInProgressError if somebody drives its run, or if there is another turn after it.
        """
        at = as_text(self._clock.date())

        def discard(connection: Connection) -> None:
            found = self._free(connection, conversation_id)
            if not found.turns or found.turns[-1].number != number:
                raise gone_on(conversation_id)
            discard_turn(connection, found.turns[-1], spent, at)

        with self._undamaged(conversation_id):
            self._writer.ask(discard, is_durable=True)

    def delete(self, conversation_id: str) -> None:
        """Removes the conversation with all its runs. Raises RunInProgressError if somebody drives one."""

        def delete(connection: Connection) -> None:
            for turn in self._free(connection, conversation_id).turns:
                delete_run(connection, turn.run_id)
            for table in ("turns", "conversations"):
                connection.execute(f"DELETE FROM {table} WHERE conversation_id = ?", (conversation_id,))

        with self._undamaged(conversation_id):
            self._writer.ask(delete, is_durable=True)

    def next_turn(self, connection: Connection, run_id: str) -> NewTurn | None:
        """For the beginning of a run: the turn that it is to be. Raises RunInProgressError if it cannot."""
        turn = self._expected.get(run_id)
        if turn is not None:
            check_next(connection, turn)
        return turn

    def insert(self, connection: Connection, run_id: str, turn: NewTurn | None) -> None:
        """For the beginning of a run, behind its own rows."""
        if turn is not None:
            insert_turn(connection, run_id, turn, as_text(self._clock.date()))

    def check_last(self, connection: Connection, run_id: str) -> None:
        """For a run that is to go on. Raises SnapshotError if the conversation has gone on without it."""
        check_last(connection, run_id)

    def reopen(self, connection: Connection, run_id: str) -> None:
        """For a run that goes on: later turns are told nothing of it before it has ended again."""
        reopen_turn(connection, run_id, as_text(self._clock.date()))

    def _free(self, connection: Connection, conversation_id: str) -> StoredConversation:
        found = read_conversation(
            connection, conversation_id, lambda run_id: self._driver(connection, run_id)
        )
        assert found is not None
        for turn in found.turns:
            if turn.driver is not None:
                raise RunInProgressError(turn.driver)
        return found

    def _driver(self, connection: Connection, run_id: str) -> str | None:
        try:
            self._leases.check_free(connection, run_id)
        except RunInProgressError as error:
            return str(error)
        return None

    @contextmanager
    def _undamaged(self, conversation_id: str) -> Generator[None, None, None]:
        try:
            yield
        except ValueError as error:
            raise JournalError(
                f"what the journal {self._path} has of the conversation {conversation_id!r} is damaged "
                f"({error}); take the journal from a backup"
            ) from error

"""A turn of a conversation as rows. What is here is called in a transaction."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from sqlite3 import Connection
from typing import Any

from callagain.engine.errors import RunInProgressError, SnapshotError
from callagain.engine.journal.store.rows import json_text
from callagain.engine.json_text import MAX_DEPTH, Json, JsonObject, decode
from callagain.engine.spending import Spent

DISCARDED = "discarded"
_SPENT = ("tokens", "money", "requests", "tool_calls", "seconds", "estimated")
_NOTHING = [None] * len(_SPENT)
# A message holds values that may be as deep as JSON may be anywhere.
_MAX_DEPTH = 2 * MAX_DEPTH


@dataclass(frozen=True, slots=True)
class StoredTurn:
    """A turn, without what was said in it.

    status: that of its run, or "discarded". kind: why its run did not complete. is_settled: it is written
    what later turns are told of it: `kept` messages. spent: what it has used, once that is written. driver:
    who drives its run now, in words.
    """

    number: int
    run_id: str
    status: str
    kind: str | None = None
    is_settled: bool = False
    kept: int = 0
    spent: Spent | None = None
    driver: str | None = None


@dataclass(frozen=True, slots=True)
class StoredConversation:
    """The turns in their order. revision: another one after each change; 0 if nothing was said yet."""

    revision: int = 0
    turns: tuple[StoredTurn, ...] = ()


@dataclass(frozen=True, slots=True)
class NewTurn:
    """A turn that is to begin with its run. revision: of the conversation, as its history was made of it."""

    conversation_id: str
    revision: int
    number: int
    message: Json


@dataclass(frozen=True, slots=True)
class Settled:
    """What is written of a turn whose run has come to its outcome.

    entries: how many its log had then; with more of them it has gone on. messages: what later turns are
    told.
    """

    run_id: str
    entries: int
    outcome: str
    kind: str | None
    messages: Sequence[JsonObject]
    spent: Spent


def read_conversation(
    connection: Connection, conversation_id: str, driver_of: Callable[[str], str | None] | None
) -> StoredConversation | None:
    """driver_of: who drives the run of this id. Without it None is given where somebody might.

    Raises ValueError for rows that are damaged.
    """
    row = connection.execute(
        "SELECT revision FROM conversations WHERE conversation_id = ?", (conversation_id,)
    ).fetchone()
    if row is None:
        return StoredConversation()
    rows = connection.execute(
        f"SELECT {', '.join(_SPENT)}, number, run_id, outcome, kept, status, "
        "coalesce(turns.kind, runs.kind), lease "
        "FROM turns LEFT JOIN runs USING (run_id) WHERE conversation_id = ? ORDER BY number",
        (conversation_id,),
    )
    turns: list[StoredTurn] = []
    for *used, number, run_id, outcome, kept, status, kind, lease in rows:
        if lease is not None and driver_of is None:
            return None
        driver = None if lease is None or driver_of is None else driver_of(run_id)
        # A process that was killed could not write that its run no longer runs; a run may be deleted.
        if status is None or (status == "running" and driver is None):
            status = "interrupted"
        turns.append(
            StoredTurn(
                number,
                run_id,
                outcome or status,
                kind,
                is_settled=outcome is not None,
                kept=kept,
                spent=_spent(used),
                driver=driver,
            )
        )
    return StoredConversation(row[0], tuple(turns))


def read_messages(
    connection: Connection, conversation_id: str, first: int
) -> list[tuple[int, Json, list[JsonObject]]]:
    """Of the turns from this number on: number, the user's message, what later turns are told.

    Raises ValueError for rows that are damaged.
    """
    rows = connection.execute(
        "SELECT number, message, messages FROM turns WHERE conversation_id = ? AND number >= ? "
        "ORDER BY number",
        (conversation_id, first),
    )
    return [(number, _decoded(message), _messages(messages)) for number, message, messages in rows]


def check_next(connection: Connection, turn: NewTurn) -> None:
    """Raises RunInProgressError if the conversation has changed since the history of the turn was read."""
    row = connection.execute(
        "SELECT revision FROM conversations WHERE conversation_id = ?", (turn.conversation_id,)
    ).fetchone()
    if (0 if row is None else row[0]) != turn.revision:
        raise gone_on(turn.conversation_id)


def insert_turn(connection: Connection, run_id: str, turn: NewTurn, at: str) -> None:
    connection.execute(
        "INSERT OR IGNORE INTO conversations VALUES (?, 0, ?, ?)", (turn.conversation_id, at, at)
    )
    connection.execute(
        "INSERT INTO turns (conversation_id, number, run_id, message, kept) VALUES (?, ?, ?, ?, 0)",
        (turn.conversation_id, turn.number, run_id, json_text(turn.message)),
    )
    _revise(connection, run_id, at)


def check_last(connection: Connection, run_id: str) -> None:
    """Raises SnapshotError for the run of a turn that was discarded, or that has others after it."""
    row = connection.execute(
        "SELECT conversation_id, number, outcome, "
        "(SELECT max(number) FROM turns AS others WHERE others.conversation_id = turns.conversation_id) "
        "FROM turns WHERE run_id = ?",
        (run_id,),
    ).fetchone()
    if row is None:
        return
    conversation_id, number, outcome, last = row
    if outcome == DISCARDED:
        raise SnapshotError(
            f"turn {number} of the conversation {conversation_id!r} was discarded; begin a new one"
        )
    if number != last:
        raise SnapshotError(
            f"the conversation {conversation_id!r} has gone on without turn {number}, which is over; begin a "
            "new one"
        )


def reopen_turn(connection: Connection, run_id: str, at: str) -> None:
    """Its run goes on: nothing is told of it until it is settled again."""
    _change(
        connection,
        run_id,
        at,
        ["outcome", "kind", "messages", "kept", *_SPENT],
        [None, None, None, 0, *_NOTHING],
        "outcome IN ('limit', 'failed')",
    )


def settle_turn(connection: Connection, settled: Settled, at: str) -> None:
    """Changes nothing if the run has gone on since."""
    (entries,) = connection.execute(
        "SELECT coalesce(max(number), 0) FROM entries WHERE run_id = ?", (settled.run_id,)
    ).fetchone()
    if entries != settled.entries:
        return
    _change(
        connection,
        settled.run_id,
        at,
        ["outcome", "kind", "messages", "kept", *_SPENT],
        [
            settled.outcome,
            settled.kind,
            json_text(list(settled.messages)),
            len(settled.messages),
            *_values(settled.spent),
        ],
        "outcome IS NULL",
    )


def discard_turn(connection: Connection, turn: StoredTurn, spent: Spent | None, at: str) -> None:
    """spent: of a turn that is not settled."""
    used = spent or turn.spent
    _change(
        connection,
        turn.run_id,
        at,
        ["outcome", "messages", "kept", *_SPENT],
        [DISCARDED, None, 0, *(_NOTHING if used is None else _values(used))],
    )


def gone_on(conversation_id: str) -> RunInProgressError:
    return RunInProgressError(
        f"another turn of the conversation {conversation_id!r} has begun meanwhile; wait until it has ended"
    )


def _change(
    connection: Connection,
    run_id: str,
    at: str,
    names: Sequence[str],
    values: Sequence[object],
    condition: str = "TRUE",
) -> None:
    """Sets columns of the turn of this run, if there is one, and the condition is true of it."""
    done = connection.execute(
        f"UPDATE turns SET {' = ?, '.join(names)} = ? WHERE run_id = ? AND {condition}", (*values, run_id)
    )
    if done.rowcount:
        _revise(connection, run_id, at)


def _revise(connection: Connection, run_id: str, at: str) -> None:
    connection.execute(
        "UPDATE conversations SET revision = revision + 1, updated_at = ? "
        "WHERE conversation_id = (SELECT conversation_id FROM turns WHERE run_id = ?)",
        (at, run_id),
    )


def _values(spent: Spent) -> list[object]:
    return [getattr(spent, name) for name in _SPENT]


def _spent(used: Sequence[Any]) -> Spent | None:
    tokens, money, requests, tool_calls, seconds, estimated = used
    return None if tokens is None else Spent(tokens, money, requests, tool_calls, seconds, bool(estimated))


def _messages(text: str | None) -> list[JsonObject]:
    value = [] if text is None else _decoded(text)
    if not isinstance(value, list):
        raise ValueError("not a list of messages")
    return [message for message in value if isinstance(message, dict)]


def _decoded(text: str) -> Json:
    return decode(text, max_depth=_MAX_DEPTH)

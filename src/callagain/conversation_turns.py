"""How the turns of one conversation begin, go on and are settled."""

import contextlib
from collections.abc import Mapping, Sequence

from callagain.conversation_budgets import ConversationBudgets
from callagain.conversation_setup import LoopOfTurns
from callagain.decisions import Decisions, Results
from callagain.engine.errors import (
    CallAgainError,
    ConfigurationError,
    DecisionError,
    RunInProgressError,
    SnapshotError,
)
from callagain.engine.journal.store import NewTurn, Settled, StoredConversation, StoredTurn
from callagain.engine.json_text import Json, JsonObject
from callagain.engine.limits import Limits
from callagain.engine.problem import Problem
from callagain.engine.spending import Spent, spent
from callagain.live_run import LiveRun
from callagain.pending_calls import PendingCall
from callagain.replaying import ReplayedRun
from callagain.result import Result
from callagain.turn_stores import TurnStore
from callagain.turns import Keep, Turn, first_told, kept_messages


class ConversationTurns:
    """The turns of a conversation, and the loop that runs them. All that it does may wait for a file."""

    def __init__(
        self,
        loop: LoopOfTurns,
        store: TurnStore,
        budgets: ConversationBudgets,
        *,
        keep: Keep,
        max_turns: int | None,
        max_messages: int | None,
    ) -> None:
        self.store = store
        self._loop = loop
        self._budgets = budgets
        self._keep: Keep = keep
        self._max_turns = max_turns
        self._max_messages = max_messages

    def begin(self, message: Json, stream: bool | None) -> LiveRun[object]:
        """The run of the next turn, which begins when it is driven.

        Raises RunInProgressError while another turn goes on, DecisionError if somebody has to say first what
        becomes of the last one.
        """
        so_far = self._settled_so_far()
        turns = so_far.turns
        limits = self._budgets.for_next(turns)
        live = self._loop.limited(limits).start(
            message, history=self._history(so_far), run_id=None, stream=stream
        )
        number = turns[-1].number + 1 if turns else 1
        conversation_id = self.store.conversation_id
        self.store.begin(live, NewTurn(conversation_id, so_far.revision, number, message))
        return live

    def resume(
        self,
        run: Result[object] | str | None,
        decisions: Decisions | None,
        results: Results | None,
        changes: Mapping[str, Json] | None,
    ) -> LiveRun[object] | Result[object]:
        """The run of the last turn, ready to go on. Raises as `Conversation.resume` says.

        Its result if it had come to its end before its process was killed, and nobody was told.
        """
        found = self._free()
        ended = self._settled_now(found.turns)
        turns = found.turns if ended is None else self._free().turns
        turn = self._last(turns)
        run_id = run.run_id if isinstance(run, Result) else turn.run_id if run is None else run
        if run_id != turn.run_id:
            raise ConfigurationError(
                f"the run {run_id!r} is not that of the last turn of the conversation "
                f"{self.store.conversation_id!r}, {turn.run_id}; only that turn can go on"
            )
        if ended is not None and ended.outcome == "completed":
            return ended
        if turn.status in ("completed", "discarded"):
            raise ConfigurationError(
                f"{self._named(turn)} is {turn.status}; run(message) begins the next one"
            )
        changes = self._changes(turn, turns[:-1], changes or {})
        live = self.store.take(run_id)
        if live is None:
            return self._loop.loop.reopen(run_id, decisions=decisions, results=results, changes=changes)
        try:
            live.resume(decisions=decisions, results=results, changes=changes)
        except BaseException:
            self.store.leave(run_id)
            raise
        return live

    def settle(self, result: Result[object]) -> None:
        """Writes what later turns are told of the turn of this run, unless it waits for somebody."""
        if result.outcome == "suspended":
            return
        kind = None if result.error is None else result.error.kind
        told = kept_messages(result.variables, self._keep, self._loop.tools)
        self.store.settle(Settled(result.run_id, len(result.log), result.outcome, kind, told, result.spent))

    def problem(self, problem: Problem, reached: Limits) -> Problem:
        """Why the last turn did not complete; reached: its limits."""
        if problem.kind not in self._budgets.amounts:
            return problem
        return self._budgets.problem(problem, reached, self.store.read().turns)

    def discard(self) -> None:
        turns = self._free().turns
        turn = self._last(turns)
        if turn.status == "discarded":
            raise ConfigurationError(f"{self._named(turn)} is discarded already; there is nothing to discard")
        self.store.discard(turn.number, self._spent(turn))

    def history(self) -> list[JsonObject]:
        """What the next turn is told."""
        self._settle_what_ended()
        return self._history(self.store.read())

    def pending_calls(self) -> Sequence[PendingCall]:
        found = self.store.read().turns
        if not found or found[-1].is_settled or found[-1].driver is not None:
            return []
        result = self._looked_at(found[-1]).result
        return [] if result is None else result.pending_calls

    def turns(self) -> list[Turn]:
        with contextlib.suppress(SnapshotError):
            self._settle_what_ended()
        said = {number: (message, told) for number, message, told in self.store.said(1)}
        return [
            Turn(
                turn.number,
                turn.run_id,
                said[turn.number][0],
                turn.status,
                turn.kind,
                tuple(said[turn.number][1]),
                turn.spent,
            )
            for turn in self.store.read().turns
            if turn.number in said
        ]

    def _settled_so_far(self) -> StoredConversation:
        """The conversation, if its next turn may begin."""
        found = self._free()
        if not found.turns or found.turns[-1].is_settled:
            return found
        if self._settled_now(found.turns) is not None:
            return self._free()
        last = found.turns[-1]
        why = f"suspended ({last.kind})" if last.status == "suspended" else last.status
        raise DecisionError(
            f"{self._named(last)} is {why}; conversation.resume() goes on with it, conversation.discard() "
            "leaves it out"
        )

    def _settle_what_ended(self) -> None:
        turns = self.store.read().turns
        if turns and turns[-1].driver is None:
            self._settled_now(turns)

    def _settled_now(self, turns: Sequence[StoredTurn]) -> Result[object] | None:
        """The result of the last turn, if its run has ended, and nobody has settled it; nobody drives it.

        Its process was killed before it could, or it was resumed outside of the conversation.
        """
        if not turns or turns[-1].is_settled or turns[-1].status == "suspended":
            return None
        result = self._looked_at(turns[-1]).result
        if result is None or result.outcome == "suspended":
            return None
        self.settle(result)
        return result

    def _free(self) -> StoredConversation:
        found = self.store.read()
        for turn in found.turns[-1:]:
            if turn.driver is not None:
                raise RunInProgressError(f"{self._named(turn)} is under way: {turn.driver}")
        return found

    def _last(self, turns: Sequence[StoredTurn]) -> StoredTurn:
        if not turns:
            raise ConfigurationError(
                f"the conversation {self.store.conversation_id!r} has no turn yet; run(message) begins one"
            )
        return turns[-1]

    def _changes(
        self, turn: StoredTurn, others: Sequence[StoredTurn], changes: Mapping[str, Json]
    ) -> Mapping[str, Json]:
        """With what the conversation leaves of a budget, where the turn is at its limit by one."""
        changes, name = self._budgets.checked(changes, others), turn.kind
        if turn.status != "limit" or name is None or name not in self._budgets.amounts:
            return changes
        reached = self._looked_at(turn).variables.limits
        return self._budgets.with_left(name, reached, changes, others)

    def _history(self, so_far: StoredConversation) -> list[JsonObject]:
        first = first_told(so_far.turns, self._max_turns, self._max_messages)
        if first is None:
            return []
        return [message for _, _, told in self.store.said(first) for message in told]

    def _looked_at(self, turn: StoredTurn) -> LiveRun[object] | ReplayedRun:
        """The run of a turn, as it stands; nobody drives it."""
        live = self.store.live(turn.run_id)
        if live is not None:
            return live
        replayed = self._loop.loop.replay(turn.run_id)
        if replayed.difference is not None:
            raise SnapshotError(
                f"{self._named(turn)} cannot be read with the chain of this loop ({replayed.difference}); "
                "open the conversation with the loop that it began with, or discard() the turn"
            )
        return replayed

    def _spent(self, turn: StoredTurn) -> Spent | None:
        """What a turn that is to be discarded has used; None if its run cannot be read any more."""
        if turn.spent is not None:
            return turn.spent
        try:
            return spent(self._looked_at(turn).variables)
        except CallAgainError:
            return None

    def _named(self, turn: StoredTurn) -> str:
        return f"turn {turn.number} of the conversation {self.store.conversation_id!r}"

"""`loop.conversation(…)`: turns that follow one another, each told what was said before.

Source: "Build a multi-turn LLM chat with conversation history", on which the guide of the tool-calling loop
builds: load the history, run the loop, store the user's message and the final response.
"""

import uuid
from collections.abc import Callable, Mapping, Sequence
from typing import Generic, cast

from callagain.conversation_budgets import ConversationBudgets
from callagain.conversation_setup import (
    LoopOfTurns,
    TurnRules,
    checked_conversation_id,
    checked_options,
)
from callagain.conversation_turns import ConversationTurns
from callagain.decisions import Decisions, Results
from callagain.engine.json_text import Json, JsonObject
from callagain.live_run import LiveRun
from callagain.live_turn import LiveTurn, TurnStream
from callagain.output_format import Output
from callagain.pending_calls import PendingCall
from callagain.result import Result
from callagain.settings_check import checked_message
from callagain.turn_stores import turn_store
from callagain.turns import Turn


class Conversation(Generic[Output]):
    """The turns of one conversation: `loop.conversation("ada").run("Where is order 481516?")`.

    Each turn is a run of its own, which begins at Initialize with the history that the turns before it have
    left. The turns are in the loop's journal, for all processes; without one they are in memory, as long as
    the loop. A conversation does not change by being opened: any number of threads and tasks may have it.

    What later turns are told: of a turn with an answer, the user's message and the answer; with keep="tools"
    also the rounds between them. A turn without an answer (failed, or at a limit) is left out, unless a call
    in it had effects: then its rounds are told, so that nothing is done a second time. A turn that is
    suspended, or was interrupted, has to be resumed or discarded before the next one begins.

    The system prompt, the tools and all settings are those of the loop that runs the turn. Another loop may
    go on with the conversation; a turn that has begun goes on only with the chain and the tools that it began
    with.

    conversation_id: a text of your own; by default a new one. An id that is not there begins a conversation.
    keep: "messages" or "tools".
    max_turns, max_messages: no more of the earlier turns, or of their messages, are told. The oldest turns go
    first, each of them whole; the system prompt stays, and so does everything in the journal.
    on_busy: while another turn goes on, in whatever process, a turn may "wait", in the order in which those
    of its process came, or "refuse" to begin, by RunInProgressError.
    budget_tokens, budget_money, budget_requests, budget_tool_calls: what all turns together may use; a turn
    gets what is left, and no more than the loop's own budget. Where nothing is left its outcome is limit,
    without a request; save that a turn without calls needs none of budget_tool_calls.

    Raises ConfigurationError.

    Guide: conversation history.
    """

    def __init__(self, loop: LoopOfTurns, conversation_id: str | None, options: TurnRules) -> None:
        self.conversation_id = checked_conversation_id(conversation_id) or uuid.uuid4().hex
        chosen = checked_options(options, loop.inputs)
        self._waits = chosen.on_busy == "wait"
        self._store = turn_store(loop.loop, loop.journal, self.conversation_id)
        self._turns = ConversationTurns(
            loop,
            self._store,
            ConversationBudgets(self.conversation_id, chosen.budgets, loop.inputs.limits),
            keep=chosen.keep,
            max_turns=chosen.max_turns,
            max_messages=chosen.max_messages,
        )

    def __repr__(self) -> str:
        return f"Conversation({self.conversation_id!r})"

    def run(self, message: Json) -> Result[Output]:
        """The next turn, to its outcome. message: a text, or a list of content parts.

        Raises DecisionError if the last turn is suspended or was interrupted, RunInProgressError while
        another one goes on (on_busy="refuse").
        """
        return self._next(message).run()

    async def arun(self, message: Json) -> Result[Output]:
        """The same on the running event loop, which is not blocked while the turn waits."""
        return await self._next(message).arun()

    def stream(self, message: Json) -> TurnStream[Output]:
        """The same, in pieces: `for event in conversation.stream(…)`, or `async for`.

        The turn begins with the iteration. Left, it is interrupted, and goes on with the next iteration.
        """
        return TurnStream(self._next(message, stream=True))

    def resume(
        self,
        run: Result[object] | str | None = None,
        *,
        decisions: Decisions | None = None,
        results: Results | None = None,
        changes: Mapping[str, Json] | None = None,
    ) -> Result[Output]:
        """Goes on with the last turn, which is suspended, interrupted, failed or at a limit.

        run: its result, or the id of its run, to be sure which one it is. decisions, results, changes: as in
        `ToolLoop.resume`. At the limit of a budget of the conversation it gets what is left now: open the
        conversation with a larger one, and resume there.
        Raises ConfigurationError where there is no such turn, RunInProgressError while somebody drives it,
        and what `ToolLoop.resume` raises; then nothing has happened.
        """
        return self._resumed(run, decisions, results, changes).run()

    async def aresume(
        self,
        run: Result[object] | str | None = None,
        *,
        decisions: Decisions | None = None,
        results: Results | None = None,
        changes: Mapping[str, Json] | None = None,
    ) -> Result[Output]:
        """The same on the running event loop."""
        return await self._resumed(run, decisions, results, changes).arun()

    def discard(self) -> None:
        """Leaves the last turn out of the conversation, however it ended; what it has used stays used.

        What its calls did is done, and no later turn is told of it. Its run cannot be resumed any more.
        Raises ConfigurationError if there is none, RunInProgressError while somebody drives it.
        """
        self._turns.discard()

    def delete(self) -> None:
        """Removes all that is kept of the conversation, and of its runs.

        Raises RunInProgressError while a turn goes on.
        """
        self._store.delete()

    @property
    def messages(self) -> Sequence[JsonObject]:
        """What the next turn is told, without the system prompt."""
        return self._turns.history()

    @property
    def pending_calls(self) -> Sequence[PendingCall]:
        """The calls that the last turn waits for, if it is suspended."""
        return self._turns.pending_calls()

    @property
    def turns(self) -> Sequence[Turn]:
        """All turns, in their order, also those that later ones are not told of."""
        return self._turns.turns()

    def _next(self, message: Json, *, stream: bool | None = None) -> LiveTurn[Output]:
        checked_message(message)
        return self._turn(lambda: self._turns.begin(message, stream), waits=self._waits)

    def _resumed(
        self,
        run: Result[object] | str | None,
        decisions: Decisions | None,
        results: Results | None,
        changes: Mapping[str, Json] | None,
    ) -> LiveTurn[Output]:
        return self._turn(lambda: self._turns.resume(run, decisions, results, changes), waits=False)

    def _turn(
        self, begin: "Callable[[], LiveRun[object] | Result[object]]", *, waits: bool
    ) -> LiveTurn[Output]:
        # The turns know their runs whatever the answer is; their loop says what it is.
        typed = cast("Callable[[], LiveRun[Output] | Result[Output]]", begin)
        return LiveTurn(self._turns, typed, waits=waits)

"""What a run came to."""

from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Generic, TypeAlias, cast

from callagain.connectors.tool_calls import ToolCalls
from callagain.connectors.tools import ToolProblem
from callagain.engine.commands import CallTool
from callagain.engine.error_kinds import advised
from callagain.engine.errors import OutcomeError
from callagain.engine.journal.snapshot import snapshot
from callagain.engine.json_text import JsonObject
from callagain.engine.log_entries import Entry, Held, Receipt
from callagain.engine.problem import Problem
from callagain.engine.receipts import ToolReceipt, ToolResult
from callagain.engine.run import Outcome, Run, Step
from callagain.engine.spending import Spent, spent
from callagain.engine.tool_answers import answered_so_far
from callagain.engine.variables import Variables
from callagain.engine.wire.reply import Note
from callagain.engine.wire.usage import Usage
from callagain.extensions.valid_output import output_fits, was_validated
from callagain.output_format import Output
from callagain.pending_calls import PendingCall, pending_calls
from callagain.resumed_runs import RESUMED

if TYPE_CHECKING:
    from callagain.diagrams.walk import Walk


# Makes the value of an answer that fits its schema; a ToolProblem if it does not.
ReadOutput: TypeAlias = Callable[[str], object]


class Result(Generic[Output]):
    """A view of a run that has come to its outcome; nothing is copied.

    tool_calls: what the calls that wait would be made with; None for a run that is only looked at.
    snapshot_key: signs snapshots. read_output: makes the value of the answer, where it has a schema.
    """

    def __init__(
        self,
        run: Run,
        tool_calls: ToolCalls | None = None,
        snapshot_key: bytes | None = None,
        read_output: ReadOutput | None = None,
    ) -> None:
        self._run = run
        self._tool_calls = tool_calls
        self._snapshot_key = snapshot_key
        self._read_output = read_output

    def __repr__(self) -> str:
        said = repr(self.final_response) if self.error is None else self.error.kind
        return f"<Result {self.outcome}, loop_count {self.loop_count}: {said}>"

    @property
    def run_id(self) -> str:
        return self._run.inputs.run_id

    @property
    def outcome(self) -> Outcome:
        """completed, limit, failed or suspended."""
        outcome = self._run.outcome
        assert outcome is not None
        return outcome

    @property
    def walk(self) -> "Walk":
        """The run as it is drawn and shown."""
        from callagain.diagrams.walk import Walk

        return Walk.of(self._run)

    @property
    def error(self) -> Problem | None:
        """Why the run did not complete: `kind` and `message`."""
        if self.outcome == "completed":
            return None
        if self.outcome == "suspended":
            why = next(iter(self._run.open.held.values())).why
            waiting = ", ".join(f"{call.name} ({call.id})" for call in self.pending_calls)
            told = advised(why, f"waiting for somebody: {waiting or 'a function'}")
            return Problem(why, told, operation=self._run.state)
        return self._run.problem

    @property
    def final_response(self) -> str | None:
        """The answer; None unless the model gave one.

        Guide: final_response.
        """
        return self._run.variables.final_response

    @property
    def output(self) -> Output:
        """The answer as the type of the loop's `response_format`; without one, what final_response is.

        It is the value that the run itself has validated. Of a run that was loaded, the answer is validated
        when this is asked for first, in the thread that asks, and no second time.
        Raises OutcomeError, with the outcome and its kind, if there is no answer that fits the type.
        """
        answer = self.final_response
        if self._read_output is None:
            return cast(Output, answer)
        if answer is None or not self._is_answered:
            self.raise_for_outcome()
        value = self._read_output(answer or "")
        if isinstance(value, ToolProblem):
            # The type was changed since the answer was validated, in what no schema says.
            told = f"the answer does not fit its type any more: {value.message}"
            raise OutcomeError(self.outcome, "operation_failed", advised("operation_failed", told))
        return cast(Output, value)

    @property
    def _is_answered(self) -> bool:
        """It completed, or gave at its limit a closing answer that fitted."""
        return self.outcome == "completed" or (
            self.outcome == "limit"
            and was_validated(self._run.variables)
            and output_fits(self._run.variables)
        )

    @property
    def loop_count(self) -> int:
        """Rounds of tools."""
        return self._run.variables.loop_count

    @property
    def variables(self) -> Variables:
        return self._run.variables

    @property
    def messages(self) -> list[JsonObject]:
        """The conversation, as it can be sent on: pass it as `history=` to go on with it.

        It holds whole rounds only; calls that were not run are in `pending_calls`.
        """
        messages = self._run.variables.messages
        if self.final_response is not None:
            messages.append({"role": "assistant", "content": self.final_response})
        return messages

    @property
    def usage(self) -> Usage:
        """The tokens of all responses, also of one that could not be used."""
        return self._run.variables.usage

    @property
    def tool_results(self) -> Sequence[ToolResult]:
        """Every call that was answered, in the order of the calls; also of a round that waits for others."""
        receipts = {
            command.call_id: ToolReceipt.from_json(value)
            for command, value in self._run.open.answered()
            if isinstance(command, CallTool)
        }
        open_round = answered_so_far(self._run.variables, receipts) if self.outcome == "suspended" else []
        return [*self._run.variables.tool_results, *open_round]

    @property
    def pending_calls(self) -> Sequence[PendingCall]:
        """The calls that were not run: left open at a limit, or waiting for somebody."""
        return pending_calls(self._run, self._tool_calls)

    @property
    def tool_requests(self) -> Sequence[PendingCall]:
        """The calls that wait for their results (`return_tool_requests=True`; Genkit's toolRequests)."""
        return [call for call in self.pending_calls if call.why == "tool_requests"]

    @property
    def abandoned_calls(self) -> int:
        """Calls that ran out of time in a thread, and may still be running there."""
        return sum(map(_is_abandoned, self._run.log))

    @property
    def spent(self) -> Spent:
        """What the run has used: tokens, money if `prices` were given, requests, tool calls."""
        return replace(spent(self._run.variables), tool_calls=len(self.tool_results))

    def snapshot(self) -> str:
        """The run as a JSON text, with which `loop.resume` goes on, in this process or in another one.

        It holds what was said and done, and no key of an endpoint; keep it as you keep a conversation.
        """
        RESUMED.note(self._run)
        return snapshot(self._run, self._snapshot_key)

    def export(self) -> str:
        """The same text, by the name for those who look at it elsewhere: `callagain replay FILE`."""
        return self.snapshot()

    @property
    def warnings(self) -> Sequence[Note]:
        """What was mended or left out on the way: each has a code and a message."""
        return [note for step in self._run.trace for note in step.notes if note.code is not None]

    @property
    def trace(self) -> Sequence[Step]:
        """Every operation that ended, with the variables before and after it."""
        return self._run.trace

    @property
    def log(self) -> Sequence[Entry]:
        """The entries that this run is made of, besides its inputs."""
        return self._run.log

    def raise_for_outcome(self) -> "Result[Output]":
        """The result itself if the run completed; raises OutcomeError otherwise."""
        if (error := self.error) is not None:
            raise OutcomeError(self.outcome, error.kind, error.message)
        return self


def _is_abandoned(entry: Entry) -> bool:
    """It tells of a call that was left behind in a thread."""
    if isinstance(entry, Held):
        return entry.abandoned
    value = entry.value if isinstance(entry, Receipt) else None
    return isinstance(value, dict) and value.get("abandoned") is True

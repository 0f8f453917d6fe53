"""A ToolLoop as a tool of another one: its question is an argument, its answer the result."""

import uuid
from collections.abc import Callable
from contextlib import closing
from dataclasses import dataclass
from typing import Any, cast

from callagain.completed_answer import NotCompletedError, completed_answer, words_for_a_model
from callagain.connectors.tools import Tool, ToolContext, ToolOptions, ToolProblem, tool_from_schema
from callagain.engine.errors import ConfigurationError, RunExistsError, RunInProgressError
from callagain.engine.journal.store import StoredRun
from callagain.engine.json_text import Json, JsonObject, encode
from callagain.kept_runs import content_of_stored
from callagain.live_run import LiveRun
from callagain.loop import ToolLoop
from callagain.result import Result

ONE_MESSAGE: JsonObject = {
    "type": "object",
    "properties": {"message": {"type": "string", "description": "What to do, in words."}},
    "required": ["message"],
}
"""The parameters of a loop that gets a message."""

_UNSETTLED = ("running", "interrupted")


def loop_tool(
    name: str,
    loop: ToolLoop[object],
    *,
    description: str,
    parameters: JsonObject = ONE_MESSAGE,
    message: Callable[[JsonObject], Json] | None = None,
    options: ToolOptions | None = None,
) -> Tool:
    """A tool that is a run of its own, of any chain.

    description, parameters: what the model is told, parameters as a JSON schema. message: makes what the run
    begins with out of the arguments; by default the argument `message`, where that is the only property of
    the schema, else all arguments as a JSON text. options: of any tool; the usual `timeout` of 60 seconds is
    short for a whole run.

    The result is the final response of the run, or, where the chain ends without one, its function_resp. The
    model is told how a run ended that did not complete; one that waits for somebody is told by its id, by
    which it can be found in the journal of `loop`. A run whose caller has given up goes no further.

    Every call is a run of its own. But with `options={"idempotent": True}`, and a journal of `loop`, the id
    of the run is the idempotency key of the call: a call that is made again after a crash goes on with the
    run that it began, or has its answer. So run ids of the outer loop must be unique: an outer run of the
    same id and the same question would be told the same answer.

    Raises ConfigurationError for what is no loop, and ToolSchemaError for what cannot be a tool.
    """
    if not isinstance(cast("object", loop), ToolLoop):
        raise ConfigurationError(f"loop_tool makes a tool of a ToolLoop, not of {type(loop).__name__}")
    is_idempotent = bool((options or {}).get("idempotent"))
    properties = parameters.get("properties")
    takes_a_message = isinstance(properties, dict) and list(properties) == ["message"]

    def run(function_arguments: dict[str, Any], context: ToolContext) -> str:
        given: Json = encode(function_arguments).decode()
        if message is not None:
            given = message(function_arguments)
        elif takes_a_message:
            given = function_arguments.get("message", "")
        inner = _InnerRun(name, loop, given, context)
        return inner.answer(inner.taken_up() if is_idempotent else inner.made())

    chosen: ToolOptions = {**(options or {}), "name": name, "description": description}
    return tool_from_schema(parameters, run, pass_object=True, **chosen)


@dataclass(frozen=True)
class _InnerRun:
    """The run that belongs to one call."""

    name: str
    loop: ToolLoop[object]
    message: Json
    context: ToolContext

    def made(self) -> Result[object]:
        """Of a new run. Its id begins as the key of the call, which another run may have."""
        run_id = self.context.idempotency_key
        if self.loop.journal is not None:
            run_id = f"{run_id}:{uuid.uuid4().hex[:8]}"
        return self._driven(self.loop.start(self.message, run_id=run_id))

    def taken_up(self) -> Result[object]:
        """Of the run that the call began before, or of a new one."""
        run_id, kept = self.context.idempotency_key, self._kept()
        try:
            if kept is None:
                return self._driven(self.loop.start(self.message, run_id=run_id))
            if content_of_stored(kept).inputs.user_message != self.message:
                # The id of the outer run was that of another one before.
                return self.made()
            if kept.status in _UNSETTLED:
                return self._driven(self.loop.reopen(run_id))
        except (RunExistsError, RunInProgressError):
            raise ToolProblem(
                "tool_exception",
                f"{self.name} is at work on this very call already; its answer is not there yet",
            ) from None
        return self.loop.load(run_id)

    def answer(self, result: Result[object]) -> str:
        """Raises ToolProblem for a run that did not complete."""
        try:
            return completed_answer(result)
        except NotCompletedError:
            words = words_for_a_model(self.name, self.loop, result)
            raise ToolProblem("tool_exception", words) from None

    def _kept(self) -> StoredRun | None:
        journal, run_id = self.loop.journal, self.context.idempotency_key
        return journal.written(run_id) if journal is not None and journal.has(run_id) else None

    def _driven(self, live: LiveRun[object]) -> Result[object]:
        with closing(live.events()) as events:
            for _ in events:
                if live.result is None:
                    self.context.raise_if_cancelled()
        assert live.result is not None
        return live.result

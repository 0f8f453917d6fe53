"""A ToolLoop as a tool of another one: its question is an argument, its answer the result."""

from collections.abc import Callable
from contextlib import closing
from typing import Any

from callagain.connectors.tools import Tool, ToolContext, ToolOptions, ToolProblem, tool_from_schema
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
    model is told how a run ended that did not complete; a run that would wait for somebody has ended so. A
    run whose caller has given up goes no further.

    The id of the run is the idempotency key of the call. So where `loop` has a journal, a call that is made
    again after a crash, as `options={"idempotent": True}` allows, goes on with the run that it began before.

    Raises ToolSchemaError for what cannot be a tool.
    """
    properties = parameters.get("properties")
    takes_a_message = isinstance(properties, dict) and list(properties) == ["message"]

    def run(function_arguments: dict[str, Any], context: ToolContext) -> str:
        given: Json = encode(function_arguments).decode()
        if message is not None:
            given = message(function_arguments)
        elif takes_a_message:
            given = function_arguments.get("message", "")
        return _answer(name, _run_of_call(loop, given, context))

    chosen: ToolOptions = {**(options or {}), "name": name, "description": description}
    return tool_from_schema(parameters, run, pass_object=True, **chosen)


def _run_of_call(loop: ToolLoop[object], message: Json, context: ToolContext) -> Result[object]:
    """The result of the run that belongs to this call: a new one, or the one that a crash has cut off."""
    run_id = context.idempotency_key
    kept = _kept(loop, run_id)
    if kept is None:
        return _driven(loop.start(message, run_id=run_id), context)
    if content_of_stored(kept).inputs.user_message != message:
        # Where outer runs are not kept, two of them may have one id.
        return _driven(loop.start(message), context)
    return _driven(loop.reopen(run_id), context) if kept.status in _UNSETTLED else loop.load(run_id)


def _kept(loop: ToolLoop[object], run_id: str) -> StoredRun | None:
    if loop.journal is None or not loop.journal.has(run_id):
        return None
    return loop.journal.written(run_id)


def _driven(live: LiveRun[object], context: ToolContext) -> Result[object]:
    with closing(live.events()) as events:
        for _ in events:
            if live.result is None:
                context.raise_if_cancelled()
    assert live.result is not None
    return live.result


def _answer(name: str, result: Result[object]) -> str:
    if result.outcome != "completed":
        why = "" if result.error is None else f": {result.error.message}"
        raise ToolProblem("tool_exception", f"{name} ended as {result.outcome}{why}")
    answer = result.final_response
    return result.variables.function_resp if answer is None else answer

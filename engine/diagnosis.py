"""Points 5 and 6 of the guide's Verify list, made by the machine: what to compare, and what it shows."""

from collections import Counter

from callagain.engine.errors import Failure, Problem
from callagain.engine.json_text import Json, JsonError, JsonObject, canonical, decode
from callagain.engine.variables import Variables
from callagain.engine.wire.http_answer import HttpAnswer


def explain_refused_ids(failure: Failure, variables: Variables, answer: HttpAnswer) -> Failure:
    """For a 400 that cites a tool_call_id: the failure with the ids that were sent beside those received."""
    if answer.status != 400 or "tool_call" not in answer.body:
        return failure
    sent = _ids_sent(variables.InAndOut)
    received = _call_ids(_first_message(variables.tools_resp))
    return Failure(
        failure.problem.kind,
        f"{failure.problem.message} The tool messages sent carry the ids {_listed(sent)}; the calls in "
        f"tools_resp have the ids {_listed(received)}. An id must go back exactly as it was received.",
    )


def explain_limit(variables: Variables) -> Problem:
    """At the limit: the last function, and what a repeated call means."""
    message = (
        f"Tool-calling loop reached {variables.max_iterations} iterations without a final response. "
        f"Last function: {variables.function_name}."
    )
    if (repeated := _most_repeated(variables)) is not None:
        name, arguments, times = repeated
        message += (
            f" {name} was asked for {times} times with the same arguments {arguments}: either the tool keeps "
            "returning an error that the model retries, or its description does not match the request."
        )
    message += " Look at the prompt and the tool results before raising max_iterations."
    return Problem("max_iterations", message)


def _most_repeated(variables: Variables) -> tuple[str, str, int] | None:
    asked = [(result.name, result.arguments) for result in variables.tool_results]
    asked += [(call.name, call.arguments) for call in variables.tool_calls]
    counted = Counter((name, canonical(arguments)) for name, arguments in asked if arguments is not None)
    if not counted:
        return None
    (name, arguments), times = counted.most_common(1)[0]
    return (name, arguments[:200], times) if times > 1 else None


def _ids_sent(body: bytes) -> list[str]:
    messages = _object(body.decode()).get("messages")
    found = [message.get("tool_call_id") for message in _objects(messages)]
    return [call_id for call_id in found if isinstance(call_id, str)]


def _call_ids(message: JsonObject) -> list[str]:
    return [str(call.get("id")) for call in _objects(message.get("tool_calls"))]


def _first_message(body: str) -> JsonObject:
    choices = _objects(_object(body).get("choices"))
    message = choices[0].get("message") if choices else None
    return message if isinstance(message, dict) else {}


def _object(text: str) -> JsonObject:
    try:
        value = decode(text)
    except JsonError:
        return {}
    return value if isinstance(value, dict) else {}


def _objects(value: Json) -> list[JsonObject]:
    return [item for item in value if isinstance(item, dict)] if isinstance(value, list) else []


def _listed(ids: list[str]) -> str:
    return ", ".join(ids) if ids else "(none)"

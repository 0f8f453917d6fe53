"""Points 5 and 6 of the guide's Verify list, made by the machine: what to compare, and what it shows."""

import re
from collections import Counter
from dataclasses import replace

from callagain.engine.error_kinds import without_advice
from callagain.engine.json_text import Json, JsonError, canonical, decode
from callagain.engine.problem import Problem
from callagain.engine.variables import Variables
from callagain.engine.wire.http_answer import HttpAnswer

_CITES_A_CALL = re.compile(r"tool_call|tool call|function call|call_id", re.IGNORECASE)


def explain_refused_ids(problem: Problem, variables: Variables, answer: HttpAnswer) -> Problem:
    """For a 400 that cites a call id: the problem with the ids that were sent beside those received.

    Guide: check 5, error 400.
    Departs from the guide in check 5: the guide's typical cause is that tools_resp was updated before the id
    was extracted. Here Parse Response takes both from one response, and they change together; an id that does
    not match comes from a script of somebody's own.
    """
    if answer.status != 400 or not _CITES_A_CALL.search(answer.body):
        return problem
    wire = variables.inputs.wire
    sent = wire.answered_ids(_decoded(variables.InAndOut.decode()))
    received = wire.call_ids(_decoded(variables.tools_resp))
    return replace(
        problem,
        message=f"{without_advice(problem.kind, problem.message)}. The answers sent carry the ids "
        f"{_listed(sent)}; the calls in tools_resp have the ids {_listed(received)}. An id must go back "
        "exactly as it was received.",
    )


def explain_limit(variables: Variables) -> Problem:
    """At the limit: the last function, and what a repeated call means.

    Guide: check 6, text at the limit, tip on the limit.
    Departs from the guide in text at the limit: the guide only writes it by WriteToOperationLog. Here it is
    the message of the result's error, so that a program can act on it, followed by the call that came again
    and again; the log has it with the end of the run.
    """
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


def _decoded(text: str) -> Json:
    try:
        return decode(text)
    except JsonError:
        return None


def _listed(ids: list[str]) -> str:
    return ", ".join(ids) if ids else "(none)"

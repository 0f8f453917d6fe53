"""What the model is told of its calls: not more of a result than it can use, data as data, and its mistakes.

Source: "Protegendo a execução de ferramentas" in the document on agents and guards, whose advice is to cut
results, to delimit them as data, and to tell the model what was wrong with a call.
"""

from collections.abc import Mapping, Sequence
from dataclasses import replace

from callagain.engine.call_limits import occurrences, open_digests
from callagain.engine.json_text import JsonError, decode
from callagain.engine.receipts import ToolReceipt, ToolResult
from callagain.engine.result_cutting import cut_result
from callagain.engine.run_inputs import AnnouncedTool, Inputs
from callagain.engine.untrusted import boundary_of, delimited
from callagain.engine.variables import Variables
from callagain.engine.wire.reply import Call

INVALID = "invalid_arguments"
# Errors in our own words, or in the model's; all others may quote what a tool has read.
_OWN_ERRORS = frozenset(
    {INVALID, "truncated_arguments", "unknown_tool", "unsupported_call_type", "timeout", "tool_cancelled"}
    | {"denied", "not_executed", "result_unserializable"}
)
# The times at which a warning comes, once.
_CUT_AGAIN = 3
_WRONG_AGAIN = 2


def take_answers(variables: Variables, receipts: Sequence[ToolReceipt]) -> None:
    """Takes one receipt for each call of the response, in order.

    Writes tool_results, function_resps, answered_ids, call_digests, failed_rounds and faults.

    Guide: function_resp, answer for every call.
    Departs from the guide in function_resp: the guide sends the whole result, whatever it is. Here a very
    long one is cut, so that it does not fill the model's context, and one of an untrusted tool is marked as
    data; `result.tool_results` has what the tool said.
    """
    calls = variables.tool_calls
    results: list[ToolResult] = []
    for call, receipt in zip(calls, receipts, strict=True):
        result = _result(variables.inputs, call, receipt)
        _warn_of_cuts(variables, result)
        _warn_of_description(variables, result)
        results.append(result)
    variables.failed_rounds = _failed_rounds(variables, results)
    results = _with_reminders(variables, results)
    variables.call_digests = variables.call_digests.plus(*open_digests(variables))
    variables.answered_ids = variables.answered_ids.plus(*(call.id for call in calls))
    variables.tool_results = variables.tool_results.plus(*results)
    variables.function_resps = tuple(result.content for result in results)


def answered_so_far(variables: Variables, receipts: Mapping[str, ToolReceipt]) -> list[ToolResult]:
    """Of the open calls of a round, those that have their answer already. receipts: by the ids of calls."""
    answers = [(call, call.error or receipts.get(call.id)) for call in variables.open_calls]
    return [_result(variables.inputs, call, answer) for call, answer in answers if answer is not None]


def _result(inputs: Inputs, call: Call, receipt: ToolReceipt) -> ToolResult:
    tool, content = inputs.tool(call.name), receipt.content
    if tool is not None:
        content = _told(content, receipt.error, tool, boundary_of(inputs.seed or inputs.run_id))
    return ToolResult(
        call.id,
        call.name,
        call.arguments if receipt.edited is None else receipt.edited,
        content,
        receipt.error,
        None if content == receipt.content else receipt.content,
        receipt.abandoned,
    )


def _told(content: str, error: str | None, tool: AnnouncedTool, boundary: str) -> str:
    said = content if error is None else _message_of(content)
    told = said if tool.max_result_chars is None else cut_result(said, tool.max_result_chars)
    if tool.untrusted and error not in _OWN_ERRORS:
        told = delimited(told, boundary)
    if told == said:
        return content
    return told if error is None else ToolReceipt.of_error(error, told).content


def _message_of(content: str) -> str:
    """The words of an error, as `ToolReceipt.of_error` writes it."""
    try:
        value = decode(content)
    except JsonError:
        return content
    error = value.get("error") if isinstance(value, dict) else None
    return str(error.get("message")) if isinstance(error, dict) else content


def _with_reminders(variables: Variables, results: list[ToolResult]) -> list[ToolResult]:
    if variables.limits.repeat_limit is None and not variables.failed_rounds:
        return results
    times = occurrences(variables)
    return [_with_reminder(variables, *each) for each in zip(results, times, strict=True)]


def _with_reminder(variables: Variables, result: ToolResult, times: int) -> ToolResult:
    """With a line for the model, where its next call of this kind would end the run."""
    limits = variables.limits
    if result.error == INVALID and variables.failed_rounds.get(result.name, 0) == limits.max_repairs:
        told = f"{_message_of(result.content)}. This was the last attempt; do without {result.name}"
        content = ToolReceipt.of_error(INVALID, told).content
    elif limits.repeat_limit is not None and times == limits.repeat_limit - 1:
        content = (
            f"{result.content}\n\n[This is the result of call {times} of {result.name} with the same "
            "arguments. It is not run again: use the results that are there.]"
        )
    else:
        return result
    return replace(result, content=content, full_content=result.said)


def _failed_rounds(variables: Variables, results: Sequence[ToolResult]) -> dict[str, int]:
    """A round counts for a tool if all its calls of this tool were invalid; a valid one begins anew."""
    counts = dict(variables.failed_rounds)
    for name in {result.name for result in results}:
        if all(result.error == INVALID for result in results if result.name == name):
            counts[name] = counts.get(name, 0) + 1
        else:
            counts.pop(name, None)
    return counts


def _warn_of_cuts(variables: Variables, result: ToolResult) -> None:
    tool = variables.inputs.tool(result.name)
    if tool is None or (limit := tool.max_result_chars) is None or len(result.said) <= limit:
        return
    if _times(variables, "cut", result.name) == _CUT_AGAIN:
        variables.warn(
            "results_cut",
            f"results of {result.name} were cut {_CUT_AGAIN} times; let it return less, or raise "
            f"max_result_chars ({limit})",
        )


def _warn_of_description(variables: Variables, result: ToolResult) -> None:
    if result.error == INVALID and _times(variables, INVALID, result.name, result.said) == _WRONG_AGAIN:
        variables.warn(
            "description_unclear",
            f"the arguments of {result.name} were wrong twice in the same way; rewrite its description, not "
            "the loop",
        )


def _times(variables: Variables, *fault: str) -> int:
    """How often there was this fault in the run, this time included."""
    variables.faults = variables.faults.plus(fault)
    return variables.faults.count(fault)

"""Part 2 of the guide: parse the tool call response."""

from callagain.engine.call_limits import digests, limit_on_calls, warn_of_repetition
from callagain.engine.error_kinds import advised
from callagain.engine.errors import Failure
from callagain.engine.operation import Script
from callagain.engine.variables import Variables
from callagain.engine.wire.call_ids import with_new_ids
from callagain.engine.wire.output_limit import may_be_cut, output_limit
from callagain.engine.wire.reply import Call, Reply
from callagain.engine.wire.tool_names import resolve_name, unknown_tool
from callagain.engine.wire.usage import Usage, estimated_usage


class ParseResponse(Script):
    """Reads the response and sets the variables that steer the loop.

    Reads the response. Writes call_llm_again, and if the response holds tool calls: tool_calls, tools_resp,
    and tool_call_id, function_name and function_arguments of the first call.

    Calls that a limit forbids (too often the same, too often wrong) set limit_reached, and the table's way to
    the limit is taken.
    As in the guide the calls array decides, not finish_reason, which gateways get wrong.

    Guide: script of Part 2, node tool_calls in response?, node Extract function name and ID, first call.
    Departs from the guide in first call: the guide's script looks at the first call only. Here tool_calls
    holds all of them, since the API refuses a history in which one stays unanswered; the variables of a call
    hold the first.
    Departs from the guide in script of Part 2, final_response: the guide's script is a part of LLM Call, and
    sets final_response from whatever GetJSONString gives for `content`, be it the text null. Here it stands
    alone, as in the flowchart; the text waits in `reply` for Extract Final, and a response that is neither
    calls nor an answer fails, since nobody could use it.
    """

    part = "Part 2"
    title = "Extract function\nname and ID"
    question = "tool_calls\nin response?"

    def run(self, variables: Variables) -> None:
        if variables.response is None:
            raise Failure("operation_failed", "there is no response to parse; LLM Call must come first")
        inputs = variables.inputs
        seed = f"{inputs.run_id}:{variables.loop_count}"
        reply = inputs.wire.read(variables.response, inputs.profile, seed)
        variables.notes = (*variables.notes, *reply.notes)
        if (problem := reply.problem) is not None:
            if problem.kind != "truncated" or not (reply.text and inputs.accept_truncated):
                raise Failure.of(problem)
            variables.warn("truncated", "the output limit cut the answer off; what came was accepted")
        variables.reply = reply
        variables.usage = variables.usage + reply.usage
        if reply.usage == Usage():
            estimate = estimated_usage(variables.request_bytes, len(variables.response.body))
            variables.estimated_usage = variables.estimated_usage + estimate
        variables.call_llm_again = bool(reply.calls)
        if not reply.calls:
            return
        variables.tool_calls = _usable_calls(variables, reply, seed)
        variables.open_digests = (variables.tool_calls, digests(variables))
        variables.function_resps = ()
        variables.tools_resp = variables.response.body
        warn_of_repetition(variables)
        variables.limit_reached = variables.limit_reached or limit_on_calls(variables)
        first = variables.tool_calls[0]
        variables.tool_call_id = first.id
        variables.function_name = first.name
        variables.function_arguments = first.arguments_text


def _usable_calls(variables: Variables, reply: Reply, seed: str) -> tuple[Call, ...]:
    """The calls by ids that are new to the conversation and by the announced names, or with an error."""
    inputs = variables.inputs
    calls, notes = with_new_ids(reply.calls, variables.used_call_ids, variables.answered_ids, seed)
    announced = [tool.name for tool in inputs.tools]
    resolved = [resolve_name(call, announced) for call in calls]
    variables.notes = (*variables.notes, *notes, *(note for _, notes in resolved for note in notes))
    calls = tuple(call for call, _ in resolved)
    unknown = next((call for call in calls if call.error and call.error.error == "unknown_tool"), None)
    if inputs.fail_on_unknown_tool and unknown is not None:
        raise Failure("unknown_tool", advised("unknown_tool", unknown_tool(unknown.name, announced)))
    limit = output_limit(variables.request.fields, inputs.wire.output_limit_fields)
    return calls if limit is None or reply.usage.completion_tokens != limit else may_be_cut(calls)

"""Part 2 of the guide: parse the tool call response."""

from callagain.engine.errors import Failure
from callagain.engine.operation import Script
from callagain.engine.variables import Variables
from callagain.engine.wire import chat_completions
from callagain.engine.wire.tool_names import resolve_name


class ParseResponse(Script):
    """Reads the response and sets the variables that steer the loop.

    Reads the response. Writes call_llm_again, and if the response holds tool calls: tool_calls, tools_resp,
    and tool_call_id, function_name and function_arguments of the first call.

    Two departures from the guide. Its script looks at the first call only; here tool_calls holds all of
    them, since the API refuses a history in which one stays unanswered. And it sets final_response, from
    whatever `content` holds, be it null; here the text waits in `reply` for Extract Final, and a response
    that is neither calls nor an answer fails.
    As in the guide the calls array decides, not finish_reason, which gateways get wrong.
    """

    title = "Extract function\nname and ID"
    question = "tool_calls\nin response?"

    def run(self, variables: Variables) -> None:
        if variables.response is None:
            raise Failure("malformed_response", "there is no response to parse; LLM Call must come first")
        inputs = variables.inputs
        seed = f"{inputs.run_id}:{variables.loop_count}"
        reply = chat_completions.read(variables.response, inputs.profile, seed)
        variables.reply = reply
        variables.usage = variables.usage + reply.usage
        variables.notes = (*variables.notes, *reply.notes)
        variables.call_llm_again = bool(reply.calls)
        if not reply.calls:
            return
        names = [tool.name for tool in inputs.tools]
        calls = [resolve_name(call, names) for call in reply.calls]
        variables.tool_calls = tuple(call for call, _ in calls)
        variables.notes = (*variables.notes, *(note for _, notes in calls for note in notes))
        variables.function_resps = ()
        variables.tools_resp = variables.response.body
        first = variables.tool_calls[0]
        variables.tool_call_id = first.id
        variables.function_name = first.name
        variables.function_arguments = first.arguments_text

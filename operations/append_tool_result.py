"""Part 4 of the guide: append the tool result and rebuild the request."""

from callagain.engine.errors import Failure
from callagain.engine.operation import Script
from callagain.engine.variables import Variables
from callagain.engine.wire.tool_choice import is_forced, released


class AppendToolResult(Script):
    """Appends the round to tools_messages and rebuilds InAndOut: base messages, then all rounds.

    Reads reply, tool_calls, function_resps. Writes tools_messages and InAndOut; the base messages stay.

    Guide: Append Tool Result, node Append tool result, pair for each call.
    Departs from the guide in pair for each call: the guide appends a pair of messages for each of several
    calls, which repeats the assistant message and so its calls; the API refuses that. Here a round is one
    assistant message followed by the results of all its calls, in their order. With one call both are the
    same.
    Departs from the guide in tool_choice: the guide sends it on every request. Here a forced one ("required",
    or a named function) holds for the first only, since it would forbid the model to answer for ever.
    """

    part = "Part 4"
    title = "Append tool result\nrebuild request"

    def run(self, variables: Variables) -> None:
        if variables.reply is None:
            raise Failure("operation_failed", "there is no round to append; Tool Dispatcher must come first")
        inputs = variables.inputs
        message, calls, answers = variables.reply.message, variables.tool_calls, variables.function_resps
        fragment = inputs.wire.write(message, calls, answers, inputs.profile)
        variables.tools_messages = variables.tools_messages.plus(fragment)
        choice = variables.request.fields.get("tool_choice")
        if is_forced(choice) and not inputs.tool_choice_every_round:
            variables.request = variables.request.changed("tool_choice", released(choice))
        variables.assigned_request = inputs.wire.continuation(
            variables.request.fields, message, calls, answers, inputs.use_previous_response_id
        )

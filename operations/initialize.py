"""Part 1 of the guide: initialize the loop variables."""

from callagain.engine.json_text import JsonObject, encode
from callagain.engine.operation import Script
from callagain.engine.request_body import MESSAGES, RequestBody
from callagain.engine.run_inputs import Inputs
from callagain.engine.variables import Variables
from callagain.engine.wire.history import checked_history

# Fields that mean nothing without tools, and that the API refuses then.
_TOOL_FIELDS = ("tools", "tool_choice", "parallel_tool_calls")


class Initialize(Script):
    """Builds the base messages and the first request, and resets every variable of the loop.

    Reads the inputs: systemPrompt, userMessage, toolsJson, the history of earlier turns, the request options.
    Writes non_tool_messages_json, InAndOut, and the loop's variables.

    The guide builds JSON by pasting texts between quotes, and escapes only the quotes in them. Here messages
    are data, encoded once: a backslash or a newline in a prompt is as safe as a quote.
    Fails with invalid_history if the history cannot be sent.
    """

    title = "Build initial request\n(base messages + tools)"

    def run(self, variables: Variables) -> None:
        inputs = variables.inputs
        base = _base_messages(inputs)
        variables.non_tool_messages = b",".join(encode(message) for message in base)
        variables.request = RequestBody.around_messages(_request_fields(inputs))

        fresh = Variables.of(inputs)
        variables.assigned_request = None
        variables.tools_messages = fresh.tools_messages
        variables.tools_resp = ""
        variables.call_llm_again = False
        variables.loop_count = 0
        variables.tool_calls = ()
        variables.tool_call_id = variables.function_name = variables.function_arguments = ""
        variables.function_resp = ""
        variables.function_resps = ()
        variables.final_response = None


def _base_messages(inputs: Inputs) -> list[JsonObject]:
    history = checked_history(inputs.history)
    if inputs.system_prompt is None:
        system: list[JsonObject] = []
    else:
        system = [{"role": "system", "content": inputs.system_prompt}]
        if history and history[0]["role"] in ("system", "developer"):
            history = history[1:]
    return [*system, *history, {"role": "user", "content": inputs.user_message}]


def _request_fields(inputs: Inputs) -> JsonObject:
    """The guide's first InAndOut: model, messages, tools, tool_choice, in that order; then the options."""
    fields: JsonObject = {"model": inputs.model, MESSAGES: []}
    if inputs.tools:
        fields["tools"] = [tool.entry for tool in inputs.tools]
        fields["tool_choice"] = "auto"
    for name, value in inputs.request_options.items():
        if inputs.tools or name not in _TOOL_FIELDS:
            fields[name] = value
    return fields

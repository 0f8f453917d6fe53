"""Part 1 of the guide: initialize the loop variables."""

from callagain.engine.json_text import encode
from callagain.engine.operation import Script
from callagain.engine.request_body import RequestBody
from callagain.engine.variables import Variables
from callagain.engine.wire.call_ids import ids_in
from callagain.engine.wire.tool_choice import is_forced, released

PARALLEL = "parallel_tool_calls"


class Initialize(Script):
    """Builds the base messages and the first request, and resets every variable of the loop.

    Reads the inputs: systemPrompt, userMessage, toolsJson, the history of earlier turns, the request options.
    Writes non_tool_messages_json, InAndOut, and the loop's variables.
    Fails with invalid_history if the history cannot be sent.

    Guide: script of Part 1, node Build initial request, reset of the variables, note on the base messages.
    Departs from the guide in Replace, concatenation by +: the guide pastes texts between quotes, and escapes
    only the quotes in them. Here messages are data, encoded once: a backslash or a newline in a prompt is as
    safe as a quote.
    Departs from the guide in reset of the variables: the guide leaves final_response, function_resp and the
    variables of a call as they were. Here they begin anew too, so that nothing of an earlier run can be taken
    for this one's.
    """

    part = "Part 1"
    title = "Build initial request\n(base messages + tools)"

    def run(self, variables: Variables) -> None:
        inputs = variables.inputs
        base, notes = inputs.wire.base_messages(
            inputs.system_prompt,
            inputs.history,
            inputs.user_message,
            inputs.profile,
            repair=inputs.repair_history,
        )
        fields = inputs.wire.first_fields(
            inputs.model,
            [tool.entry for tool in inputs.tools],
            inputs.request_options,
            inputs.profile,
            stream=inputs.stream,
        )
        variables.non_tool_messages = b",".join(encode(message) for message in base)
        variables.request = RequestBody.around_messages(fields, inputs.wire.messages_field)
        variables.notes = (*variables.notes, *notes)
        variables.used_call_ids = ids_in(base)
        if inputs.tools and PARALLEL in inputs.request_options and PARALLEL not in fields:
            variables.warn("option_not_sent", f"{PARALLEL} is not sent: {inputs.profile.name} refuses it")
        if is_forced(fields.get("tool_choice")) and not inputs.profile.supports.forced_tool_choice:
            free = released(fields.get("tool_choice"))
            variables.request = variables.request.changed("tool_choice", free)
            told = f"tool_choice is sent as auto: {inputs.profile.name} takes none that forces a call"
            variables.warn("option_not_sent", told)

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
        variables.limit_reached = None
        variables.failed_rounds = fresh.failed_rounds
        variables.call_digests, variables.answered_ids = fresh.call_digests, fresh.answered_ids

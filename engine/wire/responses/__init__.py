"""The Responses API: https://platform.openai.com/docs/api-reference/responses"""

from callagain.engine.wire.responses import history, items, reply, request
from callagain.engine.wire.responses.stream import ResponseAssembly
from callagain.engine.wire.wire_format import WireFormat

RESPONSES = WireFormat(
    name="responses",
    path="/responses",
    is_of_a_deployment=False,
    messages_field="input",
    output_limit_fields=("max_output_tokens",),
    first_fields=request.first_fields,
    base_messages=history.base_messages,
    read=reply.read,
    error_in=reply.error_in,
    message_in=reply.message_in,
    write=request.write,
    answers_in=request.ROUND_ANSWERS.read,
    with_answers=request.ROUND_ANSWERS.replaced,
    continuation=request.continuation,
    without_tools=request.without_tools,
    call_ids=items.call_ids,
    answered_ids=items.answered_ids,
    assembly=ResponseAssembly,
)

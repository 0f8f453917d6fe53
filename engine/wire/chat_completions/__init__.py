"""Chat Completions: https://platform.openai.com/docs/api-reference/chat

Guide: Chat Completions.
"""

from callagain.engine.wire.chat_completions import history, reply, request
from callagain.engine.wire.chat_completions.stream import ChatAssembly
from callagain.engine.wire.wire_format import WireFormat

CHAT_COMPLETIONS = WireFormat(
    name="chat_completions",
    path="/chat/completions",
    is_of_a_deployment=True,
    messages_field="messages",
    output_limit_fields=("max_tokens", "max_completion_tokens"),
    first_fields=request.first_fields,
    base_messages=history.base_messages,
    read=reply.read,
    error_in=reply.error_in,
    message_in=reply.message_in,
    write=request.write,
    answers_in=request.ROUND_ANSWERS.read,
    with_answers=request.ROUND_ANSWERS.replaced,
    continuation=request.no_continuation,
    without_tools=request.without_tools,
    call_ids=reply.call_ids,
    answered_ids=request.answered_ids,
    assembly=ChatAssembly,
)

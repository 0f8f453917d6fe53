"""Why a response ended, in the words of Chat Completions; endpoints have others for the same.

Sources: https://docs.mistral.ai/api (model_length), https://openrouter.ai/docs/api-reference/errors (error),
https://ai.google.dev/api/generate-content (FinishReason), https://docs.z.ai/api-reference (sensitive,
network_error), https://api-docs.deepseek.com/api/create-chat-completion (insufficient_system_resource).
"""

_MEANT = {
    "max_tokens": "length",
    "max_output_tokens": "length",
    "model_length": "length",
    "safety": "content_filter",
    "prohibited_content": "content_filter",
    "blocklist": "content_filter",
    "spii": "content_filter",
    "recitation": "content_filter",
    "sensitive": "content_filter",
    "insufficient_system_resource": "error",
    "network_error": "error",
    "malformed_function_call": "malformed",
    "unexpected_tool_call": "malformed",
}


def meant_by(finish_reason: object) -> str | None:
    """`stop`, `length`, `tool_calls`, `function_call`, `content_filter`, `error`, `malformed` (the endpoint
    could not read its own model), or another word as it came; None if there is none."""
    if not isinstance(finish_reason, str) or not finish_reason:
        return None
    word = finish_reason.lower()
    return _MEANT.get(word, word)

"""The names of OpenTelemetry's semantic conventions for generative AI, in the one version that is followed.

Source: https://github.com/open-telemetry/semantic-conventions-genai/tree/v0.1.0/docs/gen-ai. The conventions
are in development: another version may have other names, and what is recorded keeps to this one.
"""

from collections.abc import Mapping

CONVENTIONS = "0.1.0"
"""The version of the semantic conventions for generative AI."""

# Operations, the values of OPERATION_NAME.
CHAT, EXECUTE_TOOL, INVOKE_AGENT = "chat", "execute_tool", "invoke_agent"

OPERATION_NAME = "gen_ai.operation.name"
PROVIDER_NAME = "gen_ai.provider.name"
AGENT_NAME = "gen_ai.agent.name"
REQUEST_MODEL = "gen_ai.request.model"
SERVER_ADDRESS, SERVER_PORT = "server.address", "server.port"
ERROR_TYPE = "error.type"

REQUEST_STREAM = "gen_ai.request.stream"
REQUEST_STOP = "gen_ai.request.stop_sequences"
REQUEST_MAX_TOKENS = "gen_ai.request.max_tokens"
REQUEST_REASONING = "gen_ai.request.reasoning.level"
REQUEST_PREVIOUS = "gen_ai.request.previous_response.id"
OUTPUT_TYPE = "gen_ai.output.type"

RESPONSE_ID = "gen_ai.response.id"
RESPONSE_MODEL = "gen_ai.response.model"
RESPONSE_FINISH_REASONS = "gen_ai.response.finish_reasons"
RESPONSE_TIME_TO_FIRST_CHUNK = "gen_ai.response.time_to_first_chunk"

USAGE_INPUT = "gen_ai.usage.input_tokens"
USAGE_OUTPUT = "gen_ai.usage.output_tokens"
USAGE_CACHE_READ = "gen_ai.usage.cache_read.input_tokens"
USAGE_REASONING = "gen_ai.usage.reasoning.output_tokens"
TOKEN_MODALITY = "gen_ai.token.modality"

TOOL_NAME = "gen_ai.tool.name"
TOOL_TYPE = "gen_ai.tool.type"
TOOL_DESCRIPTION = "gen_ai.tool.description"
TOOL_CALL_ID = "gen_ai.tool.call.id"

# What was said: recorded only where that is asked for.
SYSTEM_INSTRUCTIONS = "gen_ai.system_instructions"
INPUT_MESSAGES = "gen_ai.input.messages"
OUTPUT_MESSAGES = "gen_ai.output.messages"
TOOL_DEFINITIONS = "gen_ai.tool.definitions"
TOOL_CALL_ARGUMENTS = "gen_ai.tool.call.arguments"
TOOL_CALL_RESULT = "gen_ai.tool.call.result"

# Metrics.
INFERENCE_DURATION = "gen_ai.client.inference.duration"
TIME_TO_FIRST_CHUNK = "gen_ai.client.inference.time_to_first_chunk"
INPUT_TOKENS = "gen_ai.client.inference.usage.input_tokens"
OUTPUT_TOKENS = "gen_ai.client.inference.usage.output_tokens"
OPERATION_INPUT_TOKENS = "gen_ai.client.inference.operation.input_tokens"
OPERATION_OUTPUT_TOKENS = "gen_ai.client.inference.operation.output_tokens"
INVOKE_AGENT_DURATION = "gen_ai.invoke_agent.duration"
INVOKE_AGENT_INFERENCE_CALLS = "gen_ai.invoke_agent.inference_calls"
INVOKE_AGENT_TOOL_CALLS = "gen_ai.invoke_agent.tool_calls"
EXECUTE_TOOL_DURATION = "gen_ai.execute_tool.duration"

# Where a provider is not called as its profile is.
PROVIDERS: Mapping[str, str] = {
    "azure": "azure.ai.openai",
    "gemini": "gcp.gemini",
    "generic": "openai",
    "mistral": "mistral_ai",
}

# What the conventions have no name for.
RUN_ID = "callagain.run.id"
CHAIN = "callagain.chain"
OUTCOME = "callagain.outcome"
WAITS_FOR = "callagain.waits_for"
LOOP_COUNT = "callagain.loop_count"
OPERATION = "callagain.operation"
OPERATION_EVENT = "callagain.operation.event"
OPERATION_NEXT = "callagain.operation.next"
FUNCTION = "callagain.function"
ATTEMPT, ATTEMPTS = "callagain.attempt", "callagain.attempts"
SECONDS = "callagain.seconds"
ABANDONED = "callagain.abandoned"
VERDICT = "callagain.verdict"

# What the codes mean that a model is told of a call.
TOOL_ERRORS: Mapping[str, str] = {
    "invalid_arguments": "the arguments do not fit the tool's parameters",
    "tool_exception": "the tool raised an exception",
    "tool_cancelled": "the tool was cancelled, or gave up",
    "timeout": "no result came in time; what the tool did may still take effect",
    "result_unserializable": "the tool returned what has no JSON form",
    "invalid_result": "the result does not fit what the tool announces",
    "denied": "somebody was asked about the call, and said no",
    "not_executed": "the call was not begun",
}

# Events of spans.
ATTEMPT_DISCARDED = "callagain.attempt_discarded"
REQUEST_DELAYED = "callagain.request_delayed"
CALL_HELD = "callagain.call_held"
CALL_DECIDED = "callagain.call_decided"
WARNING = "callagain.warning"
WARNING_CODE = "callagain.warning.code"

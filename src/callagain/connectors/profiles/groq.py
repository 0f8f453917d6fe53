"""Groq. It refuses every field of a message that it does not know: tashfeenahmed/freellmapi#1070."""

from callagain.engine.wire.profile import ModelFacts, Prices, Profile, Supports

GROQ = Profile(
    "groq",
    # https://github.com/groq/groq-python/blob/main/src/groq/types/chat/chat_completion_assistant_message_param.py
    # has none of these, though Groq sends the first two; janhq/jan#8136 shows a refusal
    not_echoed=frozenset({"annotations", "executed_tools", "reasoning_content"}),
    # https://github.com/groq/groq-python/blob/main/src/groq/types/chat/completion_create_params.py
    output_limit_field="max_completion_tokens",
    supports=Supports(
        # https://github.com/groq/groq-python/blob/main/src/groq/types/chat/completion_create_params.py
        parallel_tool_calls=True,
        # https://github.com/groq/groq-python/blob/main/src/groq/types/chat/completion_create_params.py
        forced_tool_choice=True,
        # https://console.groq.com/docs/openai
        responses=True,
    ),
    # https://console.groq.com/docs/openai
    hosts=("api.groq.com",),
    # https://console.groq.com/docs/rate-limits: the free plan, for each model
    requests_per_minute=30,
    models={
        # https://console.groq.com/docs/models
        "openai/gpt-oss-120b": ModelFacts(
            131_072, 65_536, Prices(0.15, 0.6, 0.075), tools=True, reasoning=True
        ),
        # https://console.groq.com/docs/models
        "openai/gpt-oss-20b": ModelFacts(
            131_072, 65_536, Prices(0.075, 0.3, 0.0375), tools=True, reasoning=True
        ),
        # https://console.groq.com/docs/models
        "qwen/qwen3.8-27b": ModelFacts(131_072, 16_384, Prices(0.8, 4, 0.4), reasoning=True),
        # https://console.groq.com/docs/models
        "llama-3.3-70b-versatile": ModelFacts(131_072, 32_768, tools=True, reasoning=False),
        # https://console.groq.com/docs/models
        "llama-3.1-8b-instant": ModelFacts(131_072, 131_072, tools=True, reasoning=False),
    },
)

"""Claude, behind Anthropic's OpenAI-compatible endpoint, which takes tools for every model:
https://platform.claude.com/docs/en/cli-sdks-libraries/libraries/openai-sdk
"""

from callagain.engine.wire.profile import ModelFacts, Prices, Profile, Supports

ANTHROPIC = Profile(
    "anthropic",
    # https://platform.claude.com/docs/en/cli-sdks-libraries/libraries/openai-sdk: takes both names
    output_limit_field="max_tokens",
    supports=Supports(
        # https://platform.claude.com/docs/en/cli-sdks-libraries/libraries/openai-sdk
        parallel_tool_calls=True,
        # https://platform.claude.com/docs/en/cli-sdks-libraries/libraries/openai-sdk
        stream_options=True,
    ),
    # https://platform.claude.com/docs/en/cli-sdks-libraries/libraries/openai-sdk
    hosts=("api.anthropic.com",),
    models={
        # https://platform.claude.com/docs/en/models/fable-5-2/overview
        "claude-fable-5-2": ModelFacts(1_000_000, 128_000, Prices(8, 40, 0.2), tools=True, reasoning=True),
        # https://platform.claude.com/docs/en/models/fable-5-1/overview
        "claude-fable-5-1": ModelFacts(1_000_000, 128_000, Prices(10, 50, 0.25), tools=True, reasoning=True),
        # https://platform.claude.com/docs/en/models/opus-5-5/overview
        "claude-opus-5-5": ModelFacts(1_000_000, 128_000, Prices(4, 20, 0.2), tools=True, reasoning=True),
        # https://platform.claude.com/docs/en/models/opus-5/overview
        "claude-opus-5": ModelFacts(1_000_000, 128_000, Prices(5, 25, 0.5), tools=True, reasoning=True),
        # https://platform.claude.com/docs/en/models/sonnet-5-5/overview
        "claude-sonnet-5-5": ModelFacts(1_000_000, 128_000, Prices(2, 10, 0.1), tools=True, reasoning=True),
        # https://platform.claude.com/docs/en/models/sonnet-5/overview
        "claude-sonnet-5": ModelFacts(1_000_000, 128_000, Prices(2, 10, 0.2), tools=True, reasoning=True),
        # https://platform.claude.com/docs/en/models/haiku-5-5/overview
        "claude-haiku-5-5": ModelFacts(
            1_000_000, 128_000, Prices(0.1, 0.5, 0.01), tools=True, reasoning=True
        ),
        # https://platform.claude.com/docs/en/models/haiku-4-5/overview
        "claude-haiku-4-5": ModelFacts(200_000, 64_000, Prices(1, 5, 0.1), tools=True),
    },
)

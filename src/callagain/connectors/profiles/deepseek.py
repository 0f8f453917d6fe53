"""DeepSeek. Its reasoning_content must come back with every round of tools: deepseek-ai/DeepSeek-V3#1053."""

from callagain.engine.wire.profile import ModelFacts, Prices, Profile, Supports

DEEPSEEK = Profile(
    "deepseek",
    supports=Supports(
        # deepseek-ai/DeepSeek-V3#1376: refused while the model thinks, which is the default
        forced_tool_choice=False,
        # https://api-docs.deepseek.com/quick_start/pricing
        responses=True,
    ),
    # https://api-docs.deepseek.com/quick_start/pricing
    hosts=("api.deepseek.com",),
    models={
        # https://api-docs.deepseek.com/quick_start/pricing: the prices of peak hours, twice those of others
        "deepseek-flash": ModelFacts(1_000_000, 384_000, Prices(0.3, 1.2, 0.006), tools=True, reasoning=True),
        # https://api-docs.deepseek.com/quick_start/pricing: an older name of deepseek-flash
        "deepseek-v4-flash": ModelFacts(
            1_000_000, 384_000, Prices(0.3, 1.2, 0.006), tools=True, reasoning=True
        ),
        # https://api-docs.deepseek.com/quick_start/pricing: the prices of peak hours, twice those of others
        "deepseek-v4-pro": ModelFacts(
            1_000_000, 384_000, Prices(1.32, 3.96, 0.044), tools=True, reasoning=True
        ),
        # https://api-docs.deepseek.com/guides/function_calling
        "deepseek-chat": ModelFacts(tools=True, reasoning=False),
        # https://api-docs.deepseek.com/guides/thinking_mode
        "deepseek-reasoner": ModelFacts(tools=True, reasoning=True),
    },
)

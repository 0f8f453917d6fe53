"""Mistral. It refuses every field that it does not know: sipeed/picoclaw#1502."""

from callagain.engine.wire.profile import ModelFacts, Prices, Profile, Supports

MISTRAL = Profile(
    "mistral",
    # anomalyco/opencode#1680, mistralai/mistral-vibe#1075
    call_id_pattern="[a-zA-Z0-9]{9}",
    # https://github.com/mistralai/client-python/blob/main/docs/models/assistantmessage.md has none of
    # these; charmbracelet/crush#1590 and NousResearch/hermes-agent#253 show refusals
    not_echoed=frozenset({"annotations", "audio", "reasoning", "reasoning_content", "refusal"}),
    # editor-code-assistant/eca#231: max_completion_tokens is refused
    output_limit_field="max_tokens",
    supports=Supports(
        # https://github.com/mistralai/client-python/blob/main/docs/models/chatcompletionstreamrequest.md
        parallel_tool_calls=True,
        # dnakov/anon-kode#53: include_usage is refused; the usage comes in any case
        stream_options=False,
        # https://github.com/mistralai/client-python/blob/main/docs/models/toolchoiceenum.md
        forced_tool_choice=True,
    ),
    # editor-code-assistant/eca#231
    hosts=("api.mistral.ai",),
    models={
        # https://docs.mistral.ai/models/mistral-large-4-0: the price of the preview
        "mistral-large-4": ModelFacts(1_048_576, 262_144, Prices(0.7, 2.1, 0.07), tools=True, reasoning=True),
        # https://docs.mistral.ai/inference/pricing
        "mistral-large-2512": ModelFacts(262_144, prices=Prices(0.5, 1.5, 0.05), tools=True, reasoning=False),
        # https://docs.mistral.ai/models/mistral-medium-3-5-26-04
        "mistral-medium-3-5": ModelFacts(262_144, prices=Prices(1.5, 7.5, 0.15), tools=True),
        # https://docs.mistral.ai/models/mistral-medium-3-5-26-04
        "mistral-medium-latest": ModelFacts(262_144, prices=Prices(1.5, 7.5, 0.15), tools=True),
        # https://docs.mistral.ai/inference/pricing
        "mistral-small-2603": ModelFacts(262_144, prices=Prices(0.15, 0.6, 0.015), tools=True),
        # https://docs.mistral.ai/inference/pricing
        "mistral-small-latest": ModelFacts(prices=Prices(0.15, 0.6, 0.015), tools=True),
        # https://docs.mistral.ai/models/codestral-25-08
        "codestral-2508": ModelFacts(prices=Prices(0.3, 0.9, 0.03), tools=True, reasoning=False),
        # https://docs.mistral.ai/models/codestral-25-08
        "codestral-latest": ModelFacts(prices=Prices(0.3, 0.9, 0.03), tools=True, reasoning=False),
    },
)

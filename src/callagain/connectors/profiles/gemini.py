"""Gemini, behind Google's OpenAI-compatible endpoint."""

from callagain.engine.wire.profile import ModelFacts, Prices, Profile, Supports

GEMINI = Profile(
    "gemini",
    supports=Supports(
        # TheAgenticAI/TheAgenticBrowser#4, jackmpcollins/magentic#382: the field was refused
        parallel_tool_calls=False,
    ),
    # https://ai.google.dev/gemini-api/docs/openai
    hosts=("generativelanguage.googleapis.com",),
    models={
        # https://ai.google.dev/gemini-api/docs/models/gemini-3.8-flash: the prices from 2027 on
        "gemini-3.8-flash": ModelFacts(1_048_576, 65_536, Prices(1.5, 7.5, 0.15), tools=True, reasoning=True),
        # https://ai.google.dev/gemini-api/docs/models/gemini-3.5-flash
        "gemini-3.5-flash": ModelFacts(1_048_576, 65_536, Prices(1.5, 9, 0.15), tools=True, reasoning=True),
        # https://ai.google.dev/gemini-api/docs/models/gemini-3.1-pro-preview
        "gemini-3.1-pro-preview": ModelFacts(
            1_048_576, 65_536, Prices(2, 12, 0.2), tools=True, reasoning=True
        ),
        # https://ai.google.dev/gemini-api/docs/models/gemini-3-flash-preview
        "gemini-3-flash-preview": ModelFacts(
            1_048_576, 65_536, Prices(0.5, 3, 0.05), tools=True, reasoning=True
        ),
        # https://ai.google.dev/gemini-api/docs/models/gemini-2.5-pro
        "gemini-2.5-pro": ModelFacts(1_048_576, 65_536, Prices(1.25, 10, 0.125), tools=True, reasoning=True),
        # https://ai.google.dev/gemini-api/docs/models/gemini-2.5-flash
        "gemini-2.5-flash": ModelFacts(1_048_576, 65_536, Prices(0.3, 2.5, 0.03), tools=True, reasoning=True),
        # https://ai.google.dev/gemini-api/docs/models/gemini-2.5-flash-lite
        "gemini-2.5-flash-lite": ModelFacts(
            1_048_576, 65_536, Prices(0.1, 0.4, 0.01), tools=True, reasoning=True
        ),
    },
)

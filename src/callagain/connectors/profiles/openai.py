"""OpenAI."""

from callagain.engine.wire.profile import ModelFacts, Prices, Profile, Supports

OPENAI = Profile(
    "openai",
    # https://platform.openai.com/docs/api-reference/chat/create: max_tokens is deprecated, o-series refuse it
    output_limit_field="max_completion_tokens",
    supports=Supports(
        # https://platform.openai.com/docs/api-reference/chat/create
        parallel_tool_calls=True,
        # https://platform.openai.com/docs/api-reference/chat/create
        stream_options=True,
        # https://platform.openai.com/docs/api-reference/chat/create
        forced_tool_choice=True,
        # https://platform.openai.com/docs/api-reference/responses
        responses=True,
        # https://platform.openai.com/docs/guides/structured-outputs
        json_schema=True,
    ),
    # https://platform.openai.com/docs/guides/your-data: regions have hosts of their own, as eu.api.openai.com
    hosts=("api.openai.com", ".api.openai.com"),
    models={
        # https://developers.openai.com/api/docs/models/gpt-6.2-sol
        "gpt-6.2-sol": ModelFacts(1_050_000, 128_000, Prices(2, 10), tools=True, reasoning=True),
        # https://developers.openai.com/api/docs/models/gpt-6.1-sol
        "gpt-6.1-sol": ModelFacts(1_050_000, 128_000, Prices(2, 10, 0.1), tools=True, reasoning=True),
        # https://developers.openai.com/api/docs/models/gpt-6-astra
        "gpt-6-astra": ModelFacts(1_050_000, 128_000, Prices(10, 50, 1), tools=True, reasoning=True),
        # https://developers.openai.com/api/docs/models/gpt-6-luna
        "gpt-6-luna": ModelFacts(1_050_000, 128_000, Prices(0.1, 0.5, 0.01), tools=True, reasoning=True),
        # https://developers.openai.com/api/docs/models/gpt-5.6-sol
        "gpt-5.6-sol": ModelFacts(1_050_000, 128_000, Prices(4, 20, 0.4), tools=True, reasoning=True),
        # https://developers.openai.com/api/docs/models/gpt-5.4
        "gpt-5.4": ModelFacts(1_050_000, 128_000, Prices(2.5, 15, 0.25), tools=True, reasoning=True),
        # https://developers.openai.com/api/docs/models/gpt-5.2
        "gpt-5.2": ModelFacts(400_000, 128_000, Prices(1.75, 14, 0.175), tools=True, reasoning=True),
        # https://developers.openai.com/api/docs/models/gpt-5
        "gpt-5": ModelFacts(400_000, 128_000, Prices(1.25, 10, 0.125), tools=True, reasoning=True),
        # https://developers.openai.com/api/docs/models/gpt-5-mini
        "gpt-5-mini": ModelFacts(400_000, 128_000, Prices(0.25, 2, 0.025), tools=True, reasoning=True),
        # https://developers.openai.com/api/docs/models/gpt-5-nano
        "gpt-5-nano": ModelFacts(400_000, 128_000, Prices(0.05, 0.4, 0.005), tools=True, reasoning=True),
        # https://developers.openai.com/api/docs/models/gpt-4.1
        "gpt-4.1": ModelFacts(1_047_576, 32_768, Prices(2, 8, 0.5), tools=True, reasoning=False),
        # https://developers.openai.com/api/docs/models/gpt-4.1-mini
        "gpt-4.1-mini": ModelFacts(1_047_576, 32_768, Prices(0.4, 1.6, 0.1), tools=True, reasoning=False),
        # https://developers.openai.com/api/docs/models/gpt-4.1-nano
        "gpt-4.1-nano": ModelFacts(1_047_576, 32_768, Prices(0.1, 0.4, 0.025), tools=True, reasoning=False),
        # https://developers.openai.com/api/docs/models/gpt-4o
        "gpt-4o": ModelFacts(128_000, 16_384, Prices(2.5, 10, 1.25), tools=True, reasoning=False),
        # https://developers.openai.com/api/docs/models/gpt-4o
        "gpt-4o-2024-05-13": ModelFacts(
            128_000, 4_096, Prices(5, 15), tools=True, reasoning=False, json_schema=False
        ),
        # https://developers.openai.com/api/docs/models/gpt-4o-mini
        "gpt-4o-mini": ModelFacts(128_000, 16_384, Prices(0.15, 0.6, 0.075), tools=True, reasoning=False),
        # https://developers.openai.com/api/docs/models/gpt-4o: nothing made of it reasons
        "gpt-4o*": ModelFacts(reasoning=False),
        # https://developers.openai.com/api/docs/models/gpt-4.1: nothing made of it reasons
        "gpt-4.1*": ModelFacts(reasoning=False),
        # https://platform.openai.com/docs/guides/structured-outputs: from gpt-4o-2024-08-06 on
        "gpt-4*": ModelFacts(json_schema=False),
        # https://developers.openai.com/api/docs/models/o3
        "o3": ModelFacts(200_000, 100_000, Prices(2, 8, 0.5), tools=True, reasoning=True),
        # https://developers.openai.com/api/docs/models/o3-mini
        "o3-mini": ModelFacts(200_000, 100_000, Prices(1.1, 4.4, 0.55), tools=True, reasoning=True),
        # https://developers.openai.com/api/docs/models/o4-mini
        "o4-mini": ModelFacts(200_000, 100_000, Prices(1.1, 4.4, 0.275), tools=True, reasoning=True),
        # https://community.openai.com/t/developer-role-not-accepted-for-o1-o1-mini-o3-mini/1110750/7
        "o1-mini": ModelFacts(128_000, 65_536, Prices(1.1, 4.4, 0.55), tools=False, reasoning=True),
        # https://community.openai.com/t/developer-role-not-accepted-for-o1-o1-mini-o3-mini/1110750/7
        "o1-preview": ModelFacts(128_000, 32_768, Prices(15, 60, 7.5), tools=False, reasoning=True),
        # https://developers.openai.com/api/docs/models/gpt-3.5-turbo
        "gpt-3.5-turbo": ModelFacts(16_385, 4_096, Prices(0.5, 1.5), reasoning=False, json_schema=False),
        # https://developers.openai.com/api/docs/models/gpt-3.5-turbo-instruct: for v1/completions only
        "gpt-3.5-turbo-instruct": ModelFacts(prices=Prices(1.5, 2), tools=False, reasoning=False),
    },
)

"""OpenAI's models at Microsoft. A model goes by the name of its deployment, so nothing is known by it."""

from callagain.engine.wire.profile import Profile, Supports

AZURE = Profile(
    "azure",
    # https://learn.microsoft.com/azure/foundry/openai/how-to/reasoning: these models refuse max_tokens
    output_limit_field="max_completion_tokens",
    supports=Supports(
        # https://learn.microsoft.com/azure/foundry-classic/openai/how-to/responses
        responses=True,
        # https://learn.microsoft.com/azure/ai-services/openai/how-to/structured-outputs
        json_schema=True,
    ),
    # https://github.com/pydantic/genai-prices/blob/main/prices/providers/azure.yml
    hosts=(".openai.azure.com", ".services.ai.azure.com", ".cognitiveservices.azure.com"),
)

"""pydantic-ai, with a function as its tool."""

from collections.abc import Awaitable, Callable

import openai
from benchmarks.task import PROMPT, TIMEOUT, Orders, Task
from pydantic_ai import Agent, UsageLimits
from pydantic_ai.models.openai import OpenAIChatModel
from pydantic_ai.providers.openai import OpenAIProvider

PACKAGES = ["pydantic-ai-slim", "openai"]


def prepare_async(task: Task, orders: Orders, base_url: str) -> Callable[[], Awaitable[str]]:
    client = openai.AsyncOpenAI(api_key="any", base_url=base_url, timeout=TIMEOUT)
    agent = Agent(OpenAIChatModel(task.model(), provider=OpenAIProvider(openai_client=client)))

    @agent.tool_plain
    def get_order_status(order_id: str) -> dict[str, str]:
        """Look up an order by 6-digit id."""
        return orders.status(order_id)

    limits = UsageLimits(request_limit=None)

    async def run() -> str:
        return str((await agent.run(PROMPT, usage_limits=limits)).output)

    return run

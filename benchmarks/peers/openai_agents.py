"""openai-agents on Chat Completions; its tracing, which would send each run to the maker, is off."""

from collections.abc import Awaitable, Callable

import openai
from agents import Agent, OpenAIChatCompletionsModel, Runner, function_tool, set_tracing_disabled
from benchmarks.task import PROMPT, TIMEOUT, TOOL_DESCRIPTION, TOOL_NAME, Orders, Task

PACKAGES = ["openai-agents", "openai"]


def prepare_async(task: Task, orders: Orders, base_url: str) -> Callable[[], Awaitable[str]]:
    set_tracing_disabled(True)

    @function_tool(name_override=TOOL_NAME, description_override=TOOL_DESCRIPTION)
    def get_order_status(order_id: str) -> dict[str, str]:
        return orders.status(order_id)

    client = openai.AsyncOpenAI(api_key="any", base_url=base_url, timeout=TIMEOUT)
    model = OpenAIChatCompletionsModel(model=task.model(), openai_client=client)
    agent = Agent(name="orders", tools=[get_order_status], model=model)

    async def run() -> str:
        result = await Runner.run(agent, PROMPT, max_turns=task.rounds + 5)
        return str(result.final_output)

    return run

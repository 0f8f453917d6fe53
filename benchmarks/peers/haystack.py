"""Haystack's Agent with OpenAIChatGenerator."""

from collections.abc import Awaitable, Callable

from benchmarks.task import PROMPT, TIMEOUT, Orders, Task
from haystack.components.agents import Agent
from haystack.components.generators.chat import OpenAIChatGenerator
from haystack.dataclasses import ChatMessage
from haystack.tools import tool
from haystack.utils import Secret

PACKAGES = ["haystack-ai", "openai"]


def prepare(task: Task, orders: Orders, base_url: str) -> Callable[[], str]:
    agent = _agent(task, orders, base_url)

    def run() -> str:
        return str(agent.run(messages=[ChatMessage.from_user(PROMPT)])["messages"][-1].text)

    return run


def prepare_async(task: Task, orders: Orders, base_url: str) -> Callable[[], Awaitable[str]]:
    agent = _agent(task, orders, base_url)

    async def run() -> str:
        result = await agent.run_async(messages=[ChatMessage.from_user(PROMPT)])
        return str(result["messages"][-1].text)

    return run


def _agent(task: Task, orders: Orders, base_url: str) -> Agent:
    @tool
    def get_order_status(order_id: str) -> str:
        """Look up an order by 6-digit id."""
        return orders.status_json(order_id)

    generator = OpenAIChatGenerator(
        model=task.model(), api_base_url=base_url, api_key=Secret.from_token("any"), timeout=TIMEOUT
    )
    agent = Agent(chat_generator=generator, tools=[get_order_status], max_agent_steps=task.rounds + 5)
    agent.warm_up()
    return agent

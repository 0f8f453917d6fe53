"""LangGraph: the agent that LangChain's `create_agent` builds as a graph."""

from collections.abc import Awaitable, Callable
from typing import Any

from benchmarks.task import PROMPT, TIMEOUT, Orders, Task
from langchain.agents import create_agent
from langchain_openai import ChatOpenAI

PACKAGES = ["langgraph", "langchain", "langchain-openai", "openai"]


def prepare_async(task: Task, orders: Orders, base_url: str) -> Callable[[], Awaitable[str]]:
    def get_order_status(order_id: str) -> str:
        """Look up an order by 6-digit id."""
        return orders.status_json(order_id)

    model = ChatOpenAI(model=task.model(), base_url=base_url, api_key="any", timeout=TIMEOUT)
    graph = create_agent(model, [get_order_status])
    # A round is two steps of the graph.
    config: Any = {"recursion_limit": 4 * task.rounds + 50}

    async def run() -> str:
        state = await graph.ainvoke({"messages": [{"role": "user", "content": PROMPT}]}, config)
        return str(state["messages"][-1].content)

    return run

"""smolagents' ToolCallingAgent, which prints nothing here. It ends by a call of its tool final_answer."""

from collections.abc import Callable

from benchmarks.task import PROMPT, TIMEOUT, Orders, Task
from smolagents import LogLevel, OpenAIModel, ToolCallingAgent, tool

PACKAGES = ["smolagents", "openai"]


def prepare(task: Task, orders: Orders, base_url: str) -> Callable[[], str]:
    # It reads the source of a tool, which has to stand alone.
    @tool
    def get_order_status(order_id: str) -> str:
        """Look up an order by 6-digit id.

        Args:
            order_id: the order id.
        """
        return orders.status_json(order_id)

    model = OpenAIModel(
        task.model("call"), api_base=base_url, api_key="any", client_kwargs={"timeout": TIMEOUT}
    )
    agent = ToolCallingAgent(
        tools=[get_order_status], model=model, max_steps=task.rounds + 5, verbosity_level=LogLevel.OFF
    )

    def run() -> str:
        return str(agent.run(PROMPT))

    return run

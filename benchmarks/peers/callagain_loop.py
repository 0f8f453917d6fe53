"""callagain, with its defaults; and with a journal."""

from collections.abc import Awaitable, Callable

from benchmarks.task import PROMPT, TOOL_DESCRIPTION, Orders, Task

from callagain import JournalFile, ToolLoop, open_journal
from callagain.engine.journal.store import Durability

PACKAGES = ["callagain", "openai", "httpx2"]


def prepare(
    task: Task, orders: Orders, base_url: str, journal: JournalFile | None = None
) -> Callable[[], str]:
    loop = _loop(task, orders, base_url, journal)

    def run() -> str:
        return str(loop.run(PROMPT).raise_for_outcome().final_response)

    return run


def prepare_async(task: Task, orders: Orders, base_url: str) -> Callable[[], Awaitable[str]]:
    loop = _loop(task, orders, base_url, None)

    async def run() -> str:
        return str((await loop.arun(PROMPT)).raise_for_outcome().final_response)

    return run


def prepare_process(task: Task, orders: Orders, base_url: str) -> Callable[[], str]:
    return prepare(task, orders, base_url, _journal("process"))


def prepare_effects(task: Task, orders: Orders, base_url: str) -> Callable[[], str]:
    return prepare(task, orders, base_url, _journal("effects"))


def prepare_every_entry(task: Task, orders: Orders, base_url: str) -> Callable[[], str]:
    return prepare(task, orders, base_url, _journal("every_entry"))


def _journal(durability: Durability) -> JournalFile:
    return open_journal(f"{durability}.db", durability)


def _loop(task: Task, orders: Orders, base_url: str, journal: JournalFile | None) -> ToolLoop:
    def get_order_status(order_id: str) -> dict[str, str]:
        return orders.status(order_id)

    get_order_status.__doc__ = TOOL_DESCRIPTION
    return ToolLoop(
        model=task.model(),
        base_url=base_url,
        api_key="any",
        tools=[get_order_status],
        max_iterations=task.rounds,
        journal=journal,
    )

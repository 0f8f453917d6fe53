"""The floor: `client.post` of the openai package with ready bytes, and no more than the task needs."""

from collections.abc import Awaitable, Callable

import httpx2
import openai
from benchmarks.peers.ready_bytes import PATH, ReadyBytes
from benchmarks.task import TIMEOUT, Orders, Task

PACKAGES = ["openai", "httpx2"]


def prepare(task: Task, orders: Orders, base_url: str) -> Callable[[], str]:
    client = openai.OpenAI(api_key="any", base_url=base_url, timeout=TIMEOUT)

    def run() -> str:
        conversation = ReadyBytes(task, orders)
        while True:
            response = client.post(PATH, content=conversation.body(), cast_to=httpx2.Response)
            if (text := conversation.answer(response.content)) is not None:
                return text

    return run


def prepare_async(task: Task, orders: Orders, base_url: str) -> Callable[[], Awaitable[str]]:
    return runs_of(openai.AsyncOpenAI(api_key="any", base_url=base_url, timeout=TIMEOUT), task, orders)


def runs_of(client: openai.AsyncOpenAI, task: Task, orders: Orders) -> Callable[[], Awaitable[str]]:
    async def run() -> str:
        conversation = ReadyBytes(task, orders)
        while True:
            response = await client.post(PATH, content=conversation.body(), cast_to=httpx2.Response)
            if (text := conversation.answer(response.content)) is not None:
                return text

    return run

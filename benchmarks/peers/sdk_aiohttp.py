"""The floor for many runs at once: `client.post` with ready bytes on the SDK's own aiohttp client."""

from collections.abc import Awaitable, Callable

import openai
from benchmarks.peers.sdk_post import runs_of
from benchmarks.task import TIMEOUT, Orders, Task

PACKAGES = ["openai", "aiohttp"]


def prepare_async(task: Task, orders: Orders, base_url: str) -> Callable[[], Awaitable[str]]:
    made: list[Callable[[], Awaitable[str]]] = []

    async def run() -> str:
        if not made:
            # This client can only be made where an event loop runs.
            http_client = openai.DefaultAioHttpClient()
            client = openai.AsyncOpenAI(
                api_key="any", base_url=base_url, http_client=http_client, timeout=TIMEOUT
            )
            made.append(runs_of(client, task, orders))
        return await made[0]()

    return run

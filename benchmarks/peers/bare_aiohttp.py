"""No SDK at all: ready bytes on aiohttp, the least that many runs at once can cost."""

from collections.abc import Awaitable, Callable

import aiohttp
from benchmarks.peers.ready_bytes import PATH, ReadyBytes
from benchmarks.task import TIMEOUT, Orders, Task

PACKAGES = ["aiohttp"]
HEADERS = {"authorization": "Bearer any", "content-type": "application/json"}


def prepare_async(task: Task, orders: Orders, base_url: str) -> Callable[[], Awaitable[str]]:
    sessions: list[aiohttp.ClientSession] = []

    async def run() -> str:
        if not sessions:
            connector = aiohttp.TCPConnector(limit=1000)
            timeout = aiohttp.ClientTimeout(total=TIMEOUT)
            sessions.append(aiohttp.ClientSession(connector=connector, timeout=timeout))
        conversation = ReadyBytes(task, orders)
        while True:
            async with sessions[0].post(
                base_url + PATH, data=conversation.body(), headers=HEADERS
            ) as response:
                body = await response.read()
            if (text := conversation.answer(body)) is not None:
                return text

    return run

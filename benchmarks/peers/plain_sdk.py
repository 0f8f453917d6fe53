"""The plain loop on the openai package: what all others are held against."""

import json
from collections.abc import Awaitable, Callable
from typing import Any

import openai
from benchmarks.task import PROMPT, TIMEOUT, TOOLS, Orders, Task

PACKAGES = ["openai", "httpx2"]


def prepare(task: Task, orders: Orders, base_url: str) -> Callable[[], str]:
    client = openai.OpenAI(api_key="any", base_url=base_url, timeout=TIMEOUT)
    model = task.model()

    def run() -> str:
        messages: list[Any] = [{"role": "user", "content": PROMPT}]
        while True:
            response: Any = client.chat.completions.create(model=model, tools=TOOLS, messages=messages)
            message = response.choices[0].message
            if not message.tool_calls:
                return str(message.content)
            messages.append(message.model_dump(exclude_none=True))
            for call in message.tool_calls:
                content = orders.status_json(**json.loads(call.function.arguments))
                messages.append({"role": "tool", "tool_call_id": call.id, "content": content})

    return run


def prepare_async(task: Task, orders: Orders, base_url: str) -> Callable[[], Awaitable[str]]:
    client = openai.AsyncOpenAI(api_key="any", base_url=base_url, timeout=TIMEOUT)
    model = task.model()

    async def run() -> str:
        messages: list[Any] = [{"role": "user", "content": PROMPT}]
        while True:
            response: Any = await client.chat.completions.create(model=model, tools=TOOLS, messages=messages)
            message = response.choices[0].message
            if not message.tool_calls:
                return str(message.content)
            messages.append(message.model_dump(exclude_none=True))
            for call in message.tool_calls:
                content = orders.status_json(**json.loads(call.function.arguments))
                messages.append({"role": "tool", "tool_call_id": call.id, "content": content})

    return run

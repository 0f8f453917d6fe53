"""The messages of a request as bytes that are written once, for the loops that are the floor."""

import json
from typing import Any

from benchmarks.task import PROMPT, TOOLS, Orders, Task

PATH = "/chat/completions"


class ReadyBytes:
    """One conversation. `answer` takes a response in, and tells the final text once there is one."""

    def __init__(self, task: Task, orders: Orders) -> None:
        self._orders = orders
        self._messages = [_bytes({"role": "user", "content": PROMPT})]
        self._end = b'],"tools":%b,"model":%b}' % (_bytes(TOOLS), _bytes(task.model()))

    def body(self) -> bytes:
        return b'{"messages":[' + b",".join(self._messages) + self._end

    def answer(self, body: bytes) -> str | None:
        message = json.loads(body)["choices"][0]["message"]
        calls = message.get("tool_calls")
        if not calls:
            return str(message["content"])
        assistant = {"role": "assistant", "content": message["content"], "tool_calls": calls}
        self._messages.append(_bytes(assistant))
        for call in calls:
            content = self._orders.status_json(**json.loads(call["function"]["arguments"]))
            self._messages.append(_bytes({"role": "tool", "tool_call_id": call["id"], "content": content}))
        return None


def _bytes(value: Any) -> bytes:
    return json.dumps(value, separators=(",", ":")).encode()

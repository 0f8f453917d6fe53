"""The work that all peers do: ask about an order, call the tool as often as the model wants, and answer."""

import json
import re
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from typing import Any, Literal, TypeAlias

PROMPT = "Where is order 481516?"
FINAL = "Your order 481516 has shipped."
TOOL_NAME = "get_order_status"
TOOL_DESCRIPTION = "Look up an order by 6-digit id."

TOOLS: list[Any] = [
    {
        "type": "function",
        "function": {
            "name": TOOL_NAME,
            "description": TOOL_DESCRIPTION,
            "parameters": {
                "type": "object",
                "properties": {"order_id": {"type": "string"}},
                "required": ["order_id"],
            },
        },
    }
]

# Seconds for one request. A thousand runs at once take longer than clients wait for a connection by default.
TIMEOUT = 600.0

# How a run ends: by a text, or by a call of the tool final_answer, as smolagents wants it.
Finish: TypeAlias = Literal["text", "call"]

# One run of a peer; it returns the answer.
Run: TypeAlias = Callable[[], str] | Callable[[], Awaitable[str]]

_MODEL = re.compile(r"rounds-(\d+)-calls-(\d+)-wait-(\d+)-finish-(text|call)")


@dataclass(frozen=True, slots=True)
class Task:
    """rounds: of tools; calls: in each response; result_chars: of padding in each result; wait_ms: what the
    endpoint waits before it answers."""

    rounds: int
    calls: int = 1
    result_chars: int = 0
    wait_ms: int = 0

    @property
    def tool_calls(self) -> int:
        """How often a run calls the tool."""
        return self.rounds * self.calls

    def model(self, finish: Finish = "text") -> str:
        """The name of the model, from which the endpoint knows what it has to answer."""
        return f"rounds-{self.rounds}-calls-{self.calls}-wait-{self.wait_ms}-finish-{finish}"


def task_of_model(name: str) -> tuple[Task, Finish] | None:
    """What the name of a model says; None if it says nothing. A prefix such as `openai/` may stand before."""
    match = _MODEL.search(name)
    if match is None:
        return None
    finish: Finish = "call" if match[4] == "call" else "text"
    return Task(int(match[1]), int(match[2]), wait_ms=int(match[3])), finish


class Orders:
    """What the tool does. calls: how often it has run."""

    def __init__(self, result_chars: int = 0) -> None:
        self.calls = 0
        sentence = 'lorem ipsum "dolor" sit amet, consectetur\n'
        self._detail = (sentence * (result_chars // len(sentence) + 1))[:result_chars]

    def status(self, order_id: str) -> dict[str, str]:
        self.calls += 1
        found = {"order_id": order_id, "status": "shipped"}
        return {**found, "detail": self._detail} if self._detail else found

    def status_json(self, order_id: str) -> str:
        """The same as a text, for peers that leave it to the tool to write one."""
        return json.dumps(self.status(order_id))

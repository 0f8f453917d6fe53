"""What an Activity can ask of the outside world. The list is closed; whatever performs one is a driver."""

import hashlib
from dataclasses import dataclass
from typing import TypeAlias

from callagain.engine.json_text import JsonObject, canonical

# (step, position): the number of the step that asked, counted from 1, and the place among its commands.
Key: TypeAlias = tuple[int, int]


@dataclass(frozen=True, slots=True)
class SendRequest:
    """POST `body` to the LLM endpoint. The receipt is an HttpAnswer as JSON."""

    body: bytes
    sequential = False
    repeatable = True

    @property
    def digest(self) -> str:
        return hashlib.sha256(b"SendRequest\n" + self.body).hexdigest()


@dataclass(frozen=True, slots=True)
class CallTool:
    """Call the tool `name` with `arguments`. The receipt is a ToolReceipt as JSON.

    sequential: an ordering point. It starts when all calls before it have settled, and calls after it
    start when it has.
    repeatable: it may be performed again when nobody knows whether it was (read-only or idempotent).
    """

    call_id: str
    name: str
    arguments: JsonObject
    sequential: bool = False
    repeatable: bool = False

    @property
    def digest(self) -> str:
        return _digest("CallTool", self.call_id, self.name, self.arguments)


@dataclass(frozen=True, slots=True)
class CallFunction:
    """Call a function that the loop was given for an inserted operation. The receipt is a
    FunctionReceipt as JSON."""

    name: str
    arguments: JsonObject
    repeatable: bool = False
    sequential = False

    @property
    def digest(self) -> str:
        return _digest("CallFunction", self.name, self.arguments)


Command: TypeAlias = SendRequest | CallTool | CallFunction


def _digest(kind: str, *parts: object) -> str:
    return hashlib.sha256(f"{kind}\n{canonical(parts)}".encode()).hexdigest()

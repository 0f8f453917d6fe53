"""What an Activity can ask of the outside world. The list is closed; whatever performs one is a driver."""

import hashlib
from dataclasses import dataclass, field
from typing import ClassVar, Literal, TypeAlias

from callagain.engine.json_text import JsonObject, canonical

# (step, position): the number of the step that asked, counted from 1, and the place among its commands.
Key: TypeAlias = tuple[int, int]

# What is done about a command that was begun, if nobody knows whether it took effect: it is performed again,
# somebody is asked, or it is answered as one that failed.
OnUnknown: TypeAlias = Literal["retry", "ask", "fail"]


@dataclass(frozen=True, slots=True)
class SendRequest:
    """POST `body` to the LLM endpoint. The receipt is an HttpAnswer as JSON."""

    body: bytes
    sequential = False
    on_unknown: ClassVar[OnUnknown] = "retry"
    digest: str = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        hashed = hashlib.sha256(b"SendRequest\n")
        hashed.update(self.body)
        object.__setattr__(self, "digest", hashed.hexdigest())


@dataclass(frozen=True, slots=True)
class CallTool:
    """Call the tool `name` with `arguments`. The receipt is a ToolReceipt as JSON.

    sequential: an ordering point. It starts when all calls before it have settled, and calls after it
    start when it has.
    """

    call_id: str
    name: str
    arguments: JsonObject
    sequential: bool = False
    on_unknown: OnUnknown = "ask"
    digest: str = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        digest = _digest("CallTool", self.call_id, self.name, self.arguments)
        object.__setattr__(self, "digest", digest)


@dataclass(frozen=True, slots=True)
class CallFunction:
    """Call a function that the loop was given for an inserted operation. The receipt is a
    FunctionReceipt as JSON."""

    name: str
    arguments: JsonObject
    on_unknown: OnUnknown = "ask"
    sequential = False
    digest: str = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "digest", _digest("CallFunction", self.name, self.arguments))


Command: TypeAlias = SendRequest | CallTool | CallFunction
"""What a run asks to be performed outside of it."""


def call_digest(name: str, arguments: JsonObject) -> str:
    """The same for every call of one tool with the same arguments, whatever the order of their keys."""
    return _digest("Call", name, arguments)


def _digest(kind: str, *parts: object) -> str:
    return hashlib.sha256(f"{kind}\n{canonical(parts)}".encode()).hexdigest()

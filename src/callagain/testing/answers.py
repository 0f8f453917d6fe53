"""What a script answers with: a text, tool calls, an HTTP response in full, each with a fault or without."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import TypeAlias

from callagain.engine.errors import ConfigurationError
from callagain.testing.http_messages import Fault


@dataclass(frozen=True, slots=True)
class Call:
    """One tool call of the model.

    arguments: a mapping is sent as the text of a JSON object; a str is sent as it stands, which is how a
    model's broken arguments are shown. id: None lets the stand-in give an id that is new to the conversation.
    """

    name: str
    arguments: Mapping[str, object] | str = field(default_factory=dict[str, object])
    id: str | None = None


@dataclass(frozen=True, slots=True)
class ModelAnswer:
    """What the model says: a text, tool calls, or both. Built by `says` and `calls`.

    finish_reason, usage: in the words of Chat Completions; the Responses API is told the same in its own.
    usage: numbers that replace or join the estimated ones, such as `{"prompt_tokens": 1200}`.
    reasoning: what the model thought before it answered.
    """

    text: str | None
    calls: tuple[Call, ...]
    finish_reason: str
    usage: Mapping[str, object]
    reasoning: str | None = None


@dataclass(frozen=True, slots=True)
class Answer:
    """An HTTP response: whatever a server, a gateway or a proxy may send.

    body: bytes and str are sent as they are (str as UTF-8 with content type text/plain), anything else as
    JSON. headers: added to the stand-in's own and stronger than they are; a content-length that is larger
    than the body shows a response that breaks off. cut_after, stall_after, drip: as in `faulty`.
    """

    status: int = 200
    body: object = None
    headers: Mapping[str, str] = field(default_factory=dict[str, str])
    cut_after: int | None = None
    stall_after: int | None = None
    drip: float | None = None

    def __post_init__(self) -> None:
        _check(self.fault)

    @property
    def fault(self) -> Fault:
        return Fault(self.cut_after, self.stall_after, self.drip)


@dataclass(frozen=True, slots=True)
class Faulty:
    """An answer that does not arrive as it should. Built by `faulty`."""

    answer: "AnyAnswer"
    fault: Fault


AnyAnswer: TypeAlias = ModelAnswer | Answer | Faulty | Mapping[str, object] | str
"""A mapping is sent as the JSON body of a response with status 200; a str is what `says` makes of it."""


def call(name: str, arguments: Mapping[str, object] | str | None = None, *, id: str | None = None) -> Call:  # noqa: A002 - the word of the API
    """One tool call, for `calls`: `call("get_weather", {"city": "Rome"}, id="call_7")`."""
    return Call(name, {} if arguments is None else arguments, id)


def says(
    text: str,
    *,
    finish_reason: str = "stop",
    usage: Mapping[str, object] | None = None,
    reasoning: str | None = None,
) -> ModelAnswer:
    """The model answers with this text."""
    return ModelAnswer(text, (), finish_reason, usage or {}, reasoning)


def calls(
    *wanted: Call | tuple[str, Mapping[str, object]],
    text: str | None = None,
    finish_reason: str = "tool_calls",
    usage: Mapping[str, object] | None = None,
    reasoning: str | None = None,
) -> ModelAnswer:
    """The model asks for tools: `calls(("get_weather", {"city": "Rome"}), call("get_time"))`.

    Several calls are parallel tool calls. text: what the model says beside them.
    Raises ConfigurationError without a call.
    """
    if not wanted:
        raise ConfigurationError(
            "calls() needs at least one call; write says(text) for an answer without one"
        )
    made = tuple(one if isinstance(one, Call) else Call(*one) for one in wanted)
    return ModelAnswer(text, made, finish_reason, usage or {}, reasoning)


def faulty(
    answer: AnyAnswer,
    *,
    cut_after: int | None = None,
    stall_after: int | None = None,
    drip: float | None = None,
) -> Faulty:
    """The answer, streamed or not, with a fault of the connection: `faulty(says("Hello."), cut_after=40)`.

    cut_after: bytes of the body after which the connection is closed. stall_after: bytes of the body after
    which nothing more comes, until the client or the stand-in closes. A body that is shorter than either
    arrives whole. drip: seconds between the single bytes of the response, its status line included.
    A fault that the answer has already stays. Raises ConfigurationError for negative numbers, and for
    cut_after and stall_after together.
    """
    before = answer.fault if isinstance(answer, Answer | Faulty) else Fault()
    fault = Fault(
        before.cut_after if cut_after is None else cut_after,
        before.stall_after if stall_after is None else stall_after,
        before.drip if drip is None else drip,
    )
    _check(fault)
    return Faulty(answer, fault)


def _check(fault: Fault) -> None:
    for name, bytes_sent in (("cut_after", fault.cut_after), ("stall_after", fault.stall_after)):
        if bytes_sent is not None and bytes_sent < 0:
            raise ConfigurationError(f"{name} must be a number of bytes, 0 or more, not {bytes_sent}")
    if fault.drip is not None and fault.drip < 0:
        raise ConfigurationError(f"drip must be a number of seconds, 0 or more, not {fault.drip}")
    if fault.cut_after is not None and fault.stall_after is not None:
        raise ConfigurationError("cut_after and stall_after exclude each other: give one of them")

"""What a script answers with: a text, tool calls, or an HTTP response in full."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import TypeAlias

from callagain.engine.errors import ConfigurationError


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

    usage: numbers that replace or join the estimated ones, such as `{"prompt_tokens": 1200}`.
    """

    text: str | None
    calls: tuple[Call, ...]
    finish_reason: str
    usage: Mapping[str, object]


@dataclass(frozen=True, slots=True)
class Answer:
    """An HTTP response: whatever a server, a gateway or a proxy may send.

    body: bytes and str are sent as they are (str as UTF-8 with content type text/plain), anything else as
    JSON. headers: added to the stand-in's own and stronger than they are; a content-length that is larger
    than the body shows a response that breaks off.
    """

    status: int = 200
    body: object = None
    headers: Mapping[str, str] = field(default_factory=dict[str, str])


AnyAnswer: TypeAlias = ModelAnswer | Answer | Mapping[str, object] | str
"""A mapping is sent as the JSON body of a response with status 200; a str is what `says` makes of it."""


def call(name: str, arguments: Mapping[str, object] | str | None = None, *, id: str | None = None) -> Call:  # noqa: A002 - the word of the API
    """One tool call, for `calls`: `call("get_weather", {"city": "Rome"}, id="call_7")`."""
    return Call(name, {} if arguments is None else arguments, id)


def says(text: str, *, finish_reason: str = "stop", usage: Mapping[str, object] | None = None) -> ModelAnswer:
    """The model answers with this text."""
    return ModelAnswer(text, (), finish_reason, usage or {})


def calls(
    *wanted: Call | tuple[str, Mapping[str, object]],
    text: str | None = None,
    finish_reason: str = "tool_calls",
    usage: Mapping[str, object] | None = None,
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
    return ModelAnswer(text, made, finish_reason, usage or {})

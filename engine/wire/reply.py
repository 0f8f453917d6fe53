"""What an LLM said, in one form for every wire format."""

from dataclasses import dataclass, field

from callagain.engine.json_text import JsonObject
from callagain.engine.problem import Problem
from callagain.engine.receipts import ToolReceipt
from callagain.engine.wire.usage import Usage


@dataclass(frozen=True, slots=True)
class Call:
    """One tool call.

    id, name: as they are sent on; arguments_text: likewise, always the text of a JSON object.
    arguments: the object itself, or None if it is not one. error: the answer to a call that cannot be run.
    received: the entry as it stood in the response.
    """

    id: str
    name: str
    arguments: JsonObject | None
    arguments_text: str
    received: JsonObject
    error: ToolReceipt | None = None


@dataclass(frozen=True, slots=True)
class Note:
    """A line for the operation log. One with a `code` is a warning, and stands in `result.warnings`."""

    message: str
    code: str | None = None


@dataclass(frozen=True, slots=True)
class Reply:
    """An LLM's response: calls to run, or a text.

    message: what goes back into the conversation, as received: the assistant message of Chat Completions, the
    whole response of the Responses API. problem: why the response must not be used although it can be read.
    """

    message: JsonObject
    calls: tuple[Call, ...] = ()
    text: str = ""
    reasoning: str = ""
    finish_reason: str | None = None
    usage: Usage = field(default_factory=Usage)
    notes: tuple[Note, ...] = ()
    problem: Problem | None = None

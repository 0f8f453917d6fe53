"""What an LLM said, in one form for every wire format."""

from dataclasses import dataclass, field

from callagain.engine.json_text import JsonObject
from callagain.engine.receipts import ToolReceipt


@dataclass(frozen=True, slots=True)
class Usage:
    """Tokens as the endpoint counted them; 0 where it did not say."""

    prompt_tokens: int = 0
    completion_tokens: int = 0
    total_tokens: int = 0

    def __add__(self, other: "Usage") -> "Usage":
        return Usage(
            self.prompt_tokens + other.prompt_tokens,
            self.completion_tokens + other.completion_tokens,
            self.total_tokens + other.total_tokens,
        )


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
    """An LLM's response that can be used: calls to run, or a text.

    message: the assistant message as received.
    """

    message: JsonObject
    calls: tuple[Call, ...] = ()
    text: str = ""
    reasoning: str = ""
    finish_reason: str | None = None
    usage: Usage = field(default_factory=Usage)
    notes: tuple[Note, ...] = ()

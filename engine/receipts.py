"""What comes back for a command: the receipts of tools and of functions.

The codes of tool errors: invalid_arguments, truncated_arguments, unknown_tool, unsupported_call_type,
tool_exception, tool_cancelled, timeout, result_unserializable, invalid_result, denied, not_executed.
"""

from dataclasses import dataclass

from callagain.engine.json_text import Json, JsonObject, encode


@dataclass(frozen=True, slots=True)
class ToolReceipt:
    """The content for the tool message, and the error code if it tells of an error.

    edited: the arguments that somebody put in place of the model's. abandoned: the call ran out of time in a
    thread, which nothing can stop.
    """

    content: str
    error: str | None = None
    edited: JsonObject | None = None
    abandoned: bool = False

    @classmethod
    def of_error(cls, code: str, message: str) -> "ToolReceipt":
        """The content is {"error": {"code", "message"}}: the model reads it, and can do better."""
        return cls(encode({"error": {"code": code, "message": message}}).decode(), code)

    def as_json(self) -> JsonObject:
        value: JsonObject = {"content": self.content, "error": self.error}
        if self.edited is not None:
            value["edited"] = self.edited
        if self.abandoned:
            value["abandoned"] = True
        return value

    @classmethod
    def from_json(cls, value: Json) -> "ToolReceipt":
        """Raises ValueError for what is no receipt of a tool."""
        if not isinstance(value, dict) or not isinstance(content := value.get("content"), str):
            raise ValueError(f"not the receipt of a tool: {str(value)[:100]}")
        error = value.get("error")
        edited = value.get("edited")
        return cls(
            content,
            error if isinstance(error, str) else None,
            edited if isinstance(edited, dict) else None,
            value.get("abandoned") is True,
        )


@dataclass(frozen=True, slots=True)
class FunctionReceipt:
    """What a function of an inserted operation returned, or why it did not.

    kind: an error kind, where the loop itself knows one, such as "deadline".
    """

    value: Json = None
    error: str | None = None
    kind: str | None = None

    def as_json(self) -> JsonObject:
        value: JsonObject = {"value": self.value, "error": self.error}
        return value if self.kind is None else {**value, "kind": self.kind}

    @classmethod
    def from_json(cls, value: Json) -> "FunctionReceipt":
        """Raises ValueError for what is no receipt of a function."""
        if not isinstance(value, dict) or "value" not in value:
            raise ValueError(f"not the receipt of a function: {str(value)[:100]}")
        error, kind = value.get("error"), value.get("kind")
        return cls(
            value["value"],
            error if isinstance(error, str) else None,
            kind if isinstance(kind, str) else None,
        )


@dataclass(frozen=True, slots=True)
class ToolResult:
    """One call with its answer: what `result.tool_results` holds, in the order of the calls.

    arguments: those that the tool got. content: what the model is told. full_content: what the tool said, if
    the model is told less of it or in other words. abandoned: it may still be running.
    """

    id: str
    name: str
    arguments: JsonObject | None
    content: str
    error: str | None = None
    full_content: str | None = None
    abandoned: bool = False

    @property
    def said(self) -> str:
        """What the tool said, in full."""
        return self.content if self.full_content is None else self.full_content

    @property
    def ok(self) -> bool:
        return self.error is None

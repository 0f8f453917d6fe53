"""What comes back for a command: the receipts of tools and of functions.

The codes of tool errors: invalid_arguments, truncated_arguments, unknown_tool, unsupported_call_type,
tool_exception, tool_cancelled, timeout, result_unserializable, invalid_result, not_executed.
"""

from dataclasses import dataclass

from callagain.engine.json_text import Json, JsonObject, encode


@dataclass(frozen=True, slots=True)
class ToolReceipt:
    """The content of the tool message, and the error code if it tells of an error."""

    content: str
    error: str | None = None

    @classmethod
    def of_error(cls, code: str, message: str) -> "ToolReceipt":
        """The content is {"error": {"code", "message"}}: the model reads it, and can do better."""
        return cls(encode({"error": {"code": code, "message": message}}).decode(), code)

    def as_json(self) -> JsonObject:
        return {"content": self.content, "error": self.error}

    @classmethod
    def from_json(cls, value: Json) -> "ToolReceipt":
        """Raises ValueError for what is no receipt of a tool."""
        if not isinstance(value, dict) or not isinstance(content := value.get("content"), str):
            raise ValueError(f"not the receipt of a tool: {str(value)[:100]}")
        error = value.get("error")
        return cls(content, error if isinstance(error, str) else None)


@dataclass(frozen=True, slots=True)
class FunctionReceipt:
    """What a function of an inserted operation returned, or why it did not."""

    value: Json = None
    error: str | None = None

    def as_json(self) -> JsonObject:
        return {"value": self.value, "error": self.error}

    @classmethod
    def from_json(cls, value: Json) -> "FunctionReceipt":
        """Raises ValueError for what is no receipt of a function."""
        if not isinstance(value, dict) or "value" not in value:
            raise ValueError(f"not the receipt of a function: {str(value)[:100]}")
        error = value.get("error")
        return cls(value["value"], error if isinstance(error, str) else None)


@dataclass(frozen=True, slots=True)
class ToolResult:
    """One call with its answer: what `result.tool_results` holds, in the order of the calls."""

    id: str
    name: str
    arguments: JsonObject | None
    content: str
    error: str | None = None

    @property
    def ok(self) -> bool:
        return self.error is None

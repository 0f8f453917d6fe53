"""What a loop has to know of a tool of another library, and what its results have in common."""

from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import TypeAlias, cast

from callagain.connectors.tools.context import ToolContext
from callagain.connectors.tools.problem import first_sentence
from callagain.engine.errors import ToolSchemaError
from callagain.engine.json_text import Json, JsonObject

Call: TypeAlias = Callable[[JsonObject, ToolContext], object]
AsyncCall: TypeAlias = Callable[[JsonObject, ToolContext], Awaitable[object]]

_MEDIA = ("image", "image_url", "audio", "video", "file", "document")
_MEDIA_CONTENT = {"base64", "data", "image_url", "source", "file"}


@dataclass(frozen=True, kw_only=True)
class ForeignForm:
    """parameters: the JSON schema, or what stands in its place. schema_field: where its author wrote it.

    module: where its function stands, or its class. call, acall: of the kinds that the tool has, at least
    one; what they return, `result_text` can write.
    """

    library: str
    name: str
    module: str
    description: str
    parameters: object
    schema_field: str
    return_direct: bool
    call: Call | None
    acall: AsyncCall | None


def module_of(tool: object, functions: Sequence[object]) -> str:
    """Where its first function stands, or else its class."""
    return str(getattr(next(iter(functions), type(tool)), "__module__", type(tool).__module__))


def schema_of(make: Callable[[], object], whose: str, schema_field: str) -> object:
    """What `make` gives. Raises ToolSchemaError if it raises, as a class may that has no JSON schema."""
    try:
        return make()
    except Exception as error:
        reason = f"{type(error).__name__}: {first_sentence(error)}"
        raise ToolSchemaError(
            f"{whose}: it has no JSON schema: {reason}; correct its {schema_field}"
        ) from None


def text_of_blocks(value: object) -> str | None:
    """The text of a list of content blocks; None for any other value.

    Blocks that are no text are named, and not shown.
    """
    if not isinstance(value, list | tuple) or not value:
        return None
    parts = [_text_of_block(block) for block in cast("Sequence[object]", value)]
    if None in parts or all(isinstance(block, str) for block in cast("Sequence[object]", value)):
        return None
    return "\n".join(part for part in parts if part)


def _text_of_block(block: object) -> str | None:
    if isinstance(block, str):
        return block
    if not isinstance(block, Mapping):
        return None
    fields = cast("Mapping[str, Json]", block)
    kind, text = fields.get("type"), fields.get("text")
    if kind == "text" and isinstance(text, str):
        return text
    if kind in _MEDIA and _MEDIA_CONTENT & fields.keys():
        return f"[{kind}, not shown]"
    return None

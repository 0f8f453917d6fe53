"""A tool of LlamaIndex, told by its shape: what is announced of it, and how it is called.

Source: llama_index.core.tools (BaseTool, AsyncBaseTool, FunctionTool, calling), 0.14.
"""

import inspect
from collections.abc import Callable
from typing import Any, Protocol, TypeGuard, cast

from callagain.connectors.tools.context import ToolContext
from callagain.connectors.tools.foreign_form import AsyncCall, Call, ForeignForm, module_of, schema_of
from callagain.connectors.tools.json_schema import without_titles
from callagain.connectors.tools.problem import ToolProblem
from callagain.engine.errors import ToolSchemaError
from callagain.engine.json_text import Json, JsonObject

_LIBRARY = "llama_index."
_SCHEMA_FIELD = "fn_schema"


class LlamaIndexMetadata(Protocol):
    """What its tools say about themselves."""

    name: str | None
    description: str
    return_direct: bool

    def get_parameters_dict(self) -> dict[str, Any]: ...


class LlamaIndexTool(Protocol):
    """What of a BaseTool tells that it is one."""

    @property
    def metadata(self) -> LlamaIndexMetadata: ...

    def __call__(self, *args: Any, **kwargs: Any) -> Any: ...


def is_llamaindex_tool(item: object) -> TypeGuard[LlamaIndexTool]:
    metadata = None if isinstance(item, type) else getattr(item, "metadata", None)
    return callable(item) and callable(getattr(metadata, "get_parameters_dict", None))


def llamaindex_functions(tool: object) -> list[object]:
    """The functions that it was made of."""
    functions = [getattr(tool, name, None) for name in ("real_fn", "fn", "async_fn")]
    return [each for each in functions if each is not None]


def llamaindex_form(tool: LlamaIndexTool) -> ForeignForm:
    """Raises ToolSchemaError for a tool that has no schema, or wants the Context of a workflow."""
    metadata = tool.metadata
    name = metadata.name or ""
    whose = f"LlamaIndex tool {name}"
    if getattr(tool, "requires_context", False):
        raise ToolSchemaError(
            f"{whose}: it wants the Context of a workflow, which a loop does not have; "
            "write the function without it"
        )
    parameters = schema_of(metadata.get_parameters_dict, whose, _SCHEMA_FIELD)
    is_function = hasattr(tool, "real_fn")
    return ForeignForm(
        library="LlamaIndex",
        name=name,
        module=module_of(tool, llamaindex_functions(tool)),
        description=_description(name, metadata.description or "", is_function=is_function),
        parameters=without_titles(cast("JsonObject", parameters)),
        schema_field=_SCHEMA_FIELD,
        return_direct=metadata.return_direct is True,
        call=_call(tool),
        acall=_acall(tool),
    )


def _description(name: str, description: str, *, is_function: bool) -> str:
    """Without the signature, which LlamaIndex puts on the first line; the schema says the same."""
    first, _, rest = description.partition("\n")
    if is_function and first.startswith(f"{name}("):
        return inspect.cleandoc(rest)
    return description


def _call(tool: LlamaIndexTool) -> Call | None:
    function: object = getattr(tool, "real_fn", None)
    if inspect.iscoroutinefunction(function):
        return None

    def call(arguments: JsonObject, context: ToolContext) -> object:  # noqa: ARG001
        positional, named = _passed(function or getattr(tool, "call", tool), arguments)
        return _result(tool(*positional, **named))

    return call


def _acall(tool: LlamaIndexTool) -> AsyncCall | None:
    method = cast("Callable[..., Any] | None", getattr(tool, "acall", None))
    function: object = getattr(tool, "real_fn", None)
    # A FunctionTool of a sync function alone has this one, which runs it in a thread.
    own_name = str(getattr(getattr(tool, "async_fn", None), "__qualname__", ""))
    if method is None or own_name.startswith("sync_to_async."):
        return None
    asynchronous = method

    async def acall(arguments: JsonObject, context: ToolContext) -> object:  # noqa: ARG001
        positional, named = _passed(function or asynchronous, arguments)
        return _result(await asynchronous(*positional, **named))

    return acall


def _passed(function: object, arguments: JsonObject) -> tuple[list[Json], JsonObject]:
    """Arguments go by name; a single one goes by position where the function has another name for it."""
    if len(arguments) == 1 and not _takes(function, arguments):
        return list(arguments.values()), {}
    return [], arguments


def _takes(function: object, arguments: JsonObject) -> bool:
    try:
        inspect.signature(cast("Callable[..., object]", function)).bind_partial(**arguments)
    except TypeError:
        return False
    except ValueError:
        return True  # A function of C that does not tell its parameters.
    return True


def _result(output: object) -> object:
    """What a ToolOutput says. A function's own value is data, where its content is only `str` of it."""
    if not (hasattr(output, "raw_output") and hasattr(output, "is_error")):
        return output
    raw: object = getattr(output, "raw_output")  # noqa: B009
    content = str(getattr(output, "content", ""))
    if getattr(output, "is_error"):  # noqa: B009
        raise ToolProblem("tool_exception", content or "it failed")
    if content == str(raw) and not _is_of_the_library(raw):
        return raw
    blocks = cast("list[object]", getattr(output, "blocks", ()))
    return "\n".join(map(_text_of_block, blocks)) or content


def _text_of_block(block: object) -> str:
    kind = str(getattr(block, "block_type", "block"))
    return str(getattr(block, "text", "")) if kind == "text" else f"[{kind}, not shown]"


def _is_of_the_library(value: object) -> bool:
    module = getattr(value, "__module__", None)
    return isinstance(module, str) and module.startswith(_LIBRARY)

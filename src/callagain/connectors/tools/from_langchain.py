"""A tool of LangChain, told by its shape: what is announced of it, and how it is called.

Source: langchain_core.tools.BaseTool, 1.8.
"""

import inspect
from collections.abc import Mapping
from typing import Any, Protocol, TypeGuard, cast

from callagain.connectors.tools.context import ToolContext
from callagain.connectors.tools.foreign_form import ForeignForm, module_of, schema_of, text_of_blocks
from callagain.connectors.tools.json_schema import without_titles
from callagain.connectors.tools.problem import ToolProblem
from callagain.connectors.tools.wording import pydantic_faults
from callagain.engine.errors import ToolSchemaError
from callagain.engine.json_text import JsonObject

_SCHEMA_FIELD = "args_schema"
# The announced name of the one argument of LangChain's `Tool`, which takes a text.
_ONE_TEXT = "tool_input"


class LangChainTool(Protocol):
    """What of a BaseTool tells that it is one."""

    @property
    def name(self) -> str: ...
    @property
    def description(self) -> str: ...
    @property
    def args_schema(self) -> Any: ...
    @property
    def return_direct(self) -> bool: ...

    def invoke(self, input: Any, /) -> Any: ...  # noqa: A002 - LangChain's name
    async def ainvoke(self, input: Any, /) -> Any: ...  # noqa: A002


def is_langchain_tool(item: object) -> TypeGuard[LangChainTool]:
    return (
        not isinstance(item, type)
        and isinstance(getattr(item, "name", None), str)
        and all(hasattr(item, name) for name in ("args_schema", "return_direct"))
        and all(callable(getattr(item, name, None)) for name in ("invoke", "ainvoke"))
    )


def langchain_functions(tool: object) -> list[object]:
    """The functions that it was made of."""
    functions = [getattr(tool, name, None) for name in ("func", "coroutine")]
    return [each for each in functions if each is not None]


def langchain_form(tool: LangChainTool) -> ForeignForm:
    """Raises ToolSchemaError for a tool that has no schema, or wants arguments that no loop can inject."""
    whose = f"LangChain tool {tool.name}"
    announced = schema_of(lambda: _parameters(tool), whose, _SCHEMA_FIELD)
    calls = _Calls(tool, wants_call=_wants_call_id(tool, announced, whose) or _handles_errors(tool))
    is_async, is_sync = _kinds(tool)
    return ForeignForm(
        library="LangChain",
        name=tool.name,
        module=module_of(tool, langchain_functions(tool)),
        description=inspect.cleandoc(tool.description or ""),
        parameters=announced,
        schema_field=_SCHEMA_FIELD,
        return_direct=tool.return_direct is True,
        call=calls.call if is_sync else None,
        acall=calls.acall if is_async else None,
    )


class _Calls:
    """wants_call: the tool is given the whole call, and answers with a ToolMessage."""

    def __init__(self, tool: LangChainTool, *, wants_call: bool) -> None:
        self._tool = tool
        self._wants_call = wants_call

    def call(self, arguments: JsonObject, context: ToolContext) -> object:
        try:
            return self._result(self._tool.invoke(self._input(arguments, context)), arguments)
        except Exception as error:
            self._raise_fault(error, arguments)
            raise

    async def acall(self, arguments: JsonObject, context: ToolContext) -> object:
        try:
            return self._result(await self._tool.ainvoke(self._input(arguments, context)), arguments)
        except Exception as error:
            self._raise_fault(error, arguments)
            raise

    def _input(self, arguments: JsonObject, context: ToolContext) -> JsonObject:
        # Arguments of this look would be taken for a whole call.
        if self._wants_call or arguments.get("type") == "tool_call":
            name, call_id = self._tool.name, context.call_id
            return {"type": "tool_call", "name": name, "id": call_id, "args": arguments}
        return arguments

    def _result(self, value: object, arguments: JsonObject) -> object:
        if type(value).__module__.startswith("langgraph."):
            told = f"the tool returned a {type(value).__name__}, which only LangGraph can use"
            raise ToolProblem("result_unserializable", told)
        if not (hasattr(value, "tool_call_id") and hasattr(value, "content")):
            return _content(value)
        content = _content(getattr(value, "content"))  # noqa: B009
        if getattr(value, "status", None) == "error":
            code = "invalid_arguments" if self._refuses(arguments) else "tool_exception"
            raise ToolProblem(code, content if isinstance(content, str) else str(content))
        return content

    def _refuses(self, arguments: JsonObject) -> bool:
        """Whether the class of the schema refused, and `handle_validation_error` answered."""
        from pydantic import BaseModel, ValidationError

        schema = self._tool.args_schema
        handles = getattr(self._tool, "handle_validation_error", None)
        if not handles or not (isinstance(schema, type) and issubclass(schema, BaseModel)):
            return False
        try:
            schema.model_validate(arguments)
        except ValidationError:
            return True
        return False

    def _raise_fault(self, error: Exception, arguments: JsonObject) -> None:
        """An error of the class that holds the arguments is a fault of the arguments; nothing ran."""
        from pydantic import ValidationError

        own_class = getattr(self._tool.args_schema, "__name__", None)
        if isinstance(error, ValidationError) and error.title == own_class:
            raise ToolProblem("invalid_arguments", pydantic_faults(error, arguments, ())) from None


def _parameters(tool: LangChainTool) -> object:
    """The schema without what LangChain injects, and without name and description, which go on their own."""
    own: object = tool.args_schema
    properties = cast("JsonObject | None", getattr(tool, "args", None)) if own is None else None
    if properties is not None and list(properties) == [_ONE_TEXT]:
        return {"type": "object", "properties": properties, "required": [_ONE_TEXT]}
    announced: object = tool.args_schema if isinstance(own, dict) else getattr(tool, "tool_call_schema", own)
    if isinstance(announced, Mapping):
        schema = dict(cast("Mapping[str, Any]", announced))
    elif any(_announced_name(name, field) != name for name, field in _fields(tool).items()):
        schema = _schema_by_alias(tool)
    else:
        # A class of pydantic 1 has the older name.
        make = getattr(announced, "model_json_schema", None) or getattr(announced, "schema")  # noqa: B009
        schema = without_titles(make())
    config: Mapping[str, object] = getattr(tool.args_schema, "model_config", {})
    if config.get("extra") == "allow":
        schema["additionalProperties"] = True
    return {key: value for key, value in schema.items() if key not in ("title", "description")}


def _schema_by_alias(tool: LangChainTool) -> JsonObject:
    """The schema of the class itself: LangChain announces the names of fields, and then wants the aliases."""
    schema = without_titles(tool.args_schema.model_json_schema())
    injected = {_announced_name(name, field) for name, field in _fields(tool).items() if _is_injected(field)}
    properties = cast("JsonObject", schema.get("properties", {}))
    schema["properties"] = {name: each for name, each in properties.items() if name not in injected}
    schema["required"] = [
        name for name in cast("list[str]", schema.get("required", [])) if name not in injected
    ]
    return schema


def _fields(tool: LangChainTool) -> Mapping[str, Any]:
    return getattr(tool.args_schema, "model_fields", {})


def _announced_name(name: str, field: Any) -> str:
    """By which pydantic takes it: the first one of its aliases, if it has any."""
    alias = field.validation_alias or field.alias
    alias = next(iter(getattr(alias, "choices", ())), alias)
    return alias if isinstance(alias, str) else name


def _wants_call_id(tool: LangChainTool, announced: object, whose: str) -> bool:
    """Whether the id of the call is injected. Raises ToolSchemaError if anything else has to be."""
    known = cast("JsonObject", announced).get("properties")
    if not isinstance(known, dict):
        return False
    injected = {
        name: each
        for name, each in _fields(tool).items()
        if not {name, _announced_name(name, each)} & known.keys()
    }
    is_id = {name: _is_call_id(field) for name, field in injected.items()}
    for name, field in injected.items():
        if not is_id[name] and field.is_required():
            raise ToolSchemaError(
                f"{whose}: its argument {name} is injected by LangChain, which a loop cannot do; "
                "call the tool in a function of your own that gives it"
            )
    return any(is_id.values())


def _is_call_id(field: Any) -> bool:
    return "InjectedToolCallId" in _marks(field)


def _is_injected(field: Any) -> bool:
    return "InjectedToolArg" in _marks(field)


def _marks(field: Any) -> set[str]:
    """The names of the classes that its annotation is marked with."""
    marks = [mark if isinstance(mark, type) else type(mark) for mark in field.metadata]
    return {each.__name__ for mark in marks for each in mark.__mro__}


def _handles_errors(tool: LangChainTool) -> bool:
    """What it makes of its errors is a result, which the status of a ToolMessage alone tells from others."""
    return any(getattr(tool, name, None) for name in ("handle_tool_error", "handle_validation_error"))


def _kinds(tool: LangChainTool) -> tuple[bool, bool]:
    """Whether it is async, and whether it is sync.

    BaseTool itself has an `_arun` that only asks `_run`. A class with one of its own must have a `_run` too,
    and often one that only raises NotImplementedError; so it counts as async alone.
    """
    if hasattr(tool, "coroutine"):
        is_async = getattr(tool, "coroutine") is not None  # noqa: B009
        return is_async, getattr(tool, "func", None) is not None or not is_async
    owner = next((each for each in type(tool).__mro__ if "_arun" in vars(each)), object)
    is_async = owner is not object and not owner.__module__.startswith("langchain_core.")
    return is_async, not is_async


def _content(value: object) -> object:
    text = text_of_blocks(value)
    return value if text is None else text

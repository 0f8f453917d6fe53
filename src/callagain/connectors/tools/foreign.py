"""Tools of other libraries as they are: LangChain's and LlamaIndex's, told by their shape.

Neither library is imported. What each asks for is in `from_langchain.py` and `from_llamaindex.py`.
"""

import dataclasses
from typing import TYPE_CHECKING, Any, cast

from callagain.connectors.tools.callables import legal_name, shown
from callagain.connectors.tools.context import ToolContext
from callagain.connectors.tools.foreign_form import ForeignForm
from callagain.connectors.tools.from_json_schema import tool_from_schema
from callagain.connectors.tools.from_langchain import is_langchain_tool, langchain_form, langchain_functions
from callagain.connectors.tools.from_llamaindex import (
    is_llamaindex_tool,
    llamaindex_form,
    llamaindex_functions,
)
from callagain.connectors.tools.options import ToolOptions
from callagain.connectors.tools.tool import Tool
from callagain.engine.errors import ToolSchemaError
from callagain.engine.json_text import JsonObject

if TYPE_CHECKING:
    from typing import Unpack


def is_foreign(item: object) -> bool:
    """Whether it has the shape of a tool of LangChain or LlamaIndex."""
    return is_langchain_tool(item) or is_llamaindex_tool(item)


def functions_of(item: object) -> list[object]:
    """The functions that a tool of LangChain or LlamaIndex was made of; none of anything else."""
    if is_langchain_tool(item):
        return langchain_functions(item)
    return llamaindex_functions(item) if is_llamaindex_tool(item) else []


def foreign_tool(tool: object, **options: "Unpack[ToolOptions]") -> Tool:
    """A BaseTool of LangChain, or a FunctionTool or BaseTool of LlamaIndex, with the options of any tool.

    `ToolLoop(tools=…)` takes such a tool as it is; this is for one about which there is more to say, as in
    `foreign_tool(search, read_only=True, timeout=5)`. A tool that is both sync and async is called in the way
    of the driver, or sync if `in_caller_thread` is set. `return_direct` makes it `verbatim`.

    Raises ToolSchemaError, naming the tool, for what is none, for a schema that is none, and for a tool that
    needs what only its own library can give it.
    """
    form = _form_of(tool)
    name = options.get("name") or form.name
    try:
        legal_name(name)
    except ToolSchemaError:
        raise ToolSchemaError(
            f"{form.library} tool {shown(name)}: a tool's name has 1 to 64 letters, digits, _ and -; "
            "give it another one: foreign_tool(tool, name=…)"
        ) from None
    if options.get("output_schema") is True:
        raise ToolSchemaError(
            f"{form.library} tool {name}: output_schema=True is for functions; give the JSON schema itself"
        )
    own: ToolOptions = {"description": form.description, "verbatim": form.return_direct}
    try:
        return _made(form, {**own, **options, "name": name})
    except ToolSchemaError as error:
        is_of_schema = str(error).startswith(f"tool {name}: parameters")
        advice = f"; correct its {form.schema_field}" if is_of_schema else ""
        raise ToolSchemaError(f"{form.library} {error}{advice}") from None


def _form_of(tool: object) -> ForeignForm:
    if is_langchain_tool(tool):
        return langchain_form(tool)
    if is_llamaindex_tool(tool):
        return llamaindex_form(tool)
    raise ToolSchemaError(
        f"{shown(tool)} is not a tool of LangChain or LlamaIndex; a function takes options by "
        "Tool.from_function"
    )


def _made(form: ForeignForm, options: ToolOptions) -> Tool:
    call, acall = form.call, form.acall

    def run(arguments: dict[str, Any], context: ToolContext) -> object:
        assert call is not None
        return call(arguments, context)

    async def run_async(arguments: dict[str, Any], context: ToolContext) -> object:
        assert acall is not None
        return await acall(arguments, context)

    run.__qualname__ = run_async.__qualname__ = f"{form.library} tool {form.name}"
    run.__module__ = run_async.__module__ = form.module
    is_sync = acall is None or (call is not None and bool(options.get("in_caller_thread")))
    function = run if is_sync else run_async
    made = tool_from_schema(_with_properties(form, options), function, pass_object=True, **options)
    return made if is_sync or call is None else dataclasses.replace(made, sync_function=run)


def _with_properties(form: ForeignForm, options: ToolOptions) -> JsonObject:
    """The schema; endpoints refuse one of an object without `properties`."""
    parameters = cast("JsonObject", form.parameters)
    if isinstance(form.parameters, dict) and not isinstance(parameters.get("properties"), dict):
        raise ToolSchemaError(
            f"tool {options.get('name')}: parameters: the root has no properties; "
            'a tool that takes nothing has "properties": {}'
        )
    return parameters

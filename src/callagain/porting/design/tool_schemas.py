"""The schemas of tools that a design keeps in a variable, such as `toolsJson` or `gpt.registeredTools`."""

import re
from collections.abc import Iterator

from callagain.engine.json_text import Json, JsonError, JsonObject, decode
from callagain.porting.design.model import SourcePlace, ToolSchema

_NAMES = re.compile(
    r".*(?:tools|functions|(?:tool|function)(?=schema|definition|json|list))"
    r"(?:schemas?|definitions?|specs?)?(?:json|list|array)?"
)
_PARAMETERS = ("parameters", "input_schema", "inputSchema")
NO_PARAMETERS: JsonObject = {"type": "object", "properties": {}}


def holds_tools(name: str, text: str) -> bool:
    """Whether a variable of this name and value is one that holds tools: `toolsJson`, `gpt.registeredTools`.

    The name says tools or functions at its end, perhaps as schemas or JSON, and the value is a JSON array or
    object, broken or not.
    """
    letters = re.sub(r"[^a-z]", "", name.lower())
    return _NAMES.fullmatch(letters) is not None and text.lstrip()[:1] in ("[", "{")


def read_tools(text: str, name: str, place: SourcePlace) -> tuple[list[ToolSchema], list[str]]:
    """The tools of a JSON array, each as the APIs want it or a bare function, and what is wrong with others.

    name: of the variable, for the messages.
    """
    try:
        value = decode(text)
    except JsonError as error:
        return [], [f"variable {name!r} should hold tools and is no JSON: {error}"]
    if isinstance(value, dict) and isinstance(value.get("tools"), list):
        value = value["tools"]
    listed = value if isinstance(value, list) else [value]
    tools: list[ToolSchema] = []
    problems: list[str] = []
    for position, item in enumerate(listed):
        problems += (f"variable {name!r}, tool {position + 1}: {each}" for each in _read(item, place, tools))
    return tools, problems


def _read(item: Json, place: SourcePlace, tools: list[ToolSchema]) -> Iterator[str]:
    """Puts the tool into the list, if it is one, and tells what is strange about it."""
    function = item.get("function", item) if isinstance(item, dict) else None
    if not isinstance(function, dict):
        yield "is no object, and was left out"
        return
    tool_name = function.get("name")
    if not isinstance(tool_name, str) or not tool_name:
        yield "has no name, and was left out"
        return
    description = function.get("description")
    if not isinstance(description, str):
        yield f"{tool_name!r} has no description"
        description = ""
    parameters = next((function[key] for key in _PARAMETERS if key in function), None)
    if not isinstance(parameters, dict):
        yield f"{tool_name!r} has no parameters; it is taken for one without"
        parameters = dict(NO_PARAMETERS)
    tools.append(ToolSchema(tool_name, description, parameters, place))

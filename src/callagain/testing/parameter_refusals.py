"""What both APIs refuse in the body and the parameters that they share: settings, contents, arguments, tools.

Each generator yields refusals, and only the first one is ever asked for: whatever stands after a `yield` may
rely on nothing having been refused. `param` and `where` name the place as the API does, such as
`tools[0].function.name`.
"""

import re
from collections.abc import Collection, Iterator, Sequence

from callagain.engine.json_text import Json, JsonError, JsonObject, decode
from callagain.testing.refusal import Refusal, missing, out_of_range, unsupported, wrong_type

_TOOL_NAME = re.compile(r"[a-zA-Z0-9_-]+")
_MAX_TOOL_NAME = 64
_TEXT_PARTS = ("text", "input_text", "output_text")


def parsed_body(body: Json | bytes) -> JsonObject | None:
    """The body as an object, or None if it is none. Raises TypeError for a text."""
    if isinstance(body, str):
        raise TypeError("refuse takes a body that is parsed, or its bytes: refuse(text.encode())")
    try:
        parsed = decode(body.decode()) if isinstance(body, bytes) else body
    except (JsonError, UnicodeDecodeError):
        return None
    return parsed if isinstance(parsed, dict) else None


def temperature(body: JsonObject) -> Iterator[Refusal]:
    """Refused if it is not a number from 0 to 2."""
    value = body.get("temperature")
    if value is None:
        return
    if isinstance(value, bool) or not isinstance(value, int | float):
        yield wrong_type("temperature", "a decimal", value)
    elif value < 0:
        yield out_of_range("temperature", "decimal_below_min_value", f">= 0, but got {value}")
    elif value > 2:
        yield out_of_range("temperature", "decimal_above_max_value", f"<= 2, but got {value}")


def token_limit(body: JsonObject, param: str, least: int) -> Iterator[Refusal]:
    """Refused if it is not an integer of at least so many."""
    limit = body.get(param)
    if limit is None:
        return
    if isinstance(limit, bool) or not isinstance(limit, int):
        yield wrong_type(param, "an integer", limit)
    elif limit < least:
        yield out_of_range(param, "integer_below_min_value", f">= {least}, but got {limit}")


def boolean(body: JsonObject, param: str) -> Iterator[Refusal]:
    """Refused if it is neither true nor false nor null."""
    value = body.get(param)
    if value is not None and not isinstance(value, bool):
        yield wrong_type(param, "a boolean", value)


def stream(body: JsonObject) -> Iterator[Refusal]:
    """`stream` is true or false, and only with true there are options for it."""
    yield from boolean(body, "stream")
    options = body.get("stream_options")
    if options is None:
        return
    if not body.get("stream"):
        message = "The 'stream_options' parameter is only allowed when 'stream' is enabled."
        yield Refusal(message, "stream_options")
    if not isinstance(options, dict):
        yield wrong_type("stream_options", "an object", options)


def content_parts(
    parts: Sequence[Json], where: str, supported: Sequence[str], *, type_param: str
) -> Iterator[Refusal]:
    """type_param: what the API adds to the place of a part whose type it does not know."""
    for index, part in enumerate(parts):
        here = f"{where}[{index}]"
        if not isinstance(part, dict):
            yield wrong_type(here, "an object", part)
        elif part.get("type") not in supported:
            yield unsupported(f"{here}{type_param}", part.get("type"), supported)
        elif part["type"] in _TEXT_PARTS and not isinstance(part.get("text"), str):
            yield wrong_type(f"{here}.text", "a string", part.get("text"))


def text_fields(entry: JsonObject, names: Sequence[str], where: str) -> Iterator[Refusal]:
    """Each of them is there, and a text; `arguments` is the text of a JSON object."""
    for name in names:
        value = entry.get(name)
        if value is None:
            yield missing(f"{where}.{name}")
        elif not isinstance(value, str):
            yield wrong_type(f"{where}.{name}", "a string", value)
    arguments = entry.get("arguments") if "arguments" in names else None
    if isinstance(arguments, str) and not _is_json_object(arguments):
        param = f"{where}.arguments"
        yield Refusal(f"Invalid '{param}': expected the text of a JSON object.", param, "invalid_value")


def tool_name(name: Json, param: str) -> Iterator[Refusal]:
    """Refused if it is not 1 to 64 of the characters that a name may have."""
    if not isinstance(name, str):
        yield missing(param) if name is None else wrong_type(param, "a string", name)
    elif not _TOOL_NAME.fullmatch(name):
        reason = (
            "string does not match pattern. Expected a string that matches the pattern '^[a-zA-Z0-9_-]+$'."
        )
        yield Refusal(f"Invalid '{param}': {reason}", param, "invalid_value")
    elif len(name) > _MAX_TOOL_NAME:
        reason = f"string too long. Expected a string with maximum length {_MAX_TOOL_NAME}"
        message = f"Invalid '{param}': {reason}, but got a string with length {len(name)} instead."
        yield Refusal(message, param, "string_above_max_length")


def tool_parameters(parameters: Json, name: Json, param: str) -> Iterator[Refusal]:
    """Refused if they are no schema of type object."""
    if not isinstance(parameters, dict):
        yield wrong_type(param, "an object", parameters)
    elif parameters.get("type") != "object":
        reason = (
            f"schema must be a JSON Schema of 'type: \"object\"', got 'type: \"{parameters.get('type')}\"'."
        )
        message = f"Invalid schema for function '{name}': {reason}"
        yield Refusal(message, param, "invalid_function_parameters")


def unique_tool_names(names: Sequence[str]) -> Iterator[Refusal]:
    """Refused if two tools share a name."""
    for name in names:
        if names.count(name) > 1:
            yield Refusal(f"Invalid 'tools': tool names must be unique, but '{name}' stands twice.", "tools")


def tool_settings_without_tools(body: JsonObject) -> Iterator[Refusal]:
    """Settings for tools need tools."""
    for param in ("tool_choice", "parallel_tool_calls"):
        if body.get("tools") is None and body.get(param) is not None:
            reason = f"'{param}' is only allowed when 'tools' are specified."
            yield Refusal(f"Invalid value for '{param}': {reason}", param)


def chosen_functions(chosen: Sequence[str], announced: Collection[str]) -> Iterator[Refusal]:
    """tool_choice names only functions that are announced."""
    for name in chosen:
        if name not in announced:
            reason = f"no function named '{name}' was specified in the 'tools' parameter."
            yield Refusal(f"Invalid value for 'tool_choice': {reason}", "tool_choice")


def _is_json_object(text: str) -> bool:
    try:
        return isinstance(decode(text), dict)
    except JsonError:
        return False

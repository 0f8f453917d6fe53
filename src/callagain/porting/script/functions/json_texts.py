"""JSON functions."""

from typing import cast

from callagain.engine.json_text import JsonError, decode, encode
from callagain.porting.script.errors import ScriptValueError
from callagain.porting.script.functions.registry import Group
from callagain.porting.script.functions.run import Run
from callagain.porting.script.json_paths import node_at, text_of_node
from callagain.porting.script.json_values import plain
from callagain.porting.script.values import Value

JSON = Group("JSON", "docs.jitterbit.com/studio/functions/json")


@JSON.of_run("string GetJSONString(string json_string, string path)")
def get_json_string(run: Run, text: str, path: str) -> Value:
    """The text at a path of a JSON text; objects and arrays as compact JSON, strings without quotes.

    A path is `/company/[0]/name` as in the reference or `/company/0/name` as in the guide. A path that is not
    there is an error; in the mode guide it gives the text `null`, as the guide's response parser expects.
    """
    whole = _decoded(run, "GetJSONString", text)
    try:
        node = node_at(whole, path)
    except ScriptValueError:
        if run.mode.missing_path_is_null:
            return "null"
        raise
    return text_of_node(node, quoted=run.mode.quoted_json_strings)


@JSON.of_run("string GetJSONStringEx(string json_string, string path[, type value_if_no_match])")
def get_json_string_ex(run: Run, text: str, path: str, default: Value = None) -> Value:
    """As GetJSONString, with the value for a path that is not there; without one it is null."""
    node = _decoded(run, "GetJSONStringEx", text)
    try:
        return text_of_node(node_at(node, path), quoted=run.mode.quoted_json_strings)
    except ScriptValueError:
        return default


@JSON.of_run("type JSONParser(string json_string)")
def json_parser(run: Run, text: str) -> Value:
    """The dictionaries and arrays of a JSON text: `JSONParser(x)["company"][0]["name"]`."""
    return cast("Value", _decoded(run, "JSONParser", text))


@JSON.of_run("string JSONStringify(type dictionary)")
def json_stringify(run: Run, value: Value) -> Value:
    """The JSON text of a dictionary, array or scalar. Booleans are written as 1 and 0, dates as strings."""
    try:
        text = encode(plain(value)).decode()
    except JsonError as error:
        raise ScriptValueError(f"JSONStringify: this {error}") from None
    run.meter.step(len(text) >> 4)
    return text


def _decoded(run: Run, name: str, text: str) -> object:
    run.meter.step(len(text) >> 6)
    try:
        return decode(text)
    except JsonError as error:
        shown = text[:40].replace("\n", " ")
        raise ScriptValueError(f"{name}: '{shown}' is no JSON: {error}") from None

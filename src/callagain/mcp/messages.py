"""What a server sent, in a form that the SDK takes.

The SDK refuses a whole list for one tool that is not as the protocol has it, a whole result for one part of a
kind that it does not know, and a whole message for what is nested deeply. It cannot tell an error that the
server answered with from one of its own, and it logs what it gets. So each message is gone through first.
"""

import json
from typing import cast

import mcp_types

from callagain.connectors.tools.json_schema import SchemaValidator, subschemas
from callagain.engine.errors import ToolSchemaError
from callagain.engine.json_text import MAX_DEPTH, Json, JsonError, JsonObject, to_utf8
from callagain.mcp.errors import OWN_CODES, NoResultError
from callagain.mcp.results import text_of_result
from callagain.mcp.secrets import Secrets

# Codes with which the SDK says that no answer came.
NO_ANSWER = (mcp_types.CONNECTION_CLOSED, mcp_types.REQUEST_TIMEOUT, mcp_types.PARSE_ERROR)
# What a server of the SDK says of a call that it breaks off, since it is stopped: it knows no more of it.
_CUT_OFF = (mcp_types.CONNECTION_CLOSED, "Connection closed")
# In the `_meta` of a tool, or of a result, that stands in place of one which cannot be used.
_FAULT = "callagain/fault"
_HINTS = ("readOnlyHint", "idempotentHint")


def mended(text: bytes, secrets: Secrets) -> bytes:
    """The JSON of a message, without secrets where it is an answer; what is no JSON stays as it is."""
    try:
        message = json.loads(text)
        answer = cast("JsonObject", message) if isinstance(message, dict) else {}
        return to_utf8(json.dumps(answer, ensure_ascii=False)) if _is_mended(answer, secrets) else text
    except (ValueError, RecursionError):
        return text


def fault_of(sent: mcp_types.Tool | mcp_types.CallToolResult) -> str | None:
    """What is wrong with a tool or a result that another one stands in for."""
    found = (sent.meta or {}).get(_FAULT)
    return None if found is None else str(found)


def _is_mended(answer: JsonObject, secrets: Secrets) -> bool:
    """Whether there was anything to change."""
    error, result = answer.get("error"), answer.get("result")
    if isinstance(error, dict) and isinstance(words := error.get("message"), str):
        answer["error"] = {**error, "code": _code(error.get("code"), words), "message": secrets.hide(words)}
        return True
    if not isinstance(result, dict):
        return False
    if isinstance(tools := result.get("tools"), list):
        result["tools"] = [_tool(tool, place, secrets) for place, tool in enumerate(tools, 1)]
        return True
    if result.keys() & {"content", "structuredContent"} and result.get("resultType") in (None, "complete"):
        answer["result"] = _result(result, secrets)
        return True
    return False


def _code(code: Json, words: str) -> Json:
    """What the server itself says went wrong is an answer, whatever code it takes for it."""
    if (code, words) == _CUT_OFF:
        return code
    return mcp_types.INTERNAL_ERROR if code in NO_ANSWER or code in OWN_CODES else code


def _tool(tool: Json, place: int, secrets: Secrets) -> JsonObject:
    name = tool.get("name") if isinstance(tool, dict) else None
    if not isinstance(tool, dict) or not isinstance(name, str):
        return _unusable(f"number {place}", "it has no name")
    schema = tool.get("inputSchema")
    if (fault := _fault_of_schema(schema)) is not None:
        return _unusable(name, fault)
    found: JsonObject = {"name": name, "inputSchema": secrets.hidden(schema)}
    if isinstance(description := tool.get("description"), str):
        found["description"] = secrets.hide(description)
    if isinstance(hints := tool.get("annotations"), dict):
        found["annotations"] = {hint: hints[hint] for hint in _HINTS if isinstance(hints.get(hint), bool)}
    output = tool.get("outputSchema")
    if isinstance(output, dict) and _fault_of_schema(output) is None and _is_sound(_without_patterns(output)):
        found["outputSchema"] = output
    return found


def _is_sound(schema: JsonObject) -> bool:
    """Whether the SDK can hold results against it, in a time that does not explode."""
    try:
        SchemaValidator(schema, "an output schema")
    except ToolSchemaError:
        return False
    return True


def _unusable(name: str, why: str) -> JsonObject:
    return {"name": name, "inputSchema": {"type": "object"}, "_meta": {_FAULT: why}}


def _fault_of_schema(schema: Json) -> str | None:
    if not isinstance(schema, dict):
        return "its inputSchema must be a JSON object"
    if _is_deep(schema):
        return f"parameters: the schema is nested deeper than {MAX_DEPTH} levels"
    if schema.get("type") != "object":
        return 'parameters: the root must be {"type": "object", "properties": …}'
    match schema.get("properties", {}), schema.get("required", []), schema.get("$schema", ""):
        case dict(properties), list(required), str():
            members = all(isinstance(each, dict | bool) for each in properties.values())
            if members and all(isinstance(each, str) for each in required):
                return None
        case _:
            pass
    return "parameters: not a JSON schema: properties, required or $schema is of a wrong type"


def _without_patterns(schema: JsonObject) -> JsonObject:
    """An output schema as far as the SDK may use it: it matches patterns by `re`, and the server has both the
    patterns and the texts."""
    for _, inner in subschemas(schema):
        inner.pop("pattern", None)
        if inner.pop("patternProperties", None) is not None:
            # Of these it cannot be told any more which keys are meant.
            inner.pop("additionalProperties", None)
            inner.pop("unevaluatedProperties", None)
    return schema


def _result(result: JsonObject, secrets: Secrets) -> JsonObject:
    """With one text in place of all blocks. A part that cannot be used costs no other one."""
    content, structured = result.get("content"), result.get("structuredContent")
    found: JsonObject = {"content": [], "isError": result.get("isError") is True}
    if "resultType" in result:
        found["resultType"] = result["resultType"]
    try:
        found |= _said(content, structured, secrets)
    except NoResultError as error:
        found["_meta"] = {_FAULT: str(error)}
    except JsonError as error:
        found["_meta"] = {_FAULT: f"its structured content {error}"}
    return found


def _said(content: Json, structured: Json, secrets: Secrets) -> JsonObject:
    if not isinstance(content, list) and structured is None:
        raise NoResultError("its content must be a list")
    if _is_deep([content, structured]):
        raise NoResultError(f"it is nested deeper than {MAX_DEPTH} levels")
    # Before there is a text: in the text of JSON a secret may look otherwise.
    blocks, structured = secrets.hidden(content), secrets.hidden(structured)
    text = text_of_result(blocks if isinstance(blocks, list) else [], structured)
    said: JsonObject = {"content": [{"type": "text", "text": text}]}
    return {**said, "structuredContent": structured} if isinstance(structured, dict) else said


def _is_deep(value: Json) -> bool:
    level: list[Json] = [value]
    for _ in range(MAX_DEPTH + 1):
        level = [member for each in level for member in _members(each)]
        if not level:
            return False
    return True


def _members(value: Json) -> list[Json]:
    if isinstance(value, dict):
        return list(value.values())
    return value if isinstance(value, list) else []

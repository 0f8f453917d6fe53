"""A request of the Responses API in the form of Chat Completions, so that one script serves both. Pure."""

from collections.abc import Iterable, Iterator

from callagain.engine.json_text import Json, JsonObject
from callagain.testing.json_objects import objects


def as_chat(request: JsonObject, items: Iterable[JsonObject]) -> JsonObject:
    """`model`, `messages`, `tools` and `tool_choice`; content parts keep their form.

    items: the whole conversation, remembered items included. What one response brought, texts and calls,
    is one assistant message.
    """
    instructions = request.get("instructions")
    first: list[Json] = [{"role": "system", "content": instructions}] if instructions else []
    chat: JsonObject = {"model": request.get("model"), "messages": [*first, *_messages(items)]}
    if isinstance(request.get("tools"), list):
        chat["tools"] = list(_tools(request.get("tools")))
    if request.get("tool_choice") is not None:
        chat["tool_choice"] = _tool_choice(request["tool_choice"])
    return chat


def function_tool_names(tools: Json) -> list[str]:
    """The names of the functions in a list of tools as the Responses API has them, in order."""
    names = [tool.get("name") for tool in objects(tools) if tool.get("type") == "function"]
    return [name for name in names if isinstance(name, str)]


def _messages(items: Iterable[JsonObject]) -> list[JsonObject]:
    messages: list[JsonObject] = []
    # The assistant message that further items of the same response belong to.
    growing: JsonObject | None = None
    for item in items:
        match item:
            case {"type": "reasoning"}:
                continue
            case {"type": "function_call"}:
                if growing is None:
                    growing = {"role": "assistant", "content": None}
                    messages.append(growing)
                growing["tool_calls"] = [*objects(growing.get("tool_calls")), _call(item)]
            case {"role": "assistant"}:
                if growing is None or growing["content"] is not None:
                    growing = {"role": "assistant", "content": None}
                    messages.append(growing)
                growing["content"] = item.get("content")
            case {"type": "function_call_output"}:
                growing = None
                messages.append(
                    {
                        "role": "tool",
                        "tool_call_id": item.get("call_id"),
                        "content": item.get("output"),
                    }
                )
            case {"role": role}:
                growing = None
                messages.append({"role": role, "content": item.get("content")})
            case _:
                pass
    return messages


def _call(item: JsonObject) -> JsonObject:
    function: JsonObject = {"name": item.get("name"), "arguments": item.get("arguments")}
    return {"id": item.get("call_id"), "type": "function", "function": function}


def _tools(tools: Json) -> Iterator[JsonObject]:
    for tool in objects(tools):
        kind = tool.get("type")
        rest: JsonObject = {key: value for key, value in tool.items() if key != "type"}
        yield {"type": kind, "function": rest} if kind == "function" else tool


def _tool_choice(choice: Json) -> Json:
    match choice:
        case {"type": "function", "name": name}:
            return {"type": "function", "function": {"name": name}}
        case {"type": "allowed_tools", "mode": mode, "tools": tools}:
            return {"type": "allowed_tools", "allowed_tools": {"mode": mode, "tools": list(_tools(tools))}}
        case _:
            return choice

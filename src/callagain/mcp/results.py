"""What a server answered to a call, as text that a model can read."""

from callagain.engine.json_text import Json, JsonError, JsonObject, decode, encode

_MOST_OF_A_WORD = 500


def text_of_result(content: list[Json], structured: Json) -> str:
    """The blocks, each on lines of its own; and the structured content, unless a text says the same.

    What is no text is named, and not shown: its kind, its type and its size. Raises JsonError for
    structured content that cannot be written again, such as NaN.
    """
    parts = [_block(block if isinstance(block, dict) else {}) for block in content]
    if structured is not None and not _is_said(structured, content):
        parts.append(structured if isinstance(structured, str) else encode(structured).decode())
    return "\n".join(parts)


def _block(block: JsonObject) -> str:
    match block:
        case {"type": "text", "text": str(text)}:
            return text
        case {"type": "image" | "audio" as kind, "data": str(data)}:
            return f"[{kind}: {_words(block, 'mimeType')}{_size(data)}, not shown]"
        case {"type": "resource_link", "uri": str()}:
            name = "title" if block.get("title") else "name"
            return f"[resource link: {_words(block, name, 'uri', 'mimeType', 'description')[:-2]}]"
        case {"type": "resource", "resource": dict(resource)}:
            return _resource(resource)
        case {"type": str()}:
            return f"[{_words(block, 'type')[:-2]}: not shown]"
        case _:
            return "[a part of no known type: not shown]"


def _resource(resource: JsonObject) -> str:
    match resource:
        case {"uri": str(), "text": str(text)}:
            return f"[resource: {_words(resource, 'uri')[:-2]}]\n{text}"
        case {"uri": str(), "blob": str(data)}:
            return f"[resource: {_words(resource, 'uri', 'mimeType')}{_size(data)}, not shown]"
        case _:
            return "[resource: not shown]"


def _words(block: JsonObject, *names: str) -> str:
    """Those of the fields that are texts, in one line, and after each of them a comma."""
    found = [text for name in names if isinstance(text := block.get(name), str) and text]
    return "".join(f"{' '.join(text.split())[:_MOST_OF_A_WORD]}, " for text in found)


def _size(base64_text: str) -> str:
    return f"{len(base64_text.rstrip('=')) * 3 // 4:,} bytes"


def _is_said(structured: Json, content: list[Json]) -> bool:
    """Servers repeat structured content for older clients: as its JSON, or a block for each member; and put
    what is no object under the key `result`."""
    values = [structured]
    if isinstance(structured, dict) and structured.keys() == {"result"}:
        values.append(structured["result"])
    texts = [text for block in content if (text := _text(block)) is not None]
    for value in values:
        if len(texts) == 1 and _says(texts[0], value):
            return True
        if isinstance(value, list) and len(value) == len(content) and all(map(_repeats, content, value)):
            return True
    return False


def _repeats(block: Json, value: Json) -> bool:
    if isinstance(value, dict) and isinstance(block, dict) and value.get("type") == block.get("type"):
        return True
    return (text := _text(block)) is not None and _says(text, value)


def _text(block: Json) -> str | None:
    match block:
        case {"type": "text", "text": str(text)}:
            return text
        case _:
            return None


def _says(text: str, value: Json) -> bool:
    if text == value:
        return True
    try:
        return decode(text) == value
    except JsonError:
        return False

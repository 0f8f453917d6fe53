"""What a server answered to a call, as text that a model can read."""

from typing import cast

import mcp_types

from callagain.connectors.tools import result_text
from callagain.engine.json_text import Json, JsonError, decode


def text_of_result(result: mcp_types.CallToolResult) -> str:
    """Its blocks, each on lines of its own; and the structured content, unless a text says the same.

    What is no text is named, and not shown: its kind, its type and its size.
    """
    parts = [_block(block) for block in result.content]
    structured = cast("Json", result.structured_content)
    if structured is not None and not _is_said(structured, result.content):
        parts.append(result_text(structured))
    return "\n".join(parts)


def _block(block: mcp_types.ContentBlock) -> str:
    match block:
        case mcp_types.TextContent():
            return block.text
        case mcp_types.ImageContent() | mcp_types.AudioContent():
            return f"[{block.type}: {block.mime_type}, {_size(block.data)}, not shown]"
        case mcp_types.ResourceLink():
            words = [block.title or block.name, str(block.uri), block.mime_type, block.description]
            return f"[resource link: {', '.join(word for word in words if word)}]"
        case mcp_types.EmbeddedResource():
            return _resource(block.resource)


def _resource(resource: mcp_types.TextResourceContents | mcp_types.BlobResourceContents) -> str:
    if isinstance(resource, mcp_types.TextResourceContents):
        return f"[resource: {resource.uri}]\n{resource.text}"
    kind = f"{resource.mime_type}, " if resource.mime_type else ""
    return f"[resource: {resource.uri}, {kind}{_size(resource.blob)}, not shown]"


def _size(base64_text: str) -> str:
    return f"{len(base64_text.rstrip('=')) * 3 // 4:,} bytes"


def _is_said(structured: Json, content: list[mcp_types.ContentBlock]) -> bool:
    """Servers repeat structured content for older clients: as its JSON, or a block for each member; and put
    what is no object under the key `result`."""
    texts = [block.text for block in content if isinstance(block, mcp_types.TextContent)]
    values = [structured]
    if isinstance(structured, dict) and structured.keys() == {"result"}:
        values.append(structured["result"])
    for value in values:
        if len(texts) == 1 and _says(texts[0], value):
            return True
        if isinstance(value, list) and len(value) == len(content) and all(map(_repeats, content, value)):
            return True
    return False


def _repeats(block: mcp_types.ContentBlock, value: Json) -> bool:
    if isinstance(value, dict) and value.get("type") == block.type:
        return True
    return isinstance(block, mcp_types.TextContent) and _says(block.text, value)


def _says(text: str, value: Json) -> bool:
    if text == value:
        return True
    try:
        return decode(text) == value
    except JsonError:
        return False

"""A response of the Responses API as the events of a stream. Pure.

Source: the API reference of OpenAI, "Streaming events" of the Responses API.
"""

from collections.abc import Iterator
from itertools import count

from callagain.engine.json_text import JsonObject
from callagain.testing.json_objects import objects
from callagain.testing.server_sent_events import event, pieces


def response_stream(whole: JsonObject) -> list[bytes] | None:
    """The events that bring this response object, numbered from 0 by sequence_number.

    None if it is no such object, for want of an output: that has no form as a stream.
    """
    if not isinstance(whole.get("output"), list):
        return None
    numbers = count()
    return [
        event({"type": name, "sequence_number": next(numbers), **fields}, name)
        for name, fields in _events(whole, objects(whole["output"]))
    ]


Event = tuple[str, JsonObject]


def _events(whole: JsonObject, output: list[JsonObject]) -> Iterator[Event]:
    begun: JsonObject = {
        **whole,
        "status": "in_progress",
        "incomplete_details": None,
        "output": [],
        "usage": None,
    }
    yield "response.created", {"response": begun}
    yield "response.in_progress", {"response": begun}
    for index, item in enumerate(output):
        yield "response.output_item.added", {"output_index": index, "item": _begun(item)}
        where: JsonObject = {"item_id": item.get("id"), "output_index": index}
        for name, fields in _growth(item):
            yield name, where | fields
        yield "response.output_item.done", {"output_index": index, "item": item}
    yield f"response.{whole.get('status', 'completed')}", {"response": whole}


def _begun(item: JsonObject) -> JsonObject:
    """The item as it is announced, before anything of it has come."""
    begun: JsonObject = dict(item)
    if "status" in item:
        begun["status"] = "in_progress"
    match item:
        case {"type": "message", "content": list()}:
            begun["content"] = []
        case {"type": "function_call", "arguments": str()}:
            begun["arguments"] = ""
        case {"type": "reasoning", "summary": list()}:
            begun["summary"] = []
        case _:
            pass
    return begun


def _growth(item: JsonObject) -> Iterator[Event]:
    match item:
        case {"type": "message", "content": list() as parts}:
            for index, part in enumerate(objects(parts)):
                for name, fields in _content_part(part):
                    yield name, {"content_index": index, **fields}
        case {"type": "function_call", "arguments": str(arguments)}:
            name = "response.function_call_arguments"
            for piece in pieces(arguments):
                yield f"{name}.delta", {"delta": piece}
            yield f"{name}.done", {"name": item.get("name"), "arguments": arguments}
        case {"type": "reasoning", "summary": list() as parts}:
            for index, part in enumerate(objects(parts)):
                for name, fields in _summary_part(part):
                    yield name, {"summary_index": index, **fields}
        case _:
            pass


def _content_part(part: JsonObject) -> Iterator[Event]:
    match part:
        case {"type": "output_text", "text": str(text)}:
            yield "response.content_part.added", {"part": {**part, "text": ""}}
            for piece in pieces(text):
                yield "response.output_text.delta", {"delta": piece, "logprobs": []}
            yield "response.output_text.done", {"text": text, "logprobs": []}
        case {"type": "refusal", "refusal": str(text)}:
            yield "response.content_part.added", {"part": {**part, "refusal": ""}}
            for piece in pieces(text):
                yield "response.refusal.delta", {"delta": piece}
            yield "response.refusal.done", {"refusal": text}
        case _:
            yield "response.content_part.added", {"part": part}
    yield "response.content_part.done", {"part": part}


def _summary_part(part: JsonObject) -> Iterator[Event]:
    name = "response.reasoning_summary"
    match part:
        case {"text": str(text)}:
            yield f"{name}_part.added", {"part": {**part, "text": ""}}
            for piece in pieces(text):
                yield f"{name}_text.delta", {"delta": piece}
            yield f"{name}_text.done", {"text": text}
        case _:
            yield f"{name}_part.added", {"part": part}
    yield f"{name}_part.done", {"part": part}

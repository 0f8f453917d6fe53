"""The events of one streamed response, put together again.

https://platform.openai.com/docs/api-reference/responses-streaming

The last event holds the whole response, so nothing has to be built from the pieces. Its output may still be
empty where an endpoint expects that the items were kept as they were done (RayBytes/ChatMock#117).
"""

from dataclasses import dataclass

from callagain.engine.json_text import Json, JsonObject, valid_unicode
from callagain.engine.wire.deltas import ArgumentsDelta, Delta, ReasoningDelta, TextDelta
from callagain.engine.wire.responses.items import FUNCTION_CALL, items_in, type_of

_TEXT = "response.output_text.delta"
_REASONING = ("response.reasoning_summary_text.delta", "response.reasoning_text.delta")
_ARGUMENTS = "response.function_call_arguments.delta"
_ITEM_BEGINS = "response.output_item.added"
_ITEM_ENDS = "response.output_item.done"
_COMPLETE = ("response.completed", "response.incomplete")
_FAILED = "response.failed"

_NO_REASON = "the response failed, and the endpoint does not say why"


class ResponseAssembly:
    """An `Assembly` of the Responses API. Events of other types, and odd ones, are passed over."""

    is_ended_by_mark = False

    def __init__(self) -> None:
        self._calls: list[_Begun] = []
        self._items: dict[int, JsonObject] = {}
        self._response: JsonObject | None = None
        self._failure: JsonObject | None = None

    def take(self, event: str, data: JsonObject) -> list[Delta]:
        if self.is_complete:
            return []
        kind = data.get("type") or event
        delta = data.get("delta")
        text = valid_unicode(delta) if isinstance(delta, str) else ""
        if kind == _TEXT:
            return [TextDelta(text)] if text else []
        if kind in _REASONING:
            return [ReasoningDelta(text)] if text else []
        if kind == _ARGUMENTS:
            return [self._continue_call(data, text)]
        if kind == _ITEM_BEGINS:
            return self._begin_item(data)
        if kind == _ITEM_ENDS:
            self._end_item(data)
        elif kind in _COMPLETE:
            self._complete(str(kind), data.get("response"))
        elif kind == _FAILED:
            response = data.get("response")
            self._failure = _error_of(response if isinstance(response, dict) else {})
        elif kind == "error" or (not kind and data.get("error")):
            self._failure = _error_of(data)
        return []

    @property
    def is_complete(self) -> bool:
        return self._response is not None

    @property
    def failure(self) -> JsonObject | None:
        return self._failure

    def body(self) -> JsonObject:
        """Before the response is complete: the items that are, in a response that says so."""
        return self._response or {"status": "incomplete", "output": self._done()}

    def _begin_item(self, data: JsonObject) -> list[Delta]:
        item = data.get("item")
        if not isinstance(item, dict) or type_of(item) != FUNCTION_CALL:
            return []
        begun = _Begun(item.get("id"), data.get("output_index"), _text(item, "call_id"), _text(item, "name"))
        self._calls.append(begun)
        return [ArgumentsDelta(len(self._calls) - 1, begun.call_id, begun.name, "")]

    def _continue_call(self, data: JsonObject, arguments: str) -> Delta:
        item_id, output_index = data.get("item_id"), data.get("output_index")
        index = next((i for i, call in enumerate(self._calls) if call.is_at(item_id, output_index)), None)
        if index is None:
            index = len(self._calls)
            self._calls.append(_Begun(item_id, output_index))
        call = self._calls[index]
        return ArgumentsDelta(index, call.call_id, call.name, arguments)

    def _end_item(self, data: JsonObject) -> None:
        item, output_index = data.get("item"), data.get("output_index")
        if isinstance(item, dict):
            last = max(self._items, default=-1)
            self._items[output_index if isinstance(output_index, int) else last + 1] = item

    def _complete(self, kind: str, received: Json) -> None:
        response: JsonObject = {"status": kind.removeprefix("response.")}
        if isinstance(received, dict):
            response = dict(received)
        if not items_in(response, "output"):
            response["output"] = self._done()
        self._response = response

    def _done(self) -> list[Json]:
        return [self._items[index] for index in sorted(self._items)]


@dataclass(frozen=True, slots=True)
class _Begun:
    """A call that has begun. Some endpoints give its item another id in every event, but keep its place."""

    item_id: Json
    output_index: Json
    call_id: str = ""
    name: str = ""

    def is_at(self, item_id: Json, output_index: Json) -> bool:
        if output_index is None:
            return item_id == self.item_id
        return output_index == self.output_index


def _error_of(data: JsonObject) -> JsonObject:
    """The error body of a failed response, or of an event that is the error itself."""
    error = data.get("error")
    if isinstance(error, dict) and error:
        return {"error": error}
    if isinstance(error, str) and error:
        return {"error": {"message": error}}
    said: JsonObject = {name: data[name] for name in ("code", "message", "param") if data.get(name)}
    return {"error": {"message": _NO_REASON, **said}}


def _text(item: JsonObject, field: str) -> str:
    value = item.get(field)
    return valid_unicode(value) if isinstance(value, str) else ""

"""What the stand-in remembers of the responses that it gave, as the Responses API does."""

from dataclasses import dataclass
from itertools import pairwise

from callagain.engine.json_text import Json, JsonObject
from callagain.testing.json_objects import objects


@dataclass(frozen=True, slots=True)
class GivenItem:
    """An output item of a response.

    stored: the request did not say `store: false`. reasoning_id: the reasoning item that came before it in
    the response. following_id: the item directly after it.
    """

    item: JsonObject
    stored: bool
    reasoning_id: str | None
    following_id: str | None


@dataclass(frozen=True, slots=True)
class _Exchange:
    previous_id: Json
    items: list[JsonObject]


class ResponseMemory:
    """The responses and their items, by id.

    Whatever is kept is written once, by one assignment, so threads need no lock.
    """

    def __init__(self) -> None:
        self._exchanges: dict[str, _Exchange] = {}
        self._items: dict[str, GivenItem] = {}

    def remember(self, response: JsonObject, request: JsonObject) -> None:
        """Keeps the items of this response, and, unless the request says `store: false`, the exchange."""
        items = objects(response.get("output"))
        stored = request.get("store") is not False
        reasoning_id: str | None = None
        for item, following in pairwise([*items, {}]):
            id_ = _text(item.get("id"))
            if id_ is not None:
                self._items[id_] = GivenItem(item, stored, reasoning_id, _text(following.get("id")))
            if item.get("type") == "reasoning":
                reasoning_id = id_
        response_id = _text(response.get("id"))
        if stored and response_id is not None:
            exchange = _Exchange(request.get("previous_response_id"), [*input_items(request), *items])
            self._exchanges[response_id] = exchange

    def item(self, id_: Json) -> GivenItem | None:
        """The item of this id, if this server gave it."""
        return self._items.get(id_) if isinstance(id_, str) else None

    def knows(self, response_id: Json) -> bool:
        return response_id in self._exchanges if isinstance(response_id, str) else False

    def history(self, request: JsonObject) -> list[JsonObject]:
        """The items of the previous responses, oldest first, with what was asked before each of them."""
        exchanges: list[_Exchange] = []
        previous_id = request.get("previous_response_id")
        while isinstance(previous_id, str) and previous_id in self._exchanges:
            exchanges.append(self._exchanges[previous_id])
            previous_id = exchanges[-1].previous_id
        return [item for exchange in reversed(exchanges) for item in exchange.items]

    def conversation(self, request: JsonObject) -> list[JsonObject]:
        """The history and the request's own input, an item_reference replaced by the item that it means."""
        return [self._resolved(item) for item in [*self.history(request), *input_items(request)]]

    def _resolved(self, item: JsonObject) -> JsonObject:
        given = self.item(item.get("id")) if item.get("type") == "item_reference" else None
        return given.item if given is not None and given.stored else item


def input_items(request: JsonObject) -> list[JsonObject]:
    """The input as items; a text is the message of a user."""
    given = request.get("input")
    if isinstance(given, str):
        return [{"type": "message", "role": "user", "content": given}]
    return objects(given)


def _text(value: Json) -> str | None:
    return value if isinstance(value, str) else None

"""A sequence that only grows, and whose earlier versions stay as they were.

A run keeps the variables before and after each step. Were each of them to hold a copy of all rounds, a
run would need memory by the square of its length; here all versions share one list.
"""

from bisect import bisect_left
from collections.abc import Iterable, Iterator
from itertools import islice
from typing import Generic, Self, TypeVar

Item = TypeVar("Item")


class GrowingSequence(Generic[Item]):
    """The first `len(self)` items of a list that is shared with the versions before and after."""

    __slots__ = ("_items", "_length")

    def __init__(self, *items: Item) -> None:
        self._items = list(items)
        self._length = len(items)

    def plus(self, *items: Item) -> Self:
        """A version with the items at its end. This one does not change.

        Guide: push, prev_tool_msgs, Left.
        """
        grown = type(self)()
        # Another version may have grown past this one already, after a run went back; then the list forks.
        grown._items = self._items if len(self._items) == self._length else self._items[: self._length]
        grown._items.extend(items)
        grown._length = self._length + len(items)
        return grown

    def __len__(self) -> int:
        return self._length

    def __getitem__(self, index: int) -> Item:
        if not -self._length <= index < self._length:
            raise IndexError(index)
        return self._items[index % self._length]

    def __iter__(self) -> Iterator[Item]:
        return islice(self._items, self._length)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, GrowingSequence) and list(self) == list(other)  # pyright: ignore[reportUnknownArgumentType, reportUnknownVariableType]

    __hash__ = None  # type: ignore[assignment]

    def __repr__(self) -> str:
        return f"{type(self).__name__}({', '.join(map(repr, self))})"


class CountedSequence(GrowingSequence[Item]):
    """One that knows how often an item is in it, without looking through it."""

    __slots__ = ("_places",)

    def __init__(self, *items: Item) -> None:
        super().__init__(*items)
        # Of each item, in ascending order; shared with the versions that share the list.
        self._places: dict[object, list[int]] = {}
        self._note_places(items, 0)

    def plus(self, *items: Item) -> Self:
        grown = super().plus(*items)
        if grown._items is self._items:
            grown._places = self._places
            grown._note_places(items, self._length)
        else:
            grown._note_places(grown, 0)
        return grown

    def count(self, item: object) -> int:
        return bisect_left(self._places.get(item, ()), self._length)

    def __contains__(self, item: object) -> bool:
        return self.count(item) > 0

    def _note_places(self, items: Iterable[Item], first: int) -> None:
        for place, item in enumerate(items, first):
            self._places.setdefault(item, []).append(place)

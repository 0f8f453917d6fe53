"""A sequence that only grows, and whose earlier versions stay as they were.

A run keeps the variables before and after each step. Were each of them to hold a copy of all rounds, a
run would need memory by the square of its length; here all versions share one list.
"""

from collections.abc import Iterator
from typing import Generic, TypeVar

Item = TypeVar("Item")


class GrowingSequence(Generic[Item]):
    """The first `len(self)` items of a list that is shared with the versions before and after."""

    __slots__ = ("_items", "_length")

    def __init__(self, *items: Item) -> None:
        self._items = list(items)
        self._length = len(items)

    def plus(self, *items: Item) -> "GrowingSequence[Item]":
        """A version with the items at its end. This one does not change."""
        grown: GrowingSequence[Item] = GrowingSequence()
        # Another version may have grown past this one already, after a run went back; then the list forks.
        grown._items = self._items if len(self._items) == self._length else self._items[: self._length]
        grown._items.extend(items)
        grown._length = self._length + len(items)
        return grown

    def __len__(self) -> int:
        return self._length

    def __iter__(self) -> Iterator[Item]:
        for index in range(self._length):
            yield self._items[index]

    def __eq__(self, other: object) -> bool:
        return isinstance(other, GrowingSequence) and list(self) == list(other)  # pyright: ignore[reportUnknownArgumentType, reportUnknownVariableType]

    __hash__ = None  # type: ignore[assignment]

    def __repr__(self) -> str:
        return f"GrowingSequence({', '.join(map(repr, self))})"

"""The events of one run, for any number of watchers, from wherever they begin."""

import asyncio
from bisect import bisect_right
from collections.abc import AsyncGenerator
from dataclasses import dataclass
from operator import attrgetter

from callagain.engine.json_text import JsonObject
from callagain.serving.event_json import DELTAS

# Of a long run the oldest are forgotten; their numbers show the gap.
_EVENTS_KEPT = 10_000
# The pieces of a text are of no use to anybody who comes later than that.
_SECONDS_OF_DELTAS = 60.0

_number = attrgetter("number")


@dataclass(frozen=True, slots=True)
class NumberedEvent:
    """number: counted from 1 over the whole life of the run."""

    number: int
    name: str
    data: JsonObject


class EventFeed:
    """Open while the run is driven."""

    def __init__(self) -> None:
        self._events: list[NumberedEvent] = []
        self._count = 0
        self._is_open = True
        self._changed = asyncio.Event()

    def add(self, name: str, data: JsonObject) -> None:
        self._count += 1
        self._events.append(NumberedEvent(self._count, name, data))
        if len(self._events) > 2 * _EVENTS_KEPT:
            self._events = self._events[-_EVENTS_KEPT:]
        self._tell()

    def open(self) -> None:
        self._is_open = True

    def close(self) -> None:
        self._is_open = False
        self._tell()
        asyncio.get_running_loop().call_later(_SECONDS_OF_DELTAS, self._forget_deltas)

    @property
    def count(self) -> int:
        return self._count

    async def after(self, number: int, ping_seconds: float) -> AsyncGenerator[NumberedEvent | None, None]:
        """Events behind this number, until the feed is closed; None for each time of silence."""
        while True:
            changed, is_open, events = self._changed, self._is_open, self._events
            for event in events[bisect_right(events, number, key=_number) :]:
                number = event.number
                yield event
            if changed.is_set():
                continue
            if not is_open:
                return
            try:
                async with asyncio.timeout(ping_seconds):
                    await changed.wait()
            except TimeoutError:
                yield None

    def _forget_deltas(self) -> None:
        if not self._is_open:
            self._events = [event for event in self._events if event.name not in DELTAS]

    def _tell(self) -> None:
        self._changed.set()
        self._changed = asyncio.Event()

"""What a run is waiting for, in one line at the bottom of the terminal, counted on while it waits."""

import threading
import time
from collections import Counter
from types import TracebackType
from typing import Self, TypeVar

from callagain.cli.bottom_line import BottomLine
from callagain.cli.terminal import columns, cut, flat, width_of
from callagain.diagrams.words import title
from callagain.engine.commands import CallFunction, CallTool, Command, Key, SendRequest
from callagain.engine.events import (
    AttemptDiscarded,
    CommandDelayed,
    CommandEnded,
    CommandHeld,
    CommandStarted,
    Event,
    OperationEnded,
)
from callagain.engine.spending import spent
from callagain.engine.wire.deltas import ArgumentsDelta, ReasoningDelta, TextDelta
from callagain.live_run import LiveRun

Value = TypeVar("Value")

# What is over sooner is never shown, so that nothing flickers.
_SECONDS_BETWEEN_DRAWS = 0.1
# A terminal writes ^C behind the line, and a line that is broken could not be erased.
_MARGIN = 3


class LiveStatus:
    """Told of each event of one run, in order. A thread draws the line, for as long as the `with` lasts."""

    def __init__(self, live: LiveRun, line: BottomLine) -> None:
        self._live = live
        self._line = line
        self._ended = threading.Event()
        self._thread = threading.Thread(target=self._draw, name="callagain-status", daemon=True)
        # The thread reads these while they change: each is replaced, and never changed in place.
        self._under_way: dict[Key, Command] = {}
        self._waits: dict[Key, tuple[float, str]] = {}
        self._since = 0.0
        # Those that wait for their time included.
        self._requests = live.variables.requests
        self._figures = self._figures_now()

    def __enter__(self) -> Self:
        self._thread.start()
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        self._ended.set()
        self._line.hide()
        self._thread.join()

    def hide(self) -> None:
        """Something else is about to be written where the line stands; it comes back with the next event."""
        self._line.hide()

    def show(self, event: Event) -> None:
        match event:
            case TextDelta() | ReasoningDelta() | ArgumentsDelta():
                return
            case CommandStarted():
                if not self._under_way:
                    self._since = time.monotonic()
                self._under_way = {**self._under_way, event.key: event.command}
                self._requests += isinstance(event.command, SendRequest)
            case CommandDelayed():
                self._wait(event.key, event.seconds, "its turn")
            case AttemptDiscarded():
                self._wait(event.key, event.seconds, f"attempt {event.attempt + 1}, after {event.kind}")
                self._requests += 1
            case CommandEnded() | CommandHeld():
                self._under_way = _without(event.key, self._under_way)
                self._waits = _without(event.key, self._waits)
            case OperationEnded():
                self._requests = max(self._requests, event.step.after.requests)
                self._figures = self._figures_now()
            case _:
                pass
        if self._under_way:
            self._line.show(self._text)
        else:
            self._line.hide()

    def _wait(self, key: Key, seconds: float, what: str) -> None:
        self._waits = {**self._waits, key: (time.monotonic() + seconds, what)}

    def _draw(self) -> None:
        while not self._ended.wait(_SECONDS_BETWEEN_DRAWS):
            try:
                self._line.draw()
            except (OSError, ValueError):
                # Nobody is there to see it.
                return

    def _text(self) -> str:
        """As many of its parts as fit, the first of them cut if need be."""
        now, room = time.monotonic(), columns() - _MARGIN
        waits = [(until - now, what) for until, what in self._waits.values() if until > now]
        sent = self._requests - len(waits)
        requests = f"{sent} request{'' if sent == 1 else 's'}"
        what = f"{title(self._live.state)}{self._names()}{_countdown(waits)}"
        text = cut(flat(f"{int(now - self._since)} s {what}"), room)
        for part in (self._rounds(), requests, *self._figures):
            longer = f"{text}, {part}"
            if width_of(longer) > room:
                break
            text = longer
        return text

    def _names(self) -> str:
        names = Counter(
            command.name
            for command in self._under_way.values()
            if isinstance(command, CallTool | CallFunction)
        )
        told = ", ".join(name if count == 1 else f"{count} x {name}" for name, count in names.items())
        return f": {told}" if told else ""

    def _rounds(self) -> str:
        variables = self._live.variables
        return f"loop_count {variables.loop_count} of {variables.max_iterations}"

    def _figures_now(self) -> tuple[str, ...]:
        used = spent(self._live.variables)
        if not used.tokens:
            return ()
        tokens = f"{used.tokens:,} tokens"
        return (tokens,) if used.money is None else (tokens, f"${used.money:.4f}")


def _countdown(waits: list[tuple[float, str]]) -> str:
    if not waits:
        return ""
    seconds, what = min(waits)
    return f": waits {int(seconds) + 1} s for {what}"


def _without(key: Key, values: dict[Key, Value]) -> dict[Key, Value]:
    return {each: value for each, value in values.items() if each != key}

"""How much a script may do, so that no script takes all time, all memory or the interpreter's stack."""

import sys
from collections.abc import Mapping, Sequence, Sized
from dataclasses import dataclass
from typing import cast

from callagain.porting.script.errors import ScriptLimitError

MAX_TEXT = 1024 * 1024
"""Characters of a script."""

MAX_PARSED_NESTING = 100
"""Expressions inside each other while a script is read."""

MAX_DEPTH = 200
"""Nodes below each other in the tree of a script."""

MAX_NESTED_VALUES = 64
"""Arrays and dictionaries inside each other; as deep as JSON may be."""

MAX_VALUE_SIZE = 16 * 1024 * 1024
"""Characters, bytes or elements of one value."""

MAX_COLLECTION_TEXT = 2 * 1024 * 1024
"""Characters of the text of an array or a dictionary, with one more for each part of it."""

MAX_ARGUMENTS = 100
"""Arguments of a call: Jitterbit's own limit (Case has 50 pairs)."""

_BYTES_OF_A_VALUE = 56
_MEASURE_EVERY = 64 * 1024 * 1024
_FRAMES_KEPT_FREE = 200


@dataclass(frozen=True, slots=True)
class Limits:
    """The limits of a run; those of iterations and nesting are Jitterbit's.

    iterations: of one While, unless `$jitterbit.scripting.while.max_iterations` says otherwise. nesting:
    scripts and operations that run each other, unless `$jitterbit.scripting.nesting.max` says otherwise.
    steps: expressions that are evaluated, in all; working on long texts counts as more. value_size:
    characters, bytes or elements of one value. waiting: seconds of Sleep, in all. held_size: bytes, about, of
    all values that variables hold together.

    Source: "Scripting Jitterbit variables" (docs.jitterbit.com/studio/variables/jitterbit/scripting).
    """

    iterations: int = 50_000
    nesting: int = 10
    steps: int = 10_000_000
    value_size: int = MAX_VALUE_SIZE
    waiting: int = 3600
    held_size: int = 256 * 1024 * 1024


def levels_that_fit_the_stack(frames: int) -> int:
    """How many levels of so many frames fit on Python's stack from here, with some frames kept free."""
    frame, used = sys._getframe(), 0  # pyright: ignore[reportPrivateUsage]
    while (below := frame.f_back) is not None:
        frame, used = below, used + 1
    return max(0, (sys.getrecursionlimit() - used - _FRAMES_KEPT_FREE) // frames)


class Meter:
    """Counts what a run of a script does, and stops it at a limit with a ScriptLimitError."""

    def __init__(self, limits: Limits) -> None:
        self.limits = limits
        self.steps_left = limits.steps
        self._waiting_left = limits.waiting
        self._produced = 0

    def wait(self, seconds: int) -> None:
        """Counts seconds of waiting, before they are waited."""
        self._waiting_left -= seconds
        if self._waiting_left < 0:
            raise ScriptLimitError(f"the script would wait more than {self.limits.waiting:,} seconds in all")

    def step(self, count: int = 1) -> None:
        """Counts evaluated expressions, or work that takes as long."""
        self.steps_left -= count
        if self.steps_left < 0:
            message = (
                f"the script took more than {self.limits.steps:,} steps; look for a loop that does not end, "
                "or for one inside another"
            )
            raise ScriptLimitError(message)

    def check_size(self, size: int) -> None:
        """Refuses a value that would be too large, before it is made."""
        if size > self.limits.value_size:
            message = (
                f"a value would have {size:,} characters or elements; at most {self.limits.value_size:,} are "
                "possible, so look for a loop that lets it grow"
            )
            raise ScriptLimitError(message)

    def made(self, value: object, *holders: object) -> None:
        """Counts a new value; every now and then it measures what the holders hold."""
        size = size_of(value)
        if size >= 1024:
            self.check_size(size)
            self.step(size >> 10)
        self._produced += size + _BYTES_OF_A_VALUE
        if self._produced > _MEASURE_EVERY:
            self._produced = 0
            self._check_held(holders)

    def _check_held(self, holders: tuple[object, ...]) -> None:
        held = measure(holders, self.limits.held_size)
        if held > self.limits.held_size:
            raise ScriptLimitError(
                f"the variables hold more than {self.limits.held_size:,} bytes together; look for a loop "
                "that collects without end"
            )


def size_of(value: object) -> int:
    """Characters, bytes or elements of a value; 1 for a scalar."""
    return len(cast("Sized", value)) if isinstance(value, str | bytes | list | dict) else 1


def measure(holders: object, enough: int) -> int:
    """About how many bytes are reached from here, each value counted once; stops counting above `enough`."""
    seen: set[int] = set()
    waiting: list[object] = [holders]
    total = 0
    while waiting and total <= enough:
        value = waiting.pop()
        if id(value) in seen:
            continue
        seen.add(id(value))
        total += _BYTES_OF_A_VALUE
        if isinstance(value, str | bytes):
            total += len(value)
        elif isinstance(value, Mapping):
            members = cast("Mapping[object, object]", value)
            waiting.extend(members.values())
            waiting.extend(members.keys())
        elif isinstance(value, list | tuple):
            elements = cast("Sequence[object]", value)
            total += 8 * len(elements)
            waiting.extend(elements)
    return total

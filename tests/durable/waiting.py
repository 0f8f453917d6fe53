"""Waiting for something to happen, for longer than any machine may take."""

import time
from collections.abc import Callable

PATIENCE = 30.0


def until(happened: Callable[[], object], what: str, seconds: float = PATIENCE) -> None:
    """Returns when it has happened. what: for the message if it has not."""
    ends = time.monotonic() + seconds
    while not happened():
        assert time.monotonic() < ends, f"waited {seconds:g} s in vain for: {what}"
        time.sleep(0.02)

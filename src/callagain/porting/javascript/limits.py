"""How much a JavaScript step may do."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class JavaScriptLimits:
    """The limits of one run of a script.

    seconds: processor time, of the whole process while the script runs; it also ends when twice as much time
    has gone by. memory: bytes of all that the script holds.
    """

    seconds: float = 10.0
    memory: int = 256 * 1024 * 1024


DEFAULT_LIMITS = JavaScriptLimits()

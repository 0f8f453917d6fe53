"""The entries of a run's log. A run is its inputs and this log; nothing else ever enters it.

Each entry is JSON-able, and is the same whether it happens or is replayed.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Literal, TypeAlias

from callagain.engine.commands import Key
from callagain.engine.json_text import Json


@dataclass(frozen=True, slots=True)
class Intent:
    """The command of this key is about to be performed. `digest` is the SHA-256 of the command."""

    key: Key
    digest: str


@dataclass(frozen=True, slots=True)
class Receipt:
    """What came of the command. Receipts arrive in any order.

    `value` is an object with the `seconds` that it took, retries and waits included, if it was performed.
    """

    key: Key
    value: Json


@dataclass(frozen=True, slots=True)
class Held:
    """The command may not be performed yet; `why` is an error kind of a suspended run. abandoned: it ran out
    of time in a thread, and may still be running there."""

    key: Key
    why: str
    abandoned: bool = False


@dataclass(frozen=True, slots=True)
class Decision:
    """Somebody decided about a held command, of which they saw the digest.

    release: perform it. answer: do not; `value` is its receipt. edit: perform it with `value` (a JSON
    object) as its arguments.
    """

    key: Key
    digest: str
    verdict: Literal["release", "answer", "edit"]
    value: Json = None


@dataclass(frozen=True, slots=True)
class Resumed:
    """The run leaves `limit` or `failed`, with `changes` to its limits, by their names.

    It goes back into the last operation that had something performed. Its receipts are kept, so that calls
    which were open at a limit are run first; discard: its request is made again (after a failure), but no
    tool is called again.
    """

    changes: Mapping[str, Json] = field(default_factory=dict[str, Json])
    discard: bool = False


Entry: TypeAlias = Intent | Receipt | Held | Decision | Resumed
"""An entry of the log that a run is a fold over."""

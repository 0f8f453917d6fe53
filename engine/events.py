"""What happens while a run is driven, in order: drivers yield these; logs, progress and viewers read them."""

from dataclasses import dataclass
from typing import TypeAlias

from callagain.engine.commands import Command, Key
from callagain.engine.json_text import Json
from callagain.engine.run import Outcome, Step
from callagain.engine.wire.deltas import ArgumentsDelta, ReasoningDelta, TextDelta


@dataclass(frozen=True, slots=True)
class OperationEnded:
    """An operation has ended. `seconds` counts from the end of the one before, waiting included."""

    step: Step
    seconds: float


@dataclass(frozen=True, slots=True)
class CommandStarted:
    """A command is about to be performed."""

    key: Key
    command: Command


@dataclass(frozen=True, slots=True)
class CommandEnded:
    """A command has its receipt."""

    key: Key
    command: Command
    receipt: Json
    seconds: float


@dataclass(frozen=True, slots=True)
class CommandHeld:
    """A command waits for a decision."""

    key: Key
    command: Command
    why: str


@dataclass(frozen=True, slots=True)
class CommandDecided:
    """Somebody decided about a command that was held. verdict: as in `log_entries.Decision`."""

    key: Key
    command: Command
    verdict: str


@dataclass(frozen=True, slots=True)
class CommandDelayed:
    """A command waits for its turn, `seconds` from now: the throttle lets no more requests go out yet."""

    key: Key
    command: Command
    seconds: float


@dataclass(frozen=True, slots=True)
class AttemptDiscarded:
    """An attempt at a request brought nothing, and another one follows in `seconds`.

    All pieces of a response since CommandStarted, or since the last of these, are void. attempt: which one it
    was, from 1. kind, why: what came of it, in the words of the error kinds.
    """

    key: Key
    command: Command
    attempt: int
    kind: str
    why: str
    seconds: float


@dataclass(frozen=True, slots=True)
class RunEnded:
    """The run has come to its outcome."""

    outcome: Outcome


Event: TypeAlias = (
    OperationEnded
    | CommandStarted
    | CommandDelayed
    | TextDelta
    | ReasoningDelta
    | ArgumentsDelta
    | AttemptDiscarded
    | CommandEnded
    | CommandHeld
    | CommandDecided
    | RunEnded
)
"""What happens in a run, as whoever watches it is told."""

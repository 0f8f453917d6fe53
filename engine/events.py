"""What happens while a run is driven, in order: drivers yield these; logs, progress and viewers read them."""

from dataclasses import dataclass
from typing import TypeAlias

from callagain.engine.commands import Command, Key
from callagain.engine.json_text import Json
from callagain.engine.run import Outcome, Step


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
class RunEnded:
    """The run has come to its outcome."""

    outcome: Outcome


Event: TypeAlias = OperationEnded | CommandStarted | CommandEnded | CommandHeld | RunEnded

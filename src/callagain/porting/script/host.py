"""What a script needs from outside: the variables, other scripts and operations, the log, the clock."""

import random
import time
from collections.abc import Callable, Mapping, MutableMapping, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime
from typing import NamedTuple, Protocol

from callagain.porting.script.errors import ScriptError, ScriptValueError
from callagain.porting.script.limits import Meter
from callagain.porting.script.tags import Tag
from callagain.porting.script.values import Value


class OperationFailed(Exception):
    """An operation that a script ran has failed: RunOperation gives false, GetLastError this message."""


class Caller(NamedTuple):
    """The script that runs another one or an operation: how deep it is, and what is left of its limits."""

    nesting: int
    meter: Meter


class Host(Protocol):
    """What runs a script, as the script sees it. `LocalHost` is one that holds everything itself.

    A method may raise any ScriptError; other exceptions are the host's own and go through the interpreter as
    they are. A `caller` is passed on to `run_script`, so that scripts that run each other come to an end, and
    have one limit together.
    """

    @property
    def variables(self) -> MutableMapping[str, Value]:
        """The global variables by name without `$`: project variables and those of `jitterbit.` too."""
        ...

    @property
    def cache(self) -> MutableMapping[str, Value]:
        """What ReadCache and WriteCache share."""
        ...

    @property
    def chance(self) -> random.Random:
        """Where GUID, Random and RandomString come from."""
        ...

    def run_script(self, tag: Tag, arguments: Sequence[Value], caller: Caller) -> Value:
        """Runs another script, and gives its value."""
        ...

    def run_operation(self, tag: Tag, synchronous: bool, caller: Caller) -> None:
        """Runs an operation. Raises OperationFailed if it fails."""
        ...

    def cancel_operation_chain(self, message: str) -> None:
        """Keeps the operations that follow on this one from being run."""
        ...

    def write_to_operation_log(self, message: str) -> None:
        """Takes a line for the operation log."""
        ...

    def now(self) -> datetime:
        """The time; one with a zone is converted to UTC."""
        ...

    def sleep(self, seconds: float) -> None:
        """Waits."""
        ...


ScriptRunner = Callable[[Sequence[Value], Caller], Value]
OperationRunner = Callable[[Caller], None]


@dataclass
class LocalHost:
    """A host in memory, for scripts that are run alone, and for tests.

    variables: read and written by the scripts. scripts: by name; each is called with the arguments and the
    caller: `lambda arguments, caller: run_script(text, host=host, arguments=arguments, caller=caller)`.
    operations: by name, called with the caller; one that raises OperationFailed has failed. log: the lines
    written. clock, waiting: replace them to set the time, or to wait for nothing. cancelled: the messages of
    CancelOperationChain.
    """

    variables: MutableMapping[str, Value] = field(default_factory=dict[str, Value])
    scripts: Mapping[str, ScriptRunner] = field(default_factory=dict[str, ScriptRunner])
    operations: Mapping[str, OperationRunner] = field(default_factory=dict[str, OperationRunner])
    log: list[str] = field(default_factory=list[str])
    cancelled: list[str] = field(default_factory=list[str])
    cache: MutableMapping[str, Value] = field(default_factory=dict[str, Value])
    chance: random.Random = field(default_factory=random.Random)
    clock: Callable[[], datetime] = field(default=lambda: datetime.now(UTC))
    waiting: Callable[[float], None] = field(default=time.sleep)

    def run_script(self, tag: Tag, arguments: Sequence[Value], caller: Caller) -> Value:
        if tag.name not in self.scripts:
            raise ScriptValueError(_unknown("script", tag, self.scripts))
        return self.scripts[tag.name](arguments, caller)

    def run_operation(self, tag: Tag, synchronous: bool, caller: Caller) -> None:  # noqa: ARG002
        """Runs it at once, whether synchronous or not.

        An operation whose script fails has failed. Limits and mistakes such as an unknown function go on as
        errors: a controller that does not look at what RunOperation gives would hide them.
        """
        if tag.name not in self.operations:
            raise ScriptValueError(_unknown("operation", tag, self.operations))
        try:
            self.operations[tag.name](caller)
        except ScriptError as error:
            if not error.caught_by_eval:
                raise
            raise OperationFailed(error.message) from error

    def cancel_operation_chain(self, message: str) -> None:
        self.cancelled.append(message)

    def write_to_operation_log(self, message: str) -> None:
        self.log.append(message)

    def now(self) -> datetime:
        return self.clock()

    def sleep(self, seconds: float) -> None:
        self.waiting(seconds)


def _unknown(kind: str, tag: Tag, known: Mapping[str, object]) -> str:
    names = ", ".join(sorted(known)) or "none"
    return f"the project has no {kind} '{tag.name}'; known: {names}"

"""A run of a script as the functions see it."""

from collections.abc import MutableMapping
from datetime import datetime
from typing import Protocol

from callagain.porting.script.errors import ScriptLimitError, Source
from callagain.porting.script.host import Host
from callagain.porting.script.limits import Meter
from callagain.porting.script.modes import Mode
from callagain.porting.script.scopes import Scope
from callagain.porting.script.syntax import Expression, Statements, Target
from callagain.porting.script.values import Value


class Run(Protocol):
    """What a function may ask of the run that calls it; `Interpreter` is one."""

    source: Source
    host: Host
    mode: Mode
    nesting: int
    scope: Scope
    meter: Meter
    last_error: str

    @property
    def variables(self) -> MutableMapping[str, Value]:
        """The global variables by name, without `$`."""
        ...

    def value_of(self, statements: Statements) -> Value:
        """The value of an argument, which is evaluated by this."""
        ...

    def is_true(self, statements: Statements) -> bool:
        """The value of an argument as a condition."""
        ...

    def evaluate(self, node: Expression) -> Value:
        """The value of an expression."""
        ...

    def assign(self, target: Target, value: Value) -> None:
        """Sets a variable or an element."""
        ...

    def limit(self, variable: str, default: int) -> int:
        """A limit that the Jitterbit variable of this name may set."""
        ...

    def too_nested(self) -> ScriptLimitError:
        """The error for scripts that run each other without end."""
        ...

    def set_last_error(self, message: str) -> None:
        """What GetLastError gives from now on."""
        ...

    def now(self) -> datetime:
        """The time of the agent, without a zone."""
        ...

"""The report of a port, as data."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum

from callagain.porting.design.model import SourcePlace


class Status(StrEnum):
    """What became of a component."""

    CONVERTED = "converted"
    CONVERTED_WITH_NOTES = "converted with notes"
    KEPT_AS_SCRIPT = "kept as script"
    STUB = "stub"
    IGNORED = "ignored"


@dataclass(frozen=True, slots=True)
class Component:
    """A component of the design: kind and name as there, and `became`, its place in the package."""

    kind: str
    name: str
    place: SourcePlace
    status: Status
    became: str | None = None
    notes: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class FoundTrap:
    """A semantic trap of this design: what the design does, and what the Python does instead.

    trap: a short stable name, such as "missing path". line, column count from 1, in the script.
    """

    trap: str
    script: str
    place: SourcePlace
    design_does: str
    python_does: str
    line: int | None = None
    column: int | None = None


@dataclass(frozen=True, slots=True)
class UnresolvedTag:
    """A tag of a script that names nothing the design has."""

    tag: str
    script: str
    line: int
    column: int


@dataclass(frozen=True, slots=True)
class UnknownFunction:
    """A function that the interpreter does not have, with the scripts that call it, and how often in all."""

    name: str
    scripts: tuple[str, ...]
    calls: int


@dataclass(frozen=True, slots=True)
class Report:
    """Everything that is said about a port.

    inventory: kind of component to how many the design has. names: Jitterbit name to Python name, by kind
    ("operation", "script", "variable", "tool"). secrets: what has to be entered anew, by name. guesses: as
    text with their places.
    """

    design: str
    form: str
    package: str
    inventory: Mapping[str, int]
    components: tuple[Component, ...]
    unknown_functions: tuple[UnknownFunction, ...] = ()
    unresolved_tags: tuple[UnresolvedTag, ...] = ()
    traps: tuple[FoundTrap, ...] = ()
    names: Mapping[str, Mapping[str, str]] = field(default_factory=dict[str, Mapping[str, str]])
    secrets: tuple[str, ...] = ()
    guesses: tuple[str, ...] = ()
    diagram: str = ""

    @property
    def stubs(self) -> tuple[Component, ...]:
        return tuple(component for component in self.components if component.status is Status.STUB)

    @property
    def exit_code(self) -> int:
        """0, or 1 while stubs remain."""
        return 1 if self.stubs else 0

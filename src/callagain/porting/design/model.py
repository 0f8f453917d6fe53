"""A design, whatever it was read from: its workflows, operations, scripts, variables, tools.

Names are what the tags of scripts refer to, so everything is known by it; a reader that meets two of one
name keeps both, and says so as a guess. Nothing here holds a secret: a reader leaves its value out.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum


@dataclass(frozen=True, slots=True)
class SourcePlace:
    """Where something stands in the export: a file, and inside of it a path, an id or a line."""

    file: str
    inside: str = ""

    def __str__(self) -> str:
        return f"{self.file}: {self.inside}" if self.inside else self.file


class Language(StrEnum):
    """What a script is written in."""

    JITTERBIT_SCRIPT = "jitterbit script"
    JAVASCRIPT = "javascript"


class StepKind(StrEnum):
    """What a step of an operation is."""

    SCRIPT = "script"
    ACTIVITY = "activity"
    OPERATION = "operation"
    """The Invoke Operation tool."""
    TRANSFORMATION = "transformation"
    EMAIL = "email"
    UNKNOWN = "unknown"


@dataclass(frozen=True, slots=True)
class Step:
    """A step of an operation: what it is, and the name of what it runs."""

    kind: StepKind
    name: str


@dataclass(frozen=True, slots=True)
class Operation:
    """Steps in their order, and the operations that follow: On Success, On Fail, by name."""

    name: str
    steps: tuple[Step, ...]
    place: SourcePlace
    on_success: str | None = None
    on_fail: str | None = None


@dataclass(frozen=True, slots=True)
class Workflow:
    """A group of operations, by name."""

    name: str
    operations: tuple[str, ...]
    place: SourcePlace


@dataclass(frozen=True, slots=True)
class Script:
    """A script of the design. The text is that between the `<trans>` or `<javascript>` marks."""

    name: str
    language: Language
    text: str
    place: SourcePlace


@dataclass(frozen=True, slots=True)
class Activity:
    """A step that talks to an endpoint. `connector` and `function` are as the export calls them.

    properties: flat names and values, without secrets: URL, path, method, body, as far as they are known.
    secrets: the names of properties whose values have to be entered anew.
    """

    name: str
    connector: str
    function: str
    polarity: str
    place: SourcePlace
    connection: str = ""
    properties: Mapping[str, str] = field(default_factory=dict[str, str])
    secrets: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Connection:
    """An endpoint. secrets: the names of properties whose values have to be entered anew."""

    name: str
    connector: str
    place: SourcePlace
    properties: Mapping[str, str] = field(default_factory=dict[str, str])
    secrets: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Variable:
    """A project variable (default: its value, None for one that is secret), or a global one of scripts."""

    name: str
    place: SourcePlace
    is_project: bool = True
    default: str | None = None
    is_secret: bool = False


@dataclass(frozen=True, slots=True)
class ToolSchema:
    """What the model is told of a tool; parameters is a JSON Schema."""

    name: str
    description: str
    parameters: Mapping[str, object]
    place: SourcePlace


@dataclass(frozen=True, slots=True)
class Flow:
    """A node of a drawn flowchart, and where its edges lead: (label of the edge, id of the node)."""

    id: str
    kind: str
    text: str
    place: SourcePlace
    edges: tuple[tuple[str, str], ...] = ()


@dataclass(frozen=True, slots=True)
class Ignored:
    """A component that has no place in a Python package, such as a schema document or a schedule."""

    kind: str
    name: str
    place: SourcePlace
    why: str


@dataclass(frozen=True, slots=True)
class Guess:
    """What the export does not say, and what it was taken for."""

    text: str
    place: SourcePlace


@dataclass(frozen=True, slots=True)
class Design:
    """What a reader found. `form` is what it was read from, such as "Studio export"."""

    name: str
    form: str
    workflows: tuple[Workflow, ...] = ()
    operations: tuple[Operation, ...] = ()
    scripts: tuple[Script, ...] = ()
    activities: tuple[Activity, ...] = ()
    connections: tuple[Connection, ...] = ()
    variables: tuple[Variable, ...] = ()
    tools: tuple[ToolSchema, ...] = ()
    flowchart: tuple[Flow, ...] = ()
    ignored: tuple[Ignored, ...] = ()
    guesses: tuple[Guess, ...] = ()

    def operation(self, name: str) -> Operation | None:
        return next((operation for operation in self.operations if operation.name == name), None)

    def script(self, name: str) -> Script | None:
        return next((script for script in self.scripts if script.name == name), None)

    def activity(self, name: str) -> Activity | None:
        return next((activity for activity in self.activities if activity.name == name), None)

"""What is known of one script: what it writes, what it reads out of JSON, and what it runs."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import TypeAlias

from callagain.porting.design.model import Guess, Script, SourcePlace
from callagain.porting.recognition.values import Part, Template, Value
from callagain.porting.script import Place, syntax

_MAX_CHARACTERS_OF_TEMPLATES = 1_000_000

Branch: TypeAlias = tuple[tuple[int, int], ...]
"""Where in nested calls of If, Case and While something stands: each call, and the number of the argument."""


@dataclass(frozen=True, slots=True)
class Write:
    """An assignment. by: how far it counts up or down from what the variable was; None for another one."""

    name: str
    value: Value
    place: Place
    is_global: bool = True
    branch: Branch = ()
    by: float | None = None

    @property
    def line(self) -> int:
        return self.place.line


@dataclass(frozen=True, slots=True)
class Run:
    """A call of RunOperation or RunScript. name: None if it is computed, out of the pieces of `tag`."""

    kind: str
    name: str | None
    tag: Value
    place: Place

    @property
    def line(self) -> int:
        return self.place.line


@dataclass(frozen=True, slots=True)
class Facts:
    """A script as recognition sees it. tree: None for JavaScript, and for what does not parse.

    runs, values: by the identity of their nodes in the tree. templates: the writes of what can be JSON text.
    """

    script: Script
    tree: syntax.Script | None = None
    writes: tuple[Write, ...] = ()
    parts: tuple[Part, ...] = ()
    runs: Mapping[int, Run] = field(default_factory=dict[int, Run])
    values: Mapping[int, Value] = field(default_factory=dict[int, Value])
    templates: tuple[tuple[Write, Template], ...] = ()

    @property
    def name(self) -> str:
        return self.script.name

    @property
    def global_writes(self) -> Iterable[Write]:
        return (write for write in self.writes if write.is_global)

    def value_of(self, node: syntax.Node) -> Value:
        return self.values.get(id(node), Value())

    def runs_in(self, node: syntax.Node) -> list[Run]:
        """What is run in a part of the tree, in the order of the text."""
        found = [(each.place, self.runs[id(each)]) for each in calls_in(node) if id(each) in self.runs]
        return [run for _, run in sorted(found, key=lambda pair: pair[0])]


def templates_of(writes: Iterable[Write]) -> tuple[tuple[Write, Template], ...]:
    """All texts with holes that a script writes and that can be JSON; beyond all measure the first ones."""
    found: list[tuple[Write, Template]] = []
    size = 0
    for write in writes:
        if any(isinstance(piece, str) and '"' in piece for piece in write.value.pieces):
            size += write.value.size
            if size > _MAX_CHARACTERS_OF_TEMPLATES:
                break
            found.append((write, Template(write.value)))
    return tuple(found)


def calls_in(node: syntax.Node, *names: str) -> list[syntax.Call]:
    """The calls in a part of a tree of these functions (in lower case; of all if none is given), in order."""
    found = (each for each, _ in syntax.walk(node) if isinstance(each, syntax.Call))
    return sorted((each for each in found if not names or each.name.lower() in names), key=_place)


def assignments_in(node: syntax.Node) -> list[syntax.Assignment]:
    """The assignments in a part of a tree, in order."""
    found = (each for each, _ in syntax.walk(node) if isinstance(each, syntax.Assignment))
    return sorted(found, key=_place)


def variables_in(node: syntax.Node) -> frozenset[str]:
    """The global and local variables that are named in a part of a tree."""
    return frozenset(
        each.name for each, _ in syntax.walk(node) if isinstance(each, syntax.Global | syntax.Local)
    )


def place_of(script: Script, line: int | None = None) -> SourcePlace:
    """A line of a script, as a place of the export."""
    if line is None:
        return script.place
    inside = f"{script.place.inside}, line {line}" if script.place.inside else f"line {line}"
    return SourcePlace(script.place.file, inside)


def guess_in(script: Script, text: str, line: int | None = None) -> Guess:
    return Guess(f"script '{script.name}': {text}", place_of(script, line))


def _place(node: syntax.Call | syntax.Assignment) -> Place:
    return node.place

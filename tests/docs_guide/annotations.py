"""What the docstrings of the code say about the guide, read in the syntax trees.

A docstring has at most one line that names the elements of the guide which stand there, any number that name
those of a part of it (a row of the table, an attribute of the variables, or `every row`), and any number of
departures, each with the elements that it is about, up to the next one or to a blank line:

    Guide: operation LLM Call, HTTP v2.
    Guide in append_tool_result → llm_call: link back.
    Departs from the guide in first call: the guide reads one call of a response; here all of them are run.

Besides, an operation says in the sentence that begins with "Writes" which variables it sets.
"""

import ast
import inspect
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from itertools import zip_longest
from pathlib import Path

# In the order in which places are named.
FOLDERS = ("operations", "src/callagain", "engine", "diagrams")
OPERATIONS = "operations/"
# The class whose attributes have the names of the guide's variables.
VARIABLES = ("engine/variables.py", "Variables")

_GUIDE = re.compile(r"^Guide:(?: (?P<ids>.+)\.$)?", re.MULTILINE)
_GUIDE_IN = re.compile(r"^Guide in\b(?: (?P<part>[^:]+): (?P<ids>.+)\.$)?", re.MULTILINE)
_DEPARTS = re.compile(
    r"^Departs from the guide\b(?: in (?P<ids>[^:]+): (?P<text>.+?)(?=\n\n|\n(?:Guide|Departs)\b|\Z))?",
    re.MULTILINE | re.DOTALL,
)
_WRITES = re.compile(r"\bWrites .+?\.(?=\s|\Z)", re.DOTALL)


@dataclass(frozen=True, slots=True)
class Place:
    """A module, class, function or attribute: its file from the top of the checkout, and its line there.

    name: as `Variables.InAndOut`; of a module, its file, or the folder of a package. summary: the first
    sentence that is said of it.
    """

    path: str
    line: int
    name: str
    summary: str = ""

    def __str__(self) -> str:
        return f"{self.path}:{self.line}: {self.name}"


@dataclass(frozen=True, slots=True)
class Part:
    """An element that stands in a part of a place: `source → target`, `every row`, or an attribute's name."""

    id: str
    place: Place
    name: str


@dataclass(frozen=True, slots=True)
class Departure:
    """What is otherwise than in the guide, and why."""

    place: Place
    ids: tuple[str, ...]
    text: str


@dataclass(frozen=True, slots=True)
class Annotations:
    """All that the code says.

    here: an element, and a place where it stands. parts: the same for parts of a place. writers: a name, and
    an operation that says it writes it. attributes: those of the class Variables, by their names. malformed:
    what has not the form.
    """

    here: list[tuple[str, Place]] = field(default_factory=list[tuple[str, Place]])
    parts: list[Part] = field(default_factory=list[Part])
    departures: list[Departure] = field(default_factory=list[Departure])
    writers: list[tuple[str, Place]] = field(default_factory=list[tuple[str, Place]])
    attributes: dict[str, Place] = field(default_factory=dict[str, Place])
    malformed: list[Place] = field(default_factory=list[Place])


def sources_of(root: Path) -> list[tuple[str, str]]:
    """The path and the text of every file of the code; a linked folder is read where it really is."""
    files = [
        file
        for folder in FOLDERS
        for file in sorted((root / folder).rglob("*.py"))
        if file.resolve().is_relative_to((root / folder).resolve())
    ]
    return [(file.relative_to(root).as_posix(), file.read_text("utf-8")) for file in files]


def annotations_in(sources: Sequence[tuple[str, str]]) -> Annotations:
    """What these files say, each given by its path and its text."""
    found = Annotations()
    for path, text in sources:
        tree = ast.parse(text, path)
        for place, docstring in _docstrings(path, tree):
            text = inspect.cleandoc(docstring)
            _read(replace(place, summary=_summary(text)), text, found)
        if path == VARIABLES[0]:
            found.attributes.update(_attributes(path, tree))
    return found


def _read(place: Place, text: str, found: Annotations) -> None:
    lines, departures = list(_GUIDE.finditer(text)), list(_DEPARTS.finditer(text))
    parts = list(_GUIDE_IN.finditer(text))
    if len(lines) > 1 or any(match["ids"] is None for match in (*lines, *parts, *departures)):
        found.malformed.append(place)
        return
    found.here.extend((each, place) for match in lines for each in _ids(match["ids"]))
    found.parts.extend(Part(each, place, match["part"]) for match in parts for each in _ids(match["ids"]))
    found.departures.extend(
        Departure(place, _ids(match["ids"]), " ".join(match["text"].split())) for match in departures
    )
    if place.path.startswith(OPERATIONS) and (writes := _WRITES.search(text)) is not None:
        found.writers.extend((word, place) for word in re.findall(r"\w+", writes[0]))


def _ids(text: str) -> tuple[str, ...]:
    return tuple(each.strip() for each in " ".join(text.split()).split(","))


def _summary(text: str) -> str:
    """The first sentence, or what stands before the first example."""
    paragraph = " ".join(text.split("\n\n")[0].split())
    return re.split(r"(?<=\.)\s", paragraph)[0].rstrip(".:")


def _docstrings(path: str, tree: ast.Module) -> Iterator[tuple[Place, str]]:
    """Of the module, of its classes and functions, and those below attributes and constants."""
    if (docstring := ast.get_docstring(tree, clean=False)) is not None:
        yield Place(path, 1, path.removesuffix("/__init__.py").rpartition("/")[2]), docstring
    yield from _docstrings_inside(path, tree, ())


def _docstrings_inside(path: str, node: ast.AST, names: tuple[str, ...]) -> Iterator[tuple[Place, str]]:
    body: list[ast.stmt] = getattr(node, "body", [])
    for statement, following in zip_longest(body, body[1:]):
        if isinstance(statement, ast.ClassDef | ast.FunctionDef | ast.AsyncFunctionDef):
            inner = (*names, statement.name)
            if (docstring := ast.get_docstring(statement, clean=False)) is not None:
                yield Place(path, statement.lineno, ".".join(inner)), docstring
            yield from _docstrings_inside(path, statement, inner)
        elif (name := _assigned(statement)) and (docstring := _text_of(following)) is not None:
            yield Place(path, statement.lineno, ".".join((*names, name))), docstring


def _attributes(path: str, tree: ast.Module) -> dict[str, Place]:
    """The fields and properties of the class of the variables."""
    (variables,) = (
        each for each in tree.body if isinstance(each, ast.ClassDef) and each.name == VARIABLES[1]
    )
    names = {
        each.name if isinstance(each, ast.FunctionDef) else _assigned(each): each.lineno
        for each in variables.body
    }
    return {name: Place(path, line, f"{VARIABLES[1]}.{name}") for name, line in names.items() if name}


def _assigned(statement: ast.stmt) -> str:
    target: ast.expr | None = None
    if isinstance(statement, ast.AnnAssign):
        target = statement.target
    elif isinstance(statement, ast.Assign) and len(statement.targets) == 1:
        target = statement.targets[0]
    return target.id if isinstance(target, ast.Name) else ""


def _text_of(statement: ast.stmt | None) -> str | None:
    if isinstance(statement, ast.Expr) and isinstance(statement.value, ast.Constant):
        return statement.value.value if isinstance(statement.value.value, str) else None
    return None

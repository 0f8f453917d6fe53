"""Who may import whom, what the core does without, and how large things get; read in the syntax trees."""

import ast
import tomllib
from collections.abc import Collection, Iterator
from dataclasses import dataclass
from graphlib import CycleError, TopologicalSorter
from itertools import groupby
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]

# Where the modules of a folder are when they are imported; the first name that fits counts.
IMPORTED_AS = {
    "engine": "callagain.engine",
    "operations": "callagain.operations",
    "diagrams": "callagain.diagrams",
    "src/callagain": "callagain",
}
BESIDE = ("tests", "examples", "benchmarks")
# Packages of their own, as `callagain port` writes them.
PORTED = ROOT / "examples" / "ported"

ENGINE, OPERATIONS, DIAGRAMS = "callagain.engine", "callagain.operations", "callagain.diagrams"
CHAINS, EXTENSIONS = "callagain.chains", "callagain.extensions"
CONNECTORS, TESTING, CLI = "callagain.connectors", "callagain.testing", "callagain.cli"
TOOL_CHECK, DURABLE = "callagain.tool_check", "callagain.durable"
VIEWER = "callagain.viewer"
SCENARIOS, SERVING = "callagain.scenarios", "callagain.serving"
MCP, TELEMETRY = "callagain.mcp", "callagain.telemetry"
PORTING, SCRIPT = "callagain.porting", "callagain.porting.script"
# What stands directly in src/callagain: the public names, the loop and what belongs to it.
LOOP = "callagain"

BELOW_THE_LOOP = {ENGINE, OPERATIONS, CHAINS, EXTENSIONS, DIAGRAMS}
# Each room, and the other rooms it may import; a module is in the room with the longest name that fits.
MAY_IMPORT: dict[str, set[str]] = {
    ENGINE: set(),
    OPERATIONS: {ENGINE},
    CHAINS: {ENGINE, OPERATIONS},
    EXTENSIONS: {ENGINE, OPERATIONS},
    DIAGRAMS: {ENGINE, OPERATIONS},
    # Draws the chains of the project, so it must know them.
    f"{DIAGRAMS}.__main__": BELOW_THE_LOOP,
    CONNECTORS: BELOW_THE_LOOP,
    TESTING: BELOW_THE_LOOP,
    TOOL_CHECK: {ENGINE},
    MCP: {ENGINE, CONNECTORS},
    LOOP: BELOW_THE_LOOP | {CONNECTORS},
    DURABLE: BELOW_THE_LOOP | {CONNECTORS, LOOP},
    SCENARIOS: BELOW_THE_LOOP | {CONNECTORS, TESTING, LOOP},
    SERVING: {ENGINE, LOOP},
    TELEMETRY: {ENGINE, LOOP},
    VIEWER: BELOW_THE_LOOP | {LOOP},
    SCRIPT: {ENGINE},
    PORTING: BELOW_THE_LOOP | {CONNECTORS, TESTING, LOOP, SCRIPT},
    CLI: BELOW_THE_LOOP
    | {CONNECTORS, TESTING, TOOL_CHECK, DURABLE, LOOP, SCENARIOS, VIEWER, PORTING, SERVING},
    f"{LOOP}.__main__": {CLI},
}

# The core decides, and drivers do: clocks, threads, chance, files and the network are theirs. The journal's
# store is a file.
DRIVERS, STORE = f"{ENGINE}.drivers", f"{ENGINE}.journal.store"
NOT_IN_THE_CORE = {
    "asyncio", "concurrent", "datetime", "http", "httpx2", "multiprocessing", "openai", "os", "random",
    "secrets", "socket", "sqlite3", "structlog", "subprocess", "tempfile", "threading", "time", "urllib",
    "uuid",
}  # fmt: skip

# Tool.from_function and Tool.from_model lead to the modules that make tools, and import them when called.
WHEN_CALLED = {
    (f"{CONNECTORS}.tools.tool", f"{CONNECTORS}.tools.from_function"),
    (f"{CONNECTORS}.tools.tool", f"{CONNECTORS}.tools.from_model"),
}

LINES_OF_A_FILE = 400
LINES_OF_A_FUNCTION = 50


@dataclass(frozen=True, slots=True)
class Source:
    """A file, its path from the top of the checkout, and the module that it is."""

    path: str
    module: str
    text: str
    tree: ast.Module

    @property
    def is_ours(self) -> bool:
        return _is_in(self.module, LOOP)

    @property
    def is_core(self) -> bool:
        outside = _is_in(self.module, DRIVERS) or _is_in(self.module, STORE)
        return _room_of(self.module) in (ENGINE, OPERATIONS) and not outside


@dataclass(frozen=True, slots=True)
class Import:
    """`from engine.table import LINKS`: file and line, the module, and the name that is taken of it."""

    place: str
    module: str
    name: str | None = None


def source_of(path: str, text: str) -> Source:
    folder = next((each for each in IMPORTED_AS if path.startswith(f"{each}/")), "")
    parts = (IMPORTED_AS.get(folder, "") + path.removeprefix(folder).removesuffix(".py")).split("/")
    return Source(path, ".".join(parts).removesuffix(".__init__"), text, ast.parse(text, path))


def read_sources() -> list[Source]:
    files = [file for folder in (*IMPORTED_AS, *BESIDE) for file in (ROOT / folder).rglob("*.py")]
    ours = sorted(file for file in files if not file.is_relative_to(PORTED))
    return [source_of(str(file.relative_to(ROOT)), file.read_text("utf-8")) for file in ours]


@pytest.fixture(scope="module")
def sources() -> list[Source]:
    return read_sources()


def imports_of(source: Source) -> Iterator[Import]:
    """All imports, those inside functions and under TYPE_CHECKING too; a relative one begins with a dot."""
    for node in ast.walk(source.tree):
        if isinstance(node, ast.Import):
            yield from (Import(f"{source.path}:{node.lineno}", each.name) for each in node.names)
        elif isinstance(node, ast.ImportFrom):
            module = "." * node.level + (node.module or "")
            yield from (Import(f"{source.path}:{node.lineno}", module, each.name) for each in node.names)


def not_allowed_between_rooms(sources: list[Source]) -> Iterator[str]:
    modules = {source.module for source in sources}
    for source in filter(lambda each: each.is_ours, sources):
        room = _room_of(source.module)
        for found in imports_of(source):
            target = _target_of(found, modules)
            if _is_in(target, LOOP) and _room_of(target) not in {room, *MAY_IMPORT[room]}:
                allowed = ", ".join(sorted(MAY_IMPORT[room])) or "nothing else of callagain"
                yield f"{found.place}: imports {target}; {room} may import {allowed}"


def not_allowed_in_the_core(sources: list[Source]) -> Iterator[str]:
    for source in filter(lambda each: each.is_core, sources):
        for found in imports_of(source):
            if _top(found.module) in NOT_IN_THE_CORE:
                yield f"{found.place}: imports {found.module}; the core is pure, this belongs to a driver"


def not_absolute(sources: list[Source]) -> Iterator[str]:
    for source in sources:
        for found in imports_of(source):
            if found.module.startswith("."):
                yield f"{found.place}: imports {found.module}; name the module in full, from callagain on"
            elif _top(found.module) in IMPORTED_AS:
                yield f"{found.place}: imports {found.module}; import callagain.{found.module}"


def too_large(sources: list[Source]) -> Iterator[str]:
    for source in filter(lambda each: each.is_ours, sources):
        lines = source.text.count("\n")
        if lines > LINES_OF_A_FILE:
            yield f"{source.path}:1: {lines} lines; part it by topic; {LINES_OF_A_FILE} are the most"
        for node in ast.walk(source.tree):
            if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
                lines = _lines_of_body(node)
                if lines > LINES_OF_A_FUNCTION:
                    place = f"{source.path}:{node.lineno}"
                    yield f"{place}: {node.name} has {lines} lines; {LINES_OF_A_FUNCTION} are the most"


def circle(sources: list[Source]) -> str:
    """The modules of a circle of imports, each imported by the next; empty if there is none."""
    modules = {source.module for source in sources}
    graph: TopologicalSorter[str] = TopologicalSorter()
    for source in filter(lambda each: each.is_ours, sources):
        targets = {_target_of(found, modules) for found in imports_of(source)}
        graph.add(source.module, *(each for each in targets if (source.module, each) not in WHEN_CALLED))
    try:
        graph.prepare()
    except CycleError as error:
        return " is imported by ".join(error.args[1])
    return ""


def _target_of(found: Import, modules: Collection[str]) -> str:
    """The imported module: `from a import b` means a.b where that is a module, and a where b is a name."""
    submodule = f"{found.module}.{found.name}"
    return submodule if submodule in modules else found.module


def _room_of(module: str) -> str:
    return max((room for room in MAY_IMPORT if _is_in(module, room)), key=len, default="")


def _is_in(module: str, package: str) -> bool:
    return module == package or module.startswith(f"{package}.")


def _top(module: str) -> str:
    return module.partition(".")[0]


def _lines_of_body(function: ast.FunctionDef | ast.AsyncFunctionDef) -> int:
    """Signature and docstring do not count: they are to be as long as the reader needs."""
    body = function.body[1:] if ast.get_docstring(function) is not None else function.body
    return (body[-1].end_lineno or 0) - body[0].lineno + 1 if body else 0


def test_each_room_imports_only_the_rooms_below_it(sources: list[Source]) -> None:
    problems = list(not_allowed_between_rooms(sources))
    assert not problems, "\n".join(problems)


def test_every_package_is_a_room_with_a_rule(sources: list[Source]) -> None:
    packages = {
        ".".join(source.module.split(".")[:2]) for source in sources if source.path.endswith("/__init__.py")
    }
    assert packages <= MAY_IMPORT.keys()


def test_no_modules_import_each_other_in_a_circle(sources: list[Source]) -> None:
    found = circle(sources)
    assert not found, found


def test_the_core_knows_no_clock_no_thread_no_chance_and_no_network(sources: list[Source]) -> None:
    problems = list(not_allowed_in_the_core(sources))
    assert not problems, "\n".join(problems)


def test_every_import_names_its_module_in_full(sources: list[Source]) -> None:
    problems = list(not_absolute(sources))
    assert not problems, "\n".join(problems)


def test_files_and_functions_stay_small(sources: list[Source]) -> None:
    problems = list(too_large(sources))
    assert not problems, "\n".join(problems)


def test_pyright_is_pointed_at_every_linked_folder() -> None:
    checked = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["tool"]["pyright"]["include"]
    links = [each for each in (ROOT / "src/callagain").iterdir() if each.is_symlink()]
    assert {str(link.relative_to(ROOT)) for link in links} <= set(checked)


def test_no_two_test_files_have_one_name() -> None:
    files = sorted((ROOT / "tests").rglob("test_*.py"), key=lambda file: file.name)
    groups = [list(group) for _, group in groupby(files, key=lambda file: file.name)]
    assert [[str(file.relative_to(ROOT)) for file in group] for group in groups if len(group) > 1] == []


@pytest.mark.parametrize(
    ("path", "text", "problem"),
    [
        (
            "engine/a.py",
            "from callagain.operations import X",
            "engine/a.py:1: imports callagain.operations; ",
        ),
        ("engine/a.py", "from callagain import operations", "engine/a.py:1: imports callagain; "),
        (
            "operations/a.py",
            "def f():\n  import callagain.loop",
            "operations/a.py:2: imports callagain.loop; ",
        ),
        ("diagrams/a.py", "from callagain.chains import X", "diagrams/a.py:1: imports callagain.chains; "),
        ("src/callagain/loop.py", "import callagain.cli", "src/callagain/loop.py:1: imports callagain.cli; "),
    ],
)
def test_an_import_of_a_room_above_is_told_with_file_and_line(path: str, text: str, problem: str) -> None:
    (told,) = not_allowed_between_rooms([source_of(path, text)])
    assert told.startswith(problem)


@pytest.mark.parametrize("path", ["engine/wire/a.py", "operations/a.py"])
def test_a_clock_in_the_core_is_told_with_file_and_line(path: str) -> None:
    source = source_of(path, "import json\nif True:\n  from time import monotonic\n")
    (told,) = not_allowed_in_the_core([source])
    assert told == f"{path}:3: imports time; the core is pure, this belongs to a driver"


def test_a_clock_in_a_driver_is_no_problem() -> None:
    assert not list(not_allowed_in_the_core([source_of("engine/drivers/a.py", "import time")]))


@pytest.mark.parametrize(
    "text", ["from .table import LINKS", "import engine.table", "from engine import table"]
)
def test_an_import_that_is_not_absolute_is_told_with_file_and_line(text: str) -> None:
    (told,) = not_absolute([source_of("tests/a.py", text)])
    assert told.startswith("tests/a.py:1: imports ")


def test_a_circle_is_told_with_its_modules() -> None:
    one = source_of("engine/one.py", "from callagain.engine import two")
    two = source_of("engine/two.py", "def f():\n  from callagain.engine.one import g")
    names = ["callagain.engine.one", "callagain.engine.two", "callagain.engine.one"]
    assert circle([one, two]) in (
        " is imported by ".join(names),
        " is imported by ".join(names[1:] + names[1:2]),
    )


def test_what_is_too_large_is_told_with_file_and_line() -> None:
    long_function = "def f():\n  '''\n  Doc\n  '''\n" + "  g()\n" * (LINES_OF_A_FUNCTION + 1)
    (told,) = too_large([source_of("engine/a.py", "\n" + long_function)])
    assert told == "engine/a.py:2: f has 51 lines; 50 are the most"
    (told,) = too_large([source_of("engine/a.py", "\n" * (LINES_OF_A_FILE + 1))])
    assert told.startswith("engine/a.py:1: 401 lines; ")

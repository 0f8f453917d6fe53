"""The public names with their signatures, as text: `python -m tests.packaging.public_api` writes it anew.

Public is what the pages of docs/reference show, and the command line. A change of public_api.txt is a change
of what users may rely on: docs/stability.md says when it may be made, and CHANGELOG.md names it.

Types and defaults are as the source has them, so the text is the same under every version of Python.
"""

import argparse
import ast
import re
from collections.abc import Iterator, Mapping
from functools import cache
from importlib.util import find_spec
from pathlib import Path
from typing import cast

from callagain.cli import build_parser

ROOT = Path(__file__).parents[2]
FILE = Path(__file__).with_name("public_api.txt")
SHOWN = re.compile(r"^::: (callagain[\w.]*)$", re.MULTILINE)
# A longer value of a constant is not shown.
LONG = 200


def public_modules() -> list[str]:
    """Those that the reference shows."""
    pages = (ROOT / "docs" / "reference").glob("*.md")
    return sorted(name for page in pages for name in SHOWN.findall(page.read_text("utf-8")))


def public_api() -> str:
    lines: list[str] = []
    places: dict[tuple[str, str], str] = {}
    for module in public_modules():
        lines.append(module)
        for name in public_names(module):
            home = home_of(module, name)
            place = places.setdefault(home, f"{module}.{name}")
            told = [f"{name}: see {place}"] if place != f"{module}.{name}" else list(definition(*home))
            lines += [f"    {line}" for line in told]
        lines.append("")
    return "\n".join([*lines, *commands("callagain", build_parser()), ""])


def public_names(module: str) -> list[str]:
    """What `__all__` names, or what the module itself defines."""
    body = body_of(module)
    for node in body:
        if isinstance(node, ast.Assign) and names_in(node) == ["__all__"]:
            return sorted(ast.literal_eval(node.value))
    return sorted({name for node in body for name in names_in(node) if not name.startswith("_")})


def home_of(module: str, name: str) -> tuple[str, str]:
    """The module that defines a name, however often it was imported, and its name there."""
    for node in body_of(module):
        if isinstance(node, ast.ImportFrom) and (node.module or "").startswith("callagain"):
            for alias in node.names:
                if (alias.asname or alias.name) == name:
                    return home_of(node.module or "", alias.name)
    return module, name


def definition(module: str, name: str) -> Iterator[str]:
    for node in body_of(module):
        if name in names_in(node):
            match node:
                case ast.ClassDef():
                    yield from class_lines(module, node)
                case ast.FunctionDef() | ast.AsyncFunctionDef():
                    yield from function_lines(module, node)
                case _:
                    yield assignment_line(node)


def class_lines(module: str, node: ast.ClassDef) -> Iterator[str]:
    yield from (f"@{ast.unparse(decorator)}" for decorator in node.decorator_list)
    yield f"class {node.name}({', '.join(ast.unparse(base) for base in node.bases)})"
    yield from (f"    {line}" for line in member_lines(module, node))


def member_lines(module: str, node: ast.ClassDef) -> Iterator[str]:
    """The members of a class, and those of its bases that are no public classes themselves."""
    for member in node.body:
        if any(not name.startswith("_") or name in ("__init__", "__call__") for name in names_in(member)):
            if isinstance(member, ast.FunctionDef | ast.AsyncFunctionDef):
                yield from function_lines(module, member)
            else:
                yield assignment_line(member)
    for base in node.bases:
        name = ast.unparse(base).partition("[")[0]
        home = home_of(module, name)
        if home not in public_homes():
            for defined in body_of(home[0]):
                if isinstance(defined, ast.ClassDef) and defined.name == home[1]:
                    yield from member_lines(home[0], defined)


@cache
def public_homes() -> frozenset[tuple[str, str]]:
    return frozenset(home_of(module, name) for module in public_modules() for name in public_names(module))


def function_lines(module: str, node: ast.FunctionDef | ast.AsyncFunctionDef) -> Iterator[str]:
    """One line, and one for each option of the TypedDict that it unpacks."""
    decorators = "".join(f"@{ast.unparse(decorator)} " for decorator in node.decorator_list)
    kind = "async def" if isinstance(node, ast.AsyncFunctionDef) else "def"
    returns = "" if node.returns is None else f" -> {ast.unparse(node.returns)}"
    yield f"{decorators}{kind} {node.name}({ast.unparse(node.args)}){returns}"
    match node.args.kwarg:
        case ast.arg(annotation=ast.Subscript(value=ast.Name(id="Unpack"), slice=ast.Name(id=options))):
            home = home_of(module, options)
            yield from (f"    {line}" for line in definition(*home) if line.startswith("    "))
        case _:
            pass


def assignment_line(node: ast.stmt) -> str:
    line = ast.unparse(node)
    return line if len(line) <= LONG else line.partition(" = ")[0]


def names_in(node: ast.stmt) -> list[str]:
    match node:
        case ast.ClassDef(name=name) | ast.FunctionDef(name=name) | ast.AsyncFunctionDef(name=name):
            return [name]
        case ast.Assign(targets=targets):
            return [target.id for target in targets if isinstance(target, ast.Name)]
        case ast.AnnAssign(target=ast.Name(id=name)):
            return [name]
        case _:
            return []


@cache
def body_of(module: str) -> list[ast.stmt]:
    spec = find_spec(module)
    assert spec is not None, f"docs/reference shows {module}, and there is no such module"
    assert spec.origin is not None
    return ast.parse(Path(spec.origin).read_text("utf-8")).body


def commands(name: str, parser: argparse.ArgumentParser) -> Iterator[str]:
    """Each command, with its arguments in alphabetical order."""
    arguments: list[str] = []
    for action in parser._actions:
        if action.nargs == argparse.PARSER:
            of_commands = cast("Mapping[str, argparse.ArgumentParser]", action.choices)
            for command, of_command in of_commands.items():
                yield from commands(f"{name} {command}", of_command)
        else:
            arguments.append(", ".join(action.option_strings) or str(action.metavar or action.dest))
    yield name
    yield from (f"    {argument}" for argument in sorted(arguments))


if __name__ == "__main__":
    FILE.write_text(public_api(), "utf-8")

"""Pages that show a piece of the code name it in the fence, and this reads it from there."""

import ast
import textwrap
from pathlib import Path

from tests.docs.fences import fences_in, with_bodies

ROOT = Path(__file__).parents[2]


def definition(source: str) -> str:
    """The lines of a class, a function or a constant: `operations/initialize.py::Initialize.run`.

    `drive.try.while` is the first `while` in the first `try` of a function.

    Raises LookupError if there is none of this name.
    """
    path, _, names = source.partition("::")
    text = (ROOT / path).read_text("utf-8")
    body = ast.parse(text).body
    first = last = 0
    for name in names.split("."):
        node = next((node for node in body if name in _names(node)), None)
        if node is None:
            raise LookupError(f"{path} has no {names}")
        decorators = getattr(node, "decorator_list", [])
        first = min([node.lineno, *(each.lineno for each in decorators)])
        last, body = node.end_lineno or first, getattr(node, "body", [])
    return textwrap.dedent("\n".join(text.splitlines()[first - 1 : last])) + "\n"


def with_sources(page: str) -> str:
    """The page with every fence that names a source as that is now."""
    shown = {fence.line: definition(fence.source) for fence in fences_in(page) if fence.source is not None}
    return with_bodies(page, shown)


def _names(node: ast.stmt) -> list[str]:
    match node:
        case ast.ClassDef(name=name) | ast.FunctionDef(name=name) | ast.AsyncFunctionDef(name=name):
            return [name]
        case ast.Assign(targets=targets):
            return [target.id for target in targets if isinstance(target, ast.Name)]
        case ast.AnnAssign(target=ast.Name(id=name)):
            return [name]
        case ast.Try() | ast.While():
            return [type(node).__name__.lower()]
        case _:
            return []

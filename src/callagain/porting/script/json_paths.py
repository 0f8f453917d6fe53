"""Paths into JSON: `/choices/0/message` as in the guide, `/company/[0]/name` as in the reference."""

from collections.abc import Sequence
from typing import Any, cast

from callagain.engine.json_text import encode
from callagain.porting.script.errors import ScriptValueError


def node_at(node: object, path: str) -> object:
    """The node at a path; `/` is the whole. Raises ScriptValueError in the words of the reference."""
    for step in path.strip().strip("/").split("/") if path.strip().strip("/") else ():
        if isinstance(node, dict):
            members = cast("dict[str, Any]", node)
            if step not in members:
                raise ScriptValueError(f"{step[:60]} is not a valid path (in {path[:80]})")
            node = members[step]
        elif isinstance(node, list):
            node = _element(cast("Sequence[object]", node), step, path)
        else:
            raise ScriptValueError(f"{step[:60]} is not a valid path (in {path[:80]})")
    return node


def text_of_node(node: object, *, quoted: bool = False) -> str:
    """A string as it is (or quoted), anything else as compact JSON."""
    return node if isinstance(node, str) and not quoted else encode(node).decode()


def _element(elements: Sequence[object], step: str, path: str) -> object:
    digits = step.removeprefix("[").removesuffix("]")
    if not (digits.isascii() and digits.isdigit()) or len(digits) > 12:
        raise ScriptValueError(
            f"{step[:60]} is not a valid path (in {path[:80]}): an array has indexes such as [0]"
        )
    if int(digits) >= len(elements):
        raise ScriptValueError(
            f"{digits} is out of range (in {path[:80]}): the array has {len(elements)} elements"
        )
    return elements[int(digits)]

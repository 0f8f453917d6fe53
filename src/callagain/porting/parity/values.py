"""Where two values differ, down to the leaves of what they hold."""

from collections.abc import Iterator
from typing import NamedTuple, cast

from callagain.engine.json_text import JsonError, decode

_DEEPEST = 100
_TOO_DEEP = "nested too deeply to be compared"
_JSON_INSIDE = "arguments"


class Missing:
    """The value of a variable or a field that is not there."""

    def __repr__(self) -> str:
        return "(not set)"


MISSING = Missing()


class Leaf(NamedTuple):
    """A place where two values differ.

    path: from the whole to the leaf: `messages[3].content`; empty for the whole. call_id: of the tool message
    that it is in.
    """

    path: str
    design: object
    python: object
    call_id: str | None = None


def leaves(design: object, python: object) -> Iterator[Leaf]:
    """Every place where they differ; none if they are equal.

    Numbers are equal by their value, a boolean only to a boolean, null to what is not there. In a tool call
    the text of its arguments is read as JSON.
    """
    return _Comparison().leaves(Leaf("", design, python), 0)


def json_leaves(design: object, python: object) -> Iterator[Leaf]:
    """The same of two JSON texts, or of what they hold. What is neither is compared as it is."""
    values = [parsed_json(value) for value in (design, python)]
    if any(isinstance(value, Missing) for value in values):
        return leaves(design, python)
    return leaves(*values)


def unfolded(leaf: Leaf) -> Iterator[Leaf]:
    """For two JSON texts of the same form the places inside of them; otherwise the leaf itself."""
    values = parsed_json(leaf.design), parsed_json(leaf.python)
    inside = [] if any(isinstance(value, Missing) for value in values) else list(leaves(*values))
    if not inside or any(isinstance(value, Missing) for each in inside for value in each[1:3]):
        yield leaf
        return
    for each in inside:
        path = ": ".join(filter(None, (leaf.path, each.path)))
        yield from unfolded(each._replace(path=path))


def is_json(text: str) -> bool:
    return not isinstance(parsed_json(text), Missing)


def is_absent(value: object) -> bool:
    return value is None or isinstance(value, Missing)


class _Comparison:
    """One comparison. An array may be in a value many times, and in itself: each pair is looked at once."""

    def __init__(self) -> None:
        # With the values themselves, so that no other one gets their identity meanwhile.
        self._seen: dict[tuple[int, int], Leaf] = {}

    def leaves(self, pair: Leaf, depth: int) -> Iterator[Leaf]:
        design, python = pair.design, pair.python
        if isinstance(design, dict) and isinstance(python, dict):
            members = cast("dict[str, object]", design), cast("dict[str, object]", python)
            yield from self._inside(pair, _members(pair, *members), depth)
        elif isinstance(design, list) and isinstance(python, list):
            elements = cast("list[object]", design), cast("list[object]", python)
            yield from self._inside(pair, _elements(pair, *elements), depth)
        elif not _are_equal(pair.design, pair.python):
            inner = _json_inside(pair)
            yield from [pair] if inner is None else self.leaves(inner, depth)

    def _inside(self, pair: Leaf, parts: Iterator[Leaf], depth: int) -> Iterator[Leaf]:
        key = id(pair.design), id(pair.python)
        if key in self._seen:
            return
        self._seen[key] = pair
        if depth == _DEEPEST:
            yield pair._replace(design=_TOO_DEEP, python=_TOO_DEEP)
            return
        for part in parts:
            yield from self.leaves(part, depth + 1)


def _members(pair: Leaf, design: dict[str, object], python: dict[str, object]) -> Iterator[Leaf]:
    call_id = python.get("tool_call_id", pair.call_id)
    for key in dict.fromkeys([*design, *python]):
        path = f"{pair.path}.{key}" if pair.path else str(key)
        values = design.get(key, MISSING), python.get(key, MISSING)
        yield Leaf(path, *values, call_id if isinstance(call_id, str) else None)


def _elements(pair: Leaf, design: list[object], python: list[object]) -> Iterator[Leaf]:
    for index in range(max(len(design), len(python))):
        values = [each[index] if index < len(each) else MISSING for each in (design, python)]
        yield Leaf(f"{pair.path}[{index}]", values[0], values[1], pair.call_id)


def _json_inside(pair: Leaf) -> Leaf | None:
    """What the texts of two arguments hold; None if that is not what they are."""
    if pair.path.rpartition(".")[2] != _JSON_INSIDE:
        return None
    values = [parsed_json(value) for value in (pair.design, pair.python)]
    if any(isinstance(value, Missing) for value in values):
        return None
    return pair._replace(design=values[0], python=values[1])


def parsed_json(value: object) -> object:
    """The value of a JSON text, and an object or array as it is; MISSING for everything else."""
    if isinstance(value, dict | list):
        return cast("object", value)
    if not isinstance(value, str):
        return MISSING
    try:
        return decode(value)
    except JsonError:
        return MISSING


def _are_equal(design: object, python: object) -> bool:
    if is_absent(design) or is_absent(python):
        return is_absent(design) and is_absent(python)
    if isinstance(design, bool) or isinstance(python, bool):
        return design is python
    return design == python

"""A conformance case, and the reading of a file of cases."""

import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pytest
from tests.conformance.json_values import is_array, is_object

JsonDict = dict[str, Any]


class CaseError(Exception):
    """The case asks for something that this runner or the product does not know."""


@dataclass(frozen=True, slots=True)
class Case:
    """One line of a file of cases; README.md explains the fields.

    unknown: keys of the line that no case has.
    """

    id: str
    transport: str
    request: JsonDict
    responses: list[JsonDict]
    expect: JsonDict
    kind: str = ""
    config: JsonDict = field(default_factory=dict[str, Any])
    tools: list[JsonDict] = field(default_factory=list[JsonDict])
    unknown: tuple[str, ...] = ()


_REQUIRED: Mapping[str, type] = {
    "id": str,
    "transport": str,
    "request": dict,
    "responses": list,
    "expect": dict,
}
_OPTIONAL: Mapping[str, type] = {"kind": str, "config": dict, "tools": list}
_JSON_NAMES: Mapping[type, str] = {str: "a string", dict: "an object", list: "a list of objects"}


def read_cases(path: Path) -> list[Case]:
    """The cases of a file, one JSON object a line; empty lines do not count.

    Raises pytest.UsageError, in one line, for a file that cannot be read, holds no case, or has a line that
    is none.
    """
    try:
        # Not splitlines: it would also part a line at characters that may stand in a JSON string.
        lines = path.read_text("utf-8").split("\n")
    except (OSError, UnicodeDecodeError) as error:
        reason = error.strerror if isinstance(error, OSError) else "it is not UTF-8"
        raise pytest.UsageError(f"--cases: {path} cannot be read: {reason}") from None
    numbered = [(number, line) for number, line in enumerate(lines, start=1) if line.strip()]
    if not numbered:
        raise pytest.UsageError(f"--cases: {path} holds no case; it needs one JSON object a line")
    cases: list[Case] = []
    for number, line in numbered:
        try:
            cases.append(_case(line))
        except ValueError as error:
            raise pytest.UsageError(f"--cases: {path}:{number}: {error}") from None
    return cases


def _case(line: str) -> Case:
    try:
        value: Any = json.loads(line, object_pairs_hook=_object)
    except (json.JSONDecodeError, RecursionError) as error:
        raise ValueError(f"not JSON: {error}") from None
    if not is_object(value):
        raise ValueError("a case is a JSON object")
    for name in _REQUIRED:
        if name not in value:
            raise ValueError(f"the case has no {name}")
    kinds = {**_REQUIRED, **_OPTIONAL}
    for name, kind in kinds.items():
        if name in value and not _fits(value[name], kind):
            raise ValueError(f"{name} must be {_JSON_NAMES[kind]}")
    known = {name: value[name] for name in kinds if name in value}
    return Case(**known, unknown=tuple(name for name in value if name not in kinds))


def _object(members: list[tuple[str, Any]]) -> JsonDict:
    names = [name for name, _ in members]
    for name in names:
        if names.count(name) > 1:
            raise ValueError(f"the key {name!r} stands twice in one object")
    return dict(members)


def _fits(value: Any, kind: type) -> bool:
    if kind is list:
        return is_array(value) and all(map(is_object, value))
    return isinstance(value, kind)

"""`expect.sent`: what must hold of the bodies of the requests."""

import re
from collections.abc import Callable, Iterator, Mapping
from typing import Any

from tests.conformance.case import JsonDict
from tests.conformance.json_values import ABSENT, at, has_type, is_array, parsed, same, shown


def check_sent(requests: list[Any], assertions: list[JsonDict]) -> Iterator[str]:
    """A line for each assertion that does not hold, or is none."""
    for assertion in assertions:
        if problem := _problem(requests, assertion):
            place = " ".join(str(assertion.get(key)) for key in ("request", "pointer", "op"))
            yield f"{place}: {problem}"


def _problem(requests: list[Any], assertion: JsonDict) -> str | None:
    operator: Any = assertion.get("op")
    if operator not in _OPERATORS:
        return f"no such op; known are {', '.join(_OPERATORS)}"
    keys = {"request", "pointer", "op"}
    if assertion.keys() | {"value"} != keys | {"value"} or (
        operator != "absent" and "value" not in assertion
    ):
        return f"it needs request, pointer, op and value, and has {', '.join(assertion)}"
    number, value = assertion["request"], assertion.get("value")
    if not 1 <= number <= len(requests):
        return f"there were {len(requests)} requests"
    body = requests[number - 1]
    found = at(body, assertion["pointer"])
    return None if _OPERATORS[operator](found, value, body) else f"{shown(value)}: got {shown(found)}"


def _matches(found: Any, pattern: str, _body: Any) -> bool:
    return isinstance(found, str) and re.search(pattern, found) is not None


def _same_as(found: Any, pointer: str, body: Any) -> bool:
    return found is not ABSENT and same(found, at(body, pointer))


def _differs_from(found: Any, pointer: str, body: Any) -> bool:
    other = at(body, pointer)
    return found is not ABSENT and other is not ABSENT and not same(found, other)


def _max_length(found: Any, length: int, _body: Any) -> bool:
    return (isinstance(found, str) or is_array(found)) and len(found) <= length


# Each gets what stands at the pointer, the assertion's value, and the whole body.
_OPERATORS: Mapping[str, Callable[[Any, Any, Any], bool]] = {
    "absent": lambda found, _value, _body: found is ABSENT,
    "equals": lambda found, value, _body: same(found, value),
    "equals_json": lambda found, value, _body: same(parsed(found), value),
    "type": lambda found, value, _body: has_type(found, value),
    "matches": _matches,
    "same_as": _same_as,
    "differs_from": _differs_from,
    "max_length": _max_length,
}

"""`expect.sent`: what must hold of the bodies of the requests."""

import re
from collections.abc import Callable, Iterator, Mapping
from typing import Any

from tests.conformance.case import JsonDict
from tests.conformance.forms import (
    ANYTHING,
    COUNT,
    ORDINAL,
    POINTER,
    REGULAR_EXPRESSION,
    TYPE_NAME,
    Form,
    one_of,
)
from tests.conformance.json_values import ABSENT, at, has_type, is_array, parsed, same, shown


def check_sent(requests: list[Any], assertions: list[JsonDict]) -> Iterator[str]:
    """A line for each assertion that does not hold, or is none."""
    for assertion in assertions:
        if problem := _problem(requests, assertion):
            place = " ".join(str(assertion.get(key)) for key in ("request", "pointer", "op"))
            yield f"{place}: {problem}"


def _problem(requests: list[Any], assertion: JsonDict) -> str | None:
    if problem := _malformed(assertion):
        return problem
    number, value = assertion["request"], assertion.get("value")
    if number > len(requests):
        return f"there were {len(requests)} requests"
    body = requests[number - 1]
    found = at(body, assertion["pointer"])
    _, holds = _OPERATORS[assertion["op"]]
    return None if holds(found, value, body) else f"{shown(value)}: got {shown(found)}"


def _malformed(assertion: JsonDict) -> str | None:
    if problem := one_of(*_OPERATORS).problem(assertion.get("op")):
        return f"op {problem}"
    operator = assertion["op"]
    needed = {"request", "pointer", "op"} | ({"value"} if operator != "absent" else set[str]())
    if not needed <= assertion.keys() <= needed | {"value"}:
        return f"it needs request, pointer, op and value, and has {', '.join(assertion)}"
    forms = {"request": ORDINAL, "pointer": POINTER, "value": _OPERATORS[operator][0]}
    problems = {name: form.problem(assertion.get(name)) for name, form in forms.items()}
    return next((f"{name} {problem}" for name, problem in problems.items() if problem), None)


def _matches(found: Any, pattern: str, _body: Any) -> bool:
    return isinstance(found, str) and re.search(pattern, found) is not None


def _same_as(found: Any, pointer: str, body: Any) -> bool:
    return found is not ABSENT and same(found, at(body, pointer))


def _differs_from(found: Any, pointer: str, body: Any) -> bool:
    other = at(body, pointer)
    return found is not ABSENT and other is not ABSENT and not same(found, other)


def _max_length(found: Any, length: int, _body: Any) -> bool:
    return (isinstance(found, str) or is_array(found)) and len(found) <= length


_NULL = Form("left out", lambda value: value is None)

# The form of the assertion's value; and a function of what stands at the pointer, that value, and the body.
_OPERATORS: Mapping[str, tuple[Form, Callable[[Any, Any, Any], bool]]] = {
    "absent": (_NULL, lambda found, _value, _body: found is ABSENT),
    "equals": (ANYTHING, lambda found, value, _body: same(found, value)),
    "equals_json": (ANYTHING, lambda found, value, _body: same(parsed(found), value)),
    "type": (TYPE_NAME, lambda found, value, _body: has_type(found, value)),
    "matches": (REGULAR_EXPRESSION, _matches),
    "same_as": (POINTER, _same_as),
    "differs_from": (POINTER, _differs_from),
    "max_length": (COUNT, _max_length),
}

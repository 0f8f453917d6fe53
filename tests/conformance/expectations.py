"""`expect`: each of its keys, and what must then hold of what was observed."""

from collections.abc import Callable, Iterator, Mapping
from typing import Any

from tests.conformance.case import JsonDict
from tests.conformance.forms import (
    ANYTHING,
    COUNT,
    COUNTS,
    EXCEPTION,
    OBJECT,
    OBJECTS,
    OUTCOME,
    SECONDS,
    SECONDS_OR_NULL,
    TEXT,
    TEXT_OR_NULL,
    TEXTS,
    TRUTH,
    Form,
)
from tests.conformance.json_values import ABSENT, at, differs, parsed, same, shown
from tests.conformance.observed import Observed
from tests.conformance.sent_bodies import check_sent

from callagain import PendingCall
from callagain.engine.receipts import ToolResult

# The form that the value of an expectation must have; and the lines for what is otherwise.
Check = tuple[Form, Callable[[Any, Any], Iterator[str]]]


def mismatches(expect: JsonDict, seen: Observed) -> Iterator[str]:
    """A line for everything that is otherwise than expected, and for every key that is no expectation."""
    if "outcome" not in expect:
        yield "outcome: the case does not say which"
    if expect.get("outcome") == "raises" and "raises" not in expect:
        yield "outcome: it is raises, and the case does not say in raises which exception"
    implied = {"error_kind": "max_iterations"} if expect.get("outcome") == "limit" else {}
    for key, value in {**implied, **expect}.items():
        yield from (f"{key}: {problem}" for problem in _problems(_CHECKS, key, seen, value))
    yield from _faulty_requests(seen)


def _problems(checks: Mapping[str, Check], key: str, found: Any, expected: Any) -> Iterator[str]:
    if key not in checks:
        yield f"no such expectation; known are {', '.join(checks)}"
        return
    form, check = checks[key]
    if problem := form.problem(expected):
        yield problem
    else:
        yield from check(found, expected)


def _faulty_requests(seen: Observed) -> Iterator[str]:
    for number, body in enumerate(seen.requests, start=1):
        if not isinstance(body, dict):
            yield f"request {number} is no JSON object: {shown(body)}"
        elif bool(at(body, "/stream") is True) != seen.streams:
            yield f"request {number}: stream is {at(body, '/stream')!r}"


def _outcome(seen: Observed, expected: Any) -> Iterator[str]:
    if seen.outcome != expected:
        yield f"expected {expected}, got {seen.outcome} ({seen.error_kind}: {seen.error_message})"
    elif expected == "completed" and seen.error_value is not None:
        yield f"completed, and has an error: {seen.error_value!r}"


def _raises(seen: Observed, expected: Any) -> Iterator[str]:
    if seen.raised is None or expected not in [kind.__name__ for kind in type(seen.raised).__mro__]:
        yield f"expected {expected}, got {seen.raised!r}"


def _error_contains(seen: Observed, expected: Any) -> Iterator[str]:
    for part in expected:
        if part not in seen.error_message:
            yield f"{part!r} is not in {seen.error_message!r}"


def _partial_text(seen: Observed, expected: Any) -> Iterator[str]:
    return differs(expected, getattr(seen.error_value, "partial_text", None))


def _retry_after(seen: Observed, expected: Any) -> Iterator[str]:
    return differs(expected, getattr(seen.error_value, "retry_after", None))


def _final_text(seen: Observed, expected: Any) -> Iterator[str]:
    return differs(expected, None if seen.result is None else seen.result.final_response)


def _messages_len(seen: Observed, expected: Any) -> Iterator[str]:
    return differs(expected, ABSENT if seen.result is None else len(seen.result.messages))


def _usage(seen: Observed, expected: Any) -> Iterator[str]:
    usage = None if seen.result is None else seen.result.usage
    for name, count in expected.items():
        yield from (f"{name}: {problem}" for problem in differs(count, getattr(usage, name, ABSENT)))


def _warnings(seen: Observed, expected: Any) -> Iterator[str]:
    codes = [] if seen.result is None else [note.code for note in seen.result.warnings]
    for code in expected:
        if code not in codes:
            yield f"no {code!r}, but {codes}"


def _vars(seen: Observed, expected: Any) -> Iterator[str]:
    """A value may be given as Jitterbit holds it, as the JSON in such a text, or as Python holds it."""
    jitterbit: JsonDict = {} if seen.variables is None else dict(seen.variables.as_jitterbit())
    for name, value in expected.items():
        held = jitterbit.get(name, ABSENT)
        meant: list[Any] = [None, []] if held == "" else [parsed(held)]
        if not any(same(value, each) for each in (held, *meant, getattr(seen.variables, name, ABSENT))):
            yield f"{name}: expected {shown(value)}, got {shown(held)}"


def _invocations(seen: Observed, expected: Any) -> Iterator[str]:
    left = [{"name": each.name, "args": each.args} for each in seen.invocations]
    for call in expected:
        found = next((index for index, each in enumerate(left) if same(call, each)), None)
        if found is None:
            yield f"{shown(call)} did not happen"
        else:
            del left[found]
    for call in left:
        yield f"{shown(call)} happened, and should not"


def _tool_results(seen: Observed, expected: Any) -> Iterator[str]:
    return _one_by_one(expected, seen.tool_results, _OF_A_TOOL_RESULT)


def _pending_calls(seen: Observed, expected: Any) -> Iterator[str]:
    return _one_by_one(expected, seen.pending_calls, _OF_A_PENDING_CALL)


def _one_by_one(expected: Any, actual: Any, checks: Mapping[str, Check]) -> Iterator[str]:
    if len(expected) != len(actual):
        yield f"expected {len(expected)}, got {len(actual)}: {shown(actual)}"
    for index, (fields, found) in enumerate(zip(expected, actual, strict=False)):
        for key, value in fields.items():
            yield from (f"{index}: {key}: {problem}" for problem in _problems(checks, key, found, value))


def _ok(result: ToolResult, expected: Any) -> Iterator[str]:
    return differs(expected, result.ok)


def _content(result: ToolResult, expected: Any) -> Iterator[str]:
    return differs(expected, result.content)


def _content_json(result: ToolResult, expected: Any) -> Iterator[str]:
    return differs(expected, parsed(result.content))


def _content_error(result: ToolResult, expected: Any) -> Iterator[str]:
    yield from differs(expected, result.error)
    yield from differs(expected, at(parsed(result.content), "/error/code"))


def _readings(result: ToolResult) -> list[str]:
    """The content as it stands; and of an error its message, in which JSON has escaped the quotes."""
    message = at(parsed(result.content), "/error/message") if result.error else None
    return [result.content, *([message] if isinstance(message, str) else [])]


def _contains(result: ToolResult, expected: Any) -> Iterator[str]:
    for part in expected:
        if not any(part in text for text in _readings(result)):
            yield f"{part!r} is not in {shown(result.content)}"


def _not_contains(result: ToolResult, expected: Any) -> Iterator[str]:
    for part in expected:
        if any(part in text for text in _readings(result)):
            yield f"{part!r} is in {shown(result.content)}"


def _nowhere(seen: Observed, expected: Any) -> Iterator[str]:
    for secret in expected:
        for place, text in seen.texts():
            if secret in text:
                yield f"{secret!r} is in {place}"


def _min_seconds(seen: Observed, expected: Any) -> Iterator[str]:
    if seen.seconds < expected:
        yield f"it took {seen.seconds:.3f}, less than {expected}"


def _max_seconds(seen: Observed, expected: Any) -> Iterator[str]:
    if seen.seconds > expected:
        yield f"it took {seen.seconds:.3f}, more than {expected}"


def _id(found: ToolResult | PendingCall, expected: Any) -> Iterator[str]:
    return differs(expected, found.id)


def _name(found: ToolResult | PendingCall, expected: Any) -> Iterator[str]:
    return differs(expected, found.name)


_OF_A_PENDING_CALL: Mapping[str, Check] = {"id": (TEXT, _id), "name": (TEXT, _name)}
_OF_A_TOOL_RESULT: Mapping[str, Check] = {
    "id": (TEXT, _id),
    "name": (TEXT, _name),
    "ok": (TRUTH, _ok),
    "content": (TEXT, _content),
    "content_json": (ANYTHING, _content_json),
    "error": (TEXT, _content_error),
    "contains": (TEXTS, _contains),
    "not_contains": (TEXTS, _not_contains),
}
_CHECKS: Mapping[str, Check] = {
    "outcome": (OUTCOME, _outcome),
    "error_kind": (TEXT_OR_NULL, lambda seen, expected: differs(expected, seen.error_kind)),
    "error_contains": (TEXTS, _error_contains),
    "raises": (EXCEPTION, _raises),
    "final_text": (TEXT_OR_NULL, _final_text),
    "partial_text": (TEXT_OR_NULL, _partial_text),
    "retry_after": (SECONDS_OR_NULL, _retry_after),
    "loop_count": (COUNT, lambda seen, expected: differs(expected, seen.loop_count)),
    "requests": (COUNT, lambda seen, expected: differs(expected, len(seen.requests))),
    "sent": (OBJECTS, lambda seen, expected: check_sent(seen.requests, expected)),
    "tool_results": (OBJECTS, _tool_results),
    "invocations": (OBJECTS, _invocations),
    "pending_calls": (OBJECTS, _pending_calls),
    "messages_len": (COUNT, _messages_len),
    "usage": (COUNTS, _usage),
    "warnings": (TEXTS, _warnings),
    "vars": (OBJECT, _vars),
    "nowhere": (TEXTS, _nowhere),
    "min_seconds": (SECONDS, _min_seconds),
    "max_seconds": (SECONDS, _max_seconds),
}

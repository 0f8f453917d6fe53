"""The guide's "Verify the integration" on your own model and tools.

    from callagain.verify import verify

    checks = verify(loop, one="Where is order 481516?", none="Hello")
    assert all(check.passed for check in checks), checks

Points 1 and 2 need a message that takes exactly one tool call, point 3 one that takes two, one after the
other, and point 4 one that takes none. Points 5 and 6 are diagnoses: they are among the checks when the API
refused a tool_call_id, or when the loop reached its iteration limit. Each message is run once, and the tools
really run.
"""

from collections import Counter
from dataclasses import dataclass

from callagain.engine.commands import SendRequest
from callagain.engine.errors import ConfigurationError
from callagain.engine.events import CommandStarted
from callagain.engine.json_text import Json, JsonObject, canonical, decode, encode
from callagain.engine.receipts import ToolResult
from callagain.engine.wire.reply import Reply
from callagain.loop import ToolLoop
from callagain.result import Result

_SHOWN_CHARS = 200

REPEATED = (
    "a repeating call with the same arguments means that the tool returns an error which the model retries, "
    "or that its description does not match the request"
)
"""The advice about a call that comes again and again."""

UNDESCRIBED = (
    "the model saw no reason for a call: check that the tool's description matches the request, and say in "
    "the system prompt when to use it"
)
"""The advice about a call that does not come."""


@dataclass(frozen=True, slots=True)
class Check:
    """One thing that the guide has you confirm.

    point: its number in the guide's list. expected: what was to be seen; seen: what was. advice: what to do
    about it, empty if the check passed.
    """

    point: int
    expected: str
    passed: bool
    seen: str
    advice: str = ""


def verify(
    loop: ToolLoop[object], *, one: str | None = None, two: str | None = None, none: str | None = None
) -> list[Check]:
    """The checks for every message that is given, in the order of the guide's points.

    Raises ConfigurationError if there is none, and whatever the loop raises.
    """
    if one is None and two is None and none is None:
        raise ConfigurationError("nothing to verify: give at least one of the messages one, two and none")
    checks: list[Check] = []
    if one is not None:
        checks += verify_one_call(loop, one)
    if two is not None:
        checks += verify_two_calls(loop, two)
    if none is not None:
        checks += verify_no_call(loop, none)
    return checks


def verify_one_call(loop: ToolLoop[object], message: str) -> list[Check]:
    """Points 1 and 2: a message that needs exactly one tool call.

    Guide: check 1, check 2.
    """
    seen = _observe(loop, message)
    return [
        _loop_count(1, 1, seen),
        _tool_ran(seen),
        _messages_extended(seen),
        _plain_text(seen),
        *_diagnoses(seen),
    ]


def verify_two_calls(loop: ToolLoop[object], message: str) -> list[Check]:
    """Point 3: a message that needs two tool calls, the second with what the first returned.

    Guide: check 3.
    """
    seen = _observe(loop, message)
    return [_loop_count(3, 2, seen), _four_objects(seen), _ids_match(seen), *_diagnoses(seen)]


def verify_no_call(loop: ToolLoop[object], message: str) -> list[Check]:
    """Point 4: a message that needs no tool call.

    Guide: check 4.
    """
    seen = _observe(loop, message)
    called = any(step.after.call_llm_again for step in seen.result.trace)
    passed = seen.result.outcome == "completed" and not called and len(seen.bodies) == 1
    check = _check(
        seen,
        4,
        "the loop does not execute: one LLM Call without tool_calls, call_llm_again false, loop_count 0",
        passed,
        f"{_times(len(seen.bodies), 'LLM Call')}, call_llm_again {str(called).lower()}, "
        f"loop_count {seen.loop_count}{seen.trouble}",
        "the model called a tool that the request does not need: say in the tool's description what it is "
        "for, and what it is not for",
    )
    return [check, *_diagnoses(seen)]


@dataclass(frozen=True, slots=True)
class _Observed:
    """A run, and the request bodies that it sent."""

    result: Result[object]
    bodies: list[bytes]

    @property
    def loop_count(self) -> int:
        return self.result.loop_count

    @property
    def replies(self) -> list[Reply]:
        """What the model said, in order."""
        steps = self.result.trace
        replies = [step.after.reply for step in steps if step.after.reply is not step.before.reply]
        return [reply for reply in replies if reply is not None]

    @property
    def tools_messages(self) -> list[JsonObject]:
        text = self.result.variables.as_jitterbit()["tools_messages"]
        return _objects(decode(text)) if isinstance(text, str) and text else []

    @property
    def trouble(self) -> str:
        """How the run ended, if not with an answer."""
        error = self.result.error
        return "" if error is None else f"; outcome {self.result.outcome} ({error.kind}): {error.message}"


def _observe(loop: ToolLoop[object], message: str) -> _Observed:
    live = loop.start(message)
    bodies: list[bytes] = []
    for event in live.events():
        match event:
            case CommandStarted(command=SendRequest(body=body)):
                bodies.append(body)
            case _:
                pass
    assert live.result is not None
    return _Observed(live.result, bodies)


def _check(seen: _Observed, point: int, expected: str, passed: bool, was: str, advice: str) -> Check:
    if seen.result.outcome == "failed":
        advice = "mend what ended the run, and verify again"
    return Check(point, expected, passed, was, "" if passed else advice)


# Points 1 and 3


def _loop_count(point: int, expected: int, seen: _Observed) -> Check:
    passed = seen.loop_count == expected and seen.result.outcome == "completed"
    return _check(
        seen,
        point,
        f"loop_count reaches {expected}, and no more",
        passed,
        f"loop_count {seen.loop_count}{seen.trouble}",
        _count_advice(expected, seen),
    )


def _count_advice(expected: int, seen: _Observed) -> str:
    calls = seen.result.tool_results
    if seen.loop_count < expected:
        if len(calls) > seen.loop_count:
            return (
                "the calls came in one response: choose a message whose second call needs what the first "
                "returns, or set parallel_tool_calls to false"
            )
        return UNDESCRIBED
    counted = Counter((call.name, canonical(call.arguments)) for call in calls)
    if counted and counted.most_common(1)[0][1] > 1:
        return REPEATED
    return f"the message took more calls than it should: choose one that needs exactly {expected}"


def _tool_ran(seen: _Observed) -> Check:
    calls = seen.result.tool_results
    if not calls:
        advice = UNDESCRIBED
    elif len(calls) > 1:
        advice = "choose a message that needs exactly one call"
    else:
        advice = "mend what the error names: the tool itself, or the description of its arguments"
    return _check(
        seen,
        1,
        "the tool operation ran once, and returned a result",
        len(calls) == 1 and calls[0].ok,
        "; ".join(_described(call) for call in calls) or "no tool ran",
        advice,
    )


# Point 2


def _messages_extended(seen: _Observed) -> Check:
    expected = "the second LLM Call received the extended messages array"
    sent = [_objects(_member(decode(body.decode()), "messages")) for body in seen.bodies[:2]]
    if len(sent) < 2:
        advice = "the loop made no second call: see to point 1 first"
        return _check(seen, 2, expected, False, _times(len(sent), "LLM Call"), advice)
    first, second = sent
    added = _roles(second[len(first) :])
    passed = second[: len(first)] == first and added[:1] == ["assistant"] and set(added[1:]) == {"tool"}
    return _check(
        seen,
        2,
        expected,
        passed,
        f"{', '.join(_roles(first))}; then {', '.join(_roles(second))}",
        "an operation of the chain changes the messages: look at InAndOut in the operation log, with "
        'log_payloads="full"',
    )


def _plain_text(seen: _Observed) -> Check:
    reply = seen.replies[1] if len(seen.replies) > 1 else None
    if reply is None:
        said = "no second response"
    elif reply.calls:
        said = "tool_calls: " + ", ".join(f"{call.name} {call.arguments_text}" for call in reply.calls)
    else:
        said = f"a text of {len(reply.text)} characters: {reply.text}"
    return _check(
        seen,
        2,
        "it returned a plain-text final response with no tool_calls",
        reply is not None and not reply.calls,
        _cut(said),
        "see to point 1 first" if reply is None else REPEATED,
    )


# Point 3


def _four_objects(seen: _Observed) -> Check:
    roles = _roles(seen.tools_messages)
    return _check(
        seen,
        3,
        "tools_messages holds four objects, alternating assistant and tool",
        roles == ["assistant", "tool", "assistant", "tool"],
        ", ".join(roles) or "tools_messages is empty",
        "see to loop_count first: each round appends the assistant message and the result of its tool",
    )


def _ids_match(seen: _Observed) -> Check:
    pairs: list[tuple[str, list[str]]] = []
    called: list[str] = []
    for message in seen.tools_messages:
        if message.get("role") == "assistant":
            called = [str(call.get("id")) for call in _objects(message.get("tool_calls"))]
        else:
            pairs.append((str(message.get("tool_call_id")), called))
    return _check(
        seen,
        3,
        "each tool_call_id matches the id in the preceding assistant message",
        bool(pairs) and all(answered in ids for answered, ids in pairs),
        "; ".join(f"{answered} answers {', '.join(ids) or 'nothing'}" for answered, ids in pairs)
        or "no tool ran",
        "a mismatch typically means that tools_resp was updated before the id was extracted"
        if pairs
        else UNDESCRIBED,
    )


# Points 5 and 6


def _diagnoses(seen: _Observed) -> list[Check]:
    error = seen.result.error
    if error is None:
        return []
    if error.kind == "bad_request" and "tool_call" in error.message:
        return [
            Check(
                5,
                "the API accepts every tool_call_id",
                False,
                error.message,
                "compare the ids: a mismatch typically means that tools_resp was updated before the id was "
                "extracted",
            )
        ]
    if error.kind == "max_iterations":
        advice = f"look at InAndOut at the start of each round: {REPEATED}"
        return [Check(6, "the loop ends before the iteration limit", False, error.message, advice)]
    return []


# What was seen, in words


def _described(result: ToolResult) -> str:
    state = "" if result.ok else f"error {result.error}: "
    return _cut(f"{result.name} {encode(result.arguments).decode()} → {state}{result.content}")


def _cut(text: str) -> str:
    return text if len(text) <= _SHOWN_CHARS else f"{text[:_SHOWN_CHARS]}… ({len(text)} characters)"


def _times(count: int, what: str) -> str:
    return f"{count} {what}{'' if count == 1 else 's'}"


def _roles(messages: list[JsonObject]) -> list[str]:
    return [str(message.get("role")) for message in messages]


def _member(value: Json, name: str) -> Json:
    return value.get(name) if isinstance(value, dict) else None


def _objects(value: Json) -> list[JsonObject]:
    return [item for item in value if isinstance(item, dict)] if isinstance(value, list) else []

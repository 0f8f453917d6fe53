"""Every kind of error by a real run, as the caller learns of it; and the lists of kinds and codes."""

import ast
import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pytest
from pydantic import BaseModel

from callagain import LiveRun, OutcomeError, Prices, Result, RunCancelledError, ToolLoop, tool
from callagain.engine import receipts
from callagain.engine.error_kinds import ERROR_KINDS
from callagain.engine.operation import Script
from callagain.engine.variables import Variables
from callagain.operations import TOOL_CALLING_LOOP
from callagain.testing import Answer, AnyAnswer, StandIn, calls, faulty, says

Run = Callable[..., Result]
Drive = Callable[[LiveRun], Result]
Serve = Callable[..., StandIn]

ROOT = Path(__file__).parents[2]
KEY = "sk-test-SECRET123"


@tool
def ping() -> str:
    """Answers."""
    return "pong"


class Invoice(BaseModel):
    total: float


class WantCalls(Script):
    """Says that there are calls, where there are none."""

    def run(self, variables: Variables) -> None:
        variables.assign_jitterbit("call_llm_again", True)


@dataclass(frozen=True)
class Case:
    """How a run comes to a kind of error, and what of it the caller is told.

    answers: of the endpoint, for both APIs; responses: those of the Responses API, where they differ.
    told: how the message begins. body: what the raw body holds.
    """

    kind: str
    told: str
    answers: list[AnyAnswer]
    responses: list[AnyAnswer] | None = None
    operation: str = "llm_call"
    status: int | None = None
    retry_after: float | None = None
    partial_text: str | None = None
    body: str | None = None
    options: dict[str, Any] = field(default_factory=dict[str, Any])
    history: tuple[Any, ...] = ()


def refused(kind: str, status: int, message: str, code: str | None = None) -> Case:
    """The endpoint refuses the request with these words."""
    shown = message.replace(KEY, "***")
    answer = Answer(status, {"error": {"message": message, "code": code}})
    return Case(kind, f"HTTP {status}: {shown}", [answer], status=status, body=f'"{shown}"')


def budget(kind: str, amount: float, **options: Any) -> Case:
    """The first request uses the budget up; of time, what comes before it does."""
    answers: list[AnyAnswer] = [] if kind == "budget_time" else [calls(("ping", {}))]
    return Case(
        kind, "the run has used ", answers, operation="check_budget", options={kind: amount, **options}
    )


REFUSAL = "I can't help with that."
CHAT_REFUSAL: AnyAnswer = {"choices": [{"message": {"content": None, "refusal": REFUSAL}}]}
RESPONSES_REFUSAL: AnyAnswer = {
    "object": "response",
    "status": "completed",
    "output": [
        {"type": "message", "role": "assistant", "content": [{"type": "refusal", "refusal": REFUSAL}]}
    ],
}
CASES = [
    Case(
        "malformed_response",
        "the answer (HTTP 200, text/html) is not JSON",
        [Answer(200, "<html>Sign in</html>", {"content-type": "text/html"})],
        operation="parse_response",
        status=200,
        body="<html>Sign in</html>",
    ),
    Case(
        "provider_error",
        "the endpoint answered with an error: upstream",
        [Answer(200, {"error": {"message": "upstream"}})],
        status=200,
        body='"upstream"',
    ),
    refused("provider_unavailable", 503, "busy"),
    Case(
        "rate_limited",
        "HTTP 429: slow down (the endpoint asks to wait 90 s)",
        [Answer(429, {"error": {"message": "slow down."}}, {"retry-after": "90"})],
        status=429,
        retry_after=90.0,
        body='"slow down."',
    ),
    refused("quota_exceeded", 429, "nothing left", "insufficient_quota"),
    refused("auth", 401, f"bad key {KEY}"),
    refused("bad_request", 404, "no model"),
    refused("context_length", 400, "too long", "context_length_exceeded"),
    Case(
        "stream_interrupted",
        "the stream ended before the response was whole",
        [faulty(says("The order was placed on Monday."), cut_after=200)],
        options={"stream": True},
    ),
    Case(
        "empty_response",
        "the response holds no tool call and no text",
        [says("")],
        operation="parse_response",
        status=200,
        body='""',
    ),
    Case(
        "truncated",
        "the output limit cut the answer off",
        [says("The order was", finish_reason="length")],
        operation="parse_response",
        status=200,
        partial_text="The order was",
        body="The order was",
    ),
    Case(
        "content_filter",
        "the content filter stopped the response",
        [says("To do that", finish_reason="content_filter")],
        operation="parse_response",
        status=200,
        partial_text="To do that",
        body="To do that",
    ),
    Case(
        "refusal",
        f"the model refused: {REFUSAL.rstrip('.')}",
        [CHAT_REFUSAL],
        [RESPONSES_REFUSAL],
        operation="parse_response",
        status=200,
        body=REFUSAL,
    ),
    Case(
        "invalid_history",
        "message 0 of the history answers tool call 'call_zz', which is not open there",
        [],
        operation="initialize",
        history=({"role": "tool", "tool_call_id": "call_zz", "content": "42"},),
    ),
    Case(
        "unknown_tool",
        "there is no tool 'pong'. Available tools: ping.",
        [calls(("pong", {}))],
        operation="parse_response",
        options={"on_unknown_tool": "fail"},
    ),
    Case(
        "operation_failed",
        "call_llm_again is true, but there is no open call",
        [says("Hello.")],
        operation="tool_dispatcher",
        options={"chain": TOOL_CALLING_LOOP.insert("want_calls", WantCalls(), after="parse_response")},
    ),
    Case(
        "max_iterations",
        "Tool-calling loop reached 1 iterations without a final response. Last function: ping.",
        [calls(("ping", {})), calls(("ping", {}))],
        operation="parse_response",
        options={"max_iterations": 1},
    ),
    Case(
        "repeated_call",
        "ping was asked for 2 times with the same arguments {}, and was not run again (repeat_limit=2)",
        [calls(("ping", {})), calls(("ping", {}))],
        operation="parse_response",
        options={"repeat_limit": 2},
    ),
    Case(
        "max_repairs",
        "the arguments of ping did not fit its schema once",
        [calls(("ping", {"to": 1})), calls(("ping", {}))],
        operation="parse_response",
        options={"max_repairs": 1},
    ),
    Case(
        "max_output_repairs",
        "the answer does not fit response_format, asked for again once: total: required, but missing",
        [says("{}"), says("{}")],
        operation="validate_output",
        partial_text="{}",
        options={"response_format": Invoice, "max_output_repairs": 1},
    ),
    budget("budget_tokens", 1),
    budget("budget_money", 1e-9, prices=Prices(1, 1)),
    budget("budget_requests", 1),
    Case(
        "budget_tool_calls",
        "after 1 of budget_tool_calls=1 the response asks for 1 more",
        [calls(("ping", {})), calls(("ping", {}))],
        operation="parse_response",
        options={"budget_tool_calls": 1},
    ),
    budget("budget_time", 1e-6),
    Case(
        "deadline",
        "the endpoint gave no whole answer before the run's deadline",
        [faulty(says("Hello."), stall_after=0)],
        options={"deadline": 0.5},
    ),
    Case(
        "approval_required",
        "waiting for somebody: ping (",
        [calls(("ping", {}))],
        operation="tool_dispatcher",
        options={"approve_effects": True},
    ),
    Case(
        "tool_requests",
        "waiting for somebody: ping (",
        [calls(("ping", {}))],
        operation="tool_dispatcher",
        options={"return_tool_requests": True},
    ),
]


@pytest.mark.parametrize("stream", [False, True], ids=["plain", "stream"])
@pytest.mark.parametrize("api", ["chat_completions", "responses"])
@pytest.mark.parametrize("case", CASES, ids=lambda case: case.kind)
def test_a_kind_of_error_is_reached_and_says_what_happened_where_and_what_to_do(
    run: Run, stand_in: Serve, case: Case, api: Any, stream: bool
) -> None:
    answers = case.answers if api == "chat_completions" else case.responses or case.answers
    server = stand_in(answers)
    options: dict[str, Any] = {"stream": stream, "max_retries": 0, **case.options}
    loop = ToolLoop(model="m", tools=[ping], base_url=server.base_url, api_key=KEY, api=api, **options)
    result = run(loop, history=case.history)
    error = result.error
    assert error is not None
    assert (result.outcome, error.kind) == (ERROR_KINDS[case.kind].outcome, case.kind)
    assert result.final_response is None
    assert error.message.startswith(case.told)
    said, where, _ = error.message.partition(" (http://127.0.0.1:")
    assert said.rstrip(".").lower().endswith(ERROR_KINDS[case.kind].advice.lower())
    assert where or error.status is None or error.operation != "llm_call"
    assert error.message.lower().count(ERROR_KINDS[case.kind].advice.lower()) == 1
    assert error.operation == case.operation
    assert (error.status, error.retry_after) == (case.status, case.retry_after)
    assert error.partial_text == case.partial_text
    assert case.body is None if error.body is None else case.body is not None and case.body in error.body
    # A slow machine may not have come to its request before the deadline.
    assert len(server.requests) == len(answers) or case.kind == "deadline"
    assert KEY not in repr(error)
    with pytest.raises(OutcomeError) as raised:
        result.raise_for_outcome()
    assert (raised.value.outcome, raised.value.kind) == (result.outcome, case.kind)
    assert error.message in str(raised.value)


def test_a_call_of_which_nobody_knows_whether_it_took_effect_waits_for_a_decision(
    drive: Drive, stand_in: Serve
) -> None:
    live: list[LiveRun] = []

    @tool
    def pay() -> str:
        """Pay, once."""
        live[0].cancel()
        return "paid"

    loop = ToolLoop(model="m", tools=[pay], base_url=stand_in([calls(("pay", {}))]).base_url)
    live.append(loop.start("Pay"))
    with pytest.raises(RunCancelledError):
        drive(live[0])
    result = drive(live[0])
    assert result.error is not None
    assert (result.outcome, result.error.kind) == ("suspended", "call_outcome_unknown")
    assert result.error.message.endswith(ERROR_KINDS["call_outcome_unknown"].advice)
    assert [call.name for call in result.pending_calls] == ["pay"]
    with pytest.raises(OutcomeError, match=r"^suspended \(call_outcome_unknown\)"):
        result.raise_for_outcome()


def test_an_endpoint_that_is_not_there_is_named_with_what_to_check(run: Run) -> None:
    loop = ToolLoop(model="m", base_url="http://me:secret@127.0.0.1:1/v1?key=secret", max_retries=0)
    error = run(loop).error
    assert error is not None
    assert (error.kind, error.operation) == ("provider_unavailable", "llm_call")
    assert error.message.startswith("could not reach http://127.0.0.1:1: ")
    assert error.message.endswith("; check the base URL, and that the server is running")
    assert "secret" not in repr(error)


def test_the_attempts_are_counted_in_the_message(run: Run, stand_in: Serve) -> None:
    server = stand_in([Answer(503, {"error": "busy"})] * 3)
    error = run(ToolLoop(model="m", base_url=server.base_url, max_retries=2, retry_base_delay=0.001)).error
    assert error is not None
    assert error.message.startswith("HTTP 503: busy (3 attempts); try again later")
    assert len(server.requests) == 3


def test_the_raw_body_is_kept_as_it_came_up_to_2000_characters(run: Run, stand_in: Serve) -> None:
    body = f"{'x' * 1_990}{KEY}{'y' * 100}"
    server = stand_in([Answer(500, body)])
    error = run(ToolLoop(model="m", base_url=server.base_url, api_key=KEY, max_retries=0)).error
    assert error is not None
    assert error.body == f"{'x' * 1_990}***{'y' * 7}"


def test_a_completed_run_has_no_error_and_raises_nothing(run: Run, stand_in: Serve) -> None:
    result = run(ToolLoop(model="m", base_url=stand_in([says("Hello.")]).base_url))
    assert result.error is None
    assert result.raise_for_outcome() is result


def test_every_kind_of_the_list_has_a_case_here() -> None:
    assert [case.kind for case in CASES] + ["call_outcome_unknown"] == list(ERROR_KINDS)


def test_the_list_of_kinds_holds_what_the_code_gives() -> None:
    assert {kind for tree in trees() for kind in kinds_in(tree)} == set(ERROR_KINDS)


def test_the_list_of_codes_holds_what_the_code_gives() -> None:
    given = {code for tree in trees() for code in arguments_of(tree, "ToolReceipt.of_error", "ToolProblem")}
    assert given == set(codes_in_the_docstring())


def test_the_page_about_errors_says_what_the_lists_say() -> None:
    listed = {kind: [about.outcome, about.meaning, about.advice] for kind, about in ERROR_KINDS.items()}
    assert rows_of_the_page("kind") == listed
    assert list(rows_of_the_page("code")) == codes_in_the_docstring()


def trees() -> Iterator[ast.Module]:
    """Of the product, without the stand-in."""
    for folder in ("engine", "operations", "src/callagain"):
        for path in sorted((ROOT / folder).rglob("*.py")):
            if "testing" not in path.parts:
                yield ast.parse(path.read_text(encoding="utf-8"))


def kinds_in(tree: ast.Module) -> Iterator[str]:
    """Where a kind is given by name, and in functions that choose one."""
    yield from arguments_of(tree, "Failure", "Problem", "HttpAnswer.missing", "advised")
    yield from arguments_of(tree, "Held", position=1)
    for function in ast.walk(tree):
        if isinstance(function, ast.FunctionDef) and function.name == "reached_budget":
            texts = [node.value for node in ast.walk(function) if isinstance(node, ast.Constant)]
            yield from (text for text in texts if isinstance(text, str) and text.startswith("budget_"))
        if isinstance(function, ast.FunctionDef) and re.search("_kind|_wrong", function.name):
            for node in ast.walk(function):
                if isinstance(node, ast.Return) and node.value is not None:
                    yield from texts_in(node.value, tree)


def arguments_of(tree: ast.Module, *names: str, position: int = 0) -> Iterator[str]:
    """The texts that stand as an argument of functions or classes of these names."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Call) and len(node.args) > position and ast.unparse(node.func) in names:
            yield from texts_in(node.args[position], tree)


def texts_in(value: ast.expr, tree: ast.Module) -> Iterator[str]:
    """The texts that an expression can be: one of its own, one of two, the first of a tuple, a constant."""
    match value:
        case ast.Constant(value=str(text)):
            yield text
        case ast.Tuple(elts=[first, *_]):
            yield from texts_in(first, tree)
        case ast.IfExp(body=body, orelse=orelse):
            yield from texts_in(body, tree)
            yield from texts_in(orelse, tree)
        case ast.BoolOp(values=values):
            for each in values:
                yield from texts_in(each, tree)
        case ast.Name(id=name):
            for node in tree.body:
                if isinstance(node, ast.Assign) and [ast.unparse(target) for target in node.targets] == [
                    name
                ]:
                    yield from texts_in(node.value, tree)
        case _:
            pass


def codes_in_the_docstring() -> list[str]:
    listed = re.search(r"codes of tool errors: ([^.]+)\.", receipts.__doc__ or "")
    assert listed is not None
    return re.findall(r"\w+", listed[1])


def rows_of_the_page(first_column: str) -> dict[str, list[str]]:
    """Of the table whose first column has this name: what stands in the columns after it."""
    lines = (ROOT / "docs/errors.md").read_text(encoding="utf-8").splitlines()
    begin = next(number for number, line in enumerate(lines) if line.startswith(f"| {first_column} |"))
    rows: dict[str, list[str]] = {}
    for line in lines[begin + 2 :]:
        if not line.startswith("|"):
            break
        name, *rest = (cell.strip() for cell in line.strip("|").split(" | "))
        rows[name.strip("` ")] = [cell.replace("`", "") for cell in rest]
    return rows

"""`callagain run` and how much it may do: every limit and budget, as it ends a run or shortens a request."""

from collections.abc import Callable
from typing import Any

import pytest

from callagain.testing import AnyAnswer, StandIn, calls, says
from callagain.testing.plugin import StartStandIn

Command = Callable[..., Any]
Write = Callable[..., str]


def options(server: StandIn, *more: str) -> list[str]:
    return ["--base-url", server.base_url, "--model", "any", *more]


WRONG = calls(("get_order_status", {"number": 1}))
SAME = calls(("get_order_status", {"order_id": "1"}))
USAGE = {"prompt_tokens": 3_000, "completion_tokens": 200, "total_tokens": 3_200}
PRICES = ["--price-input", "0.25", "--price-output", "1"]

LIMITS: list[tuple[list[str], list[AnyAnswer], str]] = [
    (
        ["--max-repairs", "1"],
        [WRONG, WRONG],
        "limit (max_repairs): the arguments of get_order_status did not fit its schema once; "
        "rewrite the description of the tool, or raise --max-repairs",
    ),
    (
        ["--repeat-limit", "2"],
        [SAME, SAME],
        "limit (repeated_call): get_order_status was asked for 2 times with the same arguments "
        '{"order_id":"1"}, and was not run again (--repeat-limit 2); look at what the tool returns and '
        "at its description, or raise --repeat-limit",
    ),
    (
        ["--budget-tokens", "3200"],
        [calls(("get_order_status", {"order_id": "1"}), usage=USAGE)],
        "limit (budget_tokens): the run has used 3200 tokens of --budget-tokens 3200, and makes no further "
        "request; ask for less, or raise --budget-tokens",
    ),
    (
        ["--budget-money", "0.0009", *PRICES],
        [calls(("get_order_status", {"order_id": "1"}), usage=USAGE)],
        "limit (budget_money): the run has used $0.000950 of --budget-money 0.0009, and makes no further "
        "request; ask for less, take a cheaper model, or raise --budget-money",
    ),
    (
        ["--budget-requests", "1"],
        [SAME],
        "limit (budget_requests): the run has used 1 request of --budget-requests 1, and makes no further "
        "request; --verbose shows what they were for; --budget-requests allows more",
    ),
    (
        ["--budget-tool-calls", "0"],
        [SAME],
        "limit (budget_tool_calls): after 0 of --budget-tool-calls 0 the response asks for 1 more; "
        "look at the question and at the descriptions, or raise --budget-tool-calls",
    ),
    (
        ["--budget-time", "1e-06"],
        [SAME],
        "limit (budget_time): the run has used 0.0 s of --budget-time 1e-06, and makes no further request; "
        "--verbose shows what is done meanwhile; --budget-time gives it more",
    ),
]


@pytest.mark.parametrize(("limit", "script", "told"), LIMITS, ids=[limit[0] for limit, _, _ in LIMITS])
def test_a_limit_ends_the_run_with_code_3(
    command: Command,
    stand_in: StartStandIn,
    orders: str,
    limit: list[str],
    script: list[AnyAnswer],
    told: str,
) -> None:
    ended = command("run", "Go", "--tools", orders, *limit, *options(stand_in(script)))
    assert (ended.code, ended.out) == (3, "")
    assert ended.err.splitlines()[-1] == f"callagain: error: {told}"


def test_what_was_spent_is_in_the_document(command: Command, stand_in: StartStandIn, orders: str) -> None:
    script = [calls(("get_order_status", {"order_id": "1"}), usage=USAGE), says("Done.", usage=USAGE)]
    ended = command("run", "Go", "--tools", orders, "--json", *PRICES, *options(stand_in(script)))
    assert ended.json["spent"] == {
        "tokens": 6_400,
        "money": pytest.approx(0.0019),
        "requests": 2,
        "tool_calls": 1,
        "seconds": 0.0,
        "estimated": False,
    }


def test_the_model_is_told_no_more_of_a_result_than_is_wanted(
    command: Command, stand_in: StartStandIn, write: Write
) -> None:
    path = write("long.py", "def read() -> str:\n    'Read it.'\n    return 'a' * 500\n")
    server = stand_in([calls(("read", {})), "Done."])
    ended = command("run", "Go", "--tools", path, "--max-result-chars", "300", "--json", *options(server))
    (result,) = ended.json["tool_results"]
    assert result["full_content"] == "a" * 500
    assert "500 characters in full" in result["content"]
    assert len(result["content"]) <= 300


def test_old_results_are_shortened_when_a_request_is_large(
    command: Command, stand_in: StartStandIn, write: Write
) -> None:
    path = write("long.py", "def read(page: int) -> str:\n    'Read.'\n    return str(page) * 900\n")
    script: list[AnyAnswer] = [*[calls(("read", {"page": page})) for page in (1, 2)], "Done."]
    chosen = ["--tools", path, "--profile", "openai"]
    lengths: list[list[int]] = []
    for compact in ([], ["--compact-context", "1"], ["--compact-context"]):
        server = stand_in(script)
        assert command("run", "Go", *chosen, *compact, *options(server, "--model", "gpt-4o")).code == 0
        messages = server.requests[-1].json["messages"]
        lengths.append([len(message["content"]) for message in messages if message["role"] == "tool"])
    # The newest result has not been read yet, and half of the context window is far away.
    assert lengths[0] == lengths[2] == [900, 900]
    assert lengths[1][0] < 300 < lengths[1][1]

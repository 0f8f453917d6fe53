"""Each scenario comes to what it is to show, by the operations that it is to show, and is documented."""

import dataclasses
import functools
import importlib
import pkgutil
import re
from collections import Counter
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import pytest

import callagain.scenarios
from callagain import Tool, Verdict, approve, deny, edit, tool
from callagain.engine import Chain
from callagain.engine.run import Step
from callagain.scenarios import SCENARIOS, Scenario, play, scenario_named, verified

DOCS = Path(__file__).parents[2] / "docs"
NAMES = [scenario.name for scenario in SCENARIOS]
PARTS = ["Part 1", "Part 2", "Part 3", "Part 4", "Part 5"]

BEGINNING = ["initialize", "llm_call", "parse_response"]
ROUND = ["tool_dispatcher", "append_tool_result", "llm_call", "parse_response"]
ANSWER = ["extract_final"]


class Watched:
    """What a watcher is told."""

    def __init__(self) -> None:
        self.operations: list[str] = []
        self.notes: list[str] = []

    def show(self, chain: Chain, step: Step) -> None:
        assert step.operation in chain.operations
        self.operations.append(step.operation)

    def note(self, text: str) -> None:
        self.notes.append(text)


def counted(scenario: Scenario) -> tuple[Scenario, Counter[str]]:
    """The scenario, and how often the function of each of its tools has been entered."""
    entered: Counter[str] = Counter()

    def counting(function: Callable[..., object]) -> Callable[..., object]:
        @functools.wraps(function)
        def enter(*arguments: Any, **named: Any) -> object:
            entered[function.__name__] += 1
            return function(*arguments, **named)

        return enter

    tools = [
        dataclasses.replace(each, function=counting(each.function))
        for each in (given if isinstance(given, Tool) else tool(given) for given in scenario.tools)
    ]
    return dataclasses.replace(scenario, tools=tools), entered


@pytest.mark.parametrize(
    ("name", "operations", "effects", "answer"),
    [
        (
            "two-tools",
            [*BEGINNING, *ROUND, *ROUND, *ANSWER],
            {"look_up_contact": 1, "create_ticket": 1},
            "I created ticket T-77 for Ada Lovelace.",
        ),
        ("no-tool", [*BEGINNING, *ANSWER], {}, "HTTP stands for Hypertext Transfer Protocol."),
        (
            "parallel-calls",
            [*BEGINNING, *ROUND, *ANSWER],
            {"get_weather": 1, "get_time": 1},
            "It is sunny in Lisbon, and 12:30 in Lisbon.",
        ),
        (
            "tool-error",
            [*BEGINNING, *ROUND, *ROUND, *ANSWER],
            {"get_order_status": 1},
            "Order 481516 is shipped.",
        ),
        ("limit", [*BEGINNING, *ROUND, *ROUND, *ROUND], {"get_stock": 3}, None),
        (
            "wrong-id",
            [*BEGINNING, "tool_dispatcher", "append_tool_result", "trim_ids", "llm_call"],
            {"get_order_status": 1},
            None,
        ),
    ],
)
def test_it_comes_to_what_it_shows(
    name: str, operations: Sequence[str], effects: dict[str, int], answer: str | None
) -> None:
    scenario, entered = counted(scenario_named(name))
    result = play(scenario, watched := Watched())
    assert watched.operations == operations == [step.operation for step in result.trace]
    assert (result.outcome, result.final_response) == (scenario.outcome, answer)
    assert entered == effects


@pytest.mark.parametrize(
    ("verdict", "paid", "answer"),
    [
        (approve, 1, "$40 for order 481516 are on their way to you."),
        (deny("ask her first"), 0, "I could not pay order 481516 back: ask her first."),
        (edit({"order_id": "481516", "dollars": 5}), 1, "$5 for order 481516 are on their way to you."),
    ],
    ids=["approved", "denied", "edited"],
)
def test_an_approval_decides_whether_the_call_runs(verdict: Verdict, paid: int, answer: str) -> None:
    scenario, entered = counted(scenario_named("approval"))
    asked: list[str] = []

    def approver(call: callagain.PendingCall) -> Verdict:
        asked.append(call.name)
        assert entered["refund_order"] == 0
        return verdict

    result = play(scenario, watched := Watched(), approver)
    assert watched.operations == [*BEGINNING, *ROUND, *ANSWER]
    assert (result.outcome, result.final_response) == ("completed", answer)
    assert (asked, entered["refund_order"]) == (["refund_order"], paid)


def test_parallel_calls_run_at_the_same_time_and_keep_their_order() -> None:
    result = play(scenario_named("parallel-calls"), watched := Watched())
    assert watched.notes == ["The calls ran at the same time: get_time was answered first."]
    assert [each.name for each in result.tool_results] == ["get_weather", "get_time"]
    assert (result.loop_count, len(result.messages)) == (1, 6)


def test_a_tool_error_is_told_to_the_model() -> None:
    result = play(scenario_named("tool-error"), Watched())
    first, second = result.tool_results
    assert (first.error, second.error) == ("invalid_arguments", None)
    assert "String should match pattern" in first.content


def test_the_limit_and_the_refusal_say_why() -> None:
    limit, refused = (play(scenario_named(name), Watched()).error for name in ("limit", "wrong-id"))
    assert limit is not None
    assert refused is not None
    assert (limit.kind, refused.kind, refused.status) == ("max_iterations", "bad_request", 400)
    assert "get_stock was asked for 4 times with the same arguments" in limit.message
    assert "The answers sent carry the ids 1; the calls in tools_resp have the ids call_1." in refused.message


@pytest.mark.parametrize(
    ("name", "passed"),
    [("two-tools", [True, True, True]), ("no-tool", [True]), ("limit", [False]), ("wrong-id", [False])],
)
def test_the_verify_list_says_so_at_its_point(name: str, passed: list[bool]) -> None:
    scenario = scenario_named(name)
    checks = verified(scenario)
    assert [check.passed for check in checks] == passed
    assert {check.point for check in checks} == {scenario.point}


def test_a_scenario_without_a_point_is_not_verified() -> None:
    assert verified(scenario_named("tool-error")) == []


def test_every_scenario_of_the_folder_is_listed_once() -> None:
    found: list[Scenario] = []
    for module in pkgutil.iter_modules(callagain.scenarios.__path__):
        content = vars(importlib.import_module(f"callagain.scenarios.{module.name}"))
        found += [each for each in content.values() if isinstance(each, Scenario)]
    assert sorted(NAMES) == sorted(each.name for each in found)
    assert len(set(NAMES)) == len(NAMES)


@pytest.mark.parametrize("scenario", SCENARIOS, ids=NAMES)
def test_every_scenario_is_titled_and_documented(scenario: Scenario) -> None:
    texts = (scenario.title, scenario.shows, scenario.look_at, scenario.saw)
    assert all(text and text == text.strip() for text in texts)
    assert set(scenario.parts) <= set(PARTS)
    assert scenario.parts
    page = (DOCS / "command-line.md").read_text("utf-8")
    demo = page.partition("## `callagain demo`")[2].partition("\n## ")[0]
    assert re.search(rf"^\| `{scenario.name}` \|", demo, re.MULTILINE)
    assert (DOCS / scenario.page).is_file()
    assert (DOCS / "course" / scenario.lesson).is_file()

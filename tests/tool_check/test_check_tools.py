"""What `check_tools` takes, in which order it tells, and what it refuses."""

import re
from collections.abc import Callable
from typing import Any

import pytest

from callagain import tool
from callagain.connectors.tools import collect_tools
from callagain.engine.errors import ConfigurationError, ToolSchemaError
from callagain.engine.json_text import JsonObject
from callagain.tool_check import RULES, check_tools

Announce = Callable[..., JsonObject]


@tool(read_only=True)
def refund_order(order_id: str) -> str:
    """Refund an order; returns the amount. Not for orders of last year.

    Args:
        order_id: six digits
    """
    return order_id


def test_a_tool_says_by_itself_that_it_is_read_only() -> None:
    (found,) = check_tools([refund_order])
    assert found.code == "read-only-effects"
    assert check_tools([refund_order.announced()]) == []
    (found,) = check_tools([refund_order.announced()], read_only=["refund_order"])
    assert found.code == "read-only-effects"


def test_tools_of_a_loop_are_taken_as_they_are() -> None:
    (found,) = check_tools(collect_tools([refund_order]).values())
    assert (found.tool, found.path, found.place) == ("refund_order", "", "refund_order")


def test_findings_come_tool_by_tool_in_the_order_of_the_schema(announce: Announce) -> None:
    unclear = {"type": "string"}
    first = announce("run", "Run it.", {"b": unclear, "a": unclear})
    second = announce("helper", "Run it.", {})
    assert [(each.place, each.code) for each in check_tools([first, second])] == [
        ("run", "name-generic"),
        ("run", "description-repeats-name"),
        ("run.b", "property-description"),
        ("run.a", "property-description"),
        ("helper", "name-generic"),
        ("helper", "description-returns"),
        ("helper", "description-when-not"),
        ("helper", "description-alike"),
    ]


def test_a_rule_can_be_passed_over(announce: Announce) -> None:
    entry = announce("run", "")
    assert [each.code for each in check_tools([entry])] == ["name-generic", "description-missing"]
    assert [each.code for each in check_tools([entry], ignore=["name-generic"])] == ["description-missing"]


def test_a_rule_that_is_not_there_cannot_be_passed_over() -> None:
    with pytest.raises(
        ConfigurationError, match="there is no rule 'names' to ignore; there are name-generic, "
    ):
        check_tools([], ignore=["names"])


def test_a_tool_that_is_not_there_cannot_be_read_only(announce: Announce) -> None:
    with pytest.raises(ConfigurationError, match="read_only names 'refund', but the tools are look_up_order"):
        check_tools([announce()], read_only=["refund"])


@pytest.mark.parametrize(
    "no_tool",
    [print, "get_order", {"name": "get_order"}, {"function": {"name": 7}}, {"function": "get_order"}],
)
def test_what_is_no_tool_is_refused(no_tool: Any) -> None:
    message = 'a tool to be checked is a Tool, or {"type": "function", '
    with pytest.raises(ToolSchemaError, match=re.escape(message)):
        check_tools([no_tool])


def test_the_rules_are_data_with_the_problems_first() -> None:
    severities = [rule.severity for rule in RULES.values()]
    assert severities == sorted(severities, key=["problem", "advice"].index)
    assert all(rule.code == code and rule.finds and rule.says for code, rule in RULES.items())

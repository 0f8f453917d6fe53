"""Which tools a server gives, and what is announced of them."""

import asyncio
import sys
from collections.abc import Callable
from typing import Any, cast

import pytest
from tests.mcp.conftest import BadServer, Call

from callagain import ConfigurationError, Tool, ToolSchemaError
from callagain.mcp import McpServerError, McpTools

ALL = ["get_order", "add_line", "orders_find", "show", "fail", "environment"]


def names(tools: list[Tool]) -> list[str]:
    return [tool.name for tool in tools]


async def test_all_tools_are_listed_in_sync_and_in_async_code(orders: McpTools) -> None:
    listed = await asyncio.to_thread(orders.list)
    assert names(listed) == names(await orders.alist()) == ALL
    with pytest.raises(
        ConfigurationError, match=r"would block the event loop that runs here: use await alist\(\)"
    ):
        orders.list()


def of_the_shop(name: str) -> bool:
    return name.startswith("orders.")


CHOICES: list[tuple[dict[str, Any], list[str]]] = [
    ({"allow": ["fail", "get_order"]}, ["get_order", "fail"]),
    ({"allow": of_the_shop}, ["orders_find"]),
    ({"allow": []}, []),
    ({"allow": ["orders.find"], "prefix": "shop_"}, ["shop_orders_find"]),
]


@pytest.mark.parametrize(("options", "expected"), CHOICES)
def test_tools_are_chosen_by_the_servers_names(
    orders: McpTools, options: dict[str, Any], expected: list[str]
) -> None:
    assert names(orders.list(**options)) == expected


def test_a_tool_is_announced_as_the_server_describes_it(orders: McpTools) -> None:
    (tool,) = orders.list(allow=["get_order"])
    function = cast("dict[str, Any]", tool.announced()["function"])
    assert function["description"] == "Look up an order."
    assert function["parameters"]["required"] == ["order_id"]


def test_results_are_untrusted_and_effects_assumed_whatever_the_server_says(orders: McpTools) -> None:
    by_name = {tool.name: tool for tool in orders.list()}
    assert {tool.untrusted for tool in by_name.values()} == {True}
    assert {tool.when_unknown for tool in by_name.values()} == {"ask"}
    trusted = {tool.name: tool for tool in orders.list(trust_hints=True)}
    assert (trusted["get_order"].read_only, trusted["add_line"].idempotent) == (True, True)
    assert (trusted["add_line"].read_only, trusted["fail"].when_unknown) == (False, "ask")
    (own,) = orders.list(allow=["get_order"], trust_hints=True, read_only=False, untrusted=False)
    assert (own.read_only, own.untrusted) == (False, False)


MISTAKES: list[tuple[Callable[[McpTools], object], str]] = [
    (
        lambda tools: tools.list(allow=["get_ordr"]),
        "MCP server orders has no tool get_ordr; of its 6 the",
    ),
    (lambda tools: tools.list(allow="fail"), "allow='fail' must be a list of names, or a function of a"),
    (
        lambda tools: tools.list(name="x"),
        "name= cannot be set for all tools of a server; use dataclasses",
    ),
    (lambda tools: tools.list(in_caller_thread=True), "in_caller_thread= cannot be set for the tools of a"),
    (lambda tools: tools.list(colour="red"), "list() has no option colour; it has: allow, prefix, trust"),  # type: ignore[call-arg]
    (lambda tools: tools.list(prefix="x y "), "prefix='x y ' may have letters, digits, _ and - alone"),
    (
        lambda tools: tools.list(prefix="x" * 60),
        f"MCP server orders: tool '{'x' * 60}get_order': a tool's name has 1 to 64 characters; shorten ",
    ),
    (lambda tools: tools.list(timeout=-1), "tool of MCP server orders: timeout=-1 must be a number"),
    (lambda _: McpTools.stdio(["x"], secrets=["abc"]), "secrets= must be a list of texts of 4 characters or"),
    (lambda _: McpTools.stdio("python server.py"), "the command of an MCP server is a list, as in "),
    (lambda _: McpTools.stdio(["x"], env={"A": 1}), "env= must be a mapping of texts to texts"),  # type: ignore[dict-item]
    (lambda _: McpTools.http("http://x", headers=["a"]), "headers= must be a mapping of texts to texts"),  # type: ignore[arg-type]
    (lambda _: McpTools.stdio(["python"], timeout=0), "timeout=0 must be a number of seconds above 0"),
    (lambda _: McpTools.http("localhost:80/mcp"), "the url of an MCP server begins with http:// or "),
    (lambda _: McpTools.http("http://x", max_message_bytes=1), "max_message_bytes=1 must be 1024 or"),
]


@pytest.mark.parametrize(("make", "message"), MISTAKES)
def test_a_mistake_of_the_program_is_told_in_a_line(
    orders: McpTools, make: Callable[[McpTools], object], message: str
) -> None:
    with pytest.raises((ConfigurationError, ToolSchemaError)) as told:
        make(orders)
    assert str(told.value).startswith(message)
    assert "\n" not in str(told.value)


@pytest.mark.parametrize(
    ("mode", "message"),
    [
        ("many tools", "MCP server bad: it has more than 1000 tools"),
        ("endless pages", "MCP server bad: its list of tools has more than 50 pages"),
        ("no JSON-RPC", "MCP server bad: it sent a message that is no JSON-RPC"),
        (
            "dies at the start",
            "MCP server bad: it ended with exit code 1: no database at postgres://me:***@db.example",
        ),
        (
            "says nothing",
            "MCP server bad: it gave no answer within 2 s; of its stdout 1 line is no message of the "
            "protocol, the last: 'Listening on port 80'",
        ),
        (
            "deep schema",
            "MCP server bad: tool deep: parameters: the schema is nested deeper than 64 levels; leave it",
        ),
        ("no inputSchema", "MCP server bad: tool without: its inputSchema must be a JSON object; leave it"),
        ("no schema", "MCP server bad: tool odd: parameters: not a JSON schema: "),
        (
            "schema from afar",
            "MCP server bad: tool odd: parameters: $ref: 'http://127.0.0.1:9/",
        ),
        ("long description", "MCP server bad: tool wordy: schema and description have 100,0"),
        ("one name twice", "MCP server bad: it lists two tools of the name work; leave them out by allow="),
        ("two names alike", "MCP server bad: a.b and a_b are announced as a_b; leave one out by allow="),
        ("long name", "MCP server bad: tool 'xxxx"),
    ],
)
def test_a_server_that_floods_or_breaks_the_protocol_is_told_in_a_line(
    bad_server: BadServer, mode: str, message: str
) -> None:
    tools = bad_server(mode, timeout=2 if mode == "says nothing" else 20)
    with pytest.raises((McpServerError, ToolSchemaError)) as told:
        tools.list()
    assert str(told.value).startswith(message)
    assert "\n" not in str(told.value)


def test_tools_that_cannot_be_used_leave_the_others_as_they_are(bad_server: BadServer) -> None:
    tools = bad_server("bad tools beside a good one")
    assert names(tools.list(allow=["work"])) == ["work"]
    with pytest.raises(
        ToolSchemaError, match="tool deep: parameters: the schema is nested deeper than 64 levels"
    ):
        tools.list(allow=["deep"])


def test_without_the_extra_it_is_said_what_is_missing(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delitem(sys.modules, "callagain.mcp.connection")
    monkeypatch.setitem(sys.modules, "mcp", None)
    with pytest.raises(ConfigurationError, match=r"mcp is missing: pip install 'callagain\[mcp\]'$"):
        McpTools.stdio(["python"]).list()


def test_a_servers_pattern_keeps_no_run_waiting(bad_server: BadServer, call: Call) -> None:
    tools = bad_server("exploding pattern").list()
    assert call(tools, "work", {"text": "a" * 40 + "!"}).tool_results[0].error == "invalid_arguments"


def test_a_program_that_is_not_there_is_told_and_a_closed_source_stays_closed() -> None:
    tools = McpTools.stdio(["no-such-program-anywhere", "--key=s3cret"])
    with pytest.raises(
        McpServerError, match="MCP server no-such-program-anywhere: FileNotFoundError"
    ) as told:
        tools.__enter__()
    assert "s3cret" not in f"{told.value}{tools!r}"
    with pytest.raises(McpServerError, match="it was closed; make new McpTools"):
        tools.list()


def test_approval_and_the_allow_list_hold_as_for_any_tool(orders: McpTools, call: Call) -> None:
    allowed = orders.list(allow=["fail"], requires_approval=True)
    assert call(allowed, "fail", {"words": "x"}).outcome == "suspended"
    assert call(allowed, "environment", {"name": "PATH"}).tool_results[0].error == "unknown_tool"
    assert call(allowed, "fail", {"word": "x"}).tool_results[0].error == "invalid_arguments"

"""A run that waits is kept as a text and goes on elsewhere, once; whatever does not fit it is refused."""

import json
import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from tests.loop.shop import SORRY, Shop, a_look, a_refund, asks_for, told

from callagain import (
    ConfigurationError,
    DecisionError,
    Result,
    SnapshotError,
    approve,
    deny,
    tool,
)
from callagain.engine.operation import Script
from callagain.engine.variables import Variables
from callagain.operations import TOOL_CALLING_LOOP
from callagain.testing import StandIn

Run = Callable[..., Result]
Serve = Callable[..., StandIn]

SOURCE = Path(__file__).parents[2] / "src"
KEY = "a key of many characters"
PROGRAM = '''\
"""begin BASE_URL, or resume BASE_URL VERDICT: one process of two that share nothing but a text."""

import sys
from pathlib import Path

from callagain import ToolLoop, approve, deny, edit, tool


@tool(requires_approval=True)
def refund(order_id: str, amount: int) -> dict[str, object]:
    """Pay an order back, in whole dollars."""
    with Path("refunds.txt").open("a") as book:
        print(order_id, amount, file=book)
    return {"refunded": amount}


def look_up_order(order_id: str) -> str:
    """Look up an order by its six-digit id."""
    with Path("looks.txt").open("a") as book:
        print(order_id, file=book)
    return "delivered"


does, base_url, *verdict = sys.argv[1:]
loop = ToolLoop(
    model="m", base_url=base_url, tools=[refund, look_up_order], snapshot_key="a key of many characters"
)
if does == "begin":
    print(loop.run("Go").snapshot())
else:
    decision = {
        "approve": approve, "deny": deny("too much"), "edit": edit({"order_id": "481516", "amount": 4})
    }[verdict[0]]
    result = loop.resume(sys.stdin.read(), decisions={"r1": decision})
    print(result.outcome, result.final_response, [each.error for each in result.tool_results])
'''


@pytest.mark.parametrize(
    ("verdict", "refunds", "said"),
    [
        ("approve", "481516 40\n", {"refunded": 40}),
        ("edit", "481516 4\n", {"refunded": 4}),
        ("deny", "", {"error": {"code": "denied", "message": "too much"}}),
    ],
)
def test_a_run_is_suspended_in_one_process_and_resumed_in_another(
    stand_in: Serve, tmp_path: Path, verdict: str, refunds: str, said: object
) -> None:
    server = stand_in([asks_for(a_look(), a_refund(id="r1")), SORRY])
    (tmp_path / "program.py").write_text(PROGRAM)
    (tmp_path / "refunds.txt").touch()

    def process(*arguments: str, given: str = "") -> str:
        done = subprocess.run(
            [sys.executable, "-W", "error", "program.py", *arguments],
            cwd=tmp_path,
            env={**os.environ, "PYTHONPATH": str(SOURCE), "OPENAI_API_KEY": "sk-of-this-process-alone"},
            input=given,
            capture_output=True,
            text=True,
            timeout=60,
        )
        assert done.stderr == ""
        return done.stdout

    snapshot = process("begin", server.base_url)
    assert "sk-of-this-process-alone" not in snapshot
    assert (tmp_path / "refunds.txt").read_text() == ""
    errors = [None, "denied" if verdict == "deny" else None]
    assert process("resume", server.base_url, verdict, given=snapshot) == (
        f"completed {SORRY.text} {errors}\n"
    )
    assert (tmp_path / "refunds.txt").read_text() == refunds
    assert (tmp_path / "looks.txt").read_text() == "481516\n"
    assert told(server, "r1") == said
    assert [request.status for request in server.requests] == [200, 200]


@pytest.fixture
def shop() -> Shop:
    return Shop()


@pytest.fixture
def server(stand_in: Serve) -> StandIn:
    return stand_in([asks_for(a_refund(id="r1")), SORRY])


def refused(message: str) -> Any:
    """A SnapshotError of one line with these words in it."""
    return pytest.raises(SnapshotError, match=f"^[^\n]*{message}[^\n]*$")


DAMAGE: list[tuple[Callable[[str], str | bytes], str]] = [
    (lambda text: text.replace("refund", "refuse"), "damaged"),
    (lambda text: text.replace("481516", "481517"), "damaged"),
    (lambda text: text[: len(text) // 2], "may have been cut off"),
    (lambda text: text.encode().replace(b"refund", b"\xff"), "no JSON text"),
    (lambda _: "", "no JSON text"),
    (lambda _: "{}", "no snapshot of a run"),
    (lambda _: "[]", "no snapshot of a run"),
    (lambda text: text.replace('"version":1', '"version":7'), "has version 7, and this callagain reads 1"),
]


@pytest.mark.parametrize(("damage", "words"), DAMAGE)
def test_a_damaged_snapshot_is_refused(
    shop: Shop, server: StandIn, damage: Callable[[str], str | bytes], words: str
) -> None:
    loop = shop.loop(server)
    snapshot = loop.run("Go").snapshot()
    damaged = damage(snapshot)
    assert damaged != snapshot
    with refused(words):
        loop.resume(damaged, decisions={"r1": approve})
    assert (shop.refunds, len(server.requests)) == ([], 1)
    assert loop.resume(snapshot, decisions={"r1": approve}).outcome == "completed"


@pytest.mark.parametrize(
    ("written_with", "read_with", "words"),
    [
        (KEY, "another key of many characters", "was signed with another key than this snapshot_key="),
        (KEY, None, "the snapshot is signed; give the key that signed it"),
        (None, KEY, "the snapshot is not signed, and snapshot_key= is given"),
    ],
)
def test_a_snapshot_is_read_with_the_key_that_signed_it(
    shop: Shop, server: StandIn, written_with: str | None, read_with: str | None, words: str
) -> None:
    snapshot = shop.loop(server, snapshot_key=written_with).run("Go").snapshot()
    with refused(words):
        shop.loop(server, snapshot_key=read_with).resume(snapshot, decisions={"r1": approve})
    same_key = None if written_with is None else written_with.encode()
    loop = shop.loop(server, snapshot_key=same_key)
    assert loop.resume(snapshot.encode(), decisions={"r1": approve}).outcome == "completed"
    assert shop.refunds == [("481516", 40)]


def test_a_signature_covers_every_value(shop: Shop, server: StandIn) -> None:
    loop = shop.loop(server, snapshot_key=KEY)
    snapshot = json.loads(loop.run("Go").snapshot())
    release = {"entry": "decision", "key": [4, 0], "digest": "", "verdict": "release", "value": None}
    changed = [{**snapshot, name: None} for name in snapshot if name != "signature"]
    changed += [
        {**snapshot, "log": [*snapshot["log"], release]},
        {**snapshot, "inputs": {**snapshot["inputs"], "max_iterations": 99}},
        {**snapshot, "signature": ""},
        {**snapshot, "signature": None},
        {**snapshot, "checksum": snapshot["signature"]},
    ]
    for each in changed:
        with pytest.raises(SnapshotError):
            loop.resume(json.dumps(each), decisions={"r1": approve})
    assert shop.refunds == []


class Redact(Script):
    """Takes nothing out."""

    title = "Redact"

    def run(self, variables: Variables) -> None:
        """Nothing to do."""


@tool
def cancel_order(order_id: str) -> str:
    """Cancel an order."""
    return order_id


def another_tool(shop: Shop) -> dict[str, Any]:
    @tool(requires_approval=True)
    def refund(order_id: str, amount: float) -> str:
        """Pay an order back, in whole dollars."""
        shop.refunds.append((order_id, int(amount)))
        return "refunded"

    return {"tools": [shop.tools[0], refund]}


FOREIGN: list[tuple[Callable[[Shop], dict[str, Any]], str]] = [
    (
        lambda _: {"chain": TOOL_CALLING_LOOP.insert("redact", Redact(), after="parse_response")},
        "it began with another chain than",
    ),
    (lambda shop: {"tools": [*shop.tools, cancel_order]}, r"added: 'cancel_order'"),
    (lambda shop: {"tools": shop.tools[1:]}, r"removed: 'look_up_order'"),
    (lambda shop: {"tools": shop.tools[::-1]}, "the tools stand in another order"),
    (another_tool, r"with another schema or description: 'refund'"),
]


@pytest.mark.parametrize(("options", "words"), FOREIGN)
def test_a_snapshot_of_another_chain_or_other_tools_is_refused(
    shop: Shop, server: StandIn, options: Callable[[Shop], dict[str, Any]], words: str
) -> None:
    snapshot = shop.loop(server).run("Go").snapshot()
    with refused(words):
        shop.loop(server, **options(shop)).resume(snapshot, decisions={"r1": approve})
    assert (shop.refunds, len(server.requests)) == ([], 1)


def test_decisions_that_are_refused_use_nothing_up(shop: Shop, server: StandIn) -> None:
    loop = shop.loop(server)
    waiting = loop.run("Go", run_id="job-7")
    refusals: list[tuple[dict[str, Any], str]] = [
        ({}, "nothing was decided; waiting: r1"),
        ({"decisions": {}}, "nothing was decided; waiting: r1"),
        ({"decisions": {"r2": approve}}, "the run job-7 has no call r2; waiting: r1"),
        ({"decisions": {"": approve}}, "the run job-7 has no call ; waiting: r1"),
        ({"decisions": {"r1": approve, "r2": approve}}, "the run job-7 has no call r2; waiting: r1"),
        ({"decisions": {1: approve}}, "the run job-7 has no call 1; waiting: r1"),
        ({"decisions": [approve]}, "decisions must map the ids of calls to approve, deny(reason) or edit"),
        ({"decisions": approve}, "decisions must map the ids of calls to approve, deny(reason) or edit"),
        ({"decisions": {"r1": approve}, "results": {"r1": 1}}, "r1 was decided twice; say one thing about"),
        ({"results": {"r2": 1}}, "the run job-7 has no call r2; waiting: r1"),
        ({"results": {"r1": object()}}, "the result of refund (r1) cannot be used: object at the result has"),
        ({"results": {"r1": float("nan")}}, "the result of refund (r1) cannot be used: nan at the result is"),
    ]
    for given, message in refusals:
        with pytest.raises(DecisionError) as caught:
            loop.resume(waiting, **given)
        assert str(caught.value).startswith(message)
    with pytest.raises(ConfigurationError, match="^changes= is for a run at a limit; this one waits for"):
        loop.resume(waiting, decisions={"r1": approve}, changes={"max_iterations": 9})
    assert shop.refunds == []
    assert loop.resume(waiting, decisions={"r1": approve}).outcome == "completed"


def test_a_run_that_began_with_approve_effects_asks_in_every_loop(stand_in: Serve) -> None:
    shop = Shop(requires_approval=False)
    server = stand_in([asks_for(a_refund(id="r1")), asks_for(a_refund(4000, id="r2")), SORRY])
    waiting = shop.loop(server, approve_effects=True).run("Go")
    result = shop.loop(server).resume(waiting.snapshot(), decisions={"r1": deny()})
    assert (result.outcome, shop.refunds) == ("suspended", [])


def test_what_is_no_snapshot_is_refused(shop: Shop, server: StandIn) -> None:
    loop = shop.loop(server)
    nothing: Any
    for nothing in (None, 7, {"run_id": "r"}, loop.start("Go")):
        with refused("a snapshot is the text that result.snapshot"):
            loop.resume(nothing, decisions={"r1": approve})


def test_a_run_that_is_completed_is_not_resumed(shop: Shop, server: StandIn) -> None:
    loop = shop.loop(server)
    done = loop.resume(loop.run("Go"), decisions={"r1": deny()})
    with pytest.raises(DecisionError, match="^no call waits for a decision: the run is completed"):
        loop.resume(done, decisions={"r1": approve})
    with pytest.raises(ConfigurationError, match="^the run is completed; to go on with its conversation,"):
        loop.resume(done)
    with pytest.raises(ConfigurationError, match="^the run is completed; to go on with its conversation,"):
        loop.resume(done.snapshot(), changes={"max_iterations": 9})
    assert (shop.refunds, len(server.requests)) == ([], 2)

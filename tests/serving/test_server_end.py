"""The end of a server: no run is lost that a journal keeps, and the command ends as it is told."""

import json
import os
import signal
import subprocess
import sys
import threading
import urllib.request
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from tests.serving.conftest import TOKEN, Serve, Shop

from callagain import ToolLoop
from callagain.cli.tools_file import load_tools
from callagain.testing import StandIn, call, calls, says

SOURCE = Path(__file__).parents[2] / "src"

TOOLS = '''
from callagain import tool


@tool(requires_approval=True)
def refund(order_id: str) -> str:
    """Refund an order."""
    return "refunded"
'''


@pytest.mark.parametrize("is_kept", [False, True], ids=["memory", "journal"])
def test_runs_under_way_are_left_where_they_stand(
    serve: Serve, shop: Shop, tmp_path: Path, is_kept: bool
) -> None:
    loop = shop.loop(journal=tmp_path / "runs.db" if is_kept else None)
    server = serve(loop)
    answers: list[Any] = []
    request = {"message": "wait", "run_id": "r"}
    waiting = threading.Thread(target=lambda: answers.append(server.ask("POST", "/runs", request)))
    waiting.start()
    assert shop.entered.wait(10)
    server.end()
    waiting.join(10)
    assert (answers[0].status, answers[0].headers["retry-after"]) == (503, "5")
    goes_on = (
        "send the same request with this run_id, or resume the run by POST /runs/{run_id}/resume with {}"
    )
    kept = f"the run is kept: {goes_on}"
    assert answers[0].json["detail"] == (
        f"the server is shutting down; {kept if is_kept else 'it keeps no runs; ask again'}"
    )
    assert server.told[1:] == [
        "ending; waiting up to 0.2 s for the runs under way",
        "runs interrupted: 1; "
        + ("kept, to go on when they are resumed" if is_kept else "lost, without a journal"),
    ]
    if is_kept:
        shop.opened.set()
        after = serve(loop)
        interrupted = after.ask("GET", "/runs/r").json
        assert (interrupted["status"], interrupted["error"]) == (
            "interrupted",
            {"kind": "interrupted", "message": f"nobody drives the run any more; {goes_on}"},
        )
        assert after.ask("POST", "/runs", request).json["final_response"] == "Done: open"
        assert after.ask("POST", "/runs/r/resume", {}).status == 409
        assert len(shop.endpoint.requests) == 2


def test_a_journal_that_is_gone_is_told_in_the_log_alone(
    serve: Serve, shop: Shop, tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    server = serve(shop.loop(journal=tmp_path / "runs.db"))
    assert server.ask("POST", "/runs", {"message": "Hello", "run_id": "r"}).status == 200
    for file in tmp_path.glob("runs.db*"):
        file.write_bytes(b"no journal")
    for method, path, body in (
        ("GET", "/runs/r", None),
        ("POST", "/runs/r/resume", {}),
        ("POST", "/runs", {"message": "Hello", "run_id": "r"}),
        ("POST", "/runs", {"message": "Hello", "run_id": "new"}),
    ):
        answered = server.ask(method, path, body)
        assert (answered.status, str(tmp_path) in answered.text) == (500, False), answered.text
        assert answered.json["detail"] == "the journal cannot be used; the server's log says why"
    assert str(tmp_path / "runs.db") in caplog.text


def test_a_run_that_is_nearly_done_is_waited_for(serve: Serve, shop: Shop) -> None:
    server = serve(shop.loop(), grace=10)
    answers: list[Any] = []
    waiting = threading.Thread(
        target=lambda: answers.append(server.ask("POST", "/runs", {"message": "wait", "run_id": "r"}))
    )
    waiting.start()
    assert shop.entered.wait(10)
    threading.Timer(0.3, shop.opened.set).start()
    server.end()
    waiting.join(10)
    assert (answers[0].status, answers[0].json["status"]) == (200, "completed")


def test_a_tool_that_ends_the_program_ends_its_run_alone(
    serve: Serve, stand_in: Callable[..., StandIn]
) -> None:
    def leave() -> str:
        """Leave."""
        sys.exit(3)

    endpoint = stand_in([calls(call("leave")), says("Hello.")])
    server = serve(ToolLoop(model="any", tools=[leave], base_url=endpoint.base_url, api_key="none"))
    ended = server.ask("POST", "/runs", {"message": "Leave.", "run_id": "r"})
    assert (ended.status, ended.json["detail"]) == (
        500,
        "the run was interrupted, and the server's log says why; send the same request with this run_id, or "
        "resume the run by POST /runs/{run_id}/resume with {}",
    )
    again = server.ask("POST", "/runs", {"message": "Leave.", "run_id": "r"}).json
    assert (again["status"], again["error"]["kind"]) == ("suspended", "call_outcome_unknown")
    found_out = server.ask("POST", "/runs/r/resume", {"results": {"call_1": "left"}}).json
    assert (found_out["status"], found_out["final_response"]) == ("completed", "Hello.")


def test_the_command_serves_until_sigterm_and_its_runs_go_on_in_another_process(
    serve: Serve, stand_in: Callable[..., StandIn], tmp_path: Path
) -> None:
    endpoint = stand_in([calls(call("refund", {"order_id": "7"})), says("Refunded.")])
    (tmp_path / "shop_tools.py").write_text(TOOLS)
    (tmp_path / "token").write_text(f"{TOKEN}\n")
    (tmp_path / "token").chmod(0o644)
    command = [sys.executable, "-m", "callagain", "serve", "--tools", "shop_tools.py", "--model", "any"]
    command += ["--base-url", endpoint.base_url, "--journal", "runs.db"]
    with subprocess.Popen(
        [*command, "--port", "0", "--token-file", "token"],
        cwd=tmp_path,
        env={**os.environ, "PYTHONPATH": str(SOURCE)},
        stderr=subprocess.PIPE,
        text=True,
    ) as process:
        assert process.stderr is not None
        assert process.stderr.readline() == (
            "callagain: WARNING: everybody on this machine can read the token file token; chmod 600 keeps it "
            "to its owner\n"
        )
        url = process.stderr.readline().split()[2].rstrip(";")
        headers = {"Authorization": f"Bearer {TOKEN}", "Content-Type": "application/json"}
        body = json.dumps({"message": "Refund it.", "run_id": "r"}).encode()
        with urllib.request.urlopen(urllib.request.Request(f"{url}/runs", body, headers)) as response:
            assert json.load(response)["status"] == "suspended"
        process.send_signal(signal.SIGTERM)
        assert (process.wait(20), process.stderr.read()) == (0, "")
    loop = ToolLoop(
        model="any",
        tools=load_tools([str(tmp_path / "shop_tools.py")]),
        base_url=endpoint.base_url,
        api_key="none",
        journal=tmp_path / "runs.db",
    )
    decided = serve(loop).ask("POST", "/runs/r/resume", {"decisions": {"call_1": "approve"}}).json
    assert (decided["status"], decided["final_response"]) == ("completed", "Refunded.")

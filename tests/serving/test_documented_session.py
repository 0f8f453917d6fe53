"""docs/serving.md, tried: its curl session, its commands, and the scripts of a Jitterbit project."""

import json
import re
import shlex
from pathlib import Path
from typing import Any

import pytest
from tests.docs.fences import fences_in
from tests.serving.conftest import Answered, Serve, Served

from callagain import ToolLoop
from callagain.cli import build_parser, example_tools
from callagain.cli.example_rules import EXAMPLE_RULES
from callagain.cli.tools_file import load_tools
from callagain.porting.script import RaisedError, run_script
from callagain.testing.plugin import StartStandIn

PAGE = (Path(__file__).parents[2] / "docs" / "serving.md").read_text("utf-8")
COMMANDS = [
    line
    for fence in fences_in(PAGE)
    if fence.language == "bash"
    for line in fence.body.replace("\\\n", " ").splitlines()
]
SCRIPTS = {fence.file: fence.body for fence in fences_in(PAGE) if fence.language == "jitterbit"}


def curl(server: Served, command: str) -> Answered:
    """What curl would ask, of this server."""
    words = shlex.split(command)[1:]
    body: bytes | None = None
    headers: dict[str, str] = {}
    path = ""
    while words:
        match words.pop(0):
            case "-s" | "-N":
                pass
            case "-H":
                name, _, value = words.pop(0).partition(": ")
                headers[name] = value
            case "-d":
                body = words.pop(0).encode()
            case url:
                path = url.removeprefix("http://127.0.0.1:8000")
    return server.ask("GET" if body is None else "POST", path, body, **headers)


def test_the_session_goes_as_it_is_shown(serve: Serve, stand_in: StartStandIn, tmp_path: Path) -> None:
    loop = ToolLoop(
        model="gpt-4o",
        tools=load_tools([example_tools.__file__]),
        base_url=stand_in(EXAMPLE_RULES).base_url,
        api_key="none",
        approve_effects=True,
        journal=tmp_path / "runs.db",
    )
    server = serve(loop)
    answers = [curl(server, command) for command in COMMANDS if command.startswith("curl")]
    hello, order, shown, resumed, streamed, watched = answers
    beginning = hello.text.replace(hello.json["final_response"], "…")
    (documented,) = re.findall(r"```text\n(\{.*?),…\}\n```", PAGE)
    assert beginning.startswith(documented)
    assert (order.json["status"], shown.json) == ("suspended", order.json)
    assert resumed.json["status"] == "completed"
    assert (streamed.events[-1][0], streamed.events[-1][1]["status"]) == ("run", "completed")
    assert watched.events == streamed.events


def test_the_commands_are_ones_that_there_are() -> None:
    commands = [shlex.split(command) for command in COMMANDS if command.startswith("callagain")]
    parsed = [build_parser().parse_args(command[1:]) for command in commands]
    assert [(each.host, each.port) for each in parsed] == [("127.0.0.1", 8000), ("0.0.0.0", 8000)]


def test_the_scripts_of_a_jitterbit_project_ask_and_read_the_answer(
    serve: Serve, stand_in: StartStandIn
) -> None:
    server = serve(
        ToolLoop(
            model="any",
            tools=load_tools([example_tools.__file__]),
            base_url=stand_in(EXAMPLE_RULES).base_url,
            api_key="none",
        )
    )
    variables: dict[str, Any] = {"order_id": "481516"}
    run_script(SCRIPTS["ask.jb"], globals=variables)
    answered = server.ask("POST", "/runs", variables["callagain_request"].encode())
    variables["callagain_response"] = answered.text
    run_script(SCRIPTS["answer.jb"], globals=variables)
    assert variables["final_response"].startswith("What get_order_status says about order 481516: ")
    variables["callagain_response"] = json.dumps({**answered.json, "status": "running"})
    with pytest.raises(RaisedError, match="run order-481516 is still under way; look at it later"):
        run_script(SCRIPTS["answer.jb"], globals=variables)
    error = {"kind": "max_iterations", "message": "enough"}
    variables["callagain_response"] = json.dumps({**answered.json, "status": "limit", "error": error})
    with pytest.raises(RaisedError, match="run order-481516 is limit: enough"):
        run_script(SCRIPTS["answer.jb"], globals=variables)

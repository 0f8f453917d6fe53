"""docs/mcp.md as somebody who follows it: its server, by stdio and behind a URL, and its programs."""

from pathlib import Path
from typing import Any

import pytest
from tests.docs.fences import fences_in
from tests.mcp.http_server import HttpTestServer

PAGE = (Path(__file__).parents[2] / "docs" / "mcp.md").read_text("utf-8")
FENCES = [fence for fence in fences_in(PAGE) if fence.language == "python"]


def test_the_page_does_what_it_says(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    server, *programs = FENCES
    assert server.file == "orders_server.py"
    (tmp_path / server.file).write_text(server.body)
    module: dict[str, Any] = {"__name__": "orders_server"}
    exec(compile(server.body, server.file, "exec"), module)

    with HttpTestServer(lambda _: module["server"]) as running:
        for program in programs:
            source = program.body.replace("http://127.0.0.1:8000/mcp", running.url)
            exec(compile(source, f"mcp.md:{program.line}", "exec"), {"__name__": "__main__"})
    assert capsys.readouterr().out == "It is shipped.\n"

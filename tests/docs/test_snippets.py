"""Every Python snippet and every command of the documentation is tried."""

import io
import os
import runpy
import shlex
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest
import structlog
from tests.docs.fences import fences_in

from callagain import TOOL_CALLING_LOOP, ToolLoop, open_journal
from callagain.cli import main
from callagain.cli.example_rules import EXAMPLE_RULES, ONE_CALL
from callagain.cli.tools_file import load_tools
from callagain.diagrams import transition_table_markdown
from callagain.testing import StandIn, load_script

ROOT = Path(__file__).parents[2]
PAGES = sorted([*ROOT.glob("*.md"), *(ROOT / "docs").glob("*.md")])
# What needs a database is tried in tests/durable, an MCP server in tests/mcp, what takes seconds to import in
# tests/ecosystem, the course in test_course.py.
TRIED_ELSEWHERE = ("durable.md", "langchain-llamaindex.md", "mcp.md")

# Commands that the tests themselves are run by, or that tests/packaging runs.
RUN_ELSEWHERE = ("make", "git", "pip", "python", "cd")

KEPT_RUNS: dict[str, dict[str, Any]] = {"4f1c2a": {"approve_effects": True}, "9b2e7d": {"max_iterations": 0}}
DESIGNS = ROOT / "examples" / "designs"
PLUGINS = ("callagain.testing.plugin", "callagain.cli.prompts_plugin")


def snippets(*languages: str) -> Iterator[object]:
    for page in pages_tried_here():
        for fence in fences_in(page.read_text()):
            if fence.language in languages and fence.source is None:
                yield pytest.param(fence.body, id=f"{page.name}:{fence.line}")


def pages_tried_here() -> list[Path]:
    return [page for page in PAGES if page.name not in TRIED_ELSEWHERE]


def commands() -> Iterator[object]:
    for page in pages_tried_here():
        for fence in fences_in(page.read_text()):
            if fence.language in ("console", "sh"):
                for line in fence.body.replace("\\\n", " ").splitlines():
                    command = line.removeprefix("$ ").strip()
                    if command and not command.startswith("#"):
                        yield pytest.param(command, id=f"{page.name}: {command}")


@pytest.fixture
def endpoint(
    stand_in: Callable[..., StandIn], monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> Iterator[StandIn]:
    server = stand_in(EXAMPLE_RULES)
    monkeypatch.setenv("OPENAI_BASE_URL", server.base_url)
    monkeypatch.setenv("OPENAI_API_KEY", "any")
    monkeypatch.setattr(sys, "stdin", io.StringIO())
    monkeypatch.chdir(tmp_path)
    (tmp_path / "orders.py").write_text((ROOT / "src/callagain/cli/example_tools.py").read_text())
    (tmp_path / "orders").symlink_to(DESIGNS / "orders")
    (tmp_path / "orders.json").symlink_to(DESIGNS / "orders_studio_export.json")
    yield server
    structlog.reset_defaults()


@pytest.mark.parametrize("source", list(snippets("python")))
def test_a_snippet_runs(source: str, endpoint: StandIn) -> None:
    exec(compile(source, "snippet", "exec"), {"__name__": "__main__"})
    assert all(request.status == 200 for request in endpoint.requests)


def test_the_readmes_program_is_short_and_answers(
    endpoint: StandIn, capsys: pytest.CaptureFixture[str]
) -> None:
    readme = fences_in((ROOT / "README.md").read_text())
    (source,) = [fence.body for fence in readme if fence.language == "python"]
    assert len(source.splitlines()) <= 20
    exec(compile(source, "snippet", "exec"), {"__name__": "__main__"})
    assert capsys.readouterr().out.startswith("completed 1 What get_order_status says about order 481516: ")
    assert len(endpoint.requests) == 2


@pytest.mark.parametrize("command", list(commands()))
def test_a_command_works(command: str, endpoint: StandIn, capsys: pytest.CaptureFixture[str]) -> None:
    words = shlex.split(command, comments=True)
    if words[0] in RUN_ELSEWHERE:
        return
    if words[0] == "pytest":
        run_pytest([word.replace("http://127.0.0.1:PORT/v1", endpoint.base_url) for word in words[1:]])
        return
    assert words[0] == "callagain", command
    if words[1] == "serve-stand-in":
        assert main([*words[1:2], "--help"]) == 0
        return
    if {"runs.db", "failed.json"} & set(words):
        keep_runs()
    if words[:2] == ["callagain", "parity"]:
        assert main(["port", "orders", "-o", words[2]]) == 0
    words = [
        word.replace("…/example_tools.py", "orders.py").replace("http://127.0.0.1:PORT/v1", endpoint.base_url)
        for word in words
    ]
    assert main(words[1:]) == 0
    assert capsys.readouterr().out or "-o" in words


def keep_runs() -> None:
    """The journal and the file of the pages: a run that waits, one at its limit, and one that failed."""
    tools, no_endpoint = load_tools(["orders.py"]), "http://127.0.0.1:1/v1"
    with closing(open_journal("runs.db")) as journal:
        for run_id, settings in KEPT_RUNS.items():
            ToolLoop(model="gpt-4o", tools=tools, journal=journal, **settings).run(ONE_CALL, run_id=run_id)
    failed = ToolLoop(model="gpt-4o", tools=tools, base_url=no_endpoint, max_retries=0).run("Hello")
    Path("failed.json").write_text(failed.export(), encoding="utf-8")


def run_pytest(options: list[str]) -> None:
    """A session in the current folder, beside the files that the pages show; its cases must pass."""
    for page in PAGES:
        for fence in fences_in(page.read_text()):
            if fence.file is not None:
                Path(fence.file).write_text(fence.body, encoding="utf-8")
    # Where callagain is installed, its entry points would register the plugins a second time.
    plugins = [word for name in PLUGINS for word in ("-p", name)]
    command = [sys.executable, "-m", "pytest", "-p", "no:callagain", "-p", "no:callagain_prompts", *plugins]
    environment = {**os.environ, "PYTHONPATH": str(ROOT / "src")}
    done = subprocess.run(
        [*command, *options], env=environment, capture_output=True, text=True, timeout=60, check=False
    )
    assert done.returncode == 0, done.stdout + done.stderr
    assert " passed" in done.stdout


EXAMPLES = sorted((ROOT / "examples").glob("*.py"))
LAST_LINES = {
    "one_tool.py": "1 round, ",
    "streaming.py": "1 round, ",
    "conversation.py": "turn 3, completed: Thank you. (2 messages)",
    "contact_then_ticket.py": "tool call_2",
    "two_tools_in_parallel.py": "loop_count: 1",
    "route_to_a_function.py": "request_software: IT was asked for Blender",
    "route_by_prompt.py": "no operation for 'What is the weather like?': the model said 'none'; there are ",
    "retrieve_passages.py": "The handbook does not tell.",
    "retry_controller.py": "attempt 2 of 2, success False: the target failed in all 2 attempts, the last ",
    "multi_turn_chat.py": "ada/2: assistant: You are welcome.",
    "manual_tool_requests.py": "Lunch: sold out. Dinner: Baked beans on toast.",
    "approve_a_refund.py": "I am sorry. $40 for order 481516 are on their way to you.",
    "temporal_driver.py": "completed It is shipped.",
    "insert_an_operation.py": '    C -->|No| H["Script<br/>Extract final<br/>response"]',
}


@pytest.mark.parametrize("example", EXAMPLES, ids=lambda path: path.name)
def test_an_example_runs(
    example: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(sys, "argv", [example.name])
    runpy.run_path(str(example), run_name="__main__")
    out, err = capsys.readouterr()
    assert err == ""
    assert out.rstrip().splitlines()[-1].startswith(LAST_LINES[example.name])


def test_the_retrieval_tool_of_the_page_is_the_example() -> None:
    page, example = ROOT / "docs" / "tools-or-retrieval.md", ROOT / "examples" / "retrieve_passages.py"
    (source,) = [fence.body for fence in fences_in(page.read_text()) if fence.language == "python"]
    assert example.read_text().endswith(f'"""\n\n{source}')


@pytest.mark.parametrize("source", list(snippets("json")))
def test_a_json_block_is_a_script_of_the_stand_in(source: str, tmp_path: Path) -> None:
    (tmp_path / "script.json").write_text(source)
    with StandIn(load_script(tmp_path / "script.json")) as server:
        assert server.base_url


def test_the_table_in_the_page_about_chains_is_the_table_that_is_executed() -> None:
    page = (ROOT / "docs" / "chains.md").read_text()
    assert transition_table_markdown(TOOL_CALLING_LOOP) in page


@pytest.mark.parametrize("example", EXAMPLES, ids=lambda path: path.name)
def test_an_example_asks_at_a_low_temperature(example: Path) -> None:
    assert 'request_options={"temperature": 0.2' in example.read_text(encoding="utf-8")


def test_the_changelog_names_the_version_that_is_built() -> None:
    import tomllib

    version = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]["version"]
    assert f"## {version.split('.dev')[0]} " in (ROOT / "CHANGELOG.md").read_text()

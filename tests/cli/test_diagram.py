"""`callagain diagram`: the chosen form of the chosen chain, or of a run through it."""

import re
from collections.abc import Callable
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

from callagain import Result, ToolLoop, open_journal, replay_file, tool
from callagain.chains import FUNCTION_ROUTING
from callagain.diagrams import (
    flowchart_mermaid,
    flowchart_svg,
    sequence_mermaid,
    sequence_svg,
    state_diagram_mermaid,
    state_diagram_svg,
    transition_table_markdown,
)
from callagain.engine.chain import Chain
from callagain.engine.operation import Script
from callagain.engine.variables import Variables
from callagain.extensions import (
    with_budget,
    with_compaction,
    with_deadline,
    with_final_answer,
    with_larger_output_limit,
    with_valid_output,
    with_verbatim_results,
)
from callagain.operations import TOOL_CALLING_LOOP
from callagain.testing import StandIn, calls, says

Command = Callable[..., Any]
Serve = Callable[..., StandIn]

FORMS: list[tuple[list[str], str]] = [
    ([], flowchart_mermaid(TOOL_CALLING_LOOP)),
    (["--flowchart"], flowchart_mermaid(TOOL_CALLING_LOOP)),
    (["--states"], state_diagram_mermaid(TOOL_CALLING_LOOP)),
    (["--table"], transition_table_markdown(TOOL_CALLING_LOOP)),
    (["--table", "--chain", "function_routing"], transition_table_markdown(FUNCTION_ROUTING)),
    (["--svg"], flowchart_svg(TOOL_CALLING_LOOP)),
    (["--svg", "--theme", "dark"], flowchart_svg(TOOL_CALLING_LOOP, theme="dark")),
    (["--states", "--svg", "--theme", "light"], state_diagram_svg(TOOL_CALLING_LOOP, theme="light")),
]

OWN_CHAIN = """\
from callagain import TOOL_CALLING_LOOP, ToolLoop
from callagain.engine.operation import Script

class Redact(Script):
    title = "Redact <result>"
    def run(self, variables):
        pass

chain = TOOL_CALLING_LOOP.insert("redact", Redact(), before="append_tool_result")
loop = ToolLoop(model="m", chain=chain, deadline=60, base_url="http://127.0.0.1:1/v1", api_key="any")
"""


@pytest.mark.parametrize(("options", "drawn"), FORMS)
def test_prints_the_drawing(command: Command, options: list[str], drawn: str) -> None:
    ended = command("diagram", *options)
    assert (ended.code, ended.out, ended.err) == (0, drawn, "")


EXTENDED: list[tuple[str, Chain]] = [
    ("budget", with_budget(TOOL_CALLING_LOOP)),
    ("compact_context", with_compaction(TOOL_CALLING_LOOP)),
    ("deadline", with_deadline(TOOL_CALLING_LOOP)),
    ("final_answer", with_final_answer(TOOL_CALLING_LOOP)),
    ("max_tokens_ceiling", with_larger_output_limit(TOOL_CALLING_LOOP)),
    ("response_format", with_valid_output(TOOL_CALLING_LOOP)),
    ("verbatim", with_verbatim_results(TOOL_CALLING_LOOP)),
    ("deadline, final_answer", with_deadline(with_final_answer(TOOL_CALLING_LOOP))),
    ("budget,compact_context", with_budget(with_compaction(TOOL_CALLING_LOOP))),
]


@pytest.mark.parametrize(("names", "chain"), EXTENDED)
def test_shows_what_options_add(command: Command, names: str, chain: Chain) -> None:
    out = command("diagram", "--table", "--with", names).out
    assert out.strip() == transition_table_markdown(chain).strip()
    assert out != command("diagram", "--table").out


@tool
def look_up(name: str) -> str:
    """Looks somebody up."""
    return f"{name}: C-12"


class Redact(Script):
    title = "Redact <result>"

    def run(self, variables: Variables) -> None: ...


@pytest.fixture(autouse=True)
def beside_a_chain_of_one_s_own(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "own.py").write_text(OWN_CHAIN)


def a_run(server: StandIn, **settings: Any) -> Result:
    """In runs.db, as the run 4f1c."""
    with closing(open_journal("runs.db")) as journal:
        loop = ToolLoop(model="m", tools=[look_up], base_url=server.base_url, journal=journal, **settings)
        return loop.run("Who is Ada?", run_id="4f1c")


@pytest.fixture
def server(stand_in: Serve) -> StandIn:
    return stand_in([calls(("look_up", {"name": "Ada"})), says("She is C-12.")])


def test_draws_a_run_of_the_journal_in_every_form(command: Command, server: StandIn) -> None:
    walk = a_run(server).walk
    forms = {
        ("--flowchart",): flowchart_mermaid(walk),
        ("--states",): state_diagram_mermaid(walk),
        ("--table",): transition_table_markdown(walk),
        ("--sequence",): sequence_mermaid(walk),
        ("--sequence", "--rounds", "1"): sequence_mermaid(walk, rounds=1),
        ("--svg",): flowchart_svg(walk),
        ("--states", "--svg"): state_diagram_svg(walk),
        ("--sequence", "--svg", "--theme", "dark"): sequence_svg(walk, theme="dark"),
    }
    for options, drawn in forms.items():
        ended = command("diagram", "--run", "4f", "--journal", "runs.db", *options)
        assert (ended.code, ended.out, ended.err) == (0, drawn, "")


def test_draws_an_exported_run(command: Command, server: StandIn, tmp_path: Path) -> None:
    (tmp_path / "run.json").write_text(a_run(server, deadline=60).export())
    ended = command("diagram", "--run", "run.json", "--states")
    assert ended.out == state_diagram_mermaid(replay_file("run.json").walk)
    assert "deadline_reached" in ended.out


def test_a_chain_of_one_s_own_is_drawn_in_every_form(command: Command, tmp_path: Path) -> None:
    chain = TOOL_CALLING_LOOP.insert("redact", Redact(), before="append_tool_result")
    for options, drawn in {
        (): flowchart_mermaid(chain),
        ("--svg",): flowchart_svg(chain),
        ("--states", "--svg"): state_diagram_svg(chain),
        ("--table", "--with", "deadline"): transition_table_markdown(with_deadline(chain)),
    }.items():
        for name in ("own.py:chain", "own.py", str(tmp_path / "own.py")):
            ended = command("diagram", "--chain", name, *options)
            assert (ended.code, ended.out, ended.err) == (0, drawn, "")


def test_a_loop_stands_for_its_chain_with_what_its_options_add(command: Command) -> None:
    out = command("diagram", "--chain", "own.py:loop", "--table").out
    chain = TOOL_CALLING_LOOP.insert("redact", Redact(), before="append_tool_result")
    assert out == transition_table_markdown(with_deadline(chain))


@pytest.mark.parametrize("name", ["own.py:chain", "own.py:loop"])
def test_a_run_of_a_chain_of_one_s_own_is_drawn_by_it(command: Command, server: StandIn, name: str) -> None:
    chain = TOOL_CALLING_LOOP.insert("redact", Redact(), before="append_tool_result")
    walk = a_run(server, chain=chain, deadline=60).walk
    ended = command("diagram", "--run", "4f1c", "--journal", "runs.db", "--chain", name, "--states", "--svg")
    assert (ended.code, ended.out, ended.err) == (0, state_diagram_svg(walk), "")


def test_a_run_that_does_not_fit_the_chain_is_drawn_as_far_as_it_goes_with_a_warning(
    command: Command, server: StandIn
) -> None:
    a_run(server, chain=TOOL_CALLING_LOOP.insert("redact", Redact(), before="llm_call"))
    name = "function_routing"
    ended = command("diagram", "--run", "4f1c", "--journal", "runs.db", "--chain", name, "--table")
    assert ended.code == 0
    assert "| initialize " in ended.out
    assert ended.err.startswith("callagain: warning: the replay of 4f1c differs: step 1, initialize: ")
    assert ended.err.endswith("; a chain of your own is named by --chain FILE.py:NAME\n")


def test_writes_to_a_file_and_replaces_a_drawing_only(command: Command, tmp_path: Path) -> None:
    target = tmp_path / "loop.svg"
    for options, drawn in {
        ("--svg",): flowchart_svg(TOOL_CALLING_LOOP),
        (): flowchart_mermaid(TOOL_CALLING_LOOP),
        ("--table",): transition_table_markdown(TOOL_CALLING_LOOP),
    }.items():
        ended = command("diagram", *options, "-o", "loop.svg")
        assert (ended.code, ended.out, ended.err) == (0, "", "")
        assert target.read_text("utf-8") == drawn
    ended = command("diagram", "-o", "own.py")
    assert (ended.code, ended.err) == (
        2,
        "callagain: error: own.py is there already, and is no diagram; choose another path\n",
    )
    assert (tmp_path / "own.py").read_text() == OWN_CHAIN
    ended = command("diagram", "-o", "nowhere/loop.mmd")
    assert ended.code == 2
    assert re.fullmatch(
        r"callagain: error: the diagram could not be written to nowhere/loop.mmd: .*; choose another path\n",
        ended.err,
    )


MISUSE = [
    (
        ["--sequence"],
        "--sequence shows a run; give one by --run RUN --journal FILE, or by the path of an exported one",
    ),
    (["--rounds", "3"], "--rounds is for --sequence; add that, or leave --rounds out"),
    (["--journal", "x.db"], "--journal is where --run is looked for; add --run RUN, or leave it out"),
    (["--theme", "dark"], "--theme is for a picture; add --svg, or leave --theme out"),
    (["--svg", "--table"], "the table is Markdown; leave out --svg, or ask for --flowchart or --states"),
    (
        ["--with", "deadline", "--run", "x"],
        "a run has its own options, and --with none to add; leave out --with or --run",
    ),
    (
        ["--run", "x"],
        "there is no file x; give the path of an exported run, or the id of one and --journal FILE",
    ),
    (["--run", "own.py"], "the snapshot is no JSON text"),
    (["--chain", "nothing.py"], "there is no chain file nothing.py; give the path of a Python file"),
    (
        ["--chain", "own.py:Redact"],
        "own.py has a class, and no Chain, 'Redact'; name one of its chains or loops: "
        "own.py:TOOL_CALLING_LOOP, own.py:chain, own.py:loop",
    ),
    (["--chain", "empty.py"], "empty.py has no 'chain'; write chain = Chain(…) into it"),
    (
        ["--chain", "broken.py"],
        "cannot import the chain file {folder}/broken.py, line 1: ZeroDivisionError: division by zero; "
        "mend it, and run the command again",
    ),
    (
        ["--chain", "function_rooting"],
        "invalid choice: 'function_rooting'; the nearest is function_routing; give tool_calling_loop, "
        "function_routing, prompt_routing, retry_controller, multi_turn_chat, or FILE.py:NAME",
    ),
    (["--with", "all"], "--with all: no such extension; there are budget, compact_context, "),
]


@pytest.mark.parametrize(("options", "message"), MISUSE)
def test_misuse_is_told_in_a_line_that_says_what_to_do(
    command: Command, tmp_path: Path, options: list[str], message: str
) -> None:
    (tmp_path / "empty.py").write_text("")
    (tmp_path / "broken.py").write_text("1 / 0\n")
    ended = command("diagram", *options)
    assert (ended.code, ended.out) == (2, "")
    assert message.format(folder=tmp_path) in ended.err
    assert "Traceback" not in ended.err

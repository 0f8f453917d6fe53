"""The page about diagrams: its programs, commands and pictures are what it says they are.

`python tests/diagrams/test_documentation.py` draws its pictures of a run anew, with src on the path.
"""

import dataclasses
import re
import shlex
import subprocess
import sys
from pathlib import Path

import pytest

from callagain.cli import main
from callagain.diagrams import Walk, flowchart_svg, sequence_mermaid, sequence_svg
from callagain.diagrams.walk import walk
from callagain.engine.chain import Chain
from callagain.engine.log_entries import Entry, Receipt
from callagain.engine.run import Step
from callagain.scenarios import play, scenario_named

ROOT = Path(__file__).parents[2]
PAGE = (ROOT / "docs" / "diagrams.md").read_text(encoding="utf-8")
PICTURES = ROOT / "docs" / "diagrams"
FENCE = re.compile(r"^```(\w+)\n(.*?)^```$", re.DOTALL | re.MULTILINE)
PROGRAM = next(text for kind, text in FENCE.findall(PAGE) if kind == "python")
FLOWCHART, SEQUENCE = (text for kind, text in FENCE.findall(PAGE) if kind == "mermaid")
SECONDS = {"llm_call": 0.84, "tool_dispatcher": 0.021}


class Unseen:
    """Nobody watches."""

    def show(self, chain: Chain, step: Step) -> None: ...

    def note(self, text: str) -> None: ...


def the_run() -> Walk:
    """The scenario parallel-calls, with times that are always the same."""
    result = play(scenario_named("parallel-calls"), Unseen())
    inputs = dataclasses.replace(result.variables.inputs, run_id="4f1c")
    return walk(result.walk.chain, inputs, [always_the_same(entry) for entry in result.log])


def always_the_same(entry: Entry) -> Entry:
    if not isinstance(entry, Receipt) or not isinstance(entry.value, dict):
        return entry
    operation = "llm_call" if "status" in entry.value else "tool_dispatcher"
    return Receipt(entry.key, {**entry.value, "seconds": SECONDS[operation]})


def pictures() -> dict[str, str]:
    drawn = the_run()
    return {"run.flowchart.svg": flowchart_svg(drawn), "run.sequence.svg": sequence_svg(drawn)}


def test_the_program_on_the_page_prints_the_flowchart_on_the_page() -> None:
    ran = subprocess.run(
        [sys.executable, "-c", PROGRAM],
        capture_output=True,
        text=True,
        check=True,
        env={"PYTHONPATH": str(ROOT / "src"), "PYTHONIOENCODING": "utf-8"},
    )
    assert ran.stdout.startswith(FLOWCHART + "\nstateDiagram-v2\n")


def test_the_pictures_of_a_run_on_the_page_are_drawn_by_the_code_as_it_is() -> None:
    for name, svg in pictures().items():
        assert (PICTURES / name).read_text("utf-8") == svg, f"run python {Path(__file__).name}"
        assert f"](diagrams/{name})" in PAGE


def test_the_sequence_on_the_page_is_that_of_the_run() -> None:
    assert sequence_mermaid(the_run()) == SEQUENCE


def test_the_commands_for_a_chain_of_one_s_own_work(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "redacting.py").write_text(PROGRAM)
    commands = [line for kind, text in FENCE.findall(PAGE) if kind == "shell" for line in text.splitlines()]
    assert len(commands) == 2
    for command in commands:
        words = shlex.split(command, comments=True)
        assert words[:2] == ["callagain", "diagram"]
        assert main(words[1:]) == 0
    assert "redact" in capsys.readouterr().out
    assert "Redact" in (tmp_path / "redacting.svg").read_text("utf-8")


if __name__ == "__main__":
    PICTURES.mkdir(exist_ok=True)
    for name, svg in pictures().items():
        (PICTURES / name).write_text(svg, "utf-8")

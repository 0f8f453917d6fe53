"""The scenario of a crash: a real process is really killed, and the run loses nothing and repeats nothing."""

import io
import os
import re
import sys
from contextlib import closing
from pathlib import Path

import pytest

from callagain import ConfigurationError, JournalFile
from callagain.cli.step_output import StepScreen
from callagain.cli.step_place import Place
from callagain.diagrams import sequence_mermaid
from callagain.engine import Chain
from callagain.engine.run import Step
from callagain.scenarios import scenario_named
from callagain.scenarios.crash_and_resume import RUN_ID, play_in

SCENARIO = scenario_named("crash-and-resume")


class Told:
    """All that a watcher is told, in order."""

    def __init__(self) -> None:
        self.all: list[str] = []

    def show(self, chain: Chain, step: Step) -> None:
        assert step.target in (*chain.operations, *chain.final_states)
        self.all.append(step.operation)

    def note(self, text: str) -> None:
        self.all.append(text)


def test_the_run_goes_on_and_the_card_is_charged_once(tmp_path: Path) -> None:
    result = play_in(tmp_path, SCENARIO, told := Told())
    assert (result.outcome, result.loop_count) == ("completed", 2)
    assert result.final_response == "Order 481516 is paid, and the receipt is mailed."
    with closing(JournalFile(tmp_path / "runs.db")) as journal:
        assert journal.read(RUN_ID).status == "completed"

    begins, killed, goes_on, done = [text for text in told.all if " " in text]
    assert begins.endswith(" begins the run, and keeps it in a journal.")
    dead, alive = begins.split()[1], str(os.getpid())
    assert killed.startswith(f"Process {dead} was killed by SIGKILL, in the middle of mail_receipt.")
    assert goes_on == f"Process {alive} takes the run up from there:"
    assert done.splitlines() == [
        "What the tools did:",
        f"process {dead}: charge_card charged 40 dollars for order 481516",
        f"process {dead}: mail_receipt began, with the key order-481516:8:0",
        f"process {alive}: mail_receipt began, with the key order-481516:8:0",
        f"process {alive}: mail_receipt mailed the receipt of ch_23",
    ]
    first_round = ["tool_dispatcher", "append_tool_result", "llm_call", "parse_response"]
    assert told.all == [
        begins,
        killed,
        *("initialize", "llm_call", "parse_response", *first_round),
        goes_on,
        *(*first_round, "extract_final"),
        done,
    ]
    with pytest.raises(ProcessLookupError):
        os.kill(int(dead), 0)

    drawn = sequence_mermaid(result.walk)
    loop, tool = re.findall(r"participant (P\d) as (?:callagain|mail_receipt)\n", drawn)
    assert f'{loop}-x{tool}: {{"charge_id":"ch_23"}}, begun, no result was kept\n' in drawn
    assert drawn.count("begun") == 1
    StepScreen(shown := io.StringIO()).announce(Place(result.walk, 7, len(result.trace)))
    assert "begun 2 times: what had come of it before was not kept\n" in shown.getvalue()


def test_a_first_half_that_cannot_begin_is_told_in_one_line(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sys, "executable", "false")
    with pytest.raises(ConfigurationError) as refused:
        play_in(tmp_path, SCENARIO, Told())
    assert str(refused.value) == ("the process that was to be killed ended before: exit code 1; try it again")

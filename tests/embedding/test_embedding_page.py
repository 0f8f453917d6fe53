"""docs/embedding.md shows the programs as they are, and knows every kind of error."""

import os
import re
import signal
import threading
from pathlib import Path

import pytest
from tests.docs.fences import fences_in
from tests.docs.included_sources import with_sources
from tests.embedding.conftest import EndpointOf

from callagain import open_journal
from callagain.engine.error_kinds import ERROR_KINDS
from callagain.testing import ModelAnswer, says

PAGE = (Path(__file__).parents[2] / "docs" / "embedding.md").read_text("utf-8")


def test_the_page_shows_the_programs_as_they_are() -> None:
    assert with_sources(PAGE) == PAGE


def test_the_page_says_for_each_kind_of_error_what_to_do() -> None:
    table = PAGE.partition("## What to do with each outcome")[2].partition("Each kind")[0]
    rows = re.findall(r"^\| `(\w+)`[^|]*\| ([^|]*) \|", table, re.M)
    told = {kind: outcome for outcome, kinds in rows for kind in re.findall(r"`(\w+)`", kinds)}
    assert told == {kind: known.outcome for kind, known in ERROR_KINDS.items()}


def test_the_program_that_sigterm_cancels_ends_in_order(
    endpoint_of: EndpointOf, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (program,) = [fence.body for fence in fences_in(PAGE) if "add_signal_handler" in fence.body]
    ended = threading.Event()

    def answer(_: object) -> ModelAnswer:
        os.kill(os.getpid(), signal.SIGTERM)
        ended.wait(10)
        return says("late")

    endpoint_of(answer)
    monkeypatch.chdir(tmp_path)
    with pytest.raises(SystemExit) as told:
        exec(compile(program, "program", "exec"), {"__name__": "__main__"})
    ended.set()
    assert told.value.code == 143
    assert open_journal("signals.db").written("hello").status == "interrupted"

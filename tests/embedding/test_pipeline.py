"""examples/embedding/pipeline.py, with Luigi's own workers: in this process, and in forks of it."""

import os
from collections.abc import Generator
from pathlib import Path

import pytest
from tests.embedding.conftest import EndpointOf

from callagain import Tool, open_journal, tool
from callagain.testing import Answer, Rule, calls, says

CONFIG = Path(__file__).parents[2] / "examples" / "embedding" / "luigi.cfg"
# Luigi reads it when it is imported.
os.environ.setdefault("LUIGI_CONFIG_PATH", str(CONFIG))

import luigi  # noqa: E402
from examples.embedding import pipeline  # noqa: E402
from luigi.retcodes import run_with_retcodes  # noqa: E402  # pyright: ignore[reportUnknownVariableType]

REMINDS = Rule(
    asked=r"order (?P<order_id>\d+)",
    then=[calls(("send_reminder", {"order_id": "{order_id}"})), says("{order_id} is reminded.")],
)


@pytest.fixture
def book(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Generator[Path, None, None]:
    """The file in which each reminder is a line, of whatever process."""
    book = tmp_path / "book.txt"

    def send_reminder(order_id: str) -> str:
        """Remind the customer of an order that it is not paid."""
        with book.open("a") as file:
            file.write(f"{order_id}\n")
        return "sent"

    reminds: Tool = tool(send_reminder)
    monkeypatch.setattr(pipeline, "TOOLS", [reminds])
    pipeline.loop.cache_clear()
    yield book
    pipeline.loop.cache_clear()


def build(folder: Path, *orders: str, workers: int = 1) -> bool:
    report = pipeline.Report(folder=str(folder), orders=orders)
    built: bool = luigi.build(  # type: ignore[no-untyped-call]
        [report], local_scheduler=True, workers=workers, log_level="CRITICAL"
    )
    return built


def test_a_task_that_failed_goes_on_with_its_run_and_reminds_nobody_twice(
    tmp_path: Path, endpoint_of: EndpointOf, book: Path
) -> None:
    refused = Answer(401, {"error": {"message": "no such key"}})
    endpoint_of([calls(("send_reminder", {"order_id": "1"})), refused, says("1 is reminded.")])
    assert not build(tmp_path, "1")
    assert not (tmp_path / "report.txt").exists()
    assert build(tmp_path, "1")
    assert (tmp_path / "report.txt").read_text() == "1: 1 is reminded.\n"
    assert book.read_text(encoding="utf-8") == "1\n"
    assert build(tmp_path, "1")


def test_the_command_of_luigi_tells_that_a_task_failed(
    tmp_path: Path, endpoint_of: EndpointOf, book: Path
) -> None:
    endpoint_of([Answer(401, {"error": {"message": "no such key"}})])
    command = ["--module", pipeline.__name__, "Report", "--folder", str(tmp_path), "--orders", '["1"]']
    with pytest.raises(SystemExit) as ended:
        run_with_retcodes([*command, "--no-lock", "--log-level", "CRITICAL"])  # type: ignore[no-untyped-call]
    assert (ended.value.code, book.exists()) == (30, False)


@pytest.mark.filterwarnings("ignore:.*use of fork.*:DeprecationWarning")
def test_a_loop_that_was_used_before_serves_the_forks_of_its_process(
    tmp_path: Path, endpoint_of: EndpointOf, book: Path
) -> None:
    endpoint_of([REMINDS])
    before = pipeline.loop(tmp_path / "runs.db").run("Remind the customer of order 9.")
    assert before.outcome == "completed"
    assert build(tmp_path, "1", "2", "3", workers=3)
    assert (tmp_path / "report.txt").read_text().splitlines()[2] == "3: 3 is reminded."
    assert sorted(book.read_text(encoding="utf-8").split()) == ["1", "2", "3", "9"]
    assert {run.status for run in open_journal(tmp_path / "runs.db").list()} == {"completed"}

"""examples/embedding/cron_job.py: exit codes, one job at a time, and what one job leaves to the next."""

import logging
import os
import signal
import threading
from collections.abc import Iterator
from pathlib import Path

import pytest
from examples.embedding import cron_job
from tests.embedding.conftest import EndpointOf

from callagain import open_journal, tool
from callagain.cli import main
from callagain.testing import Answer, calls, says

SENDS = calls(("send_invoice", {"order_id": "481516"}))
REFUSED = Answer(401, {"error": {"message": "no such key"}})
# Longer than the loop waits by itself.
SLOW_DOWN = Answer(429, {"error": {"message": "slow down"}}, {"retry-after": "3600"})


@pytest.fixture(autouse=True)
def _as_it_was() -> Iterator[None]:
    """The signal handler is that of the process."""
    before = signal.getsignal(signal.SIGTERM)
    yield
    signal.signal(signal.SIGTERM, before)


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "inbox").mkdir()
    (tmp_path / "inbox" / "ada.txt").write_text("The invoice of order 481516, please.")
    return tmp_path


def job(folder: Path) -> int:
    return cron_job.main([str(folder / "inbox"), str(folder / "outbox")])


def test_letters_are_answered_once(
    folder: Path, endpoint_of: EndpointOf, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.INFO)
    endpoint = endpoint_of([SENDS, says("It is on its way.")])
    assert job(folder) == 0
    assert (folder / "outbox" / "ada.txt").read_text() == "It is on its way."
    assert job(folder) == 0
    assert len(endpoint.requests) == 2
    logged = [record.getMessage() for record in caplog.records if record.name == "callagain"]
    assert logged
    assert all("ada" in line for line in logged)


def test_an_answer_that_was_not_written_comes_from_the_journal(folder: Path, endpoint_of: EndpointOf) -> None:
    endpoint = endpoint_of([says("Dear Ada")])
    assert job(folder) == 0
    (folder / "outbox" / "ada.txt").unlink()
    assert job(folder) == 0
    assert (folder / "outbox" / "ada.txt").read_text() == "Dear Ada"
    assert len(endpoint.requests) == 1


def test_a_run_that_may_have_more_luck_is_gone_on_with_by_the_next_job(
    folder: Path, endpoint_of: EndpointOf, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.INFO, "cron_job")
    endpoint_of([SENDS, SLOW_DOWN, says("It is on its way.")])
    assert job(folder) == 1
    assert "ada.txt: failed, HTTP 429: slow down" in caplog.text
    assert job(folder) == 0
    assert caplog.text.count("the invoice of 481516 is sent") == 1


def test_what_does_not_pass_by_itself_is_told_by_each_job_and_not_tried_again(
    folder: Path, endpoint_of: EndpointOf, caplog: pytest.LogCaptureFixture
) -> None:
    endpoint = endpoint_of([REFUSED, says("never")])
    assert (job(folder), job(folder)) == (1, 1)
    assert len(endpoint.requests) == 1
    assert "ada.txt: not tried again after auth; when that is mended, resume the run" in caplog.messages


def test_a_bad_letter_does_not_stop_the_others(
    folder: Path, endpoint_of: EndpointOf, caplog: pytest.LogCaptureFixture
) -> None:
    endpoint_of([SLOW_DOWN, says("Dear Bob")])
    assert job(folder) == 1
    inbox = folder / "inbox"
    (inbox / "ada.txt").write_text("Another one.")
    (inbox / "a folder.txt").mkdir()
    (inbox / "aria.txt").write_bytes("Grüße".encode("latin-1"))
    (inbox / "bob.txt").write_text("Hello")
    caplog.clear()
    assert job(folder) == 1
    assert (folder / "outbox" / "bob.txt").read_text() == "Dear Bob"
    changed, unreadable = [record.getMessage() for record in caplog.records if record.name == "cron_job"]
    assert changed.startswith("ada.txt: the run 'ada' began with another message")
    assert unreadable.startswith("aria.txt: 'utf-8' codec can't decode")


def test_a_job_that_cannot_begin_says_why_in_one_line(
    folder: Path, endpoint_of: EndpointOf, caplog: pytest.LogCaptureFixture
) -> None:
    endpoint_of([])
    assert cron_job.main([str(folder / "none"), str(folder / "outbox")]) == 2
    assert not (folder / "outbox").exists()
    (folder / "outbox").mkdir()
    (folder / "outbox" / "runs.db").write_text("no journal " * 100)
    assert job(folder) == 2
    missing, no_journal = caplog.messages
    assert missing == f"there is no folder {folder / 'none'}; name the folder that the letters are in"
    assert "runs.db" in no_journal


def test_a_job_that_is_ended_leaves_its_run_where_it_stands(
    folder: Path, endpoint_of: EndpointOf, monkeypatch: pytest.MonkeyPatch
) -> None:
    sent: list[str] = []
    ended = threading.Event()

    @tool(idempotent=True)
    def send_invoice(order_id: str) -> str:
        """Send the invoice of an order once more."""
        sent.append(order_id)
        if len(sent) == 1:
            os.kill(os.getpid(), signal.SIGTERM)
            ended.wait(10)
        return "sent"

    monkeypatch.setattr(cron_job, "TOOLS", [send_invoice])
    endpoint_of([SENDS, says("It is on its way.")])
    with pytest.raises(SystemExit) as told:
        job(folder)
    ended.set()
    assert told.value.code == 143
    assert open_journal(folder / "outbox" / "runs.db").written("ada").status == "interrupted"
    assert job(folder) == 0
    assert sent == ["481516", "481516"]


def test_a_call_of_which_nobody_knows_waits_until_somebody_has_decided(
    folder: Path, endpoint_of: EndpointOf, monkeypatch: pytest.MonkeyPatch
) -> None:
    @tool
    def send_invoice(order_id: str) -> str:
        """Send the invoice of an order once more.

        Args:
            order_id: six digits, such as 481516
        """
        raise KeyboardInterrupt(f"in the middle of {order_id}")

    monkeypatch.setattr(cron_job, "TOOLS", [send_invoice])
    endpoint_of([SENDS, says("It is on its way.")])
    with pytest.raises(KeyboardInterrupt):
        job(folder)
    assert job(folder) == 4
    assert not (folder / "outbox" / "ada.txt").exists()

    decide = ["runs", "resume", "ada", "--journal", str(folder / "outbox" / "runs.db")]
    assert main([*decide, "--tools", str(cron_job.__file__), "--result", 'call_1="sent"']) == 0
    assert job(folder) == 0
    assert (folder / "outbox" / "ada.txt").read_text() == "It is on its way."


def test_one_job_at_a_time(folder: Path, endpoint_of: EndpointOf) -> None:
    endpoint = endpoint_of([says("never")])
    (folder / "outbox").mkdir()
    with cron_job.alone(folder / "outbox") as is_alone:
        assert is_alone
        assert job(folder) == 75
    assert endpoint.requests == []

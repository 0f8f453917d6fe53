"""A run has one writer. It passes to another when its owner is gone, and never while its owner lives."""

import os
import sqlite3
from collections.abc import Callable, Generator
from contextlib import closing
from multiprocessing.connection import Connection
from pathlib import Path

import pytest
from tests.engine.journal.stored import (
    HASTY,
    SetClock,
    begin,
    driver,
    eventually,
    forked,
    go_on,
    steps_in,
    stop,
    told,
)

from callagain.engine.drivers.clock import SYSTEM_CLOCK, Clock
from callagain.engine.errors import JournalError, RunInProgressError
from callagain.engine.journal.store import JournalFile, RunJournal, Timing
from callagain.engine.log_entries import Intent

Open = Callable[..., JournalFile]


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "runs.db"


@pytest.fixture
def open_file(path: Path) -> Generator[Open, None, None]:
    """A JournalFile of its own each time: to another one of the same file it is like another process."""
    opened: list[JournalFile] = []

    def open_file(timing: Timing = HASTY, clock: Clock = SYSTEM_CLOCK) -> JournalFile:
        journal = JournalFile(path, timing=timing, clock=clock)
        opened.append(journal)
        return journal

    yield open_file
    for journal in opened:
        journal.close()


def set_owner(path: Path, **columns: object) -> None:
    """Makes the owner of all runs another one."""
    with closing(sqlite3.connect(path)) as connection, connection:
        for name, value in columns.items():
            connection.execute(f"UPDATE owners SET {name} = ?", (value,))


class TestARunThatIsDriven:
    def test_is_refused_to_other_threads_of_the_process(self, open_file: Open) -> None:
        journal = open_file()
        run = begin(journal)
        with pytest.raises(
            RunInProgressError,
            match=rf"^the run 'r1' is being driven by process {os.getpid()} on \S+ \(this process\) since "
            r"20\S+Z; wait until it has ended, or end its driver$",
        ):
            journal.take("r1")
        run.barrier()

    def test_is_refused_to_other_processes_which_are_told_by_whom(self, path: Path, open_file: Open) -> None:
        with forked(driver(path)) as (process, pipe):
            assert told(pipe) == "begun"
            with pytest.raises(
                RunInProgressError,
                match=rf"^the run 'r1' is being driven by process {process.pid} on \S+ since 20\S+Z; wait ",
            ):
                open_file().take("r1")
            pipe.send(1)
            assert told(pipe) == "kept"

    def test_cannot_be_deleted(self, open_file: Open) -> None:
        begin(open_file()).barrier()
        other = open_file()
        run = begin(other, "r2")
        with pytest.raises(RunInProgressError, match=r"^the run 'r2' is being driven by process \d+ on "):
            other.delete("r2")
        run.release()
        other.delete("r2")

    def test_can_be_read_meanwhile(self, open_file: Open) -> None:
        run = begin(open_file())
        run.keep(Intent((1, 0), "d"))
        run.barrier()
        assert steps_in(open_file()) == [1]

    def test_stays_with_its_owner_for_as_long_as_that_lives(self, path: Path, open_file: Open) -> None:
        clock = SetClock()
        run = begin(open_file(HASTY, clock))
        other = open_file(HASTY, clock)
        for _ in range(5):
            clock.seconds += 59
            eventually(lambda: _heartbeat(path) == clock.seconds)
            with pytest.raises(RunInProgressError):
                other.take("r1")
        run.barrier()

    def test_goes_to_one_of_two_processes_that_race_for_it(self, path: Path, open_file: Open) -> None:
        def race(pipe: Connection) -> None:
            journal = JournalFile(path)
            runs: list[RunJournal] = []
            while (run_id := pipe.recv()) is not None:
                try:
                    runs.append(journal.take(run_id)[1])
                    pipe.send("won")
                except RunInProgressError:
                    pipe.send("lost")

        journal = open_file()
        with forked(race) as (_, one), forked(race) as (_, other):
            for number in range(20):
                begin(journal, f"r{number}").end("suspended", "approval_required")
            begin(journal, "last").barrier()
            for number in range(20):
                for pipe in (one, other):
                    pipe.send(f"r{number}")
                assert sorted([told(one), told(other)]) == ["lost", "won"]


class TestARunWhoseOwnerIsGone:
    @pytest.mark.parametrize("is_buried", [True, False], ids=["buried", "zombie"])
    def test_is_taken_over_at_once(self, path: Path, open_file: Open, is_buried: bool) -> None:
        with forked(driver(path)) as (process, pipe):
            assert told(pipe) == "begun"
            pipe.send(1)
            assert told(pipe) == "kept"
            process.kill()
            if is_buried:
                process.join()
            else:
                eventually(lambda: f"{process.pid} (" in _stat(process.pid) and ") Z" in _stat(process.pid))
            journal = open_file(Timing())
            (summary,) = journal.list()
            assert (summary.status, summary.pid) == ("interrupted", None)
            assert [run.run_id for run in journal.list("interrupted")] == ["r1"]
            assert journal.list("running") == []
            assert [command.state for command in journal.commands("r1")] == ["done"]
            stored, run = journal.take("r1")
            assert stored.status == "interrupted"
            run.keep(Intent((2, 0), "d"))
            run.barrier()
            assert steps_in(journal) == [1, 1, 2]

    @pytest.mark.parametrize(
        "owner", [{"process_start": "1"}, {"boot_id": "another"}, {"pid": 2**22 + 1}], ids=str
    )
    def test_is_taken_over_though_its_process_id_was_given_anew(
        self, path: Path, open_file: Open, owner: dict[str, object]
    ) -> None:
        begin(open_file(Timing())).barrier()
        set_owner(path, **owner)
        stored, _ = open_file(Timing()).take("r1")
        assert stored.run_id == "r1"

    def test_leaves_no_trace_of_its_owner(self, path: Path, open_file: Open) -> None:
        with forked(driver(path)) as (process, pipe):
            assert told(pipe) == "begun"
            process.kill()
            process.join()
        journal = open_file()
        journal.take("r1")[1].release()
        journal.close()
        with closing(sqlite3.connect(path)) as connection:
            assert connection.execute("SELECT * FROM owners").fetchall() == []


class TestAnOwnerThatCannotBeSeen:
    def test_keeps_its_run_until_it_gives_no_sign_of_life(self, path: Path, open_file: Open) -> None:
        """In another container its process id means nothing here."""
        clock = SetClock()
        begin(open_file(Timing(), clock)).barrier()
        set_owner(path, pid_namespace="pid:[1]", pid=2**22 + 1)
        other = open_file(Timing(), clock)
        clock.seconds += 59
        with pytest.raises(RunInProgressError):
            other.take("r1")
        clock.seconds += 2
        other.take("r1")


class TestAnOwnerThatWasStopped:
    def test_loses_its_run_and_is_told_so_when_it_wakes(self, path: Path, open_file: Open) -> None:
        clock = SetClock()
        with forked(driver(path, clock)) as (process, pipe):
            assert told(pipe) == "begun"
            stop(process)
            journal = open_file(Timing(), clock)
            clock.seconds += 59
            with pytest.raises(RunInProgressError):
                journal.take("r1")
            clock.seconds += 2
            _, run = journal.take("r1")
            go_on(process)
            pipe.send(1)
            assert told(pipe) == (
                "RunInProgressError",
                f"another process ({os.getpid()} on {os.uname().nodename}) has taken the run 'r1' over, "
                "since this one gave no sign of life for too long; leave the run to it",
            )
            assert steps_in(journal) == []
            run.keep(Intent((2, 0), "d"))
            run.barrier()
            assert steps_in(journal) == [2]

    def test_goes_on_if_nobody_took_its_run(self, path: Path, open_file: Open) -> None:
        clock = SetClock()
        with forked(driver(path, clock)) as (process, pipe):
            assert told(pipe) == "begun"
            stop(process)
            clock.seconds += 61
            assert [run.status for run in open_file(Timing(), clock).list()] == ["interrupted"]
            go_on(process)
            pipe.send(1)
            assert told(pipe) == "kept"

    def test_writes_nothing_of_a_run_that_was_taken_over_and_given_back(self, open_file: Open) -> None:
        clock = SetClock()
        lost = begin(open_file(Timing(), clock))
        clock.seconds += 61
        other = open_file(Timing(), clock)
        _, run = other.take("r1")
        run.end("completed")
        run.barrier()
        lost.keep(Intent((1, 0), "d"))
        lost.end("failed", "connection")
        with pytest.raises(RunInProgressError, match=r"^another process has taken the run 'r1' over, since "):
            lost.barrier()
        with pytest.raises(RunInProgressError, match=r"^another process has taken the run 'r1' over, since "):
            lost.keep(Intent((2, 0), "d"))
        lost.release()
        assert other.read("r1").status == "completed"
        assert steps_in(other) == []


class TestTheClock:
    @pytest.mark.parametrize("days", [-4000, 4000])
    def test_may_be_set_to_another_day(self, open_file: Open, days: int) -> None:
        clock = SetClock()
        run = begin(open_file(Timing(), clock))
        clock.unix += days * 86400
        with pytest.raises(RunInProgressError):
            open_file(Timing(), clock).take("r1")
        run.keep(Intent((1, 0), "d"))
        run.barrier()

    def test_began_anew_with_the_machine(self, open_file: Open) -> None:
        """Where the system has no name for a boot, a sign of life from later than now tells."""
        clock = SetClock()
        begin(open_file(Timing(), clock)).barrier()
        clock.seconds = 5.0
        stored, _ = open_file(Timing(), clock).take("r1")
        assert stored.status == "interrupted"


class TestALease:
    def test_is_given_back_when_the_journal_of_the_run_is_forgotten(self, open_file: Open) -> None:
        journal = open_file()
        run = begin(journal)
        run.barrier()
        del run
        eventually(lambda: journal.list()[0].status == "interrupted")
        assert journal.take("r1")[0].run_id == "r1"

    def test_is_given_back_when_the_file_is_closed(self, open_file: Open) -> None:
        journal = open_file(Timing())
        run = begin(journal)
        run.keep(Intent((1, 0), "d"))
        journal.close()
        with pytest.raises(JournalError, match=r"runs.db is closed; open it again$"):
            run.barrier()
        run.release()
        other = open_file(Timing())
        assert steps_in(other) == [1]
        assert other.take("r1")[0].status == "interrupted"

    def test_that_was_given_back_is_of_no_use(self, open_file: Open) -> None:
        journal = open_file()
        run = begin(journal)
        run.release()
        run.release()
        run.barrier()
        writes: list[Callable[[], None]] = [
            lambda: run.keep(Intent((1, 0), "d")),
            lambda: run.end("completed"),
        ]
        for write in writes:
            with pytest.raises(
                JournalError, match=r"^the run 'r1' was given back; take it from the journal again$"
            ):
                write()
        journal.take("r1")

    def test_is_not_inherited_by_a_forked_process(self, open_file: Open) -> None:
        journal = open_file()
        run = begin(journal)

        def drive(pipe: Connection) -> None:
            for attempt in (run.barrier, lambda: journal.take("r1")):
                try:
                    attempt()
                except Exception as error:
                    pipe.send(str(error))
            run.release()
            begin(journal, "r2").barrier()
            pipe.send("begun")

        with forked(drive) as (_, pipe):
            assert told(pipe).startswith("the run is driven by the process that this one was forked from; ")
            assert told(pipe).startswith(f"the run 'r1' is being driven by process {os.getpid()} on ")
            assert told(pipe) == "begun"
            run.keep(Intent((1, 0), "d"))
            run.barrier()
            assert {each.run_id: each.pid for each in journal.list("running")}["r1"] == os.getpid()


def _heartbeat(path: Path) -> float:
    with closing(sqlite3.connect(path)) as connection:
        seconds: float = connection.execute("SELECT max(heartbeat) FROM owners").fetchone()[0]
    return seconds


def _stat(pid: int | None) -> str:
    return Path(f"/proc/{pid}/stat").read_text(encoding="utf-8")

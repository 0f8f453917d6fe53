"""Whatever is wrong with the file is told in one line, and leaves no half of anything."""

import os
import resource
import sqlite3
import tempfile
from collections.abc import Callable, Generator
from contextlib import closing, suppress
from multiprocessing.connection import Connection
from pathlib import Path
from typing import Any

import pytest
from tests.engine.journal.stored import HASTY, PATIENT, begin, call, forked, steps_in, told

from callagain.engine.errors import JournalError
from callagain.engine.journal.store import JournalFile, open_journal
from callagain.engine.journal.store.problems import journal_error
from callagain.engine.log_entries import Intent, Receipt


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "runs.db"


@pytest.fixture
def journal(path: Path) -> Generator[JournalFile, None, None]:
    with closing(JournalFile(path, timing=HASTY)) as journal:
        yield journal


def kept(path: Path, runs: int = 1) -> bytes:
    """A file with runs, closed; and what is in it."""
    with closing(JournalFile(path)) as journal:
        for number in range(1, runs + 1):
            run = begin(journal, f"r{number}")
            for entry in call(2, "x" * 2000):
                run.keep(entry, "pay")
            run.end("completed")
    return path.read_bytes()


def refusal(path: Any) -> str:
    with pytest.raises(JournalError) as caught:
        open_journal(path)
    message = str(caught.value)
    assert "\n" not in message
    return message


class TestAPath:
    def test_in_a_folder_that_is_not_there(self, tmp_path: Path) -> None:
        path = tmp_path / "missing" / "runs.db"
        told = f"the folder of the journal {path} does not exist; make it, or choose another path"
        assert refusal(path) == told
        assert not path.parent.exists()

    def test_behind_a_file(self, tmp_path: Path) -> None:
        (tmp_path / "file").touch()
        assert "does not exist; make it, or choose another path" in refusal(tmp_path / "file" / "runs.db")

    def test_of_a_folder(self, tmp_path: Path) -> None:
        assert refusal(tmp_path) == f"the journal {tmp_path} is a folder; give the path of a file"

    def test_of_a_pipe(self, path: Path) -> None:
        os.mkfifo(path)
        assert refusal(path) == f"the journal {path} is no ordinary file; give the path of a file"

    @pytest.mark.parametrize("path", ["", ":memory:", b"runs.db", None, 7, "runs\0.db"])
    def test_that_is_none(self, path: object) -> None:
        assert refusal(path).startswith(f"a journal is a file, and {path!r} is no path")

    def test_where_nothing_may_be_written(self) -> None:
        # Not tmp_path, which another user could not even look into.
        with tempfile.TemporaryDirectory() as folder:
            path = Path(folder) / "runs.db"
            kept(path)
            path.chmod(0o444)
            Path(folder).chmod(0o555)

            def try_it(pipe: Connection) -> None:
                if os.geteuid() == 0:
                    os.setgroups([])
                    os.setgid(65534)
                    os.setuid(65534)
                pipe.send([refusal(path), refusal(Path(folder) / "new.db")])

            with forked(try_it) as (_, pipe):
                messages = told(pipe)
            Path(folder).chmod(0o755)
            assert os.listdir(folder) == ["runs.db"]
        for message in messages:
            assert message.endswith(
                " cannot be opened for writing; let this user write to the file and to its folder, or choose "
                "another path"
            )

    def test_of_unknown_durability(self, path: Path) -> None:
        with pytest.raises(
            JournalError, match=r"^durability is one of effects, every_entry, process, and not 'none'$"
        ):
            open_journal(path, "none")  # type: ignore[arg-type]
        assert not path.exists()


class TestAFile:
    def test_that_is_no_database(self, path: Path) -> None:
        path.write_text("run_id,status\n" * 100, encoding="utf-8")
        assert refusal(path) == (
            f"{path} is no journal of callagain, and no database; choose another path for the journal"
        )
        assert path.read_text(encoding="utf-8") == "run_id,status\n" * 100

    def test_that_is_the_database_of_another_program(self, path: Path) -> None:
        with closing(sqlite3.connect(path)) as connection:
            connection.execute("CREATE TABLE runs (id)")
        before = path.read_bytes()
        told = f"{path} is the database of another program; choose another path for the journal"
        assert refusal(path) == told
        assert path.read_bytes() == before

    def test_of_a_newer_version(self, path: Path) -> None:
        kept(path)
        with closing(sqlite3.connect(path)) as connection:
            connection.execute("PRAGMA user_version = 7")
        assert refusal(path) == (
            f"the journal {path} was written by a newer callagain: its tables have version 7, and this one "
            "knows 2; upgrade callagain, or choose another path"
        )

    def test_that_is_empty_is_a_new_one(self, path: Path) -> None:
        path.touch()
        assert len(kept(path)) > 0

    @pytest.mark.parametrize("part", [0.1, 0.5, 0.9, 0.9999])
    def test_that_was_cut_off(self, path: Path, part: float) -> None:
        whole = kept(path, 20)
        path.write_bytes(whole[: int(len(whole) * part)])
        assert refusal(path) == (
            f"the journal {path} is damaged; take it from a backup, or move it away to begin a new one "
            "(`.recover` of the sqlite3 command saves what can be read)"
        )

    def test_that_is_damaged_inside_is_told_when_the_place_is_read(self, path: Path) -> None:
        whole = kept(path, 20)
        pages = [whole[: 4096 * 2], b"\xff" * (len(whole) - 4096 * 2)]
        path.write_bytes(b"".join(pages))
        with (
            pytest.raises(JournalError, match=f"^the journal {path} is damaged; "),
            closing(JournalFile(path, timing=HASTY)) as journal,
        ):
            journal.read("r1")

    def test_with_a_value_that_is_no_json(self, journal: JournalFile, path: Path) -> None:
        run = begin(journal)
        run.keep(Receipt((1, 0), "done"))
        run.release()
        run.barrier()
        with closing(sqlite3.connect(path)) as connection, connection:
            connection.execute("UPDATE entries SET value = '{'")
        told = rf"^what the journal {path} has of the run 'r1' is damaged \(.*\); take the journal from a "
        for look in (journal.read, journal.take):
            with pytest.raises(JournalError, match=told):
                look("r1")

    def test_that_is_locked(self, path: Path) -> None:
        kept(path)
        with closing(sqlite3.connect(path, isolation_level=None)) as connection:
            connection.execute("BEGIN IMMEDIATE")
            with pytest.raises(JournalError) as caught:
                JournalFile(path, timing=HASTY)
        assert str(caught.value) == (
            f"the journal {path} is locked by another program; end what holds it (a shell with an open "
            "transaction, a backup), and try again"
        )

    def test_that_is_locked_while_runs_are_driven(self, journal: JournalFile, path: Path) -> None:
        run, other = begin(journal, "r1"), begin(journal, "r2")
        with closing(sqlite3.connect(path, isolation_level=None)) as connection:
            connection.execute("BEGIN IMMEDIATE")
            run.keep(Intent((1, 0), "d"))
            with pytest.raises(JournalError, match=" is locked by another program; "):
                run.barrier()
            assert journal.read("r1").status == "running"
        with pytest.raises(JournalError, match=" is locked by another program; "):
            run.keep(Intent((2, 0), "d"))
        run.release()
        other.barrier()
        assert journal.take("r1")[0].entries == ()


class TestAFullDisk:
    def test_stops_the_runs_that_do_not_fit_and_nothing_else(self, path: Path) -> None:
        def drive(pipe: Connection) -> None:
            with closing(JournalFile(path, timing=PATIENT)) as journal:
                run = begin(journal)
                for entry in call(1):
                    run.keep(entry, "pay")
                run.barrier()
                hard = resource.getrlimit(resource.RLIMIT_FSIZE)[1]
                resource.setrlimit(resource.RLIMIT_FSIZE, (300_000, hard))
                run.keep(Intent((2, 0), "d"), "pay")
                run.keep(Receipt((2, 0), "x" * 1_000_000), "pay")
                for attempt in (run.barrier, lambda: run.keep(Intent((3, 0), "d"))):
                    try:
                        attempt()
                    except JournalError as error:
                        pipe.send(str(error))
                run.release()
                pipe.send(steps_in(journal))
                resource.setrlimit(resource.RLIMIT_FSIZE, (hard, hard))
                _, run = journal.take("r1")
                run.keep(Intent((2, 0), "d"), "pay")
                run.barrier()
                pipe.send(steps_in(journal))

        with forked(drive) as (_, pipe):
            message = told(pipe)
            assert message == (
                f"the journal {path} could not be read or written (disk I/O error, SQLITE_IOERR_WRITE); see "
                "that its disk works and has room, and resume the runs that it stopped"
            )
            assert told(pipe) == message
            assert told(pipe) == [1, 1]
            assert told(pipe) == [1, 1, 2]

    def test_is_told(self) -> None:
        with closing(sqlite3.connect(":memory:")) as connection:
            connection.execute("PRAGMA max_page_count = 1")
            with pytest.raises(sqlite3.OperationalError) as caught:
                connection.execute("CREATE TABLE runs (run_id)")
        assert str(journal_error(caught.value, "runs.db")) == (
            "the disk of the journal runs.db is full; make room, and resume the runs that it stopped"
        )


class TestARun:
    @pytest.mark.parametrize("run_id", ["", "a\0b", "\ud800", None, 7])
    def test_without_a_proper_id(self, journal: JournalFile, run_id: Any) -> None:
        for attempt in (lambda: begin(journal, run_id), lambda: journal.read(run_id)):
            with pytest.raises(JournalError, match=r"^a run id is a text that is not empty, and not "):
                attempt()

    def test_that_is_there_already(self, journal: JournalFile) -> None:
        begin(journal).release()
        with pytest.raises(
            JournalError, match=r"^the journal has a run 'r1' already; resume it, or choose another run_id$"
        ):
            begin(journal)
        assert journal.read("r1").status == "interrupted"

    @pytest.mark.parametrize(
        ("runs", "hint"),
        [
            ([], "it has no runs yet"),
            (["invoice-17", "other"], "did you mean 'invoice-17'?"),
            (["a", "b", "c", "d"], "the newest are 'd', 'c', 'b'"),
        ],
    )
    def test_that_is_not_there(self, journal: JournalFile, runs: list[str], hint: str) -> None:
        for run_id in runs:
            begin(journal, run_id).release()
        looks: list[Callable[[str], object]] = [journal.read, journal.take, journal.delete, journal.commands]
        for look in looks:
            with pytest.raises(JournalError) as caught:
                look("invoice-71")
            assert str(caught.value) == f"the journal {journal.path} has no run 'invoice-71'; {hint}"

    def test_whose_inputs_are_no_json(self, journal: JournalFile) -> None:
        with pytest.raises(JournalError, match=r"^the inputs of the run 'r1' cannot be kept: "):
            journal.begin(
                "r1", inputs={"seed": float("nan")}, format=1, fingerprint="f", chain="c", model="m"
            )
        assert journal.list() == []

    def test_with_an_entry_that_is_no_json_gets_nothing_that_comes_later(self, journal: JournalFile) -> None:
        run = begin(journal)
        run.keep(Intent((1, 0), "d"))
        value: Any = {1, 2}
        attempts: list[Callable[[], None]] = [
            lambda: run.keep(Receipt((1, 0), value)),
            lambda: run.keep(Receipt((1, 0), "done")),
            run.barrier,
        ]
        for attempt in attempts:
            with pytest.raises(JournalError, match=r"^the run 'r1' cannot be kept: "):
                attempt()
        run.release()
        stored, _ = journal.take("r1")
        assert stored.status == "interrupted"
        assert [entry["entry"] for entry in stored.entries] == ["intent"]

    def test_that_ends_as_nothing_known(self, journal: JournalFile) -> None:
        run = begin(journal)
        with pytest.raises(JournalError, match=r"^a run ends as one of interrupted, .*, not as 'running'$"):
            run.end("running")
        run.end("completed")

    def test_that_fails_is_the_only_one_that_does(self, journal: JournalFile, path: Path) -> None:
        """Both were to be written in one transaction."""
        good, bad = begin(journal, "good"), begin(journal, "bad")
        with closing(sqlite3.connect(path, isolation_level=None)) as connection:
            connection.execute(
                "CREATE TRIGGER refuse BEFORE INSERT ON entries WHEN new.run_id = 'bad' AND new.step = 2 "
                "BEGIN SELECT RAISE(ROLLBACK, 'refused'); END"
            )
            connection.execute("BEGIN IMMEDIATE")
            for step in (1, 2, 3):
                good.keep(Intent((step, 0), "d"))
                bad.keep(Intent((step, 0), "d"))
        good.barrier()
        with pytest.raises(JournalError, match=r" could not be read or written \(refused, SQLITE_CONSTRAINT"):
            bad.barrier()
        assert steps_in(journal, "good") == [1, 2, 3]
        assert steps_in(journal, "bad") == []
        bad.release()
        assert journal.take("bad")[0].status == "interrupted"

    def test_whose_end_could_not_be_written_can_be_taken_up_again(
        self, journal: JournalFile, path: Path
    ) -> None:
        run = begin(journal)
        with closing(sqlite3.connect(path, isolation_level=None)) as connection:
            connection.execute("BEGIN IMMEDIATE")
            run.end("completed")
            with suppress(JournalError):
                run.barrier()
        assert journal.take("r1")[0].status == "interrupted"

"""What is kept in a journal is there, in its order, for every thread and process, and for people."""

import asyncio
import os
import signal
import sqlite3
import stat
import subprocess
import sys
import threading
from collections.abc import Generator
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing, contextmanager
from itertools import pairwise
from multiprocessing.connection import Connection
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.engine.journal.runs import json_values
from tests.engine.journal.stored import PATIENT, begin, call, eventually, forked, steps_in, told
from tests.engine.journal.test_entries_json import entries

from callagain.engine.errors import JournalError
from callagain.engine.journal.entries_json import entry_as_json
from callagain.engine.journal.store import JournalFile, StoredStep, open_journal
from callagain.engine.json_text import Json
from callagain.engine.log_entries import Decision, Entry, Held, Intent, Receipt, Resumed


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "runs.db"


@pytest.fixture
def journal(path: Path) -> Generator[JournalFile, None, None]:
    with closing(JournalFile(path)) as journal:
        yield journal


@pytest.fixture(scope="module")
def shared(tmp_path_factory: pytest.TempPathFactory) -> Generator[JournalFile, None, None]:
    with closing(JournalFile(tmp_path_factory.mktemp("journal") / "runs.db", "process")) as journal:
        yield journal


@contextmanager
def locked(path: Path) -> Generator[None, None, None]:
    """Nobody else can write for so long."""
    with closing(sqlite3.connect(path, isolation_level=None)) as connection:
        connection.execute("BEGIN IMMEDIATE")
        yield


def has_key_of_a_run(entry: Entry) -> bool:
    return isinstance(entry, Resumed) or max(entry.key) < 2**63


def rows(path: Path, question: str) -> list[tuple[object, ...]]:
    with closing(sqlite3.connect(path)) as connection:
        return connection.execute(question).fetchall()


class TestARun:
    @settings(max_examples=25)
    @given(
        log=st.lists(entries.filter(has_key_of_a_run), max_size=5),
        inputs=st.dictionaries(st.text(), json_values),
    )
    def test_is_read_as_it_was_kept(
        self, shared: JournalFile, log: list[Entry], inputs: dict[str, Json]
    ) -> None:
        run_id = f"r{shared.commits}"
        run = shared.begin(run_id, inputs=inputs, format=3, fingerprint="f", chain="c", model="m")
        for entry in log:
            run.keep(entry)
        run.barrier()
        stored = shared.read(run_id)
        assert list(stored.entries) == [entry_as_json(entry) for entry in log]
        assert list(stored.inputs.items()) == list(inputs.items())
        assert (stored.format, stored.fingerprint, stored.chain, stored.model) == (3, "f", "c", "m")
        run.release()

    def test_goes_on_behind_what_it_has_when_it_is_taken_up_again(self, journal: JournalFile) -> None:
        run = begin(journal)
        run.keep(Intent((1, 0), "d"))
        run.release()
        stored, run = journal.take("r1")
        assert len(stored.entries) == 1
        run.keep(Receipt((1, 0), "done"))
        run.barrier()
        assert rows(Path(journal.path), "SELECT number, entry FROM entries ORDER BY number") == [
            (1, "intent"),
            (2, "receipt"),
        ]

    def test_has_its_steps_in_their_order_even_if_a_number_comes_twice(self, journal: JournalFile) -> None:
        run = begin(journal)
        for number, operation in [(1, "initialize"), (2, "llm_call"), (2, "llm_call")]:
            run.keep_step(number, operation, "on_success", "next", f"digest of {number}")
        run.barrier()
        assert journal.read("r1").steps == (
            StoredStep(1, "initialize", "on_success", "next", "digest of 1"),
            StoredStep(2, "llm_call", "on_success", "next", "digest of 2"),
            StoredStep(2, "llm_call", "on_success", "next", "digest of 2"),
        )

    def test_ends_with_its_outcome_and_can_be_taken_up_at_once(self, journal: JournalFile) -> None:
        run = begin(journal)
        assert journal.read("r1").status == "running"
        run.end("limit", "max_iterations")
        run.barrier()
        stored = journal.read("r1")
        assert (stored.status, stored.kind) == ("limit", "max_iterations")
        stored, run = journal.take("r1")
        assert (stored.status, stored.kind) == ("limit", "max_iterations")
        run.keep(Resumed({"max_iterations": 9}))
        run.barrier()
        assert (journal.read("r1").status, journal.read("r1").kind) == ("running", None)

    def test_that_is_left_is_interrupted(self, journal: JournalFile) -> None:
        begin(journal).release()
        stored, run = journal.take("r1")
        assert stored.status == "interrupted"
        run.release()

    def test_that_was_taken_and_left_without_a_word_stands_as_before(self, journal: JournalFile) -> None:
        begin(journal).end("completed")
        _, run = journal.take("r1")
        run.release()
        assert journal.take("r1")[0].status == "completed"

    def test_of_which_nobody_waits_for_an_entry_is_written_all_the_same(self, journal: JournalFile) -> None:
        run = begin(journal)
        run.keep(Intent((1, 0), "d"), "llm_call", durable=False)
        eventually(lambda: steps_in(journal) == [1])

    def test_is_gone_when_it_is_deleted(self, journal: JournalFile) -> None:
        run = begin(journal)
        run.keep(Intent((1, 0), "d"))
        run.keep_step(1, "initialize", "on_success", "llm_call", "d")
        run.release()
        journal.delete("r1")
        assert journal.list() == []
        for table in ("runs", "inputs", "entries", "steps"):
            assert rows(Path(journal.path), f"SELECT * FROM {table}") == []


class TestTheList:
    def test_has_the_newest_first_and_as_many_as_are_asked_for(self, journal: JournalFile) -> None:
        for number in range(4):
            begin(journal, f"r{number}").release()
        assert [run.run_id for run in journal.list(limit=2)] == ["r3", "r2"]

    def test_has_those_of_a_status(self, journal: JournalFile) -> None:
        begin(journal, "left").release()
        begin(journal, "done").end("completed")
        driven = begin(journal, "driven")
        driven.barrier()
        found = {run.run_id: (run.status, run.pid) for run in journal.list()}
        assert found == {
            "left": ("interrupted", None),
            "done": ("completed", None),
            "driven": ("running", os.getpid()),
        }
        assert [run.run_id for run in journal.list("interrupted")] == ["left"]
        assert [run.run_id for run in journal.list("running")] == ["driven"]
        assert journal.list("failed") == []


class TestTheFile:
    def test_is_for_its_user_alone(self, journal: JournalFile) -> None:
        begin(journal)
        folder = Path(journal.path).parent
        assert {file.name: stat.S_IMODE(file.stat().st_mode) for file in folder.iterdir()} == {
            "runs.db": 0o600,
            "runs.db-wal": 0o600,
            "runs.db-shm": 0o600,
        }

    def test_is_one_in_a_process_by_whatever_path(
        self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        (tmp_path / "link.db").symlink_to(tmp_path / "a.db")
        monkeypatch.chdir(tmp_path)
        with closing(open_journal("a.db")) as journal:
            assert open_journal(tmp_path / "a.db") is journal
            assert open_journal("link.db") is journal
            assert open_journal("b.db") is not journal
            open_journal("b.db").close()

    def test_has_one_durability_in_a_process(self, path: Path) -> None:
        with (
            closing(open_journal(path)),
            pytest.raises(
                JournalError,
                match=r"is open with durability 'effects' in this process, and cannot have 'process' at the "
                "same time; give the same to all loops$",
            ),
        ):
            open_journal(path, "process")

    def test_can_be_opened_again_when_it_was_closed(self, path: Path) -> None:
        first = open_journal(path)
        begin(first)
        first.close()
        with closing(open_journal(path)) as second:
            assert second is not first
            assert second.read("r1").status == "interrupted"

    def test_is_read_by_people(self, journal: JournalFile) -> None:
        run = begin(journal)
        run.keep(Intent((2, 0), "a"), "llm_call", durable=False)
        run.keep(Receipt((2, 0), {"status": 200, "attempts": 3}), "llm_call", durable=False)
        run.keep(Intent((4, 0), "b"), "pay")
        run.keep(Held((4, 0), "call_outcome_unknown"), "pay")
        run.keep(Held((4, 1), "approval_required"), "refund")
        run.keep(Decision((4, 1), "c", "release"), "refund")
        run.keep(Held((4, 2), "approval_required"), "post")
        run.keep(Decision((4, 2), "c", "answer", {"content": "No."}), "post")
        run.keep(Intent((4, 3), "e"), "search")
        run.barrier()
        question = "SELECT step, position, what, attempts, state FROM commands WHERE run_id = 'r1'"
        told = [
            (2, 0, "llm_call", 3, "done"),
            (4, 0, "pay", 1, "held"),
            (4, 1, "refund", 0, "released"),
            (4, 2, "post", 0, "done"),
            (4, 3, "search", 1, "begun"),
        ]
        assert rows(Path(journal.path), question) == told
        run.release()
        eventually(lambda: rows(Path(journal.path), question)[-1] == (4, 3, "search", 1, "unknown"))
        command = journal.commands("r1")[0]
        assert (command.what, command.attempts, command.state) == ("llm_call", 3, "done")
        assert command.begun_at is not None
        assert command.begun_at.endswith("Z")
        assert command.seconds == pytest.approx(0.0, abs=5.0)

    def test_that_is_removed_is_made_anew_for_the_next_run(self, journal: JournalFile) -> None:
        lost = begin(journal, "lost")
        for file in Path(journal.path).parent.iterdir():
            file.unlink()
        begin(journal, "new").barrier()
        assert [run.run_id for run in journal.list()] == ["new"]
        lost.keep(Intent((1, 0), "d"))
        with pytest.raises(
            JournalError, match=r"^the run 'lost' is no longer in the journal; it was deleted, "
        ):
            lost.barrier()


class TestACommit:
    def test_has_the_answer_of_an_llm_and_the_calls_that_follow(self, path: Path) -> None:
        with closing(JournalFile(path, timing=PATIENT)) as journal:
            run = begin(journal)
            commits = journal.commits
            run.keep(Receipt((2, 0), {"status": 200}), "llm_call", durable=False)
            run.keep_step(2, "llm_call", "on_success", "parse_response", "d")
            for position in range(5):
                run.keep(Intent((4, position), "d"), "pay")
            run.barrier()
            assert journal.commits == commits + 1
            assert steps_in(journal) == [2, 4, 4, 4, 4, 4]

    def test_is_shared_by_all_that_wait(self, journal: JournalFile, path: Path) -> None:
        runs = [begin(journal, f"r{number}") for number in range(20)]
        commits = journal.commits
        with ThreadPoolExecutor(len(runs)) as threads:
            with locked(path):
                for run in runs:
                    run.keep(Intent((1, 0), "d"))
                waiting = [threads.submit(run.barrier) for run in runs]
            for each in waiting:
                each.result()
        assert journal.commits <= commits + 3

    @pytest.mark.parametrize("durability", ["effects", "every_entry", "process"])
    def test_of_what_a_tool_returned_needs_nobody_who_waits(self, path: Path, durability: str) -> None:
        with closing(JournalFile(path, durability, timing=PATIENT)) as journal:  # type: ignore[arg-type]
            run = begin(journal)
            for number in range(1, 4):
                run.keep(Receipt((number, 0), "done"), "pay")
                eventually(lambda number=number: len(steps_in(journal)) == number)  # type: ignore[misc]

    @pytest.mark.parametrize(
        ("durability", "syncs"),
        [("effects", [0, 0, 1, 1, 1]), ("every_entry", [1] * 5), ("process", [0] * 5)],
    )
    def test_waits_for_the_disk_where_an_effect_hangs_on_it(
        self, path: Path, durability: str, syncs: list[int]
    ) -> None:
        with closing(JournalFile(path, durability)) as journal:  # type: ignore[arg-type]
            counts = [journal.syncs]
            run = begin(journal)
            counts.append(journal.syncs)
            run.keep(Receipt((2, 0), {"status": 200}), "llm_call", durable=False)
            eventually(lambda: steps_in(journal) == [2])
            counts.append(journal.syncs)
            run.keep(Intent((4, 0), "d"), "pay")
            run.barrier()
            counts.append(journal.syncs)
            run.keep(Receipt((4, 0), "paid"), "pay")
            eventually(lambda: steps_in(journal) == [2, 4, 4])
            counts.append(journal.syncs)
            run.end("completed")
            run.barrier()
            counts.append(journal.syncs)
        assert [after - before for before, after in pairwise(counts)] == syncs

    async def test_does_not_keep_the_event_loop_waiting(self, journal: JournalFile, path: Path) -> None:
        run = begin(journal)
        with locked(path):
            waiting = asyncio.create_task(run.barrier_async())
            for _ in range(20):
                await asyncio.sleep(0.001)
            assert not waiting.done()
        await asyncio.wait_for(waiting, 10)

    async def test_takes_place_though_whoever_waited_was_cancelled(
        self, journal: JournalFile, path: Path
    ) -> None:
        run = begin(journal)
        with locked(path):
            run.keep(Intent((1, 0), "d"))
            waiting = asyncio.create_task(run.barrier_async())
            await asyncio.sleep(0.01)
            waiting.cancel()
            with pytest.raises(asyncio.CancelledError):
                await waiting
        await run.barrier_async()
        assert steps_in(journal) == [1]


class TestManyAtOnce:
    def test_eight_threads_with_fifty_runs_each(self, journal: JournalFile) -> None:
        def drive(thread: int) -> None:
            for number in range(50):
                run = begin(journal, f"{thread}-{number}")
                for entry in call(2, f"{thread}-{number}"):
                    run.keep(entry, "pay")
                run.end("completed")
                run.barrier()

        with ThreadPoolExecutor(8) as threads:
            list(threads.map(drive, range(8)))
        assert len(journal.list("completed", 1000)) == 400
        for thread in range(8):
            _, receipt = journal.read(f"{thread}-49").entries
            assert receipt["value"] == {"content": f"{thread}-49", "error": None}

    def test_four_processes_that_all_make_the_file(self, path: Path) -> None:
        def drive(pipe: Connection) -> None:
            pipe.recv()
            with closing(JournalFile(path)) as journal:
                for number in range(20):
                    run = begin(journal, f"{os.getpid()}-{number}")
                    for entry in call(2):
                        run.keep(entry, "pay")
                    run.barrier()
                    run.end("completed")
            pipe.send("done")

        with (
            forked(drive) as (_, a),
            forked(drive) as (_, b),
            forked(drive) as (_, c),
            forked(drive) as (_, d),
        ):
            for pipe in (a, b, c, d):
                pipe.send("go")
            assert [told(pipe) for pipe in (a, b, c, d)] == ["done"] * 4
        with closing(JournalFile(path)) as journal:
            runs = journal.list("completed", 1000)
            assert len(runs) == 80
            assert all(steps_in(journal, run.run_id) == [2, 2] for run in runs)


class TestAProcess:
    def test_that_is_killed_has_kept_what_a_barrier_waited_for(self, path: Path) -> None:
        def drive(pipe: Connection) -> None:
            run = begin(JournalFile(path, timing=PATIENT))
            run.keep(Intent((1, 0), "d"))
            run.barrier()
            run.keep(Intent((2, 0), "d"))
            pipe.send("kept")
            signal.pause()

        with forked(drive) as (process, pipe):
            assert told(pipe) == "kept"
            process.kill()
            process.join()
        with closing(JournalFile(path)) as journal:
            assert steps_in(journal) == [1]

    def test_that_ends_has_kept_everything(self, path: Path) -> None:
        program = (
            "import sys\n"
            "from callagain.engine.journal.store import open_journal\n"
            "from callagain.engine.log_entries import Intent\n"
            "journal = open_journal(sys.argv[1])\n"
            "run = journal.begin('r1', inputs={}, format=1, fingerprint='f', chain='c', model='m')\n"
            "run.keep(Intent((1, 0), 'd'))\n"
        )
        done = subprocess.run([sys.executable, "-c", program, path], capture_output=True, text=True)
        assert (done.returncode, done.stdout, done.stderr) == (0, "", "")
        with closing(JournalFile(path)) as journal:
            assert journal.read("r1").status == "interrupted"
            assert steps_in(journal) == [1]

    def test_can_be_forked_while_it_writes(self, journal: JournalFile) -> None:
        """Both processes go on writing: the parent its runs, the child one of its own."""
        busy, enough = threading.Event(), threading.Event()
        driven = begin(journal, "driven")

        def write() -> None:
            step = 0
            while not enough.is_set():
                driven.keep(Intent((step := step + 1, 0), "d"))
                driven.barrier()
                busy.set()

        def drive(pipe: Connection) -> None:
            try:
                driven.keep(Intent((1, 0), "of the child"))
            except JournalError as error:
                pipe.send(str(error))
            run = begin(journal, f"child-{os.getpid()}")
            run.keep(Intent((1, 0), "d"))
            run.barrier()
            pipe.send(os.getpid())

        with ThreadPoolExecutor(1) as threads:
            writing = threads.submit(write)
            assert busy.wait(10)
            for _ in range(5):
                with forked(drive) as (_, pipe):
                    assert told(pipe).startswith(
                        "the run is driven by the process that this one was forked from"
                    )
                    assert steps_in(journal, f"child-{told(pipe)}") == [1]
            enough.set()
            writing.result()
        steps = steps_in(journal, "driven")
        assert steps == list(range(1, len(steps) + 1))
        assert rows(Path(journal.path), "SELECT count(*) FROM entries WHERE digest = 'of the child'") == [
            (0,)
        ]
        assert rows(Path(journal.path), "PRAGMA integrity_check") == [("ok",)]

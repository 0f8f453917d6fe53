"""Runs as files: `callagain run --record FILE`, and `ToolLoop(record_failures=DIR)`."""

import asyncio
import json
import logging
import shutil
import signal
import subprocess
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from callagain import ConfigurationError, ToolLoop, replay_file
from callagain.testing import Answer, AnyAnswer, StandIn, calls
from callagain.testing.plugin import StartStandIn

Command = Callable[..., Any]
Start = Callable[..., Any]
Write = Callable[..., str]

BAD_KEY = Answer(401, {"error": {"message": "Bad key."}})
LOOK_UP = calls(("get_order_status", {"order_id": "7"}))


def options(server: StandIn, *more: str) -> list[str]:
    return ["--base-url", server.base_url, "--model", "any", *more]


def loop_of(server: StandIn, folder: Path | str | None, **settings: Any) -> ToolLoop:
    return ToolLoop(model="any", base_url=server.base_url, record_failures=folder, **settings)


def files_in(folder: Path) -> list[str]:
    return sorted(file.name for file in folder.iterdir())


# run --record


@pytest.mark.parametrize(
    ("script", "more", "code", "outcome"),
    [
        ([LOOK_UP, "Shipped."], [], 0, "completed"),
        ([BAD_KEY], [], 1, "failed"),
        ([LOOK_UP], ["--max-iterations", "0"], 3, "limit"),
        ([LOOK_UP], ["--approve-effects"], 4, "suspended"),
    ],
)
def test_a_run_is_recorded_whatever_comes_of_it(
    command: Command,
    stand_in: StartStandIn,
    tmp_path: Path,
    orders: str,
    script: list[AnyAnswer],
    more: list[str],
    code: int,
    outcome: str,
) -> None:
    file = tmp_path / "records" / "run.json"
    file.parent.mkdir()
    record = ["--tools", orders, "--record", str(file), *more]
    assert command("run", "Go", *options(stand_in(script), *record)).code == code
    assert replay_file(file).raise_for_difference().outcome == outcome
    assert files_in(file.parent) == ["run.json"]
    assert file.stat().st_mode & 0o777 == 0o600
    assert command("replay", str(file)).code == 0


def test_a_run_that_is_interrupted_is_recorded_as_far_as_it_came(
    process: Start, stand_in: StartStandIn, tmp_path: Path
) -> None:
    server, file = stand_in(["Too late."], delay=60), tmp_path / "run.json"
    running: subprocess.Popen[str] = process("run", "Go", *options(server, "--record", str(file)))
    while not server.requests:
        time.sleep(0.01)
    running.send_signal(signal.SIGINT)
    assert running.communicate(timeout=30)[1] == "callagain: interrupted\n"
    replayed = replay_file(file).raise_for_difference()
    assert (replayed.outcome, replayed.state) == (None, "llm_call")


def test_a_record_is_signed_by_the_key_in_the_environment(
    command: Command, stand_in: StartStandIn, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("CALLAGAIN_SNAPSHOT_KEY", "a secret of some length")
    file = tmp_path / "run.json"
    assert command("run", "Go", *options(stand_in(["Hello."]), "--record", str(file))).code == 0
    replay_file(file, snapshot_key=b"a secret of some length").raise_for_difference()


def test_no_other_file_is_written_over(command: Command, stand_in: StartStandIn, tmp_path: Path) -> None:
    server, file = stand_in(["Hello.", "Hello again."]), tmp_path / "run.json"
    record = options(server, "--record", str(file))
    assert command("run", "Go", "--run-id", "r1", *record).code == 0
    before = file.read_text()
    for run_id in ([], ["--run-id", "r2"]):
        ended = command("run", "Go", *run_id, *record)
        assert ended.code == 2
        assert ended.err == (
            f"callagain: error: {file} is there already, and does not hold this run; move it away, or choose "
            "another path\n"
        )
    assert (file.read_text(), len(server.requests)) == (before, 1)
    assert command("run", "Go", "--run-id", "r1", *record).code == 0
    assert file.read_text() != before


def test_a_link_leads_to_the_file_that_is_written(
    command: Command, stand_in: StartStandIn, tmp_path: Path
) -> None:
    link, file = tmp_path / "link.json", tmp_path / "run.json"
    link.symlink_to(file)
    assert command("run", "Go", *options(stand_in(["Hello."]), "--record", str(link))).code == 0
    assert link.is_symlink()
    assert json.loads(file.read_text())["outcome"] == "completed"


def test_a_record_that_could_never_be_written_is_refused_before_the_run(
    command: Command, stand_in: StartStandIn, tmp_path: Path
) -> None:
    server = stand_in(["Never."])
    file = tmp_path / "none" / "run.json"
    ended = command("run", "Go", *options(server, "--record", str(file)))
    assert (ended.code, server.requests) == (2, [])
    assert ended.err.endswith(f"the folder of {file} does not exist; make it, or choose another path\n")
    ended = command("run", "Go", *options(server, "--record", " "))
    assert "argument --record: the path is empty; give that of a file" in ended.err


def test_a_record_that_cannot_be_written_after_all_loses_no_answer(
    command: Command, stand_in: StartStandIn, tmp_path: Path, write: Write
) -> None:
    folder = tmp_path / "records"
    folder.mkdir()
    tools = write(
        "tidy.py",
        f"""
        import shutil

        def tidy_up() -> str:
            'Tidy up.'
            shutil.rmtree({str(folder)!r})
            return "done"
        """,
    )
    server, file = stand_in([calls(("tidy_up", {})), "All is tidy."]), folder / "run.json"
    ended = command("run", "Go", "--tools", tools, *options(server, "--record", str(file)))
    assert (ended.code, ended.out) == (1, "All is tidy.\n")
    assert ended.err == (
        f"callagain: error: the run could not be written to {file}: No such file or directory; make room for "
        "it, or choose another path\n"
    )


# record_failures


def test_a_run_that_fails_is_recorded(stand_in: StartStandIn, tmp_path: Path) -> None:
    folder = tmp_path / "some" / "failures"
    loop = loop_of(stand_in([BAD_KEY, "Hello."]), folder)
    result = loop.run("Go", run_id="r1")
    assert loop.run("Go", run_id="r2").outcome == "completed"
    assert files_in(folder) == ["r1.json"]
    assert (folder / "r1.json").read_text() == result.export()
    replayed = replay_file(folder / "r1.json").raise_for_difference()
    assert replayed.result is not None
    assert replayed.result.error == result.error


async def test_a_run_that_fails_on_an_event_loop_is_recorded(stand_in: StartStandIn, tmp_path: Path) -> None:
    loop = loop_of(stand_in([BAD_KEY] * 2), tmp_path)
    await asyncio.gather(*(loop.arun("Go", run_id=f"r{number}") for number in (1, 2)))
    assert files_in(tmp_path) == ["r1.json", "r2.json"]


def test_a_run_that_is_stepped_is_recorded(stand_in: StartStandIn, tmp_path: Path) -> None:
    live = loop_of(stand_in([BAD_KEY]), tmp_path).start("Go", run_id="r1")
    while live.step() is not None:
        pass
    assert replay_file(tmp_path / "r1.json").raise_for_difference().outcome == "failed"


def test_a_run_that_fails_again_is_recorded_anew(stand_in: StartStandIn, tmp_path: Path) -> None:
    loop = loop_of(stand_in([BAD_KEY, Answer(400, {"error": "no"}), "Hello."]), tmp_path)
    first = loop.run("Go", run_id="r1")
    second = loop.resume(first)
    assert replay_file(tmp_path / "r1.json").raise_for_difference().result is not None
    assert json.loads((tmp_path / "r1.json").read_text()) == json.loads(second.export())
    assert loop.resume(second).outcome == "completed"


def test_an_id_may_be_anything(stand_in: StartStandIn, tmp_path: Path) -> None:
    folder = tmp_path / "failures"
    ids = ["../escape", "a/b", "order 7 ü", "100%", ".."]
    loop = loop_of(stand_in([BAD_KEY] * len(ids)), folder)
    for run_id in ids:
        loop.run("Go", run_id=run_id)
    names = ["..%2Fescape.json", "a%2Fb.json", "order%207%20%C3%BC.json", "100%25.json", "...json"]
    assert files_in(folder) == sorted(names)
    assert files_in(tmp_path) == ["failures"]
    assert [json.loads((folder / name).read_text())["run_id"] for name in names] == ids


def test_a_record_holds_no_key_and_is_signed_as_a_snapshot_is(stand_in: StartStandIn, tmp_path: Path) -> None:
    loop = loop_of(stand_in([BAD_KEY]), tmp_path, api_key="sk-very-secret", snapshot_key="k" * 16)
    loop.run("Go", run_id="r1")
    assert "very-secret" not in (tmp_path / "r1.json").read_text()
    replay_file(tmp_path / "r1.json", snapshot_key=b"k" * 16).raise_for_difference()


@pytest.mark.parametrize("is_async", [False, True])
def test_a_record_that_cannot_be_written_is_a_warning_and_loses_nothing(
    stand_in: StartStandIn, tmp_path: Path, caplog: pytest.LogCaptureFixture, is_async: bool
) -> None:
    folder = tmp_path / "failures"
    loop = loop_of(stand_in([BAD_KEY]), folder)
    shutil.rmtree(folder)
    with caplog.at_level(logging.WARNING, "callagain"):
        result = asyncio.run(loop.arun("Go", run_id="r1")) if is_async else loop.run("Go", run_id="r1")
    assert result.error is not None
    assert result.error.kind == "auth"
    (told,) = [text for text in caplog.messages if "failure_not_recorded" in text]
    assert f"file={folder / 'r1.json'}" in told
    assert "FileNotFoundError" in told


def test_a_folder_that_is_none_is_refused(stand_in: StartStandIn, tmp_path: Path) -> None:
    file = tmp_path / "file"
    file.touch()
    server = stand_in(["Never."])
    with pytest.raises(ConfigurationError) as refused:
        loop_of(server, file)
    assert str(refused.value) == (
        f"record_failures: {file} cannot be made a folder (File exists); give the path of one"
    )
    with pytest.raises(
        ConfigurationError, match="record_failures must be the path of a folder, or None, not str"
    ):
        loop_of(server, "")
    with pytest.raises(
        ConfigurationError, match="record_failures must be the path of a folder, or None, not bool"
    ):
        ToolLoop(model="any", base_url=server.base_url, record_failures=True)  # type: ignore[arg-type]

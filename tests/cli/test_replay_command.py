"""`callagain replay`: a run of a journal or a file is walked through once more, and held against itself."""

import dataclasses
import json
from collections.abc import Callable, Iterator
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

from callagain import TOOL_CALLING_LOOP, OperationEnded, ToolLoop, open_journal, tool
from callagain.chains import FUNCTION_ROUTING
from callagain.engine.journal.snapshot import content_of, text_of
from callagain.testing import Answer, StandIn, calls
from callagain.testing.plugin import StartStandIn

Command = Callable[..., Any]

LOOK_UP = calls(("look_up", {"order_id": "7"}))
OPERATIONS = [
    "initialize",
    "llm_call",
    "parse_response",
    "tool_dispatcher",
    "append_tool_result",
    "llm_call",
    "parse_response",
    "extract_final",
]


@tool
def look_up(order_id: str) -> str:
    """Look up an order."""
    return f"{order_id} is shipped"


def loop_of(server: StandIn, **settings: Any) -> ToolLoop:
    return ToolLoop(model="any", base_url=server.base_url, tools=[look_up], **settings)


def refused(ended: Any) -> str:
    """The message, once it is sure that it stands in one line, alone, with code 2."""
    assert (ended.code, ended.out) == (2, "")
    assert ended.err.startswith("callagain: error: ")
    assert ended.err.count("\n") == 1
    return str(ended.err.removeprefix("callagain: error: ").rstrip("\n"))


@pytest.fixture
def path(tmp_path: Path) -> Iterator[str]:
    path = str(tmp_path / "runs.db")
    yield path
    open_journal(path).close()


@pytest.fixture
def file(stand_in: StartStandIn, tmp_path: Path) -> str:
    """The export of a whole run of two requests and a call."""
    result = loop_of(stand_in([LOOK_UP, "It is shipped."])).run("Where is order 7?", run_id="r1")
    file = tmp_path / "r1.json"
    file.write_text(result.export())
    return str(file)


def lines(ended: Any) -> list[Any]:
    return [json.loads(line) for line in ended.out.splitlines()]


def test_each_operation_is_shown_with_what_it_changed(command: Command, file: str) -> None:
    ended = command("replay", file)
    assert (ended.code, ended.err) == (0, "")
    paragraphs = ended.out.split("\n\n")
    assert paragraphs[0] == "run           r1\nuserMessage   Where is order 7?"
    assert paragraphs[4] == (
        " 4  Tool Dispatcher  the guide, Part 3\n"
        '    call    look_up {"order_id":"7"}\n'
        "    result  7 is shipped\n"
        "    loop_count             0 → 1\n"
        "    function_resp          7 is shipped\n"
        "    loop_count 1, call_llm_again true\n"
        "    On Success → Append Tool Result"
    )
    assert paragraphs[-2:] == [
        "Answer  It is shipped.",
        "completed after 8 operations; the replay equals what was kept\n",
    ]


def test_json_is_one_object_a_line(command: Command, file: str) -> None:
    *steps, last = lines(command("replay", file, "--json"))
    assert [step["operation"] for step in steps] == OPERATIONS
    assert steps[3]["changed"]["loop_count"] == {"before": 0, "after": 1}
    assert last == {
        "run_id": "r1",
        "outcome": "completed",
        "state": "completed",
        "final_response": "It is shipped.",
        "loop_count": 1,
        "operations": 8,
        "equal": True,
        "difference": None,
    }


def test_nothing_is_sent_and_nothing_is_called(command: Command, stand_in: StartStandIn, path: str) -> None:
    called: list[str] = []

    def count(text: str) -> str:
        """Count it."""
        called.append(text)
        return "1"

    server = stand_in([calls(("count", {"text": "a"})), "One."])
    loop = ToolLoop(model="any", base_url=server.base_url, tools=[count], journal=path)
    loop.run("Go", run_id="r1")
    server.close()
    assert command("replay", "r1", "--journal", path).code == 0
    assert (called, len(server.requests)) == (["a"], 2)


def test_it_stops_behind_an_operation(command: Command, file: str) -> None:
    ended = command("replay", file, "--until", "3")
    assert ended.code == 0
    assert ended.out.endswith(
        "\n\nstands before Tool Dispatcher after 3 operations; the replay equals what was kept\n"
    )
    *steps, last = lines(command("replay", file, "--until", "1", "--json"))
    assert [step["operation"] for step in steps] == ["initialize"]
    assert (last["outcome"], last["state"], last["equal"]) == (None, "llm_call", True)
    assert lines(command("replay", file, "--until", "100", "--json"))[-1]["outcome"] == "completed"


@pytest.mark.parametrize(
    "settings", [{}, {"budget_requests": 9, "on_limit": "final_answer", "deadline": 60.0}]
)
def test_a_run_is_found_in_the_journal(
    command: Command, stand_in: StartStandIn, path: str, settings: dict[str, Any]
) -> None:
    loop = loop_of(stand_in([LOOK_UP, "It is shipped."]), journal=path, **settings)
    loop.run("Where is order 7?", run_id="order-7")
    ended = command("replay", "order", "--journal", path)
    assert ended.code == 0
    assert ended.out.startswith("run           order-7\n")
    assert "the replay equals what was kept" in ended.out


def test_a_failed_run_shows_its_error(command: Command, stand_in: StartStandIn, tmp_path: Path) -> None:
    loop = loop_of(
        stand_in([Answer(401, {"error": {"message": "Bad\x1b[2J\nkey."}})]), record_failures=tmp_path
    )
    loop.run("Go", run_id="r1")
    ended = command("replay", str(tmp_path / "r1.json"))
    assert ended.code == 0
    assert "\n    error   auth: HTTP 401: Bad [2J key (http" in ended.out
    assert "\n    On Fail → failed\n\nError  auth: HTTP 401: Bad [2J key (http" in ended.out
    assert ended.out.endswith("\nfailed after 2 operations; the replay equals what was kept\n")
    _, failed, last = lines(command("replay", str(tmp_path / "r1.json"), "--json"))
    assert (failed["error"]["kind"], last["outcome"], last["final_response"]) == ("auth", "failed", None)


def test_a_suspended_run_stands_where_it_waits(command: Command, stand_in: StartStandIn, path: str) -> None:
    loop_of(stand_in([LOOK_UP]), journal=path, approve_effects=True).run("Go", run_id="r1")
    ended = command("replay", "r1", "--journal", path)
    assert ended.code == 0
    assert "\n\nError  approval_required: waiting for somebody: look_up (call_1)\n" in ended.out
    assert ended.out.endswith("\nsuspended after 3 operations; the replay equals what was kept\n")


@pytest.mark.parametrize("left_after", [1, 2, 6, 7])
def test_a_run_that_was_left_is_walked_as_far_as_its_log_leads(
    command: Command, stand_in: StartStandIn, tmp_path: Path, left_after: int
) -> None:
    live = loop_of(stand_in([LOOK_UP, "It is shipped."])).start("Go", run_id="r1")
    with closing(live.events()) as events:
        for event in events:
            if isinstance(event, OperationEnded) and event.step.number == left_after:
                break
    file = tmp_path / "r1.json"
    file.write_text(live.snapshot())
    ended = command("replay", str(file))
    assert ended.code == 0
    assert ended.out.endswith("; the replay equals what was kept\n")


def test_the_first_difference_is_told(command: Command, file: str) -> None:
    content = content_of(Path(file).read_text(encoding="utf-8"))
    changed = dataclasses.replace(
        content.steps[3], digest=content.steps[3].digest.replace("loop_count:", "loop_count:0")
    )
    steps = (*content.steps[:3], changed, *content.steps[4:])
    Path(file).write_text(text_of(dataclasses.replace(content, steps=steps)), encoding="utf-8")
    ended = command("replay", file)
    assert (ended.code, ended.err) == (
        1,
        "callagain: error: the replay of r1 differs: step 4, tool_dispatcher: it left loop_count otherwise\n",
    )
    assert ended.out.endswith("\ncompleted after 8 operations; the replay differs from what was kept\n")
    last = lines(command("replay", file, "--json"))[-1]
    assert (last["equal"], last["difference"]) == (
        False,
        "step 4, tool_dispatcher: it left loop_count otherwise",
    )
    assert command("replay", file, "--until", "3").code == 0


def test_a_log_that_does_not_fit_is_shown_as_far_as_it_goes(command: Command, file: str) -> None:
    content = content_of(Path(file).read_text(encoding="utf-8"))
    Path(file).write_text(text_of(dataclasses.replace(content, log=content.log[1:])), encoding="utf-8")
    ended = command("replay", file)
    assert ended.code == 1
    assert ended.err.startswith(
        "callagain: error: the replay of r1 differs: entry 1 of the log, in llm_call: "
    )
    assert ended.out.endswith(
        "\n\nstands before LLM Call after 1 operation; the replay differs from what was kept\n"
    )


# Chains


def test_a_chain_of_callagain_is_found(
    command: Command, stand_in: StartStandIn, path: str, tmp_path: Path
) -> None:
    loop = loop_of(stand_in([LOOK_UP]), chain=FUNCTION_ROUTING, journal=path)
    result = loop.run("Where is order 7?", run_id="r1")
    (tmp_path / "r1.json").write_text(result.export())
    for words in ([str(tmp_path / "r1.json")], ["r1", "--journal", path]):
        for chain in ([], ["--chain", "function_routing"]):
            ended = command("replay", *words, *chain)
            assert ended.code == 0
            assert ended.out.endswith("\ncompleted after 4 operations; the replay equals what was kept\n")
        other = command("replay", *words, "--chain", "tool_calling_loop")
        assert other.code == 1
        assert "step 4, tool_dispatcher: it went --on_success--> completed, now tool_dispatcher " in other.err


def test_a_chain_of_ones_own_is_named(
    command: Command, stand_in: StartStandIn, path: str, tmp_path: Path
) -> None:
    own = TOOL_CALLING_LOOP.replace(name="mine")
    result = loop_of(stand_in(["Hello."]), chain=own, journal=path).run("Go", run_id="r1")
    assert refused(command("replay", "r1", "--journal", path)) == (
        "the chain of the run r1, 'mine', is none of callagain's own; name it by --chain FILE.py:NAME"
    )
    (tmp_path / "mine.py").write_text(
        "from callagain import TOOL_CALLING_LOOP\nown = TOOL_CALLING_LOOP.replace(name='mine')\n"
    )
    assert command("replay", "r1", "--journal", path, "--chain", f"{tmp_path / 'mine.py'}:own").code == 0
    # Its name aside, it does the same, and a file does not tell its name.
    (tmp_path / "r1.json").write_text(result.export())
    for words in (["r1", "--journal", path, "--chain", "tool_calling_loop"], [str(tmp_path / "r1.json")]):
        assert command("replay", *words).code == 0


def test_a_difference_of_another_chain_says_how_to_name_it(
    command: Command, stand_in: StartStandIn, tmp_path: Path
) -> None:
    own = TOOL_CALLING_LOOP.insert(
        "extra", TOOL_CALLING_LOOP.operations["extract_final"], before="extract_final"
    )
    result = loop_of(stand_in(["Hello."]), chain=own).run("Go", run_id="r1")
    (tmp_path / "r1.json").write_text(result.export())
    ended = command("replay", str(tmp_path / "r1.json"))
    assert ended.code == 1
    assert "step 3, parse_response: it went --on_success--> extra, now parse_response " in ended.err
    assert ended.err.endswith("; a chain of your own is named by --chain FILE.py:NAME\n")


# Files


def test_a_file_that_was_signed_needs_its_key(
    command: Command, stand_in: StartStandIn, tmp_path: Path, file: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    key = "a secret of some length"
    signed = tmp_path / "signed.json"
    signed.write_text(loop_of(stand_in(["Hello."]), snapshot_key=key).run("Go").export())
    assert refused(command("replay", str(signed))) == (
        f"{signed}: the snapshot is signed; set CALLAGAIN_SNAPSHOT_KEY to the key that signed it"
    )
    monkeypatch.setenv("CALLAGAIN_SNAPSHOT_KEY", key)
    assert command("replay", str(signed)).code == 0
    assert refused(command("replay", file)) == (
        f"{file}: the snapshot is not signed, and CALLAGAIN_SNAPSHOT_KEY is set; if nobody else can write "
        "where it was kept, unset it"
    )
    monkeypatch.setenv("CALLAGAIN_SNAPSHOT_KEY", "another secret of some length")
    assert "it was signed with another key than CALLAGAIN_SNAPSHOT_KEY" in refused(
        command("replay", str(signed))
    )


def test_a_file_that_is_no_export(command: Command, tmp_path: Path) -> None:
    file = tmp_path / "notes.json"
    for text, message in (("{}", "this is no snapshot of a run"), ("{", "the snapshot is no JSON text")):
        file.write_text(text)
        assert refused(command("replay", str(file))).startswith(f"{file}: {message}")


def test_neither_a_file_nor_a_run(command: Command, tmp_path: Path, path: str) -> None:
    none = tmp_path / "none.json"
    assert refused(command("replay", str(none))) == (
        f"there is no file {none}; give the path of an exported run, or the id of one and --journal FILE"
    )
    open_journal(path)
    assert refused(command("replay", "r1", "--journal", path)) == (
        f"the journal {path} has no run 'r1'; it has no runs yet"
    )


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["replay"], "the following arguments are required: RUN|FILE; see callagain replay --help"),
        (["replay", ""], "argument RUN|FILE: the id of the run is empty; give one"),
        (["replay", "r1", "--until", "0"], "must be a whole number, 1 or more, not '0'"),
        (["replay", "r1", "--chain", "mine"], "invalid choice: 'mine'"),
        (["replay", "r1", "--tools", "a.py"], "unrecognized arguments: --tools a.py; see callagain replay"),
    ],
)
def test_wrong_options_of_replay(command: Command, words: list[str], message: str) -> None:
    assert message in refused(command(*words))


def test_what_is_no_ordinary_file(command: Command, tmp_path: Path) -> None:
    assert refused(command("replay", str(tmp_path))).startswith(
        f"{tmp_path} is no ordinary file; give the path"
    )


def test_an_empty_journal_stays_empty(command: Command, tmp_path: Path) -> None:
    empty = tmp_path / "empty.db"
    empty.touch()
    told = refused(command("replay", "abc", "--journal", str(empty)))
    assert told == f"{empty} is empty, and so no journal; give the file that a run was kept in"
    assert empty.read_bytes() == b""

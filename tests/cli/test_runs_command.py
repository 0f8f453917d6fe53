"""`callagain runs`: the runs of a real journal are listed, shown, gone on with, exported and deleted."""

import json
import os
import re
import signal
import sqlite3
import subprocess
import time
from collections.abc import Callable, Iterator
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest
from pydantic import BaseModel

from callagain import TOOL_CALLING_LOOP, CommandStarted, ToolLoop, open_journal
from callagain.chains import FUNCTION_ROUTING
from callagain.cli.report import told_with_hint
from callagain.cli.run_words import STATUSES
from callagain.cli.tools_file import load_tools
from callagain.engine.commands import CallTool, SendRequest
from callagain.engine.error_kinds import ERROR_KINDS, advised
from callagain.engine.journal.store import stored_runs
from callagain.engine.problem import Problem
from callagain.testing import Answer, AnyAnswer, StandIn, call, calls
from callagain.testing.plugin import StartStandIn

Command = Callable[..., Any]
Start = Callable[..., Any]
Write = Callable[..., str]

REFUND = ("refund", {"order_id": "481516", "amount": 12.5})
LOOK_UP = ("look_up", {"order_id": "481516"})
CHOICES = "[y]es, [n]o, [e]dit? "


class Amount(BaseModel):
    euros: int


@pytest.fixture
def refunds(write: Write) -> str:
    """A tools file with refund, which needs approval and leaves a line in `refunds.log`, and look_up."""
    return write(
        "refunds.py",
        '''
        from pathlib import Path
        from callagain import tool

        @tool(requires_approval=True)
        def refund(order_id: str, amount: float) -> str:
            """Pay the money for an order back."""
            with Path(__file__).with_suffix(".log").open("a") as log:
                log.write(f"{order_id} {amount}\\n")
            return "paid"

        @tool(read_only=True)
        def look_up(order_id: str) -> dict[str, str]:
            """Look up an order."""
            return {"order_id": order_id}
        ''',
    )


@pytest.fixture
def path(tmp_path: Path) -> Iterator[str]:
    path = str(tmp_path / "runs.db")
    yield path
    if Path(path).exists():
        open_journal(path).close()


def paid(refunds: str) -> list[str]:
    """What the tool did."""
    log = Path(refunds).with_suffix(".log")
    return log.read_text().splitlines() if log.exists() else []


def told(server: StandIn) -> list[str]:
    """What the model was told as the results of its calls."""
    messages = server.requests[-1].json["messages"]
    return [message["content"] for message in messages if message["role"] == "tool"]


def loop_of(server: StandIn, path: str | None, refunds: str, **settings: Any) -> ToolLoop:
    return ToolLoop(
        model="any", base_url=server.base_url, tools=load_tools([refunds]), journal=path, **settings
    )


def going_on(server: StandIn, path: str, refunds: str, *more: str) -> list[str]:
    return ["--journal", path, "--tools", refunds, "--base-url", server.base_url, *more]


def refused(ended: Any) -> str:
    """The message, once it is sure that it stands in one line, alone, with code 2."""
    assert (ended.code, ended.out) == (2, "")
    assert ended.err.startswith("callagain: error: ")
    assert ended.err.count("\n") == 1
    return str(ended.err.removeprefix("callagain: error: ").rstrip("\n"))


def without_times(text: str) -> str:
    """The output with T for each time of day, and S for each number of seconds."""
    text = re.sub(r"\d{4}-\d\d-\d\d \d\d:\d\d:\d\d", "T", text)
    return re.sub(r" +\d+\.\d{3} s", " S", re.sub(r"\d\d:\d\d:\d\d\.\d{3}", "T", text))


# run --journal


def test_a_run_is_kept_and_says_how_to_go_on(
    command: Command, stand_in: StartStandIn, path: str, refunds: str
) -> None:
    server = stand_in([calls(REFUND, LOOK_UP), "Paid."])
    options = going_on(server, path, refunds, "--model", "any", "--run-id", "my refund")
    ended = command("run", "Refund it", *options)
    resume = (
        f"callagain runs resume 'my refund' --journal {path} --tools {refunds} --base-url {server.base_url}"
    )
    assert (ended.code, ended.out) == (4, "")
    assert ended.err == (
        "callagain: error: suspended (approval_required): waiting for somebody: refund (call_1); go on by: "
        f"{resume} --approve ID, or --deny ID=REASON, or --edit ID=JSON\n"
    )
    assert [run.run_id for run in open_journal(path).list()] == ["my refund"]


def test_a_run_at_its_limit_says_by_which_option_it_goes_on(
    command: Command, stand_in: StartStandIn, path: str, refunds: str
) -> None:
    server = stand_in([calls(LOOK_UP)])
    options = going_on(server, path, refunds, "--model", "any", "--max-iterations", "0", "--run-id", "r1")
    ended = command("run", "Where is it?", *options)
    assert ended.code == 3
    assert "; go on by: callagain runs resume r1 --journal " in ended.err
    assert ended.err.endswith(" --max-iterations N\n")


# No option gives the type of an answer, so a run that has one goes on in its program.
@pytest.mark.parametrize("kind", [kind for kind in ERROR_KINDS if kind != "max_output_repairs"])
def test_every_kind_of_error_goes_on_by_options_that_there_are(kind: str, command: Command) -> None:
    told = told_with_hint(Problem(kind, advised(kind, "It did not work.")), "callagain runs resume r1")
    happened, found, words = told.partition("; go on by: callagain runs resume r1")
    assert happened.startswith("It did not work")
    assert found
    options = set(re.findall(r"--[\w-]+", words))
    assert options <= set(re.findall(r"--[\w-]+", command("runs", "resume", "--help").out))
    assert bool(options) is (ERROR_KINDS[kind].outcome != "failed")


def test_a_run_with_a_type_for_its_answer_goes_on_in_its_program(
    command: Command, stand_in: StartStandIn, path: str
) -> None:
    loop = ToolLoop(
        model="any",
        base_url=stand_in(["Lyon"]).base_url,
        response_format=Amount,
        max_output_repairs=0,
        journal=path,
    )
    assert loop.run("How much?", run_id="r1").outcome == "limit"
    shown = command("runs", "show", "r1", "--journal", path).out
    assert shown.endswith("\ngo on by  loop.resume('r1'), in the program that has its response_format\n")
    ended = command("runs", "resume", "r1", "--journal", path, "--base-url", "http://127.0.0.1:9/v1")
    assert "resume it by a loop with the response_format that it began with" in refused(ended)


def test_an_id_is_given_to_one_run(command: Command, stand_in: StartStandIn, path: str, refunds: str) -> None:
    server = stand_in(["Hello.", "Hello again."])
    options = going_on(server, path, refunds, "--model", "any", "--run-id", "r1")
    assert command("run", "Hello", *options).code == 0
    assert refused(command("run", "Hello", *options)) == (
        "the journal has a run 'r1' already; resume it, or choose another --run-id"
    )
    assert len(server.requests) == 1


def test_the_journal_may_come_from_the_environment(
    command: Command, stand_in: StartStandIn, path: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("CALLAGAIN_JOURNAL", path)
    server = stand_in(["Hello yourself."])
    assert command("run", "Hello", "--model", "any", "--base-url", server.base_url).code == 0
    (run,) = command("runs", "list", "--json").json["runs"]
    for words in (["show"], ["export"], ["delete"]):
        assert command("runs", *words, run["run_id"]).code == 0
    assert command("runs", "list", "--json").json == {"runs": []}


# list


@pytest.fixture
def three_runs(stand_in: StartStandIn, path: str, refunds: str) -> str:
    """The path of a journal with r1 suspended, r2 failed and r3 completed."""
    script: list[AnyAnswer] = [
        calls(REFUND),
        Answer(401, {"error": {"message": "Bad key."}}),
        "Hello yourself.",
    ]
    loop = loop_of(stand_in(script), path, refunds)
    for number in (1, 2, 3):
        loop.run("Go", run_id=f"r{number}")
    return path


def test_runs_are_listed_newest_first(command: Command, three_runs: str) -> None:
    ended = command("runs", "list", "--journal", three_runs)
    assert (ended.code, ended.err) == (0, "")
    assert without_times(ended.out) == (
        "r3  completed  T  any\nr2  failed     T  any  auth\nr1  suspended  T  any  approval_required\n"
    )


def test_a_list_is_of_one_status_and_no_longer_than_asked_for(command: Command, three_runs: str) -> None:
    failed = command("runs", "list", "--journal", three_runs, "--status", "failed", "--json")
    assert [run["run_id"] for run in failed.json["runs"]] == ["r2"]
    newest = command("runs", "list", "--journal", three_runs, "--limit", "2")
    assert [line[:2] for line in newest.out.splitlines()] == ["r3", "r2"]
    assert newest.err == "callagain: there are more than these 2; --limit N shows more\n"
    none = command("runs", "list", "--journal", three_runs, "--status", "limit")
    assert (none.code, none.out) == (0, "")
    assert none.err == f"callagain: the journal {three_runs} has no limit runs\n"


def test_a_list_as_json_holds_all_that_a_journal_tells(command: Command, three_runs: str) -> None:
    runs = command("runs", "list", "--journal", three_runs, "--json").json["runs"]
    assert [(run["run_id"], run["status"], run["kind"]) for run in runs] == [
        ("r3", "completed", None),
        ("r2", "failed", "auth"),
        ("r1", "suspended", "approval_required"),
    ]
    assert {"model", "chain", "created_at", "updated_at", "pid"} < runs[0].keys()


def test_every_status_can_be_asked_for() -> None:
    assert set(STATUSES) == set(stored_runs.STATUSES)


# show


def test_a_run_is_shown_with_what_it_waits_for(
    command: Command, stand_in: StartStandIn, path: str, refunds: str
) -> None:
    server = stand_in([calls(REFUND, LOOK_UP)])
    loop_of(server, path, refunds, system_prompt="You refund.").run("Refund it", run_id="r1")
    ended = command("runs", "show", "r1", "--journal", path)
    assert (ended.code, ended.err) == (0, "")
    tokens = re.search(r"tokens (\d+)\n", ended.out)
    assert tokens is not None
    assert without_times(ended.out).replace(tokens[0], "tokens N\n") == (
        "run      r1\n"
        "status   suspended (approval_required)\n"
        "why      waiting for somebody: refund (call_1)\n"
        "model    any\n"
        "chain    tool_calling_loop\n"
        "times    began T, changed T UTC\n"
        "used     rounds of tools 1, requests 1, tokens N\n"
        "\n"
        "operations\n"
        " 1 Initialize         → LLM Call\n"
        " 2 LLM Call           → Parse Response\n"
        "    llm_call                  T S  done\n"
        " 3 Parse Response     → Tool Dispatcher\n"
        " 4 Tool Dispatcher    has not ended\n"
        "    refund                                              held\n"
        "    look_up                   T S  done\n"
        "\n"
        "calls that were not run\n"
        '    call_1 refund {"order_id":"481516","amount":12.5}  waits for approval\n'
        "\n"
        "messages\n"
        "    system      You refund.\n"
        "    user        Refund it\n"
        "\n"
        f"go on by  callagain runs resume r1 --journal {path} --tools FILE.py --approve ID, or --deny "
        "ID=REASON, or --edit ID=JSON\n"
    )


def test_a_failed_run_is_shown_with_its_error(command: Command, three_runs: str) -> None:
    shown = command("runs", "show", "r2", "--journal", three_runs).out
    assert "status   failed (auth)\nwhy      HTTP 401: Bad key (http" in shown
    assert " 2 LLM Call           → failed  On Fail\n" in shown


def test_a_whole_run_is_shown_with_its_messages(
    command: Command, stand_in: StartStandIn, path: str, refunds: str
) -> None:
    loop_of(stand_in([calls(LOOK_UP, text="A moment."), "It is \x1b[2Jhere."]), path, refunds).run("Go")
    (run,) = open_journal(path).list()
    shown = command("runs", "show", run.run_id, "--journal", path).out
    assert shown.endswith(
        "messages\n"
        "    user        Go\n"
        '    assistant   A moment. look_up {"order_id":"481516"}\n'
        '    tool        {"order_id":"481516"}\n'
        "    assistant   It is  [2Jhere.\n"
    )
    assert "go on by" not in shown


def test_items_of_the_responses_api_are_shown_as_messages(
    command: Command, stand_in: StartStandIn, path: str, refunds: str
) -> None:
    loop_of(stand_in([calls(LOOK_UP), "Here."]), path, refunds, api="responses").run("Go", run_id="r1")
    shown = command("runs", "show", "r1", "--journal", path).out
    assert shown.endswith(
        "messages\n"
        "    user        Go\n"
        '    assistant   look_up {"order_id":"481516"}\n'
        '    tool        {"order_id":"481516"}\n'
        "    assistant   Here.\n"
    )


def test_a_run_as_json_has_nothing_cut(command: Command, three_runs: str) -> None:
    document = command("runs", "show", "r1", "--journal", three_runs, "--json").json
    assert (document["status"], document["kind"], document["difference"]) == (
        "suspended",
        "approval_required",
        None,
    )
    assert [step["operation"] for step in document["operations"]] == [
        "initialize",
        "llm_call",
        "parse_response",
    ]
    assert [(each["what"], each["state"], each["attempts"]) for each in document["commands"]] == [
        ("llm_call", "done", 1),
        ("refund", "held", 0),
    ]
    assert [(each["id"], each["arguments"]) for each in document["pending_calls"]] == [("call_1", REFUND[1])]
    assert document["messages"] == [{"role": "user", "content": "Go"}]
    assert document["error"]["kind"] == "approval_required"


def test_a_run_that_somebody_drives_is_shown_as_it_stands(
    command: Command, stand_in: StartStandIn, path: str, refunds: str
) -> None:
    server = stand_in([calls(LOOK_UP, LOOK_UP), "Here."])
    live = loop_of(server, path, refunds).start("Go", run_id="r1")
    with closing(live.events()) as events:
        # When the second call is about to begin, the first one has.
        began = (event for event in events if isinstance(event, CommandStarted))
        assert [type(next(began).command) for _ in range(3)] == [SendRequest, CallTool, CallTool]
        end = time.monotonic() + 30
        while "look_up" not in (shown := command("runs", "show", "r1", "--journal", path).out):
            assert time.monotonic() < end
        assert re.search(r" 4 Tool Dispatcher    has not ended\n    look_up +\S+ +begun\n", shown)
        assert "status   running\n" in shown
        assert "go on by" not in shown
        assert f"  any  process {os.getpid()}\n" in command("runs", "list", "--journal", path).out
        options = going_on(server, path, refunds)
        for words in (["delete", "r1", *options[:2]], ["resume", "r1", *options]):
            message = refused(command("runs", *words))
            assert message.startswith(f"the run 'r1' is being driven by process {os.getpid()} ")
            assert message.endswith("; wait until it has ended, or end its driver")


def test_a_run_of_a_chain_of_ones_own_is_shown_without_its_messages(
    command: Command, stand_in: StartStandIn, path: str, refunds: str
) -> None:
    own = TOOL_CALLING_LOOP.replace(name="mine")
    loop_of(stand_in([calls(REFUND)]), path, refunds, chain=own).run("Go", run_id="r1")
    ended = command("runs", "show", "r1", "--journal", path)
    assert (ended.code, "messages" in ended.out) == (0, False)
    assert " 3 Parse Response     → Tool Dispatcher\n" in ended.out
    assert ended.err == (
        "callagain: warning: messages and waiting calls are not shown: its chain 'mine' is none of "
        "callagain's own\n"
    )
    options = ["--journal", path, "--tools", refunds, "--base-url", "http://127.0.0.1:1/v1"]
    assert refused(command("runs", "resume", "r1", *options)) == (
        "the chain of the run r1, 'mine', is none of callagain's own; go on with it in its program, by "
        "loop.resume('r1')"
    )


# resume


@pytest.mark.parametrize(
    ("said", "done", "model_is_told"),
    [
        (["--approve", "call_1"], ["481516 12.5"], "paid"),
        (["--edit", 'call_1={"order_id": "7", "amount": 1}'], ["7 1.0"], "paid"),
        (["--deny", "call_1"], [], '{"error":{"code":"denied","message":"the call was denied"}}'),
        (["--deny", "call_1=a = b"], [], '{"error":{"code":"denied","message":"a = b"}}'),
        (["--result", "call_1=paid by hand"], [], "paid by hand"),
        (["--result", 'call_1={"paid": true}'], [], '{"paid":true}'),
    ],
)
def test_a_decision_lets_a_run_go_on(
    command: Command,
    stand_in: StartStandIn,
    path: str,
    refunds: str,
    said: list[str],
    done: list[str],
    model_is_told: str,
) -> None:
    server = stand_in([calls(REFUND, LOOK_UP), "Done."])
    loop_of(server, path, refunds).run("Refund it", run_id="r1")
    ended = command("runs", "resume", "r1", *said, *going_on(server, path, refunds))
    assert (ended.code, ended.out, ended.err) == (0, "Done.\n", "")
    assert (paid(refunds), told(server)) == (done, [model_is_told, '{"order_id":"481516"}'])
    assert open_journal(path).read("r1").status == "completed"


def test_the_id_of_a_call_may_hold_the_sign_that_ends_it(
    command: Command, stand_in: StartStandIn, path: str, refunds: str
) -> None:
    server = stand_in([calls(call(*REFUND, id="a=b="), call(*REFUND, id="a")), "Done."])
    loop_of(server, path, refunds).run("Refund it", run_id="r1")
    said = ["--deny", "a=b==not this one", "--result", "a=b"]
    assert command("runs", "resume", "r1", *said, *going_on(server, path, refunds)).code == 0
    assert told(server) == ['{"error":{"code":"denied","message":"not this one"}}', "b"]


def test_nothing_is_decided_where_nobody_can_be_asked(
    command: Command, stand_in: StartStandIn, path: str, refunds: str
) -> None:
    server = stand_in([calls(REFUND), "Done."])
    loop_of(server, path, refunds).run("Refund it", run_id="r1")
    for more in ([], ["--json"]):
        ended = command("runs", "resume", "r1", *more, *going_on(server, path, refunds))
        assert ended.code == 4
        assert "suspended (approval_required): waiting for somebody: refund (call_1); go on by: " in ended.err
    assert (ended.json["outcome"], paid(refunds), len(server.requests)) == ("suspended", [], 1)


def test_somebody_at_a_terminal_is_asked(
    at_terminal: Start, stand_in: StartStandIn, path: str, refunds: str
) -> None:
    server = stand_in([calls(REFUND, REFUND), calls(REFUND), "Paid."])
    loop_of(server, path, refunds).run("Refund it", run_id="r1")
    terminal = at_terminal("runs", "resume", "r1", *going_on(server, path, refunds))
    for answer in ("n not twice", "y", "y"):
        shown = terminal.see(CHOICES)
        assert "callagain: may refund run with these arguments?\n" in shown
        terminal.type(f"{answer}\n")
    code, shown = terminal.end()
    assert (code, paid(refunds)) == (0, ["481516 12.5"] * 2)
    assert shown.endswith("\nPaid.\n")
    assert told(server)[0] == '{"error":{"code":"denied","message":"not twice"}}'


def test_a_run_at_its_limit_goes_on_with_a_larger_one(
    command: Command, stand_in: StartStandIn, path: str, refunds: str
) -> None:
    server = stand_in([calls(LOOK_UP), "Here."])
    assert loop_of(server, path, refunds, max_iterations=0).run("Go", run_id="r1").outcome == "limit"
    options = going_on(server, path, refunds)
    assert refused(command("runs", "resume", "r1", *options)) == (
        "the run is at its limit (--max-iterations); give it a larger one: --max-iterations …"
    )
    assert refused(command("runs", "resume", "r1", "--max-iterations", "0", *options)) == (
        "--max-iterations 0 would stop the run where it stands; give it more than 0"
    )
    ended = command("runs", "resume", "r1", "--max-iterations", "1", *options)
    assert (ended.code, ended.out) == (0, "Here.\n")


def test_a_budget_that_was_used_up_can_be_raised(
    command: Command, stand_in: StartStandIn, path: str, refunds: str
) -> None:
    server = stand_in([calls(LOOK_UP), "Here."])
    assert loop_of(server, path, refunds, budget_requests=1).run("Go", run_id="r1").outcome == "limit"
    ended = command("runs", "resume", "r1", "--budget-requests", "2", *going_on(server, path, refunds))
    assert (ended.code, ended.out) == (0, "Here.\n")


def test_a_failed_run_goes_on_with_its_own_settings(
    command: Command, stand_in: StartStandIn, path: str, refunds: str
) -> None:
    server = stand_in([Answer(401, {"error": "no"}), calls(LOOK_UP), "Here."])
    settings = {"system_prompt": "Be brief.", "request_options": {"seed": 7}, "api": "responses"}
    assert loop_of(server, path, refunds, **settings).run("Go", run_id="r1").outcome == "failed"
    ended = command("runs", "resume", "r1", "-v", *going_on(server, path, refunds))
    assert (ended.code, ended.out) == (0, "Here.\n")
    assert "look_up → " in ended.err
    assert [request.path for request in server.requests] == ["/v1/responses"] * 3
    assert {request.json["seed"] for request in server.requests} == {7}


def test_a_completed_run_does_not_go_on(
    command: Command, stand_in: StartStandIn, three_runs: str, refunds: str
) -> None:
    server = stand_in(["Never."])
    ended = command("runs", "resume", "r3", *going_on(server, three_runs, refunds))
    assert refused(ended) == "the run is completed; `callagain runs show` has its answer"
    assert server.requests == []


def test_another_chain_of_callagain_is_gone_on_with(
    command: Command, stand_in: StartStandIn, path: str, refunds: str
) -> None:
    server = stand_in([calls(REFUND)])
    loop_of(server, path, refunds, chain=FUNCTION_ROUTING).run("Refund it", run_id="r1")
    ended = command("runs", "resume", "r1", "--approve", "call_1", "--json", *going_on(server, path, refunds))
    assert (ended.code, ended.json["outcome"], paid(refunds)) == (0, "completed", ["481516 12.5"])


def test_a_killed_process_leaves_an_effect_of_which_nobody_knows(
    command: Command, process: Start, stand_in: StartStandIn, path: str, write: Write
) -> None:
    slow = write(
        "slow.py",
        """
        import time
        from pathlib import Path

        def pay(order_id: str) -> str:
            'Pay for an order.'
            Path(__file__).with_suffix(".begun").touch()
            time.sleep(60)
            return "paid"
        """,
    )
    server = stand_in([calls(("pay", {"order_id": "7"})), "Paid."])
    options = ["--tools", slow, "--base-url", server.base_url, "--journal", path]
    running: subprocess.Popen[str] = process("run", "Pay", "--model", "any", "--run-id", "r1", *options)
    wait_for(Path(slow).with_suffix(".begun"))
    running.send_signal(signal.SIGKILL)
    running.communicate()
    assert re.search(r"r1  interrupted  ", command("runs", "list", "--journal", path).out)
    assert re.search(r"\n    pay +\S+ +unknown\n", command("runs", "show", "r1", "--journal", path).out)
    ended = command("runs", "resume", "r1", *options)
    assert ended.code == 4
    assert "suspended (call_outcome_unknown): waiting for somebody: pay (call_1); go on by: " in ended.err
    assert ended.err.endswith(" --result ID=VALUE if it took effect, or --approve ID to run it again\n")
    ended = command("runs", "resume", "r1", "--result", "call_1=paid", *options)
    assert (ended.code, ended.out, told(server)) == (0, "Paid.\n", ["paid"])
    assert command("replay", "r1", "--journal", path).code == 0


def test_ctrl_c_leaves_a_run_that_can_be_gone_on_with(
    command: Command, process: Start, stand_in: StartStandIn, path: str
) -> None:
    server = stand_in(["Too late."], delay=60)
    options = ["--base-url", server.base_url, "--journal", path]
    running: subprocess.Popen[str] = process("run", "Hello", "--model", "any", "--run-id", "r1", *options)
    while not server.requests:
        time.sleep(0.01)
    running.send_signal(signal.SIGINT)
    _, err = running.communicate(timeout=30)
    assert running.returncode == 130
    assert err == (
        f"callagain: the run is kept; go on by: callagain runs resume r1 --journal {path} --base-url "
        f"{server.base_url}\ncallagain: interrupted\n"
    )
    server = stand_in(["In time."])
    ended = command("runs", "resume", "r", "--journal", path, "--base-url", server.base_url)
    assert (ended.code, ended.out) == (0, "In time.\n")


def wait_for(file: Path) -> None:
    end = time.monotonic() + 30
    while not file.exists():
        assert time.monotonic() < end
        time.sleep(0.01)


WRONG_DECISIONS: list[tuple[list[str], str]] = [
    (["--approve", "call_7"], "the run r1 has no call call_7; waiting: call_1"),
    (["--deny", "call_7=no"], "the run r1 has no call call_7; waiting: call_1"),
    (["--approve", "call_1", "--deny", "call_1"], "call_1 is decided twice; say one thing about each call"),
    (
        ["--approve", "call_1", "--result", "call_1=1"],
        "call_1 is decided twice; say one thing about each call",
    ),
    (["--edit", "call_1={"], "the new arguments of call_1 are no JSON: Expecting property name"),
    (["--edit", "call_1=[]"], "the new arguments of call_1 must be a JSON object, such as {}"),
    (["--edit", "call_1={}"], "the new arguments of refund do not fit: "),
    (
        ["--result", "call_1={paid}"],
        "the result of call_1 begins as JSON, but Expecting property name enclosed in double quotes at "
        "position 1; mend it, or put quotes around a text",
    ),
    (["--result", "call_1"], "argument --result: must be the id of a call, = and a value, not 'call_1'"),
    (
        ["--max-iterations", "9"],
        "the options for larger limits are for a run at one; this one waits for decisions",
    ),
]


@pytest.mark.parametrize(("said", "message"), WRONG_DECISIONS)
def test_a_wrong_decision_changes_nothing(
    command: Command, stand_in: StartStandIn, path: str, refunds: str, said: list[str], message: str
) -> None:
    server = stand_in([calls(REFUND)])
    loop_of(server, path, refunds).run("Refund it", run_id="r1")
    ended = command("runs", "resume", "r1", *said, *going_on(server, path, refunds))
    assert message in refused(ended)
    assert (open_journal(path).read("r1").status, paid(refunds)) == ("suspended", [])


def test_calls_that_wait_for_results_need_one_each(
    command: Command, stand_in: StartStandIn, path: str, refunds: str
) -> None:
    server = stand_in([calls(REFUND, LOOK_UP), "Done."])
    loop_of(server, path, refunds, return_tool_requests=True).run("Go", run_id="r1")
    options = going_on(server, path, refunds)
    assert refused(command("runs", "resume", "r1", "--result", "call_1=1", *options)) == (
        "no result for call_2; give one for every call that waits, by --result ID=VALUE or, to let the loop "
        "run it, --approve ID"
    )
    said = ["--result", "call_1=1", "--result", "call_2=2"]
    assert command("runs", "resume", "r1", *said, *options).out == "Done.\n"


def test_a_run_needs_the_tools_that_it_began_with(
    command: Command, stand_in: StartStandIn, path: str, refunds: str
) -> None:
    server = stand_in([calls(REFUND)])
    loop_of(server, path, refunds).run("Refund it", run_id="r1")
    said = ["--approve", "call_1", "--journal", path, "--base-url", server.base_url]
    assert refused(command("runs", "resume", "r1", *said)) == (
        "the run is of another loop: the tools are not those that it began with (removed: 'refund', "
        "'look_up'); resume it with the chain and the --tools that it began with, or begin a new run"
    )


# export and delete


def test_an_export_is_what_the_result_gives(
    command: Command, stand_in: StartStandIn, path: str, refunds: str, tmp_path: Path
) -> None:
    result = loop_of(stand_in([calls(REFUND, LOOK_UP)]), path, refunds).run("Refund it", run_id="r1")
    file = tmp_path / "r1.json"
    assert command("runs", "export", "r1", "--journal", path).out == f"{result.export()}\n"
    for _ in range(2):
        ended = command("runs", "export", "r1", "--journal", path, "-o", str(file))
        assert (ended.code, ended.out, ended.err) == (0, "", "")
        assert file.read_text() == result.export()
    assert file.stat().st_mode & 0o777 == 0o600


def test_an_export_is_signed_by_the_key_in_the_environment(
    command: Command, three_runs: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("CALLAGAIN_SNAPSHOT_KEY", "a secret of some length")
    assert "signature" in command("runs", "export", "r1", "--journal", three_runs).json
    monkeypatch.setenv("CALLAGAIN_SNAPSHOT_KEY", "short")
    assert refused(command("runs", "export", "r1", "--journal", three_runs)) == (
        "CALLAGAIN_SNAPSHOT_KEY must be a secret of 16 characters or more; set a longer one, or unset it"
    )


def test_an_export_takes_no_file_of_another_run(command: Command, three_runs: str, tmp_path: Path) -> None:
    file = tmp_path / "r1.json"
    assert command("runs", "export", "r1", "--journal", three_runs, "-o", str(file)).code == 0
    other = tmp_path / "notes.json"
    other.write_text('{"notes": []}')
    for path in (file, other, tmp_path):
        assert refused(command("runs", "export", "r2", "--journal", three_runs, "-o", str(path))) == (
            f"{path} is there already, and does not hold this run; move it away, or choose another path"
        )
    nowhere = tmp_path / "none" / "r1.json"
    assert refused(command("runs", "export", "r1", "--journal", three_runs, "-o", str(nowhere))) == (
        f"the folder of {nowhere} does not exist; make it, or choose another path"
    )
    assert json.loads(file.read_text())["run_id"] == "r1"


def test_a_run_is_deleted(command: Command, three_runs: str) -> None:
    ended = command("runs", "delete", "r2", "--journal", three_runs)
    assert (ended.code, ended.out) == (0, "deleted r2\n")
    assert [run.run_id for run in open_journal(three_runs).list()] == ["r3", "r1"]


# Which run, and which journal


def test_a_run_is_found_by_a_beginning_that_no_other_one_has(
    command: Command, stand_in: StartStandIn, path: str, refunds: str
) -> None:
    loop = loop_of(stand_in(["Hello."] * 3), path, refunds)
    for run_id in ("order-1", "order-10", "refund-\x1b[2J\n7"):
        loop.run("Go", run_id=run_id)
    for given, found in (("ref", "refund-\x1b[2J\n7"), ("order-1", "order-1"), ("order-10", "order-10")):
        shown = command("runs", "show", given, "--journal", path, "--json").json
        assert shown["run_id"] == found
    assert refused(command("runs", "show", "order", "--journal", path)) == (
        "the ids of 2 runs begin with 'order': 'order-10', 'order-1'; give more of the id"
    )
    assert "\x1b" not in command("runs", "list", "--journal", path).out
    assert "\x1b" not in command("runs", "show", "ref", "--journal", path).out


@pytest.mark.parametrize(
    "words", [["show"], ["export"], ["delete"], ["resume", "--base-url", "http://127.0.0.1:1/v1"]]
)
def test_a_run_that_is_not_there(command: Command, three_runs: str, words: list[str]) -> None:
    assert refused(command("runs", *words, "r12", "--journal", three_runs)) == (
        f"the journal {three_runs} has no run 'r12'; did you mean 'r2', 'r1'?"
    )
    assert refused(command("runs", *words, " ", "--journal", three_runs)) == (
        f"argument RUN: the id of the run is empty; give one; see callagain runs {words[0]} --help"
    )


@pytest.mark.parametrize(
    "words", [["list"], ["show", "r1"], ["export", "r1"], ["delete", "r1"], ["resume", "r1"]]
)
def test_a_journal_has_to_be_there(command: Command, tmp_path: Path, words: list[str]) -> None:
    assert refused(command("runs", *words)) == "no journal: give --journal FILE, or set CALLAGAIN_JOURNAL"
    none = tmp_path / "none.db"
    assert refused(command("runs", *words, "--journal", str(none))) == (
        f"there is no journal {none}; give the file that `callagain run --journal`, or a program by "
        "journal=, has written"
    )
    assert not none.exists()


def test_a_file_that_is_no_journal(command: Command, tmp_path: Path) -> None:
    text = tmp_path / "notes.txt"
    text.write_text("Nothing of a database. " * 100)
    assert refused(command("runs", "list", "--journal", str(text))).startswith(f"{text} is no journal")
    other = tmp_path / "other.db"
    with sqlite3.connect(other) as connection:
        connection.execute("CREATE TABLE notes (note TEXT)")
    connection.close()
    assert refused(command("runs", "list", "--journal", str(other))) == (
        f"{other} is the database of another program; choose another path for the journal"
    )
    assert "is a folder" in refused(command("run", "Hi", "--model", "any", "--journal", str(tmp_path)))


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["runs"], "no command given: list, show, resume, export or delete; see callagain runs --help"),
        (["runs", "fly"], "invalid choice: 'fly'"),
        (["runs", "list", "--status", "lost"], "invalid choice: 'lost'"),
        (["runs", "list", "--limit", "0"], "must be a whole number, 1 or more, not '0'"),
        (["runs", "show"], "the following arguments are required: RUN; see callagain runs show --help"),
        (["runs", "show", "r1", "--fast"], "unrecognized arguments: --fast; see callagain runs show --help"),
        (["run", "Hi", "--journal", ""], "argument --journal: the path is empty; give that of a file"),
        (["run", "Hi", "--run-id", ""], "argument --run-id: the id of the run is empty; give one"),
    ],
)
def test_wrong_options_of_runs(command: Command, words: list[str], message: str) -> None:
    assert message in refused(command(*words))

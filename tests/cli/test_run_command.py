"""`callagain run`: the answer, the JSON document, the progress and the exit codes."""

import contextlib
import io
import json
import re
import sys
from collections.abc import Callable
from typing import Any

import pytest

from callagain import ToolLoop
from callagain.cli.report import report, told_with_hint
from callagain.cli.tools_file import load_tools
from callagain.engine.commands import CallTool, SendRequest
from callagain.engine.error_kinds import ERROR_KINDS, advised
from callagain.engine.events import CommandStarted
from callagain.engine.problem import Problem
from callagain.testing import Answer, Rule, Rules, StandIn, calls, says
from callagain.testing.plugin import StartStandIn

Command = Callable[..., Any]
Write = Callable[..., str]

QUESTION = "Where is order 481516?"
RULES = Rules(
    [Rule(r"order (\d+)", [calls(("get_order_status", {"order_id": "{1}"})), "It is {result.status}."])]
)


def options(server: StandIn, *more: str) -> list[str]:
    return ["--base-url", server.base_url, "--model", "any", *more]


class Terminal(io.StringIO):
    def isatty(self) -> bool:
        return True


def test_prints_the_answer_and_nothing_else(command: Command, stand_in: StartStandIn, orders: str) -> None:
    ended = command("run", QUESTION, "--tools", orders, *options(stand_in(RULES)))
    assert (ended.code, ended.out) == (0, "It is shipped.\n")
    assert ended.err == "looking it up\n"


def test_answers_without_tools(command: Command, stand_in: StartStandIn) -> None:
    ended = command("run", "Hello", *options(stand_in(["Hello yourself."])))
    assert (ended.code, ended.out, ended.err) == (0, "Hello yourself.\n", "")


def test_model_and_endpoint_come_from_the_environment(
    command: Command, stand_in: StartStandIn, monkeypatch: pytest.MonkeyPatch
) -> None:
    server = stand_in(["Hello yourself."])
    monkeypatch.setenv("OPENAI_MODEL", "from-environment")
    monkeypatch.setenv("OPENAI_BASE_URL", server.base_url)
    assert command("run", "Hello").out == "Hello yourself.\n"
    assert server.requests[0].json["model"] == "from-environment"


def test_reads_the_message_from_stdin(
    command: Command, stand_in: StartStandIn, monkeypatch: pytest.MonkeyPatch
) -> None:
    server = stand_in(["Done."])
    monkeypatch.setattr(sys, "stdin", io.StringIO("First line\nsecond line\n"))
    assert command("run", "-", *options(server)).code == 0
    assert server.requests[0].json["messages"][-1]["content"] == "First line\nsecond line"


def test_every_option_reaches_the_request(command: Command, stand_in: StartStandIn, orders: str) -> None:
    server = stand_in(["Done."])
    chosen = ["--system", "Be brief.", "--max-tokens", "50", "--temperature", "0.2"]
    for field in ("note=see [1]", 'quoted="{"', "empty=", "seed=7", 'stop=["END"]', "user=ada"):
        chosen += ["--option", field]
    chosen += ["--tool-choice", "get_order_status", "--tools", orders]
    assert command("run", "Hello", *chosen, *options(server)).code == 0
    sent = server.requests[0].json
    assert sent["messages"][0] == {"role": "system", "content": "Be brief."}
    assert (sent["max_tokens"], sent["temperature"], sent["seed"]) == (50, 0.2, 7)
    assert (sent["stop"], sent["user"]) == (["END"], "ada")
    assert (sent["note"], sent["quoted"], sent["empty"]) == ("see [1]", "{", "")
    assert sent["tool_choice"] == {"type": "function", "function": {"name": "get_order_status"}}


def test_the_api_and_the_profile_shape_the_request(
    command: Command, stand_in: StartStandIn, orders: str
) -> None:
    server = stand_in(RULES)
    chosen = ["--tools", orders, "--max-tokens", "50", *options(server)]
    assert command("run", QUESTION, "--api", "responses", *chosen).out == "It is shipped.\n"
    assert [request.path for request in server.requests] == ["/v1/responses"] * 2
    assert server.requests[0].json["max_output_tokens"] == 50

    # Mistral's endpoint refuses stream_options.
    for profile, is_sent in (("generic", True), ("mistral", False)):
        ended = command("run", QUESTION, "--profile", profile, "--stream", *chosen)
        assert ended.out == "It is shipped.\n"
        assert ("stream_options" in server.requests[-1].json) is is_sent


@pytest.mark.parametrize("retries", [0, 1])
def test_a_request_is_sent_again_as_often_as_is_asked_for(
    command: Command, stand_in: StartStandIn, retries: int
) -> None:
    server = stand_in([Answer(503, {"error": "busy"}, {"retry-after-ms": "1"}), "At last."])
    ended = command("run", "Hello", "--max-retries", str(retries), *options(server))
    assert (ended.code, ended.out) == ((1, ""), (0, "At last.\n"))[retries]
    assert len(server.requests) == 1 + retries


def test_no_more_requests_are_sent_than_a_minute_may_have(
    command: Command, stand_in: StartStandIn, orders: str
) -> None:
    server = stand_in(RULES)
    limits = ["--requests-per-minute", "1", "--deadline", "5"]
    ended = command("run", QUESTION, "--tools", orders, *limits, *options(server))
    assert ended.code == 3
    assert "limit (deadline): the run's deadline comes before the request may be sent" in ended.err
    assert len(server.requests) == 1


def test_json_holds_the_whole_run(command: Command, stand_in: StartStandIn, orders: str) -> None:
    ended = command("run", QUESTION, "--tools", orders, "--json", *options(stand_in(RULES)))
    document = ended.json
    result = '{"order_id":"481516","status":"shipped"}'
    assert list(document) == [
        "run_id",
        "outcome",
        "final_response",
        "loop_count",
        "error",
        "usage",
        "spent",
        "tool_results",
        "abandoned_calls",
        "pending_calls",
        "warnings",
        "messages",
        "variables",
        "snapshot",
    ]
    assert (document["outcome"], document["final_response"]) == ("completed", "It is shipped.")
    assert (document["loop_count"], document["error"], document["pending_calls"]) == (1, None, [])
    assert (document["abandoned_calls"], document["snapshot"]) == (0, None)
    assert (document["spent"]["requests"], document["spent"]["tool_calls"]) == (2, 1)
    assert document["tool_results"] == [
        {
            "id": "call_1",
            "name": "get_order_status",
            "arguments": {"order_id": "481516"},
            "content": result,
            "error": None,
            "full_content": None,
            "abandoned": False,
        }
    ]
    assert [message["role"] for message in document["messages"]] == ["user", "assistant", "tool", "assistant"]
    assert document["usage"]["total_tokens"] > 0
    assert document["variables"]["call_llm_again"] is False
    assert [one["role"] for one in json.loads(document["variables"]["tools_messages"])] == [
        "assistant",
        "tool",
    ]
    assert ended.out.count("\n") == 1


def test_a_failed_run_is_one_line_on_stderr_and_code_1(command: Command, stand_in: StartStandIn) -> None:
    server = stand_in([Answer(401, {"error": {"message": "Bad\nkey."}})])
    ended = command("run", "Hello", *options(server))
    assert (ended.code, ended.out) == (1, "")
    assert ended.err == (
        f"callagain: error: failed (auth): HTTP 401: Bad key ({server.origin}); "
        "check OPENAI_API_KEY, and that it is a key of this endpoint\n"
    )


def test_a_failed_run_as_json_tells_the_kind(command: Command, stand_in: StartStandIn) -> None:
    ended = command("run", "Hello", "--json", *options(stand_in([Answer(401, {"error": "no"})])))
    assert ended.json["error"]["kind"] == "auth"
    assert ended.json["error"]["message"].startswith("HTTP 401: no")
    assert ended.code == 1


def test_an_endpoint_that_is_not_there_fails(command: Command) -> None:
    nowhere = ["--base-url", "http://127.0.0.1:1/v1", "--max-retries", "0"]
    ended = command("run", "Hello", "--model", "any", *nowhere)
    assert ended.code == 1
    assert "failed (provider_unavailable): could not reach http://127.0.0.1:1" in ended.err
    assert ended.err.endswith("; run it again in a little while, or raise --max-retries\n")
    assert ended.err.count("\n") == 1


def test_an_endpoint_that_is_overloaded_asks_for_no_more_time(
    command: Command, stand_in: StartStandIn
) -> None:
    server = stand_in([Answer(503, {"error": "busy"})])
    assert command("run", "Hello", *options(server, "--max-retries", "0")).err == (
        f"callagain: error: failed (provider_unavailable): HTTP 503: busy ({server.origin}); "
        "run it again in a little while, or raise --max-retries\n"
    )


def test_an_answer_that_is_cut_off_speaks_of_the_option(command: Command, stand_in: StartStandIn) -> None:
    server = stand_in([says("Half an ans", finish_reason="length")])
    assert command("run", "Hello", "--max-tokens", "1", *options(server)).err == (
        "callagain: error: failed (truncated): the output limit cut the answer off; "
        "raise --max-tokens, or ask for a shorter answer\n"
    )


def test_a_request_that_is_refused_speaks_of_the_options(command: Command, stand_in: StartStandIn) -> None:
    server = stand_in([Answer(418, "teapot")])
    assert command("run", "Hello", *options(server)).err == (
        f"callagain: error: failed (bad_request): HTTP 418: teapot ({server.origin}); "
        "check --model, --base-url and the options of the request\n"
    )


def test_a_failure_that_needs_no_words_of_the_command_line_keeps_its_advice(
    command: Command, stand_in: StartStandIn
) -> None:
    ended = command("run", "Hello", *options(stand_in([says("")])))
    assert ended.code == 1
    assert ended.err.endswith(f"; {ERROR_KINDS['empty_response'].advice}\n")


@pytest.mark.parametrize("kind", ERROR_KINDS)
def test_every_kind_of_error_says_what_to_do_in_words_of_the_command_line(
    kind: str, command: Command
) -> None:
    told = told_with_hint(Problem(kind, advised(kind, "It did not work.")))
    happened, semicolon, hint = told.partition("; ")
    assert (happened, semicolon) == ("It did not work", "; ")
    # Python's ways to say it, that is.
    assert re.search(r"[a-z]_[a-z]|=|result\.|error\.|\bpass\b", hint.replace("final_answer", "")) is None
    assert set(re.findall(r"--[\w-]+", hint)) <= set(re.findall(r"--[\w-]+", command("run", "--help").out))


def test_the_limit_is_code_3(command: Command, stand_in: StartStandIn, orders: str) -> None:
    limits = ["--max-iterations", "0"]
    ended = command("run", QUESTION, "--tools", orders, *limits, *options(stand_in(RULES)))
    assert (ended.code, ended.out) == (3, "")
    assert ended.err.startswith("callagain: error: limit (max_iterations): Tool-calling loop reached 0 ")
    assert ended.err.endswith("the options are --max-iterations N and --on-limit final_answer\n")


def test_a_final_answer_at_the_limit_is_printed_and_is_still_code_3(
    command: Command, stand_in: StartStandIn, orders: str
) -> None:
    server = stand_in([calls(("get_order_status", {"order_id": "1"})), says("I do not know yet.")])
    limits = ["--max-iterations", "0", "--on-limit", "final_answer"]
    ended = command("run", QUESTION, "--tools", orders, *limits, *options(server))
    assert (ended.code, ended.out) == (3, "I do not know yet.\n")
    assert "limit (max_iterations)" in ended.err


def test_the_deadline_is_code_3(command: Command, stand_in: StartStandIn) -> None:
    server = stand_in(["Too late."], delay=5)
    ended = command("run", "Hello", "--deadline", "0.1", *options(server))
    assert ended.code == 3
    assert ended.err.startswith("callagain: error: limit (deadline): ")
    assert ended.err.endswith("; give it more time by --deadline\n")


def test_a_request_gets_no_more_than_its_timeout(command: Command, stand_in: StartStandIn) -> None:
    server = stand_in(["Too late."], delay=5)
    ended = command("run", "Hello", "--timeout", "0.1", "--max-retries", "0", *options(server))
    assert ended.code == 1
    assert ended.err.endswith("; run it again, or give it more time by --timeout\n")


def test_a_tool_gets_no_more_than_its_timeout(command: Command, stand_in: StartStandIn, write: Write) -> None:
    path = write("slow.py", "import time\ndef sleep() -> None:\n    'Sleep long.'\n    time.sleep(2)\n")
    server = stand_in([calls(("sleep", {})), "It took too long."])
    ended = command("run", "Go", "--tools", path, "--tool-timeout", "0.1", "--json", *options(server))
    assert [one["error"] for one in ended.json["tool_results"]] == ["timeout"]
    assert ended.json["abandoned_calls"] == 1


def test_a_suspended_run_is_code_4(
    stand_in: StartStandIn, capsys: pytest.CaptureFixture[str], orders: str
) -> None:
    server = stand_in([calls(*[("get_order_status", {"order_id": number}) for number in "12"])])
    live = ToolLoop(model="any", tools=load_tools([orders]), base_url=server.base_url).start("Go")
    # Left when the second call begins, the run may not repeat the first one, which has effects.
    with contextlib.closing(live.events()) as events:
        began = (event for event in events if isinstance(event, CommandStarted))
        assert [type(next(began).command) for _ in range(3)] == [SendRequest, CallTool, CallTool]
    assert report(live.run(), as_json=False) == 4
    assert "suspended (call_outcome_unknown)" in capsys.readouterr().err


def test_there_is_no_progress_unless_stderr_is_a_terminal(
    command: Command, stand_in: StartStandIn, monkeypatch: pytest.MonkeyPatch, orders: str
) -> None:
    terminal = Terminal()
    monkeypatch.setattr(sys, "stderr", terminal)
    assert command("run", QUESTION, "--tools", orders, *options(stand_in(RULES))).code == 0
    assert "\x1b[1mTool Dispatcher" in terminal.getvalue()


def test_verbose_shows_a_line_for_each_operation_and_call(
    command: Command, stand_in: StartStandIn, orders: str
) -> None:
    ended = command("run", QUESTION, "-v", "--tools", orders, *options(stand_in(RULES)))
    assert ended.out == "It is shipped.\n"
    assert ended.err == (
        " 1 Initialize         → LLM Call           loop_count 0, call_llm_again false\n"
        " 2 LLM Call           → Parse Response     loop_count 0, call_llm_again false\n"
        " 3 Parse Response     → Tool Dispatcher    loop_count 0, call_llm_again true\n"
        '     get_order_status {"order_id":"481516"} …\n'
        "looking it up\n"
        '     get_order_status → {"order_id":"481516","status":"shipped"}\n'
        " 4 Tool Dispatcher    → Append Tool Result loop_count 1, call_llm_again true\n"
        " 5 Append Tool Result → LLM Call           loop_count 1, call_llm_again true\n"
        " 6 LLM Call           → Parse Response     loop_count 1, call_llm_again true\n"
        " 7 Parse Response     → Extract Final      loop_count 1, call_llm_again false\n"
        " 8 Extract Final      → completed          loop_count 1, call_llm_again false\n"
    )


def test_a_tool_that_leaves_the_program_is_no_success(
    command: Command, stand_in: StartStandIn, write: Write
) -> None:
    path = write("leave.py", "import sys\ndef leave() -> None:\n    'Leave.'\n    sys.exit(0)\n")
    ended = command("run", "Go", "--tools", path, *options(stand_in([calls(("leave", {})), "Done."])))
    # Whether the loop tells the model or lets the exit through, nobody may take it for silent success.
    assert (ended.code, bool(ended.out)) in ((1, False), (0, True))


def test_what_a_tool_returns_cannot_steer_the_terminal(
    command: Command, stand_in: StartStandIn, write: Write
) -> None:
    path = write("clear.py", "def clear() -> str:\n    'Clear.'\n    return '\\x1b[2Jgone\\nnext'\n")
    server = stand_in([calls(("clear", {})), "Done."])
    ended = command("run", "Go", "-v", "--tools", path, *options(server))
    assert "     clear →  [2Jgone next\n" in ended.err
    assert "\x1b" not in ended.err

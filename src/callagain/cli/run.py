"""`callagain run`: one question, with the user's own tools and model."""

import argparse
import contextlib
import dataclasses
import sys
import unicodedata
from collections.abc import Sequence
from typing import TYPE_CHECKING

from callagain.cli.exit_codes import ENVIRONMENT, EXIT_CODES, ExitCode
from callagain.cli.options import add_loop_options, build_loop, in_options, stdout_for_the_answer
from callagain.cli.parser import AddParser, add_command
from callagain.cli.terminal import complain, say
from callagain.engine.error_kinds import without_advice
from callagain.engine.errors import ConfigurationError
from callagain.engine.events import Event
from callagain.engine.json_text import encode
from callagain.engine.problem import Problem
from callagain.engine.wire.deltas import TextDelta

if TYPE_CHECKING:
    from callagain.approval import Approver
    from callagain.cli.live_text import LiveText
    from callagain.cli.progress import Progress
    from callagain.connectors.tools import Tool
    from callagain.live_run import LiveRun
    from callagain.result import Result

EXAMPLES = """\
examples:
  callagain run "Where is order 481516?" --tools orders.py --model gpt-4o
  callagain run "Hello" --base-url http://localhost:8080/v1 --model llama3
  git diff | callagain run - --system "Review this change." --model gpt-4o
  callagain run "Sum it up" --tools t.py --option 'stop=["END"]' --option seed=7
  callagain run "Tell me a story" --model gpt-4o --stream
  callagain run "Hello" --model gpt-4o --json | python -m json.tool
  callagain run "Refund order 481516" --tools orders.py --approve-effects

The answer goes to stdout. Progress goes to stderr, if that is a terminal; so
does what the tools print. With --stream a terminal shows the text as it comes,
while a pipe or a file gets the answer once, when it is whole."""

ANY_HINT = "--verbose shows every operation, --json the whole conversation"
FROM_PYTHON = "--json gives its snapshot, with which a Python program goes on by loop.resume"
# In place of the advice that a Python program is given, where it has words of the library in it.
HINTS = {
    "auth": "check OPENAI_API_KEY, and that it is a key of this endpoint",
    "rate_limited": "wait a little, and run it again, or slow down by --requests-per-minute",
    "provider_unavailable": "run it again in a little while, or raise --max-retries",
    "stream_interrupted": "run it again, or raise --max-retries",
    "bad_request": "check --model, --base-url and the options of the request",
    "malformed_response": "check --base-url, which often ends in /v1",
    "context_length": "shorten the message or the results of the tools, or try --compact-context",
    "truncated": "raise --max-tokens, or ask for a shorter answer",
    "invalid_history": ANY_HINT,
    "unknown_tool": "offer the tool by --tools, or change what is asked",
    "operation_failed": ANY_HINT,
    "deadline": "give it more time by --deadline",
    "max_iterations": "the options are --max-iterations N and --on-limit final_answer",
    "repeated_call": "look at what the tool returns and at its description, or raise --repeat-limit",
    "max_repairs": "rewrite the description of the tool, or raise --max-repairs",
    "budget_tokens": "ask for less, or raise --budget-tokens",
    "budget_money": "ask for less, take a cheaper model, or raise --budget-money",
    "budget_requests": "--verbose shows what they were for; --budget-requests allows more",
    "budget_tool_calls": "look at the question and at the descriptions, or raise --budget-tool-calls",
    "budget_time": "--verbose shows what is done meanwhile; --budget-time gives it more",
    "approval_required": "run it on a terminal, without --json and with the question as MESSAGE, and you are "
    f"asked; or decide beforehand by --approve; {FROM_PYTHON}",
    "tool_requests": FROM_PYTHON,
    "call_outcome_unknown": f"find out before you run it again; {FROM_PYTHON}",
}
OUT_OF_TIME = ("was silent", "gave no whole answer within")
TIME_HINT = "run it again, or give it more time by --timeout"


def add_to(add_parser: AddParser) -> None:
    parser = add_command(
        add_parser,
        "run",
        execute,
        usage="run MESSAGE [--tools FILE.py] [options]",
        description="Ask a model one question, run the tools that it asks for, and print its answer.",
        epilog=f"{EXAMPLES}\n\n{ENVIRONMENT}\n\n{EXIT_CODES}",
    )
    parser.add_argument("message", metavar="MESSAGE", help="the question; - reads it from stdin")
    add_loop_options(parser)
    _add_approval(parser)
    output = parser.add_argument_group("output")
    output.add_argument(
        "--stream", action="store_true", help="ask for the answer in pieces, and show them on a terminal"
    )
    output.add_argument("--json", action="store_true", help="print one JSON document in place of the answer")
    output.add_argument(
        "-v", "--verbose", action="store_true", help="progress on stderr, also where that is no terminal"
    )


def _add_approval(parser: argparse.ArgumentParser) -> None:
    group = parser.add_argument_group("approval, before a call of a tool runs")
    group.add_argument(
        "--approve-effects",
        action="store_true",
        help="of every tool that is not marked read_only, and not only of those that ask for it",
    )
    group.add_argument(
        "--approve",
        choices=("ask", "all", "none"),
        default="ask",
        help="ask on the terminal, or suspend the run where there is none; all, unseen, and none are for "
        "runs that nobody watches (ask)",
    )


def execute(arguments: argparse.Namespace) -> int:
    from callagain.cli.live_text import LiveText
    from callagain.cli.progress import Progress

    with stdout_for_the_answer() as stdout:
        loop = build_loop(
            arguments,
            approve_effects=arguments.approve_effects,
            approver_for=lambda tools: _approver(arguments, tools),
        )
        live = loop.start(_message(arguments.message), stream=arguments.stream)
        is_watched = arguments.stream and not arguments.json and stdout.isatty()
        text = LiveText(stdout) if is_watched else None
        progress = Progress(live) if arguments.verbose or sys.stderr.isatty() else None
        try:
            _drive(live, text, progress)
        finally:
            if text is not None:
                text.end_line()
    assert live.result is not None
    return report(live.result, as_json=arguments.json, shown=None if text is None else text.text)


def report(result: "Result", *, as_json: bool, shown: str | None = None) -> ExitCode:
    """Prints what a run came to, and gives the exit code. shown: the text that stands on stdout already."""
    if as_json:
        say(document(result))
    elif result.final_response is not None:
        answer = result.final_response
        if sys.stdout.isatty():
            answer = _harmless(answer)
        if answer != shown:
            say(answer)
    if result.error is not None:
        complain(f"error: {result.outcome} ({result.error.kind}): {told_with_hint(result.error)}")
    return ExitCode.of(result.outcome)


def document(result: "Result") -> str:
    """The result as a JSON object in one line."""
    error = result.error
    fields = {
        "run_id": result.run_id,
        "outcome": result.outcome,
        "final_response": result.final_response,
        "loop_count": result.loop_count,
        "error": None if error is None else {"kind": error.kind, "message": error.message},
        "usage": dataclasses.asdict(result.usage),
        "spent": dataclasses.asdict(result.spent),
        "tool_results": [dataclasses.asdict(one) for one in result.tool_results],
        "abandoned_calls": result.abandoned_calls,
        "pending_calls": [call.as_json() for call in result.pending_calls],
        "warnings": [dataclasses.asdict(one) for one in result.warnings],
        "messages": result.messages,
        "variables": result.variables.as_jitterbit(),
        "snapshot": result.snapshot() if result.outcome == "suspended" else None,
    }
    return encode(fields).decode()


def _drive(live: "LiveRun", *watchers: "LiveText | Progress | None") -> None:
    with contextlib.closing(live.events()) as events:
        for event in events:
            shown = _shown(event)
            for watcher in watchers:
                if watcher is not None:
                    watcher.show(shown)


def _shown(event: Event) -> Event:
    """A piece of text without what a terminal obeys: a question that is asked later has to stay readable."""
    if isinstance(event, TextDelta):
        return dataclasses.replace(event, text=_harmless(event.text))
    return event


def _harmless(text: str) -> str:
    """The text with a space for each control character but newline and tab."""
    return "".join(
        " " if unicodedata.category(letter) == "Cc" and letter not in "\n\t" else letter for letter in text
    )


def _approver(arguments: argparse.Namespace, tools: "Sequence[Tool]") -> "Approver | None":
    """Who is asked about a call: nobody, unless somebody sees the question and can answer."""
    from callagain.cli.ask_approval import AskApproval
    from callagain.decisions import approve, deny

    if arguments.approve == "all":
        return approve
    if arguments.approve == "none":
        return lambda call: deny("nobody approves calls in this run", call)
    is_watched = sys.stdin.isatty() and sys.stderr.isatty()
    # With - the message was read to the end of stdin; a program reads the document of --json.
    return AskApproval(tools) if is_watched and arguments.message != "-" and not arguments.json else None


def _message(given: str) -> str:
    if given != "-":
        message = given
    else:
        try:
            message = sys.stdin.read().rstrip("\r\n")
        except UnicodeDecodeError as error:
            raise ConfigurationError(f"stdin is not {error.encoding} text; convert it first") from None
        except OSError as error:
            raise ConfigurationError(
                f"cannot read stdin: {error.strerror or error}; give the question as MESSAGE"
            ) from None
    if not message.strip():
        raise ConfigurationError("the message is empty; give a question, or - and a question on stdin")
    return message


def told_with_hint(error: Problem) -> str:
    """What happened, then what to do on the command line."""
    happened = without_advice(error.kind, error.message).rstrip(".")
    was_late = any(words in happened for words in OUT_OF_TIME)
    hint = TIME_HINT if was_late and error.kind == "provider_unavailable" else HINTS.get(error.kind)
    if hint is not None:
        return f"{in_options(happened)}; {hint}"
    has_advice = happened != error.message.rstrip(".")
    return in_options(error.message if has_advice else f"{happened}; {ANY_HINT}")

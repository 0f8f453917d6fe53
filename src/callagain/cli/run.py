"""`callagain run`: one question, with the user's own tools and model."""

import argparse
import sys
from collections.abc import Sequence
from typing import TYPE_CHECKING

from callagain.cli.driving import approver_at_terminal, drive
from callagain.cli.exit_codes import ENVIRONMENT, EXIT_CODES, ExitCode
from callagain.cli.journal_option import (
    add_journal_option,
    journal_of,
    resume_command,
    run_id,
    told_how_to_go_on,
)
from callagain.cli.option_types import path_of_a_file
from callagain.cli.options import add_loop_options, build_loop, in_options, stdout_for_the_answer
from callagain.cli.parser import AddParser, add_command
from callagain.cli.record_file import RecordFile
from callagain.cli.report import report
from callagain.cli.snapshot_key import snapshot_key
from callagain.engine.errors import ConfigurationError, JournalError

if TYPE_CHECKING:
    from callagain.approval import Approver
    from callagain.connectors.tools import Tool

EXAMPLES = """\
examples:
  callagain run "Where is order 481516?" --tools orders.py --model gpt-4o
  callagain run "Hello" --base-url http://localhost:8080/v1 --model llama3
  git diff | callagain run - --system "Review this change." --model gpt-4o
  callagain run "Sum it up" --tools t.py --option 'stop=["END"]' --option seed=7
  callagain run "Tell me a story" --model gpt-4o --stream
  callagain run "Hello" --model gpt-4o --json | python -m json.tool
  callagain run "Refund order 481516" --tools orders.py --approve-effects
  callagain run "Refund order 481516" --tools orders.py --journal runs.db
  callagain run "Hello" --model gpt-4o --record hello.json

The answer goes to stdout. Progress goes to stderr, if that is a terminal; so
does what the tools print. With --stream a terminal shows the text as it comes,
while a pipe or a file gets the answer once, when it is whole."""


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
    _add_keeping(parser)
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


def _add_keeping(parser: argparse.ArgumentParser) -> None:
    group = parser.add_argument_group("what is kept of the run")
    add_journal_option(group)
    group.add_argument(
        "--run-id",
        metavar="ID",
        type=run_id,
        help="a name of your own for the run, which no other one has (made up)",
    )
    group.add_argument(
        "--record",
        metavar="FILE",
        type=path_of_a_file,
        help="write the run to a new file, whatever comes of it; `callagain replay FILE` shows it",
    )


def execute(arguments: argparse.Namespace) -> int:
    with stdout_for_the_answer() as stdout:
        journal = journal_of(arguments)
        loop = build_loop(
            arguments,
            approve_effects=arguments.approve_effects,
            approver_for=lambda tools: _approver(arguments, tools),
            journal=journal,
            snapshot_key=snapshot_key(),
        )
        live = loop.start(_message(arguments.message), stream=arguments.stream, run_id=arguments.run_id)
        go_on = None if journal is None else resume_command(arguments, live.run_id)
        record = None if arguments.record is None else RecordFile(arguments.record, live.run_id)
        is_recorded = True
        try:
            with told_how_to_go_on(go_on):
                shown = drive(
                    live,
                    stdout,
                    shows_text=arguments.stream and not arguments.json,
                    shows_progress=arguments.verbose,
                )
        except JournalError as error:
            raise JournalError(in_options(str(error))) from None
        finally:
            # A run that was left in the middle can be looked at as well; one that could not begin, cannot.
            if record is not None and live.trace:
                is_recorded = record.write(live.snapshot)
    assert live.result is not None
    code = report(live.result, as_json=arguments.json, shown=shown, resume_command=go_on)
    return ExitCode.FAILED if code is ExitCode.COMPLETED and not is_recorded else code


def _approver(arguments: argparse.Namespace, tools: "Sequence[Tool]") -> "Approver | None":
    """Who is asked about a call: nobody, unless somebody sees the question and can answer."""
    from callagain.decisions import approve, deny

    if arguments.approve == "all":
        return approve
    if arguments.approve == "none":
        return lambda call: deny("nobody approves calls in this run", call)
    # With - the message was read to the end of stdin; a program reads the document of --json.
    return None if arguments.message == "-" or arguments.json else approver_at_terminal(tools)


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

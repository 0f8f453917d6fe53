"""`callagain run`: one question, with the user's own tools and model."""

import argparse
import sys

from callagain.cli.driving import drive
from callagain.cli.exit_codes import ENVIRONMENT, EXIT_CODES, ExitCode
from callagain.cli.journal_option import journal_of, resume_command, told_how_to_go_on
from callagain.cli.options import add_loop_options, build_loop, stdout_for_the_answer
from callagain.cli.parser import AddParser, add_command
from callagain.cli.report import report
from callagain.cli.run_options import (
    Recording,
    add_approval_options,
    add_keeping_options,
    add_progress_options,
    approver,
    journal_told_in_options,
    progress_of,
)
from callagain.cli.snapshot_key import snapshot_key
from callagain.engine.errors import ConfigurationError

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

The answer goes to stdout. Progress goes to stderr, if that is a terminal, with a
line at the bottom that counts on while something is waited for; what the tools
print goes there too. With --stream a terminal shows the text as it comes,
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
    add_approval_options(parser)
    add_keeping_options(parser)
    output = parser.add_argument_group("output")
    output.add_argument(
        "--stream", action="store_true", help="ask for the answer in pieces, and show them on a terminal"
    )
    output.add_argument("--json", action="store_true", help="print one JSON document in place of the answer")
    add_progress_options(output)


def execute(arguments: argparse.Namespace) -> int:
    shows_progress = progress_of(arguments)
    with stdout_for_the_answer() as stdout:
        journal = journal_of(arguments)
        loop = build_loop(
            arguments,
            approve_effects=arguments.approve_effects,
            # With - the message was read to the end of stdin; a program reads the document of --json.
            approver_for=lambda tools: approver(
                arguments, tools, can_ask=arguments.message != "-" and not arguments.json
            ),
            journal=journal,
            snapshot_key=snapshot_key(),
        )
        live = loop.start(_message(arguments.message), stream=arguments.stream, run_id=arguments.run_id)
        go_on = None if journal is None else resume_command(arguments, live.run_id)
        with (
            journal_told_in_options(),
            Recording(arguments.record, live) as recording,
            told_how_to_go_on(go_on),
        ):
            shown = drive(
                live,
                stdout,
                shows_text=arguments.stream and not arguments.json,
                shows_progress=shows_progress,
            )
    assert live.result is not None
    code = report(live.result, as_json=arguments.json, shown=shown, resume_command=go_on)
    return ExitCode.FAILED if code is ExitCode.COMPLETED and recording.failed else code


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

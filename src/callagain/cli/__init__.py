"""The command `callagain`. Each command is a file of this package; docs/command-line.md shows them all."""

import argparse
import warnings
from collections.abc import Sequence

from callagain.cli import (
    check,
    demo,
    diagram,
    parity,
    port,
    replay,
    run,
    runs,
    serve,
    serve_loop,
    step,
    verify,
    view,
    worker,
)
from callagain.cli.exit_codes import ENVIRONMENT, EXIT_CODES, ExitCode
from callagain.cli.parser import Parser, ShowVersion
from callagain.cli.terminal import OutputClosedError, complain, prepare_streams, warn_in_one_line
from callagain.engine.errors import CallAgainError

DESCRIPTION = """\
Run an LLM tool-calling loop as a chain of operations, and watch it.

commands:
  demo            watch a run, one operation at a time; no key, no network
  run             ask your model one question, with your own tools
  step            a run, one operation at a time: look at all of it, go back
  runs            the runs of a journal: list, show, resume, export, delete
  replay          a run once more, from what was kept; no network, no tools
  view            a run as a page for the browser, with each of its steps
  serve           a loop over HTTP, for programs that know no Python
  worker          run what was enqueued in PostgreSQL, beside other workers
  diagram         the loop as a flowchart, a state diagram or a table
  serve-stand-in  an endpoint on this machine that answers from a script
  check           what in your tools' schemas will mislead a model
  verify          the guide's list of checks, on your model and tools
  port            a Jitterbit design as a Python package, with a report
  parity          a ported package beside the design it came from"""


def main(arguments: Sequence[str] | None = None) -> int:
    """Runs the command in `arguments` (sys.argv by default), and returns the exit code."""
    with warnings.catch_warnings():
        warnings.showwarning = warn_in_one_line
        try:
            prepare_streams()
            return _run(arguments)
        except CallAgainError as error:
            complain(f"error: {error}")
            return ExitCode.MISUSE
        except OutputClosedError:
            return ExitCode.OUTPUT_CLOSED
        except KeyboardInterrupt:
            complain("interrupted")
            return ExitCode.INTERRUPTED


def build_parser() -> Parser:
    """The parser of the whole command line. Imports nothing that only a command needs."""
    parser = Parser(
        prog="callagain",
        usage="callagain COMMAND [options]",
        description=DESCRIPTION,
        epilog=f"{ENVIRONMENT}\n\n{EXIT_CODES}\n\n`callagain COMMAND --help` shows examples.",
    )
    parser.add_argument("--version", action=ShowVersion, help="show the version and exit")
    commands = parser.add_subparsers(metavar="COMMAND", prog="callagain", help=argparse.SUPPRESS)
    for command in (
        demo,
        run,
        step,
        runs,
        replay,
        view,
        serve_loop,
        worker,
        diagram,
        serve,
        check,
        verify,
        port,
        parity,
    ):
        command.add_to(commands.add_parser)
    parser.set_defaults(execute=_refuse_no_command)
    return parser


def _run(arguments: Sequence[str] | None) -> int:
    try:
        parsed = build_parser().parse(arguments)
    except SystemExit:
        # How argparse ends after --help and --version.
        return ExitCode.COMPLETED
    try:
        return int(parsed.execute(parsed))
    except SystemExit as left:
        complain(
            f"error: a tool ended the program by SystemExit: {left}; let it return, or raise another error"
        )
        return ExitCode.FAILED


def _refuse_no_command(_: object) -> int:
    complain(
        "error: no command given: demo, run, step, runs, replay, view, serve, diagram, serve-stand-in, "
        "check, verify, port or parity; `callagain demo` is a good first one"
    )
    return ExitCode.MISUSE

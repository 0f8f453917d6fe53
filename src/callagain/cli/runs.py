"""`callagain runs`: the runs of a journal. Each command of it is a file of its own."""

import argparse

from callagain.cli import runs_delete, runs_export, runs_list, runs_resume, runs_show
from callagain.cli.exit_codes import ExitCode
from callagain.cli.parser import AddParser, add_command
from callagain.cli.terminal import complain

DESCRIPTION = """\
Look at the runs of a journal, and go on with them.

commands:
  list    the newest runs, and how they stand
  show    one run: its operations, requests, calls and messages
  resume  go on with a run that was left, waits, failed, or is at a limit
  export  one run as a JSON file, for `callagain replay`
  delete  remove all that is kept of a run"""

EXAMPLES = """\
examples:
  callagain runs list --journal runs.db --status suspended
  callagain runs show 4f1c --journal runs.db
  callagain runs resume 4f1c --journal runs.db --tools orders.py

`callagain runs COMMAND --help` shows more. With CALLAGAIN_JOURNAL set, no
command needs --journal."""


def add_to(add_parser: AddParser) -> None:
    parser = add_command(
        add_parser,
        "runs",
        _refuse_no_command,
        usage="runs COMMAND RUN [options]",
        description=DESCRIPTION,
        epilog=EXAMPLES,
    )
    commands = parser.add_subparsers(metavar="COMMAND", prog="callagain runs", help=argparse.SUPPRESS)
    for command in (runs_list, runs_show, runs_resume, runs_export, runs_delete):
        command.add_to(commands.add_parser)


def _refuse_no_command(_: object) -> int:
    complain("error: no command given: list, show, resume, export or delete; see callagain runs --help")
    return ExitCode.MISUSE

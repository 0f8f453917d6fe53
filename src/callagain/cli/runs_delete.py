"""`callagain runs delete`: a run is removed from its journal."""

import argparse

from callagain.cli.exit_codes import ExitCode, environment
from callagain.cli.journal_option import (
    JOURNAL_VARIABLE,
    add_journal_option,
    add_run_argument,
    existing_journal,
    find_run,
)
from callagain.cli.parser import AddParser, add_command
from callagain.cli.terminal import flat, say

EXAMPLES = """\
examples:
  callagain runs delete 4f1c --journal runs.db

A run that somebody drives is not deleted. Nothing of a run that was deleted
can be had again."""


def add_to(add_parser: AddParser) -> None:
    parser = add_command(
        add_parser,
        "delete",
        execute,
        usage="runs delete RUN [--journal FILE]",
        description="Remove all that is kept of a run.",
        epilog=f"{EXAMPLES}\n\n{environment(JOURNAL_VARIABLE)}",
    )
    add_run_argument(parser)
    add_journal_option(parser)


def execute(arguments: argparse.Namespace) -> int:
    journal = existing_journal(arguments)
    run_id = find_run(journal, arguments.run)
    journal.delete(run_id)
    say(f"deleted {flat(run_id)}")
    return ExitCode.COMPLETED

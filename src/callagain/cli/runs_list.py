"""`callagain runs list`: the newest runs of a journal, and how they stand."""

import argparse
import dataclasses
import sys
from collections.abc import Sequence
from typing import TYPE_CHECKING

from callagain.cli.exit_codes import ExitCode, environment
from callagain.cli.journal_option import JOURNAL_VARIABLE, add_journal_option, existing_journal
from callagain.cli.option_types import at_least_one
from callagain.cli.parser import AddParser, add_command
from callagain.cli.run_words import STATUSES, coloured_status, date_and_time, why
from callagain.cli.terminal import Style, complain, flat, say
from callagain.engine.json_text import encode

if TYPE_CHECKING:
    from callagain.engine.journal.store import RunSummary

EXAMPLES = """\
examples:
  callagain runs list --journal runs.db
  callagain runs list --journal runs.db --status suspended --json

Times are UTC."""


def add_to(add_parser: AddParser) -> None:
    parser = add_command(
        add_parser,
        "list",
        execute,
        usage="runs list [--status STATUS] [--limit N] [options]",
        description="List the newest runs of a journal, newest first.",
        epilog=f"{EXAMPLES}\n\n{environment(JOURNAL_VARIABLE, 'NO_COLOR')}",
    )
    add_journal_option(parser)
    parser.add_argument(
        "--status",
        choices=STATUSES,
        metavar="STATUS",
        help=f"only those that stand so: {', '.join(STATUSES)}",
    )
    parser.add_argument(
        "--limit", metavar="N", type=at_least_one, default=20, help="so many at the most (20)"
    )
    parser.add_argument("--json", action="store_true", help="print one JSON document")


def execute(arguments: argparse.Namespace) -> int:
    journal = existing_journal(arguments)
    found = journal.list(arguments.status, arguments.limit + 1)
    runs = found[: arguments.limit]
    if arguments.json:
        say(encode({"runs": [dataclasses.asdict(each) for each in runs]}).decode())
    elif runs:
        _show(runs)
    else:
        kind = f"{arguments.status} runs" if arguments.status else "runs"
        complain(f"the journal {journal.path} has no {kind}")
    if len(found) > len(runs):
        complain(f"there are more than these {len(runs)}; --limit N shows more")
    return ExitCode.COMPLETED


def _show(runs: "Sequence[RunSummary]") -> None:
    style = Style.of(sys.stdout)
    rows = [
        (flat(run.run_id), run.status, date_and_time(run.updated_at), flat(run.model), why(run.kind, run.pid))
        for run in runs
    ]
    widths = [max(len(row[column]) for row in rows) for column in range(4)]
    for row in rows:
        cells = [cell.ljust(width) for cell, width in zip(row, widths, strict=False)]
        run_id, status, updated, model = cells
        say(f"{run_id}  {coloured_status(status, style)}  {style.faint(updated)}  {model}  {row[4]}".rstrip())

"""`callagain runs export`: a run of a journal as one JSON file, as `result.export()` gives it."""

import argparse

from callagain.cli.exit_codes import ExitCode, environment
from callagain.cli.journal_option import (
    JOURNAL_VARIABLE,
    add_journal_option,
    add_run_argument,
    existing_journal,
    find_run,
)
from callagain.cli.option_types import path_of_a_file
from callagain.cli.parser import AddParser, add_command
from callagain.cli.record_file import RecordFile
from callagain.cli.snapshot_key import KEY_VARIABLE, snapshot_key
from callagain.cli.terminal import say

EXAMPLES = """\
examples:
  callagain runs export 4f1c --journal runs.db -o failed.json
  callagain runs export 4f1c --journal runs.db | ssh laptop 'cat > failed.json'

The file holds what was said, what the tools were told and what they returned;
the keys of endpoints are in none. `callagain replay FILE` shows it, and
callagain.replay_file("FILE").raise_for_difference() is a test of it."""


def add_to(add_parser: AddParser) -> None:
    parser = add_command(
        add_parser,
        "export",
        execute,
        usage="runs export RUN [-o FILE] [--journal FILE]",
        description="Print a run as one JSON document: all that it takes to replay it elsewhere.",
        epilog=f"{EXAMPLES}\n\n{environment(JOURNAL_VARIABLE, KEY_VARIABLE)}",
    )
    add_run_argument(parser)
    add_journal_option(parser)
    parser.add_argument(
        "-o",
        "--output",
        metavar="FILE",
        type=path_of_a_file,
        help="write it to a new file, or to an older one of the same run (default: stdout)",
    )


def execute(arguments: argparse.Namespace) -> int:
    from callagain.engine.journal.snapshot import text_of
    from callagain.kept_runs import content_of_stored

    journal = existing_journal(arguments)
    run_id = find_run(journal, arguments.run)
    file = None if arguments.output is None else RecordFile(arguments.output, run_id)
    text = text_of(content_of_stored(journal.read(run_id)), snapshot_key())
    if file is None:
        say(text)
        return ExitCode.COMPLETED
    return ExitCode.COMPLETED if file.write(lambda: text) else ExitCode.FAILED

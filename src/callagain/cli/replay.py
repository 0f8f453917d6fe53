"""`callagain replay`: a run once more, from what is kept of it."""

import argparse

from callagain.cli.exit_codes import ExitCode, environment
from callagain.cli.given_run import add_given_run, given_run
from callagain.cli.journal_option import JOURNAL_VARIABLE
from callagain.cli.option_types import at_least_one
from callagain.cli.parser import AddParser, add_command
from callagain.cli.snapshot_key import KEY_VARIABLE
from callagain.cli.terminal import complain

EXAMPLES = """\
examples:
  callagain replay failed.json
  callagain replay 4f1c --journal runs.db
  callagain replay 4f1c --journal runs.db --until 3
  callagain replay failed.json --json | jq .changed

No request is sent and no tool is called; what came of them is in what was kept.
What is the path of a file is read as one: as `callagain run --record`,
`callagain runs export`, result.export() and record_failures= have written it."""

REPLAY_CODES = """\
exit codes:
  0    the replay equals what was kept
  1    it differs; stderr has the first place
  2    misuse: wrong options, no such run, a file that cannot be used"""


def add_to(add_parser: AddParser) -> None:
    variables = environment(JOURNAL_VARIABLE, KEY_VARIABLE, "NO_COLOR")
    parser = add_command(
        add_parser,
        "replay",
        execute,
        usage="replay RUN|FILE [--until STEP] [--json] [options]",
        description="Walk through a run once more, from what is kept of it, and show each operation:\n"
        "where it leads, and what it changed in the variables of Jitterbit's guide.",
        epilog=f"{EXAMPLES}\n\n{variables}\n\n{REPLAY_CODES}",
    )
    add_given_run(parser)
    parser.add_argument(
        "--until", metavar="STEP", type=at_least_one, help="stop behind the operation of this number"
    )
    parser.add_argument(
        "--json", action="store_true", help="one JSON object a line: each operation, then the result"
    )


def execute(arguments: argparse.Namespace) -> int:
    from callagain.cli.replay_output import ReplayLines, ReplayParagraphs

    given = given_run(arguments)
    replay = given.replayed(arguments.until)
    output = ReplayLines() if arguments.json else ReplayParagraphs()
    output.begin(given.content)
    for step in replay.trace:
        output.show(given.chain, step)
    output.end(replay)
    if replay.difference is None:
        return ExitCode.COMPLETED
    complain(f"error: the replay of {given.content.run_id} differs: {replay.difference}{given.hint}")
    return ExitCode.FAILED

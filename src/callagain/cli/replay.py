"""`callagain replay`: a run once more, from what is kept of it."""

import argparse
import os
from pathlib import Path
from typing import TYPE_CHECKING

from callagain.cli.chain_names import CHAINS, chain_named, chain_that_fits
from callagain.cli.exit_codes import ExitCode, environment
from callagain.cli.journal_option import (
    JOURNAL_VARIABLE,
    add_journal_option,
    existing_journal,
    find_run,
    has_journal,
    run_id,
)
from callagain.cli.option_types import at_least_one
from callagain.cli.parser import AddParser, add_command
from callagain.cli.snapshot_key import KEY_VARIABLE, snapshot_key, told_of_the_variable
from callagain.cli.terminal import complain
from callagain.engine.errors import ConfigurationError

if TYPE_CHECKING:
    from callagain.engine.chain import Chain
    from callagain.engine.journal.snapshot import RunContent

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
    parser.add_argument(
        "run",
        metavar="RUN|FILE",
        type=run_id,
        help="the id of a run in the journal, or the path of an exported one",
    )
    add_journal_option(parser)
    parser.add_argument(
        "--until", metavar="STEP", type=at_least_one, help="stop behind the operation of this number"
    )
    parser.add_argument(
        "--chain",
        choices=CHAINS,
        help="the chain to walk it by (the one of these that it began with); one of your own is replayed by "
        "loop.replay in a program",
    )
    parser.add_argument(
        "--json", action="store_true", help="one JSON object a line: each operation, then the result"
    )


def execute(arguments: argparse.Namespace) -> int:
    from callagain.cli.replay_output import ReplayLines, ReplayParagraphs
    from callagain.engine.journal.fingerprint import fingerprint
    from callagain.extended_chain import extended_chain
    from callagain.replaying import replayed

    content, stored_chain = _content(arguments)
    chain = _chain(arguments, content, stored_chain)
    walked_by = extended_chain(chain, content.inputs)
    replay = replayed(content, lambda _: walked_by, arguments.until)
    output = ReplayLines() if arguments.json else ReplayParagraphs()
    output.begin(content)
    for step in replay.trace:
        output.show(walked_by, step)
    output.end(replay)
    if replay.difference is None:
        return ExitCode.COMPLETED
    is_foreign = fingerprint(walked_by, content.inputs) != content.fingerprint
    hint = "; a chain of your own is replayed by loop.replay in a program" if is_foreign else ""
    complain(f"error: the replay of {content.run_id} differs: {replay.difference}{hint}")
    return ExitCode.FAILED


def _content(arguments: argparse.Namespace) -> "tuple[RunContent, str | None]":
    """What is kept of the run, and the name of its chain, which a file does not have."""
    from callagain.engine.journal.snapshot import content_of
    from callagain.kept_runs import content_of_stored

    path = Path(arguments.run)
    # Path.is_file raises for a folder that this user may not look into.
    if os.path.isfile(path):
        try:
            text = path.read_bytes()
        except OSError as error:
            raise ConfigurationError(
                f"cannot read {path}: {error.strerror}; give a file that `callagain runs export` wrote"
            ) from None
        with told_of_the_variable():
            return content_of(text, snapshot_key()), None
    if not has_journal(arguments):
        raise ConfigurationError(
            f"there is no file {path}; give the path of an exported run, or the id of one and --journal FILE"
        )
    journal = existing_journal(arguments)
    stored = journal.read(find_run(journal, arguments.run))
    return content_of_stored(stored), stored.chain


def _chain(arguments: argparse.Namespace, content: "RunContent", stored_chain: str | None) -> "Chain":
    """The chain to walk the run by: the one that is asked for, or that it began with."""
    from callagain.operations import TOOL_CALLING_LOOP

    name = arguments.chain or stored_chain
    if name is None:
        # A chain of another version of callagain, or of somebody's own, shows how far it does the same.
        return chain_that_fits(content.inputs, content.fingerprint) or TOOL_CALLING_LOOP
    chain = chain_named(name)
    if chain is None:
        raise ConfigurationError(
            f"the chain of the run {content.run_id}, {name!r}, is none of callagain's own; replay it in its "
            f"program, by loop.replay({content.run_id!r}), or name another one by --chain"
        )
    return chain

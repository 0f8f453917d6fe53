"""A run that a command is given: the id of one in the journal, or the path of an exported one."""

import argparse
import os
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from callagain.cli.chain_file import chain_given, load_chain
from callagain.cli.chain_names import CHAINS, chain_named, chain_that_fits
from callagain.cli.journal_option import add_journal_option, existing_journal, find_run, has_journal, run_id
from callagain.cli.option_types import Group
from callagain.cli.snapshot_key import snapshot_key, told_of_the_variable
from callagain.engine.errors import ConfigurationError, SnapshotError

if TYPE_CHECKING:
    from callagain.engine.chain import Chain
    from callagain.engine.journal.snapshot import RunContent
    from callagain.replaying import ReplayedRun


@dataclass(frozen=True, slots=True)
class GivenRun:
    """What is kept of a run, and the chain that it is walked by, with what its options add."""

    content: "RunContent"
    chain: "Chain"

    def replayed(self, until: int | None = None) -> "ReplayedRun":
        """The run once more, as far as it can be walked. until: stops behind the step of this number."""
        from callagain.replaying import replayed

        return replayed(self.content, lambda _: self.chain, until)

    @property
    def hint(self) -> str:
        """What to add where it differs: a chain of somebody's own is none that a command knows."""
        from callagain.engine.journal.fingerprint import fingerprint

        is_foreign = fingerprint(self.chain, self.content.inputs) != self.content.fingerprint
        return "; a chain of your own is named by --chain FILE.py:NAME" if is_foreign else ""


def add_given_run(parser: argparse.ArgumentParser) -> None:
    """RUN|FILE, --journal and --chain."""
    parser.add_argument(
        "run",
        metavar="RUN|FILE",
        type=run_id,
        help="the id of a run in the journal, or the path of an exported one",
    )
    add_journal_option(parser)
    add_chain_option(parser)


def add_chain_option(parser: Group) -> None:
    parser.add_argument(
        "--chain",
        metavar="CHAIN",
        type=chain_given,
        help=f"the chain to walk it by (the one that it began with): {', '.join(CHAINS)}, or FILE.py:NAME "
        "for one of your own",
    )


def given_run(arguments: argparse.Namespace) -> GivenRun:
    """Raises ConfigurationError, JournalError or SnapshotError for a run that is not there or damaged."""
    from callagain.engine.journal.fingerprint import fingerprint
    from callagain.extended_chain import extended_chain

    content, stored_chain = _content(arguments)
    chain = _chain(arguments, content, stored_chain)
    # That of a loop has what its options add already.
    if fingerprint(chain, content.inputs) != content.fingerprint:
        chain = extended_chain(chain, content.inputs)
    return GivenRun(content, chain)


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
            try:
                return content_of(text, snapshot_key()), None
            except SnapshotError as error:
                raise SnapshotError(f"{path}: {error}") from None
    if not has_journal(arguments):
        what = f"{path} is no ordinary file" if os.path.exists(path) else f"there is no file {path}"
        raise ConfigurationError(
            f"{what}; give the path of an exported run, or the id of one and --journal FILE"
        )
    journal = existing_journal(arguments)
    stored = journal.read(find_run(journal, arguments.run))
    return content_of_stored(stored), stored.chain


def _chain(arguments: argparse.Namespace, content: "RunContent", stored_chain: str | None) -> "Chain":
    """The chain to walk the run by: the one that is asked for, or that it began with."""
    from callagain.operations import TOOL_CALLING_LOOP

    if arguments.chain is not None:
        return load_chain(arguments.chain)
    if stored_chain is None:
        # A chain of another version of callagain, or of somebody's own, shows how far it does the same.
        return chain_that_fits(content.inputs, content.fingerprint) or TOOL_CALLING_LOOP
    chain = chain_named(stored_chain)
    if chain is None:
        raise ConfigurationError(
            f"the chain of the run {content.run_id}, {stored_chain!r}, is none of callagain's own; name it "
            "by --chain FILE.py:NAME"
        )
    return chain

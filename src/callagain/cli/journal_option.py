"""`--journal`, and the runs that are in it: found by their ids, or by how these begin."""

import argparse
import os
import shlex
import sys
from collections.abc import Generator
from contextlib import contextmanager
from typing import TYPE_CHECKING

from callagain.cli.option_types import Group, path_of_a_file
from callagain.cli.terminal import complain, flat
from callagain.engine.errors import ConfigurationError

if TYPE_CHECKING:
    from callagain.engine.journal.store import JournalFile

JOURNAL_VARIABLE = "CALLAGAIN_JOURNAL"
_NAMES_SHOWN = 5


def add_journal_option(parser: Group) -> None:
    parser.add_argument(
        "--journal",
        metavar="FILE",
        type=path_of_a_file,
        help=f"the file that keeps runs (default: ${JOURNAL_VARIABLE})",
    )


def add_run_argument(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "run", metavar="RUN", type=run_id, help="the id of the run, or a beginning that no other run has"
    )


def run_id(text: str) -> str:
    """Anything but nothing: a variable of a script that is not set begins every id."""
    if not text.strip():
        raise argparse.ArgumentTypeError("the id of the run is empty; give one")
    return text


def has_journal(arguments: argparse.Namespace) -> bool:
    """Whether one is named, be it there or not."""
    return _path(arguments) is not None


def journal_of(arguments: argparse.Namespace) -> "JournalFile | None":
    """The journal to keep a run in, made if need be; None if none is wanted. Raises JournalError."""
    from callagain.engine.journal.store import open_journal

    path = _path(arguments)
    return None if path is None else open_journal(path)


def existing_journal(arguments: argparse.Namespace) -> "JournalFile":
    """The journal to look for runs in. Raises ConfigurationError, JournalError."""
    from callagain.engine.journal.store import open_journal

    path = _path(arguments)
    if path is None:
        raise ConfigurationError(f"no journal: give --journal FILE, or set {JOURNAL_VARIABLE}")
    # A journal that is opened is made, and nobody looks for runs in a new one.
    if not os.path.exists(path):
        raise ConfigurationError(
            f"there is no journal {path}; give the file that `callagain run --journal`, or a program by "
            "journal=, has written"
        )
    if os.path.isfile(path) and os.path.getsize(path) == 0:
        raise ConfigurationError(f"{path} is empty, and so no journal; give the file that a run was kept in")
    return open_journal(path)


def find_run(journal: "JournalFile", beginning: str) -> str:
    """The id of the one run that is called so, or else whose id begins so.

    Raises ConfigurationError for several, and JournalError for none.
    """
    ids = [summary.run_id for summary in journal.list(limit=sys.maxsize)]
    if beginning in ids:
        return beginning
    found = [each for each in ids if each.startswith(beginning)]
    if len(found) > 1:
        shown = ", ".join(map(repr, found[:_NAMES_SHOWN]))
        more = len(found) - _NAMES_SHOWN
        raise ConfigurationError(
            f"the ids of {len(found)} runs begin with {beginning!r}: {shown}"
            f"{f' and {more} more' if more > 0 else ''}; give more of the id"
        )
    # Where there is none, the journal knows which are called alike.
    return found[0] if found else journal.read(beginning).run_id


@contextmanager
def told_how_to_go_on(command: str | None) -> Generator[None, None, None]:
    """Ctrl-C leaves a run that is kept where it is. command: goes on with it; None if it is not kept."""
    try:
        yield
    except KeyboardInterrupt:
        if command is not None:
            complain(f"the run is kept; go on by: {command}")
        raise


def resume_command(arguments: argparse.Namespace, run_id: str) -> str:
    """The command that goes on with a run of these arguments' journal, for people to copy."""
    words = ["callagain", "runs", "resume", run_id]
    for option, given in (
        ("--journal", [arguments.journal] if arguments.journal else []),
        ("--tools", getattr(arguments, "tools", [])),
        ("--base-url", [url] if (url := getattr(arguments, "base_url", None)) else []),
    ):
        for value in given:
            words += [option, value]
    return flat(shlex.join(words))


def _path(arguments: argparse.Namespace) -> str | None:
    return arguments.journal or os.environ.get(JOURNAL_VARIABLE) or None

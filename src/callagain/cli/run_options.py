"""What commands that begin a run share, beside its loop: approval, what is kept, progress."""

import argparse
from collections.abc import Generator, Sequence
from contextlib import contextmanager
from types import TracebackType
from typing import TYPE_CHECKING, Self

from callagain.cli.driving import ShowsProgress, approver_at_terminal
from callagain.cli.journal_option import add_journal_option, run_id
from callagain.cli.option_types import Group, path_of_a_file
from callagain.cli.options import in_options
from callagain.cli.record_file import RecordFile
from callagain.engine.errors import ConfigurationError, JournalError

if TYPE_CHECKING:
    from callagain.approval import Approver
    from callagain.connectors.tools import Tool
    from callagain.live_run import LiveRun


def add_approve_effects_option(group: Group) -> None:
    group.add_argument(
        "--approve-effects",
        action="store_true",
        help="of every tool that is not marked read_only, and not only of those that ask for it",
    )


def add_approval_options(parser: argparse.ArgumentParser) -> None:
    group = parser.add_argument_group("approval, before a call of a tool runs")
    add_approve_effects_option(group)
    group.add_argument(
        "--approve",
        choices=("ask", "all", "none"),
        default="ask",
        help="ask on the terminal, or suspend the run where there is none; all, unseen, and none are for "
        "runs that nobody watches (ask)",
    )


def approver(arguments: argparse.Namespace, tools: "Sequence[Tool]", *, can_ask: bool) -> "Approver | None":
    """Who is asked about a call: nobody, unless somebody sees the question and can answer."""
    from callagain.decisions import approve, deny

    if arguments.approve == "all":
        return approve
    if arguments.approve == "none":
        return lambda call: deny("nobody approves calls in this run", call)
    return approver_at_terminal(tools) if can_ask else None


def add_keeping_options(parser: argparse.ArgumentParser) -> None:
    group = parser.add_argument_group("what is kept of the run")
    add_journal_option(group)
    group.add_argument(
        "--run-id",
        metavar="ID",
        type=run_id,
        help="a name of your own for the run, which no other one has (made up)",
    )
    group.add_argument(
        "--record",
        metavar="FILE",
        type=path_of_a_file,
        help="write the run to a new file, whatever comes of it; `callagain replay FILE` shows it",
    )


class Recording:
    """Writes the run to the file, if there is to be one, whatever ends the `with`.

    Raises ConfigurationError, when it is made, for a file that cannot be used. failed: it was not written.
    """

    def __init__(self, path: str | None, live: "LiveRun") -> None:
        self._file = None if path is None else RecordFile(path, live.run_id)
        self._live = live
        self.failed = False

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        # A run that was left in the middle can be looked at as well; one that could not begin, cannot.
        if self._file is not None and self._live.trace:
            self.failed = not self._file.write(self._live.snapshot)


@contextmanager
def journal_told_in_options() -> Generator[None, None, None]:
    """What is told of the arguments of a loop is told of the options."""
    try:
        yield
    except JournalError as error:
        raise JournalError(in_options(str(error))) from None


def add_progress_options(group: Group) -> None:
    group.add_argument(
        "-v", "--verbose", action="store_true", help="progress on stderr, also where that is no terminal"
    )
    group.add_argument(
        "--no-progress", action="store_true", help="no progress, also where stderr is a terminal"
    )


def progress_of(arguments: argparse.Namespace) -> ShowsProgress:
    """Raises ConfigurationError for both at once."""
    if arguments.verbose and arguments.no_progress:
        raise ConfigurationError("--verbose and --no-progress exclude each other; leave out one of the two")
    if arguments.no_progress:
        return "never"
    return "always" if arguments.verbose else "on a terminal"

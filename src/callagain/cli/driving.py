"""A run is driven on the command line: watched, and shown without what would steer a terminal."""

import contextlib
import dataclasses
import sys
import unicodedata
from collections.abc import Callable, Generator, Sequence
from typing import TYPE_CHECKING, Literal, TextIO, TypeAlias

from callagain.cli.bottom_line import bottom_line
from callagain.engine.events import Event
from callagain.engine.wire.deltas import TextDelta

if TYPE_CHECKING:
    from callagain.cli.ask_approval import AskApproval
    from callagain.cli.live_text import LiveText
    from callagain.cli.progress import Progress
    from callagain.connectors.tools import Tool
    from callagain.live_run import LiveRun


# Whether progress is shown on stderr: always, never, or where that is a terminal.
ShowsProgress: TypeAlias = Literal["always", "never", "on a terminal"]


def drive(
    live: "LiveRun",
    stdout: TextIO,
    *,
    shows_text: bool,
    shows_progress: ShowsProgress,
) -> str | None:
    """Drives a run to its outcome, and gives the text of its last response, if that was shown.

    shows_text: as it comes, where stdout is a terminal.
    """
    from callagain.cli.live_text import LiveText
    from callagain.cli.progress import Progress

    text = LiveText(stdout) if shows_text and stdout.isatty() else None
    is_wanted = shows_progress == "always" or (shows_progress == "on a terminal" and sys.stderr.isatty())
    progress = Progress(live) if is_wanted else None
    with (
        watched(live, text, progress, shows_status=shows_progress != "never") as watch,
        contextlib.closing(live.events()) as events,
    ):
        for event in events:
            watch(event)
    return None if text is None else text.text


@contextlib.contextmanager
def watched(
    live: "LiveRun", text: "LiveText | None", progress: "Progress | None", *, shows_status: bool
) -> Generator[Callable[[Event], None], None, None]:
    """Gives what is to be told of each event of the run.

    shows_status: what it waits for stands in the bottom line of the terminal, where stderr has one.
    """
    from callagain.cli.live_status import LiveStatus

    line = bottom_line() if shows_status else None
    with contextlib.ExitStack() as stack:
        if text is not None:
            stack.callback(text.end_line)
        status = None if line is None else stack.enter_context(LiveStatus(live, line))

        def watch(event: Event) -> None:
            shown = _shown(event)
            if status is not None and text is not None and isinstance(event, TextDelta):
                status.hide()
            for watcher in (text, progress, status):
                if watcher is not None:
                    watcher.show(shown)

        yield watch


def approver_at_terminal(tools: "Sequence[Tool]") -> "AskApproval | None":
    """Who is asked about calls of these tools: nobody, unless somebody sees the question and can answer."""
    from callagain.cli.ask_approval import AskApproval

    return AskApproval(tools) if sys.stdin.isatty() and sys.stderr.isatty() else None


def harmless(text: str) -> str:
    """The text with a space for each control character but newline and tab."""
    return "".join(
        " " if unicodedata.category(letter) == "Cc" and letter not in "\n\t" else letter for letter in text
    )


def _shown(event: Event) -> Event:
    """A piece of text without what a terminal obeys: a question that is asked later has to stay readable."""
    if isinstance(event, TextDelta):
        return dataclasses.replace(event, text=harmless(event.text))
    return event

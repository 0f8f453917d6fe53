"""A run is driven on the command line: watched, and shown without what would steer a terminal."""

import contextlib
import dataclasses
import sys
import unicodedata
from collections.abc import Sequence
from typing import TYPE_CHECKING, TextIO

from callagain.engine.events import Event
from callagain.engine.wire.deltas import TextDelta

if TYPE_CHECKING:
    from callagain.cli.ask_approval import AskApproval
    from callagain.connectors.tools import Tool
    from callagain.live_run import LiveRun


def drive(live: "LiveRun", stdout: TextIO, *, shows_text: bool, shows_progress: bool) -> str | None:
    """Drives a run to its outcome, and gives the text of its last response, if that was shown.

    shows_text: as it comes, where stdout is a terminal. shows_progress: also where stderr is none.
    """
    from callagain.cli.live_text import LiveText
    from callagain.cli.progress import Progress

    text = LiveText(stdout) if shows_text and stdout.isatty() else None
    progress = Progress(live) if shows_progress or sys.stderr.isatty() else None
    try:
        with contextlib.closing(live.events()) as events:
            for event in events:
                shown = _shown(event)
                for watcher in (text, progress):
                    if watcher is not None:
                        watcher.show(shown)
    finally:
        if text is not None:
            text.end_line()
    return None if text is None else text.text


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

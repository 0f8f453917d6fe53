"""The text of the responses on a terminal, as it comes."""

from typing import TextIO

from callagain.cli.terminal import complain, say
from callagain.engine.commands import SendRequest
from callagain.engine.events import AttemptDiscarded, CommandEnded, CommandStarted, Event
from callagain.engine.wire.deltas import TextDelta


class LiveText:
    """Told of each event of one run, in order; it writes to a terminal, where void text may stay above."""

    def __init__(self, terminal: TextIO) -> None:
        self._terminal = terminal
        self._pieces: list[str] = []
        self._is_in_a_line = False

    @property
    def text(self) -> str:
        """What has been shown of the newest response."""
        return "".join(self._pieces)

    def show(self, event: Event) -> None:
        match event:
            case CommandStarted(command=SendRequest()):
                self._pieces = []
            case TextDelta(text=piece):
                # Before it is shown: Ctrl-C may come as soon as somebody sees it.
                self._pieces.append(piece)
                self._is_in_a_line = not piece.endswith("\n")
                say(piece, end="", to=self._terminal)
            case AttemptDiscarded():
                self.end_line()
                if self._pieces:
                    complain("the text so far is void, and begins anew")
                self._pieces = []
            case CommandEnded(command=SendRequest()):
                self.end_line()
            case _:
                pass

    def end_line(self) -> None:
        """So that whatever comes next begins a line of its own."""
        if self._is_in_a_line:
            self._is_in_a_line = False
            say(to=self._terminal)

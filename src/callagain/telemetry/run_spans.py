"""One run as Telemetry sees it: a drive at a time, and what was decided between two of them."""

from callagain.engine.commands import CallTool, Command, Key
from callagain.engine.drivers import Performer, Work
from callagain.engine.events import CommandDecided, Event
from callagain.engine.log_entries import Held, Receipt
from callagain.engine.run import Run
from callagain.observers import ObservedRun
from callagain.telemetry.command_spans import CommandSpan
from callagain.telemetry.drive_spans import DriveSpans
from callagain.telemetry.recorder import Recorder
from callagain.telemetry.spanned_work import SpannedPerformer

_SAID = {"release": "approve", "edit": "edit"}


class RunSpans:
    """An `Observation`."""

    def __init__(self, observed: ObservedRun, recorder: Recorder) -> None:
        self._observed = observed
        self._recorder = recorder
        self._drive: DriveSpans | None = None
        self._decided: list[tuple[CallTool, str]] = []

    def around(self, performer: Performer) -> Performer:
        return SpannedPerformer(performer, self._command_begun)

    def driving(self) -> DriveSpans:
        self._drive = DriveSpans(self._observed, self._recorder)
        return self._drive

    def event(self, event: Event) -> None:
        if isinstance(event, CommandDecided):
            # Of a resumed run they come before its drive.
            if isinstance(event.command, CallTool):
                self._decided.append((event.command, self._said(event)))
        elif self._drive is not None:
            self._tell_decisions()
            self._drive.event(event)

    def _command_begun(
        self, run: Run, key: Key, command: Command, begun: Work | Receipt | Held
    ) -> CommandSpan | None:
        self._tell_decisions()
        return None if self._drive is None else self._drive.command_begun(run, key, command, begun)

    def _tell_decisions(self) -> None:
        if self._drive is not None and self._decided:
            decided, self._decided = self._decided, []
            for call, said in decided:
                self._drive.decided(call, said)

    def _said(self, event: CommandDecided) -> str:
        """What somebody said: approve, deny or edit; or that they gave the result."""
        if event.verdict != "answer":
            return _SAID.get(event.verdict, event.verdict)
        answer = self._observed.run.open.receipt(event.key)
        is_denied = isinstance(answer, dict) and answer.get("error") == "denied"
        return "deny" if is_denied else "result"

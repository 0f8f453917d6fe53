"""The progress of a run, on stderr: a line for each operation, and for what becomes of a tool call."""

import sys

from callagain.cli.run_words import waits
from callagain.cli.terminal import Style, columns, fold, note
from callagain.diagrams.words import title
from callagain.engine.commands import CallTool
from callagain.engine.error_kinds import without_advice
from callagain.engine.events import (
    AttemptDiscarded,
    CommandDecided,
    CommandDelayed,
    CommandHeld,
    CommandStarted,
    Event,
    OperationEnded,
)
from callagain.engine.json_text import encode
from callagain.engine.run import Step
from callagain.live_run import LiveRun

_VERDICTS = {"release": "approved", "edit": "approved with other arguments", "answer": "denied"}


class Progress:
    """Told of each event of one run, in order."""

    def __init__(self, live: LiveRun) -> None:
        self._live = live
        self._style = Style.of(sys.stderr)

    def show(self, event: Event) -> None:
        match event:
            case OperationEnded():
                self._operation(event.step)
            case CommandStarted(command=CallTool() as call):
                self._line(f"{call.name} {encode(call.arguments).decode()} …")
            case CommandDelayed():
                self._line(f"the request waits {event.seconds:.1f} s for its turn")
            case AttemptDiscarded():
                why = without_advice(event.kind, event.why)
                self._line(f"again in {event.seconds:.1f} s, after {event.kind}: {why}")
            case CommandHeld(command=CallTool() as call):
                self._line(f"{call.name} {waits(event.why)}")
            case CommandDecided(command=CallTool() as call):
                self._line(f"{call.name}: {_VERDICTS.get(event.verdict, event.verdict)}")
            case _:
                pass

    def _operation(self, step: Step) -> None:
        for result in list(step.after.tool_results)[len(step.before.tool_results) :]:
            self._line(f"{result.name} → {result.content}")
        again = str(step.after.call_llm_again).lower()
        counters = f"loop_count {step.after.loop_count}, call_llm_again {again}"
        name = self._style.bold(f"{title(step.operation):<19}")
        note(f"{step.number:>2} {name}→ {title(step.target):<19}{self._style.faint(counters)}")

    def _line(self, text: str) -> None:
        note(f"     {fold(text, columns() - 6)}")

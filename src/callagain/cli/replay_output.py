"""The two forms in which `callagain replay` shows a run: for people, and as JSON lines."""

from callagain.cli.report import happened_in
from callagain.cli.steps_output import StepLines, StepParagraphs
from callagain.cli.terminal import flat, fold, say
from callagain.diagrams.words import title
from callagain.engine.journal.snapshot import RunContent
from callagain.engine.json_text import encode
from callagain.replaying import ReplayedRun

_LABEL_WIDTH = 14


class ReplayLines(StepLines):
    """One JSON object a line: an operation each, then what the replay came to."""

    def begin(self, content: RunContent) -> None:
        """Nothing: what the run began with are variables, which the first operation shows."""

    def end(self, replay: ReplayedRun) -> None:
        fields = {
            "run_id": replay.variables.inputs.run_id,
            "outcome": replay.outcome,
            "state": replay.state,
            "final_response": replay.variables.final_response,
            "loop_count": replay.variables.loop_count,
            "operations": len(replay.trace),
            "equal": replay.difference is None,
            "difference": replay.difference,
        }
        say(encode(fields).decode())


class ReplayParagraphs(StepParagraphs):
    """A paragraph for each operation, as wide as the terminal."""

    def begin(self, content: RunContent) -> None:
        inputs = content.inputs
        message = inputs.user_message
        said = {
            "run": content.run_id,
            "systemPrompt": inputs.system_prompt,
            "userMessage": message if isinstance(message, str) else encode(message).decode(),
        }
        for label, text in said.items():
            if text:
                say(f"{label:<{_LABEL_WIDTH}}{fold(text, self._width - _LABEL_WIDTH)}")

    def end(self, replay: ReplayedRun) -> None:
        result = replay.result
        if result is not None and result.final_response is not None:
            say(f"\n{self._style.bold('Answer')}  {self._style.good(flat(result.final_response))}")
        if result is not None and result.error is not None:
            told = flat(f"{result.error.kind}: {happened_in(result.error)}")
            say(f"\n{self._style.bold('Error')}  {self._style.bad(told)}")
        stands = f"stands before {title(replay.state)}" if result is None else result.outcome
        count = len(replay.trace)
        operations = f"{count} operation{'' if count == 1 else 's'}"
        if replay.difference is None:
            told = self._style.good("the replay equals what was kept")
        else:
            told = self._style.bad("the replay differs from what was kept")
        say(f"\n{stands} after {operations}; {told}")

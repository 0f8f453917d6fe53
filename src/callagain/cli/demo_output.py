"""The two forms in which `callagain demo` shows a run: for people, and as JSON lines."""

from callagain.cli.steps_output import StepLines, StepParagraphs
from callagain.cli.terminal import say
from callagain.engine.json_text import encode
from callagain.result import Result

INTRODUCTION = """\
A question that needs two tools, one after the other. The endpoint is a
stand-in on this machine, which answers from a script; all the rest is real.
"""

WHERE_NEXT = """\
Where to go next
  callagain run "Your question" --tools FILE.py --model M   your model and tools
  callagain diagram          the loop as a flowchart; with --table as a table
  callagain serve-stand-in   this endpoint, for your own code
  docs/command-line.md       every command; docs/tools.md has the ways to a tool"""


class JsonLines(StepLines):
    """One JSON object a line: an operation each, then what the run came to."""

    def begin(self, system: str, question: str) -> None:
        """Nothing: system and question are variables that the first operation shows."""

    def end(self, result: Result) -> None:
        fields = {
            "outcome": result.outcome,
            "final_response": result.final_response,
            "loop_count": result.loop_count,
        }
        say(encode(fields).decode())


class Paragraphs(StepParagraphs):
    """A paragraph for each operation, as wide as the terminal."""

    def begin(self, system: str, question: str) -> None:
        say(INTRODUCTION)
        say(f"systemPrompt  {system}")
        say(f"userMessage   {question}")

    def end(self, result: Result) -> None:
        answer = result.final_response or str(result.error)
        say(f"\n{self._style.bold('Answer')}  {self._style.good(answer)}")
        say(
            f"{result.outcome} after {result.loop_count} rounds of tools, {result.usage.total_tokens} tokens "
            "as the stand-in counts\n"
        )
        say(WHERE_NEXT)

"""What `callagain demo` shows of a scenario: for people, as JSON lines, or where its page is."""

import dataclasses
from collections.abc import Callable, Iterator, Sequence
from typing import Protocol

from callagain.cli.steps_output import WIDE, StepLines, StepParagraphs
from callagain.cli.terminal import filled, say
from callagain.diagrams.walk import new_results
from callagain.engine.chain import Chain
from callagain.engine.error_kinds import without_advice
from callagain.engine.json_text import encode
from callagain.engine.run import Step
from callagain.result import Result
from callagain.scenarios import SCENARIOS, Scenario, Watcher
from callagain.verify import Check

STAND_IN = "The endpoint is a stand-in on this machine, which answers from a script; all the rest is real."
_LABEL_WIDTH = 14
_CHECK_WIDTH = 9
_COMMAND_WIDTH = 40


class DemoOutput(Watcher, Protocol):
    """A watcher that is also told of the beginning and the end."""

    def begin(self, scenario: Scenario) -> None: ...

    def end(self, scenario: Scenario, result: Result, checks: Sequence[Check], page: str | None, /) -> None:
        """checks: what Verify says. page: the path of the page that was written, if one was."""
        ...


class JsonLines(StepLines):
    """One JSON object a line: an operation or a remark each, then what the run came to."""

    def begin(self, scenario: Scenario) -> None:
        """Nothing: system and question are variables that the first operation shows."""

    def note(self, text: str) -> None:
        say(encode({"note": text}).decode())

    def end(self, scenario: Scenario, result: Result, checks: Sequence[Check], page: str | None) -> None:
        error = result.error
        fields = {
            "scenario": scenario.name,
            "outcome": result.outcome,
            "final_response": result.final_response,
            "loop_count": result.loop_count,
            "error": None if error is None else {"kind": error.kind, "message": error.message},
            "checks": [dataclasses.asdict(check) for check in checks],
            "page": page,
        }
        say(encode(fields).decode())


class _InWords(StepParagraphs):
    """What is told to people in both forms."""

    def note(self, text: str) -> None:
        first, *others = text.splitlines()
        say()
        self._say(first, "*", 2, self._style.bold)
        for line in others:
            self._say(line, "", 4)

    def _introduce(self, scenario: Scenario) -> None:
        say(self._style.bold(scenario.title))
        self._say(f"{scenario.shows} {STAND_IN}")
        say()
        self._say(scenario.look_at, "Look at", _LABEL_WIDTH, self._style.bold)
        self._say(_parts(scenario), "The guide", _LABEL_WIDTH, self._style.bold)

    def _tell_outcome(self, result: Result, *, is_told_by_checks: bool = False) -> None:
        """is_told_by_checks: the checks say why the run did not complete."""
        say()
        error = result.error
        if error is None:
            label = "Answer"
            lines = filled(result.final_response or "", self._width - len(label) - 2)
            said = f"\n{' ' * (len(label) + 2)}".join(lines)
            say(f"{self._style.bold(label)}  {self._style.good(said)}")
        else:
            why = "" if is_told_by_checks else f": {without_advice(error.kind, error.message)}"
            self._say(f"{error.kind}{why}", "Error", len("Error") + 2, self._style.bad)
        rounds = f"{result.loop_count} round{'' if result.loop_count == 1 else 's'} of tools"
        tokens = f"{result.usage.total_tokens} tokens as the stand-in counts"
        self._say(f"{result.outcome} after {rounds}, {tokens}")

    def _say(self, text: str, label: str = "", indent: int = 0, mark: Callable[[str], str] = str) -> None:
        """The text beside a label, in lines that the terminal need not break."""
        lines = filled(text, self._width - indent)
        say(f"{mark(label)}{' ' * (indent - len(label))}{lines[0]}")
        for line in lines[1:]:
            say(f"{' ' * indent}{line}")


class Paragraphs(_InWords):
    """A paragraph for each operation, between what to look at and what there was to see."""

    def __init__(self) -> None:
        super().__init__()
        self._errors: set[str] = set()

    def begin(self, scenario: Scenario) -> None:
        self._introduce(scenario)
        say()
        self._say(scenario.system_prompt, "systemPrompt", _LABEL_WIDTH)
        self._say(scenario.question, "userMessage", _LABEL_WIDTH)

    def show(self, chain: Chain, step: Step) -> None:
        super().show(chain, step)
        for result in new_results(step):
            # What a tool error says is more telling than its first words.
            if not result.ok and result.content not in self._errors:
                self._errors.add(result.content)
                self.note(f"What the model is told of {result.name}:\n{result.content}")

    def end(self, scenario: Scenario, result: Result, checks: Sequence[Check], _: str | None) -> None:
        self._tell_outcome(result, is_told_by_checks=bool(checks))
        self._tell_checks(checks)
        say(f"\n{self._style.bold('What you saw')}")
        self._say(scenario.saw)
        say(f"\n{self._style.bold('Where to go next')}")
        for what, why in _next_steps(scenario):
            if _COMMAND_WIDTH + len(why) + 2 <= self._width:
                say(f"  {what:<{_COMMAND_WIDTH}}{why}")
            else:
                say(f"  {what}")
                self._say(why, "", 6)

    def _tell_checks(self, checks: Sequence[Check]) -> None:
        if checks:
            between = " " if self._width >= WIDE else "\n"
            say(f"\n{self._style.bold('What callagain verify says')},{between}run once more")
        for check in checks:
            word, mark = ("pass", self._style.good) if check.passed else ("FAIL", self._style.bad)
            self._say(check.expected, f"{check.point}  {word}", _CHECK_WIDTH, mark)
            self._say(f"seen: {check.seen}", "", _CHECK_WIDTH)
            if check.advice:
                self._say(f"do: {check.advice}", "", _CHECK_WIDTH)


class PageOnly(_InWords):
    """For a run that is looked at on its page."""

    def begin(self, scenario: Scenario) -> None:
        self._introduce(scenario)

    def show(self, chain: Chain, step: Step) -> None:
        """The page has it."""

    def end(self, _: Scenario, result: Result, __: Sequence[Check], page: str | None) -> None:
        self._tell_outcome(result)
        say(f"\nThe run is on the page {page}: open it in a browser.")


def _parts(scenario: Scenario) -> str:
    point = "" if scenario.point is None else f"; Verify the integration, point {scenario.point}"
    return f"{', '.join(scenario.parts)}{point}"


def _next_steps(scenario: Scenario) -> Iterator[tuple[str, str]]:
    names = [each.name for each in SCENARIOS]
    for name in names[names.index(scenario.name) + 1 :][:1]:
        yield f"callagain demo {name}", "the next scenario"
    yield "callagain demo --list", "all scenarios"
    yield f"callagain demo {scenario.name} --view", "this run as a page, to click through"
    yield "callagain run MESSAGE --tools FILE.py", "your own model and tools"
    yield f"docs/course/{scenario.lesson}", "the lesson, in the source distribution"
    yield f"docs/{scenario.page}", "more, in the source distribution"

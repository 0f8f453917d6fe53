"""The two forms in which the operations of a run are shown: for people, and as JSON lines."""

import sys
from dataclasses import asdict

from callagain.cli.terminal import Style, columns, fold, say
from callagain.diagrams.walk import changes, link_of, new_results
from callagain.diagrams.words import EVENTS, LOOP_CONTROL, title
from callagain.engine.chain import Chain
from callagain.engine.error_kinds import without_advice
from callagain.engine.json_text import encode
from callagain.engine.receipts import ToolResult
from callagain.engine.run import Step
from callagain.engine.variables import JitterbitValue

_NAME_WIDTH = 23
_INDENT = " " * 4
# How these have grown is more telling than how they begin.
GROWING = ("InAndOut", "tools_messages")


class StepLines:
    """One JSON object a line: an operation, with what it changed."""

    def show(self, chain: Chain, step: Step) -> None:
        changed = {name: {"before": was, "after": now} for name, was, now in changes(step)}
        fields: dict[str, object] = {
            "number": step.number,
            "operation": step.operation,
            "name": title(step.operation),
            "part": chain.operations[step.operation].part or None,
            "event": step.event,
            "next": step.target,
            "when": " and ".join(link_of(chain, step).when),
            "loop_count": step.after.loop_count,
            "call_llm_again": step.after.call_llm_again,
            "changed": changed,
            "tool_calls": [asdict(result) for result in new_results(step)],
        }
        if step.problem is not None:
            fields["error"] = {"kind": step.problem.kind, "message": step.problem.message}
        say(encode(fields).decode())


class StepParagraphs:
    """A paragraph for each operation, with what it changed, as wide as the terminal."""

    def __init__(self) -> None:
        self._style = Style.of(sys.stdout)
        self._width = columns()

    def show(self, chain: Chain, step: Step) -> None:
        part = chain.operations[step.operation].part or None
        heading = self._style.bold(title(step.operation))
        say(f"\n{step.number:>2}  {heading}{self._style.faint(f'  the guide, {part}') if part else ''}")
        for result in new_results(step):
            self._call(result)
        for name, was, now in changes(step):
            say(f"{_INDENT}{name:<{_NAME_WIDTH}}{self._changed(name, was, now)}")
        if step.problem is not None:
            told = f"{step.problem.kind}: {without_advice(step.problem.kind, step.problem.message)}"
            say(f"{_INDENT}{self._style.bold('error')}   {self._style.bad(fold(told, self._width - 12))}")
        again = str(step.after.call_llm_again).lower()
        say(self._style.faint(f"{_INDENT}loop_count {step.after.loop_count}, call_llm_again {again}"))
        say(f"{_INDENT}{EVENTS[step.event]} → {self._style.bold(title(step.target))}{self._why(chain, step)}")

    def _call(self, result: ToolResult) -> None:
        called = f"{result.name} {encode(result.arguments).decode()}"
        say(f"{_INDENT}{self._style.bold('call')}    {fold(called, self._width - 12)}")
        said = fold(result.content, self._width - 12)
        say(f"{_INDENT}{self._style.bold('result')}  {said if result.ok else self._style.bad(said)}")

    def _changed(self, name: str, was: JitterbitValue, now: JitterbitValue) -> str:
        room = self._width - len(_INDENT) - _NAME_WIDTH
        if not (isinstance(was, str) and isinstance(now, str)):
            return f"{_text(was)} → {_text(now)}"
        return fold(now, room, begin=first_difference(was, now) if name in GROWING else 0)

    def _why(self, chain: Chain, step: Step) -> str:
        when = " and ".join(link_of(chain, step).when)
        return self._style.faint(f"  {LOOP_CONTROL}: {when}") if when else ""


def first_difference(was: str, now: str) -> int:
    """The end of the shorter one, if it is the beginning of the other."""
    pairs = enumerate(zip(was, now, strict=False))
    return next((place for place, (old, new) in pairs if old != new), min(len(was), len(now)))


def _text(value: JitterbitValue) -> str:
    return str(value).lower() if isinstance(value, bool) else str(value)

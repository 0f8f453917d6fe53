"""The two forms in which the operations of a run are shown: for people, and as JSON lines."""

import sys
from dataclasses import asdict

from callagain.cli.terminal import Style, columns, filled, flat, fold, say, width_of
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
# On a narrower terminal a long value stands below its name.
WIDE = 60


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
        part = chain.operations[step.operation].part
        heading = f"{step.number:>2}  {self._style.bold(title(step.operation))}"
        told = f"  the guide, {part}" if part else ""
        fits = len(title(step.operation)) + len(told) + 4 <= self._width
        say(f"\n{heading}{self._style.faint(told if fits else f'  {part}')}")
        for result in new_results(step):
            self._call(result)
        for name, was, now in changes(step):
            self._changed(name, was, now)
        if step.problem is not None:
            told = f"{step.problem.kind}: {without_advice(step.problem.kind, step.problem.message)}"
            say(f"{_INDENT}{self._style.bold('error')}   {self._style.bad(fold(told, self._width - 12))}")
        again = str(step.after.call_llm_again).lower()
        say(self._style.faint(f"{_INDENT}loop_count {step.after.loop_count}, call_llm_again {again}"))
        self._way(chain, step)

    def _call(self, result: ToolResult) -> None:
        called = f"{result.name} {encode(result.arguments).decode()}"
        say(f"{_INDENT}{self._style.bold('call')}    {fold(called, self._width - 12)}")
        said = fold(result.content, self._width - 12)
        say(f"{_INDENT}{self._style.bold('result')}  {said if result.ok else self._style.bad(said)}")

    def _changed(self, name: str, was: JitterbitValue, now: JitterbitValue) -> None:
        label, room = f"{_INDENT}{name:<{_NAME_WIDTH}}", self._width - len(_INDENT) - _NAME_WIDTH
        if not (isinstance(was, str) and isinstance(now, str)):
            say(f"{label}{_text(was)} → {_text(now)}")
            return
        begin = first_difference(was, now) if name in GROWING else 0
        if self._width >= WIDE or (width_of(flat(now)) <= room and not begin):
            say(f"{label}{fold(now, room, begin=begin)}")
        else:
            say(f"{label.rstrip()}\n{_INDENT * 2}{fold(now, self._width - 2 * len(_INDENT), begin=begin)}")

    def _way(self, chain: Chain, step: Step) -> None:
        """Where it leads, and why: on the same line, or below where there is no room."""
        event, target = EVENTS[step.event], title(step.target)
        when = " and ".join(link_of(chain, step).when)
        why = f"{LOOP_CONTROL}: {when}" if when else ""
        fits = len(f"{_INDENT}{event} → {target}  {why}") <= self._width
        way = f"{_INDENT}{event} → {self._style.bold(target)}"
        if fits:
            say(f"{way}{self._style.faint(f'  {why}') if why else ''}")
            return
        say(way)
        for line in filled(why, self._width - 2 * len(_INDENT)):
            say(f"{_INDENT * 2}{self._style.faint(line)}")


def first_difference(was: str, now: str) -> int:
    """The end of the shorter one, if it is the beginning of the other."""
    pairs = enumerate(zip(was, now, strict=False))
    return next((place for place, (old, new) in pairs if old != new), min(len(was), len(now)))


def _text(value: JitterbitValue) -> str:
    return str(value).lower() if isinstance(value, bool) else str(value)

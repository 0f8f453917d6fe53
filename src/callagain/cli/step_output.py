"""What `callagain step` shows to people: each operation, before and behind it, and what can be looked at."""

import contextlib
from collections.abc import Iterable, Mapping
from typing import TextIO

from callagain.cli.pretty_json import pretty
from callagain.cli.report import happened_in
from callagain.cli.run_words import waits
from callagain.cli.step_place import Answered, Place, Request
from callagain.cli.steps_output import GROWING, WIDE, StepParagraphs, first_difference
from callagain.cli.terminal import Style, columns, cut, filled, flat, fold, say, width_of
from callagain.diagrams.walk import Performed, SentRequest, Walk, WalkedStep, variables_of
from callagain.diagrams.words import title
from callagain.engine.commands import CallTool
from callagain.engine.json_text import Json, JsonError, decode, encode
from callagain.engine.operation import Activity
from callagain.engine.variables import JitterbitValue
from callagain.result import Result

_INDENT = " " * 4
_NAME_WIDTH = 25
_CHANGED = "*"
_SCRIPT = "a script: it sends nothing, and calls no tool"
_NOTHING_OPEN = "nothing to perform: every call has its answer already"
_LABEL_WIDTH = 14
_LINES_ON_A_NARROW_ONE = 3
_ANSWER_INDENT = " " * len("Answer  ")

KEYS = """\
  Enter, →   the next operation
  b, ←       back; nothing is undone
  v          variables; * changed last
  r          the request, InAndOut
  a          the answer received
  t          the trace so far
  f          on to the end
  V R A      the same as v r a, in full
  ?          this help
  q          quit"""


class StepScreen:
    """As wide as the terminal is at the time."""

    def __init__(self, stdout: TextIO) -> None:
        self._stdout = stdout
        self._style = Style.of(stdout)

    def begin(self, walk: Walk) -> None:
        inputs = walk.inputs
        message = inputs.user_message
        self._facts(
            {
                "run": inputs.run_id,
                "systemPrompt": inputs.system_prompt or "",
                "userMessage": message if isinstance(message, str) else encode(message).decode(),
            }
        )

    def announce(self, place: Place) -> None:
        heading = f"{place.number:>2}  next  {title(place.state)}"
        part = place.walk.chain.operations[place.state].part
        told = f"  the guide, {part}" if part else ""
        told = told if len(heading + told) <= columns() else f"  {part}"
        self._say(f"\n{self._style.bold(heading)}{self._style.faint(told)}")
        self._say_what_it_does(place)

    def step(self, walk: Walk, walked: WalkedStep) -> None:
        # Elsewhere stdout is where stderr is, for what tools print.
        with contextlib.redirect_stdout(self._stdout):
            StepParagraphs().show(walk.chain, walked.step)

    def passed(self, walk: Walk, walked: WalkedStep) -> None:  # noqa: ARG002 - StepOutput's signature
        self._say(cut(_in_a_line(walked), columns()))

    def end(self, result: Result) -> None:
        if result.final_response is not None:
            self._say(f"\n{self._style.bold('Answer')}  {self._style.good(_answer(result.final_response))}")
        if result.error is not None:
            told = _filled(f"{flat(result.error.kind)}: {flat(happened_in(result.error))}")
            self._say(f"\n{self._style.bold('Error')}\n{self._style.bad(told)}")
        used = result.spent
        money = "" if used.money is None else f", ${used.money:.4f}"
        self._say("")
        self._prose(
            f"{result.outcome}, loop_count {result.loop_count}, {_counted(used.requests, 'request')}, "
            f"{_counted(used.tokens, 'token')}{money}"
        )

    def left_here(self, place: Place) -> None:
        self._say("")
        self._prose(f"what is kept ends here, before {title(place.state)}")
        self._say_what_it_does(place)

    def variables(self, place: Place, *, whole: bool) -> None:
        changed = {} if place.last is None else {name: was for name, was, _ in place.last.changes}
        self._heading("variables", _behind(place))
        for name, value in variables_of(place.variables).items():
            self._say_variable(name, value, changed.get(name), whole=whole)
        for name, own in place.variables.own.items():
            self._say_variable(name, encode(own).decode(), None, whole=whole)

    def request(self, request: Request | None, *, whole: bool) -> None:
        if request is None:
            self._say("")
            self._prose("there is no request yet: Initialize builds it")
            return
        told = f"{len(request.body):,} bytes"
        if request.number is None:
            told += ", as it stands"
        else:
            told += f", as step {request.number} {'sent it' if request.is_sent else 'will send it'}"
        self._heading("InAndOut", told)
        text = request.body.decode(errors="replace")
        self._lines(pretty(text, whole=whole, folded={} if whole else _folded_tools(text)))

    def answer(self, answered: Answered | None, *, whole: bool) -> None:
        if answered is None:
            self._say("")
            self._prose("there is no answer yet: LLM Call receives one")
            return
        answer = answered.answer
        status = f"HTTP {answer.status}" if answer.status else f"none came: {answer.error}"
        self._heading("jitterbit.response", f"step {answered.number}, {status}, {len(answer.body):,} chars")
        self._lines(pretty(answer.body, whole=whole))
        for result in answered.results:
            arguments = encode(result.arguments).decode()
            room = columns() - len(result.name) - 1
            self._say(f"\n{self._style.bold(result.name)} {fold(arguments, room)}")
            self._lines(pretty(result.content, whole=whole))

    def trace(self, place: Place) -> None:
        self._say(f"\n{self._style.bold('trace')}")
        for walked in place.walk.steps[: place.at]:
            self._say(cut(_in_a_line(walked), columns()))
        ahead = place.ended - place.at
        if ahead > 0:
            more = f"{_INDENT}and {_counted(ahead, 'operation')} more that ended already"
            self._say(self._style.faint(more))

    def help(self) -> None:
        self._say(f"\n{KEYS}")

    def _say_what_it_does(self, place: Place) -> None:
        """A line for each command, or one for none."""
        if place.is_recorded:
            self._say(_filled(f"recorded, {place.at + 1} of {place.ended}: nothing is performed again"))
        for each in place.commands:
            line = f"{_doing(each, place)}{_what_came(each, place)}"
            self._say(_folded(line))
            if each.begun_before:
                self._say(_filled(f"begun {each.begun} times: what had come of it before was not kept"))
        if not place.commands and not place.is_recorded:
            is_activity = isinstance(place.walk.chain.operations[place.state], Activity)
            self._say(_filled(_NOTHING_OPEN if is_activity else _SCRIPT))

    def _say_variable(
        self, name: str, value: JitterbitValue, was: JitterbitValue | None, *, whole: bool
    ) -> None:
        """was: before the last operation, if that changed it."""
        label = f"{' ' if was is None else _CHANGED} {name:<{_NAME_WIDTH - 2}}"
        label = label if was is None else self._style.bold(label)
        text, room = _text(value), columns() - _NAME_WIDTH
        fits = width_of(text) <= room
        begin = first_difference(was, text) if name in GROWING and isinstance(was, str) and not fits else 0
        if whole and not (fits and text.isprintable()):
            self._say(label.rstrip())
            self._lines(pretty(text, whole=True))
        elif fits or columns() >= WIDE:
            self._say(f"{label}{fold(text, room, begin=begin)}")
        else:
            self._say(label.rstrip())
            self._say(f"{_INDENT}{fold(text, columns() - len(_INDENT), begin=begin)}")

    def _say(self, text: str) -> None:
        say(text, to=self._stdout)

    def _prose(self, text: str) -> None:
        self._say("\n".join(filled(text, columns())))

    def _heading(self, name: str, told: str) -> None:
        """told: what stands beside the name, or below it where there is no room."""
        fits = len(name) + len(told) + 2 <= columns()
        beside = f", {told}" if fits else f"\n{_filled(told)}"
        self._say(f"\n{self._style.bold(name)}{self._style.faint(beside)}")

    def _facts(self, facts: Mapping[str, str]) -> None:
        for label, text in facts.items():
            if not text:
                continue
            if columns() >= WIDE or width_of(flat(text)) <= columns() - _LABEL_WIDTH:
                self._say(f"{label:<{_LABEL_WIDTH}}{fold(text, columns() - _LABEL_WIDTH)}")
            else:
                self._say(f"{label}\n{_folded(text)}")

    def _lines(self, lines: Iterable[str]) -> None:
        for line in lines:
            self._say(f"{_INDENT}{line}")


def _filled(words: str) -> str:
    return "\n".join(f"{_INDENT}{line}" for line in filled(words, columns() - len(_INDENT)))


def _folded(text: str) -> str:
    """One line of it; on a narrow terminal it has more of them."""
    room = columns() - len(_INDENT)
    return _filled(fold(text, room if columns() >= WIDE else _LINES_ON_A_NARROW_ONE * room))


def _answer(text: str) -> str:
    """In lines beside its label."""
    return f"\n{_ANSWER_INDENT}".join(filled(text, columns() - len(_ANSWER_INDENT)))


def _folded_tools(request: str) -> dict[str, str]:
    """The tools of a request by their names: whoever asks for it wants to see the messages."""
    try:
        fields = decode(request)
    except JsonError:
        return {}
    tools = fields.get("tools") if isinstance(fields, dict) else None
    return {"tools": f"{', '.join(map(_name_of, tools))} (R shows all)"} if isinstance(tools, list) else {}


def _name_of(tool: Json) -> str:
    """As Chat Completions has it, as Responses has it, or what kind of tool it is."""
    fields = tool if isinstance(tool, dict) else {}
    function = fields.get("function")
    within = function if isinstance(function, dict) else fields
    return str(within.get("name") or fields.get("type") or "?")


def _doing(performed: Performed, place: Place) -> str:
    command = performed.command
    if isinstance(command, SentRequest):
        return f"{'sent' if place.is_recorded else 'sends'} a request, {len(command.body):,} bytes"
    arguments = encode(command.arguments).decode()
    kind = "" if isinstance(command, CallTool) else "the function "
    return f"{'called' if place.is_recorded else 'calls'} {kind}{command.name} {arguments}"


def _what_came(performed: Performed, place: Place) -> str:
    """Where the operation has not ended: how the command stands all the same."""
    if place.is_recorded:
        return ""
    if performed.receipt is not None:
        return "; it is answered"
    return f"; {waits(performed.held.why)}" if performed.held and not performed.decision else ""


def _in_a_line(walked: WalkedStep) -> str:
    step = walked.step
    seconds = "" if walked.seconds is None else f"{walked.seconds:.3f} s"
    way = f"{step.number:>2} {title(step.operation):<18} → {title(step.target):<18}"
    return f"{way} {seconds:>9}  loop_count {step.after.loop_count}"


def _behind(place: Place) -> str:
    if place.last is None:
        return "before the run begins"
    return f"behind {place.last.step.number} {title(place.last.step.operation)}"


def _text(value: JitterbitValue) -> str:
    if isinstance(value, bool):
        return str(value).lower()
    return value or '""' if isinstance(value, str) else str(value)


def _counted(number: int, what: str) -> str:
    return f"{number:,} {what}{'' if number == 1 else 's'}"

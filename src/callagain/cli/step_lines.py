"""What `callagain step --json` writes: one JSON object a line, for each key."""

import contextlib
from collections.abc import Mapping
from dataclasses import asdict
from typing import TextIO

from callagain.cli.step_place import Answered, Place, Request
from callagain.cli.steps_output import StepLines
from callagain.cli.terminal import say
from callagain.diagrams.walk import Performed, SentRequest, Walk, WalkedStep, variables_of
from callagain.engine.json_text import Json, JsonError, JsonObject, decode, encode
from callagain.result import Result


class StepObjects:
    """The first member of each object says what it is about."""

    def __init__(self, stdout: TextIO) -> None:
        self._stdout = stdout

    def begin(self, walk: Walk) -> None:
        """Nothing: what the run begins with are variables."""

    def announce(self, place: Place) -> None:
        self._say(
            {
                "next": place.state,
                "number": place.number,
                "part": place.walk.chain.operations[place.state].part or None,
                "recorded": place.is_recorded,
                "commands": [_command(each) for each in place.commands],
            }
        )

    def step(self, walk: Walk, walked: WalkedStep) -> None:
        # Elsewhere stdout is where stderr is, for what tools print.
        with contextlib.redirect_stdout(self._stdout):
            StepLines().show(walk.chain, walked.step)

    def passed(self, walk: Walk, walked: WalkedStep) -> None:
        self.step(walk, walked)

    def end(self, result: Result) -> None:
        error = result.error
        self._say(
            {
                "outcome": result.outcome,
                "final_response": result.final_response,
                "loop_count": result.loop_count,
                "error": None if error is None else {"kind": error.kind, "message": error.message},
            }
        )

    def left_here(self, place: Place) -> None:
        self.announce(place)

    def variables(self, place: Place, *, whole: bool) -> None:  # noqa: ARG002 - nothing is folded here
        changed = [] if place.last is None else [name for name, _, _ in place.last.changes]
        own = place.variables.own
        self._say({"variables": variables_of(place.variables), "changed": changed, "own": own})

    def request(self, request: Request | None, *, whole: bool) -> None:  # noqa: ARG002
        if request is None:
            self._say({"request": None})
            return
        body = _json_or_text(request.body.decode(errors="replace"))
        self._say({"request": body, "number": request.number, "sent": request.is_sent})

    def answer(self, answered: Answered | None, *, whole: bool) -> None:  # noqa: ARG002
        if answered is None:
            self._say({"answer": None})
            return
        answer = answered.answer
        self._say(
            {
                "answer": _json_or_text(answer.body),
                "number": answered.number,
                "status": answer.status,
                "tool_calls": [asdict(result) for result in answered.results],
            }
        )

    def trace(self, place: Place) -> None:
        steps = [
            {
                "number": walked.step.number,
                "operation": walked.step.operation,
                "next": walked.step.target,
                "seconds": walked.seconds,
            }
            for walked in place.walk.steps[: place.at]
        ]
        self._say({"trace": steps, "ended": place.ended})

    def help(self) -> None:
        self._say({"keys": ["", "b", "v", "r", "a", "t", "f", "?", "q"]})

    def _say(self, fields: Mapping[str, object]) -> None:
        say(encode(fields).decode(), to=self._stdout)


def _command(performed: Performed) -> JsonObject:
    command = performed.command
    what: JsonObject
    if isinstance(command, SentRequest):
        what = {"request_bytes": len(command.body)}
    else:
        what = {"call": command.name, "arguments": command.arguments}
    return {**what, "held": performed.held.why if performed.held else None}


def _json_or_text(text: str) -> Json:
    try:
        return decode(text)
    except JsonError:
        return text

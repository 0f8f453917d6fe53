"""A place of a walk, between two operations, and what can be looked at from there.

Behind every place is the log of the run, folded up to there. So to go back undoes nothing, and to go forth
again performs nothing, until the walk comes to where the run itself stands.
"""

from collections.abc import Sequence
from dataclasses import dataclass

from callagain.diagrams.walk import Performed, SentRequest, Walk, WalkedStep
from callagain.engine.receipts import ToolResult
from callagain.engine.variables import Variables
from callagain.engine.wire.http_answer import HttpAnswer


@dataclass(frozen=True, slots=True)
class Request:
    """InAndOut. number: of the step that sends it; None for one that no step sends as it is."""

    body: bytes
    number: int | None
    is_sent: bool


@dataclass(frozen=True, slots=True)
class Answered:
    """What came of a request. number: of the step that sent it. results: of the tools called since."""

    number: int
    body: bytes
    answer: HttpAnswer
    results: Sequence[ToolResult]


@dataclass(frozen=True, slots=True)
class Place:
    """Between two operations of a walk: behind `at` of them. ended: of these the run has ended so many."""

    walk: Walk
    at: int
    ended: int

    @property
    def last(self) -> WalkedStep | None:
        return self.walk.steps[self.at - 1] if self.at else None

    @property
    def next(self) -> WalkedStep | None:
        """Where the log knows how the next operation ended."""
        return self.walk.steps[self.at] if self.at < len(self.walk.steps) else None

    @property
    def state(self) -> str:
        """The operation that comes next, or a final state."""
        return self.walk.state if self.next is None else self.next.step.operation

    @property
    def number(self) -> int:
        """Of the operation that comes next."""
        if self.next is not None:
            return self.next.step.number
        waiting = [each.key[0] for each in self.walk.waiting]
        return waiting[0] if waiting else (self.last.step.number + 1 if self.last else 1)

    @property
    def is_end(self) -> bool:
        """The run has come to its outcome here."""
        return self.next is None and self.walk.outcome is not None

    @property
    def is_recorded(self) -> bool:
        """The next operation has ended already."""
        return self.at < self.ended

    @property
    def commands(self) -> tuple[Performed, ...]:
        """What the next operation asks for, and what came of it, if it has ended."""
        return self.walk.waiting if self.next is None else self.next.performed

    @property
    def variables(self) -> Variables:
        return Variables.of(self.walk.inputs) if self.last is None else self.last.step.after

    @property
    def request(self) -> Request | None:
        """The one that the next operation sends, or InAndOut as it stands; None before it is built."""
        for each in self.commands:
            if isinstance(each.command, SentRequest):
                return Request(each.command.body, self.number, is_sent=each.receipt is not None)
        variables = self.variables
        if not variables.non_tool_messages and variables.assigned_request is None:
            return None
        body = variables.InAndOut
        answered = self.answered
        if answered is not None and answered.body == body:
            return Request(body, answered.number, is_sent=True)
        return Request(body, None, is_sent=False)

    @property
    def answered(self) -> Answered | None:
        """The request that was sent last, with its answer; None if none was."""
        for place in range(self.at - 1, -1, -1):
            walked = self.walk.steps[place]
            for each in walked.performed:
                if isinstance(each.command, SentRequest):
                    since = self.walk.steps[place + 1 : self.at]
                    results = [result for step in since for result in step.results]
                    answer = HttpAnswer.from_json(each.receipt)
                    return Answered(walked.step.number, each.command.body, answer, results)
        return None

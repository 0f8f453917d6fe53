"""What a scenario is: a question that shows one thing about the loop, and all that it takes to ask it."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Protocol, TypeAlias

from callagain.approval import Approver
from callagain.connectors.tools import Tool
from callagain.engine.chain import Chain
from callagain.engine.run import Outcome, Step
from callagain.result import Result
from callagain.testing.rules import Rule


class Watcher(Protocol):
    """Who is told of a scenario while it is played."""

    def show(self, chain: Chain, step: Step) -> None:
        """An operation has ended."""
        ...

    def note(self, text: str) -> None:
        """Something else happened; each line of the text tells one thing."""
        ...


Play: TypeAlias = Callable[["Scenario", Watcher, Approver | None], Result]


@dataclass(frozen=True, slots=True, kw_only=True)
class Scenario:
    """A run against the stand-in endpoint that shows one thing.

    name: as `callagain demo NAME` has it. title: what it is called. shows: what it shows, in two lines.
    look_at: what to watch while it runs. saw: what there was to see.
    parts: of the guide. point: of the guide's Verify list, if one is about this.
    lesson: a file of docs/course, and page: one of docs, that tell more.
    question, system_prompt, tools, options: of the loop. answers: of the stand-in.
    outcome: what the run comes to. played_by: how it is played, where one run of one loop is not enough; then
    the tools may be made there.
    """

    name: str
    title: str
    shows: str
    look_at: str
    saw: str
    parts: tuple[str, ...]
    point: int | None = None
    lesson: str
    page: str
    question: str
    system_prompt: str = "You help the support team."
    tools: Sequence[Tool | Callable[..., object]]
    answers: Sequence[Rule]
    options: Mapping[str, Any] = field(default_factory=dict[str, Any])
    outcome: Outcome = "completed"
    played_by: Play | None = None

    @property
    def asks(self) -> bool:
        """Whether somebody is asked about a call."""
        return any(isinstance(tool, Tool) and tool.requires_approval for tool in self.tools)

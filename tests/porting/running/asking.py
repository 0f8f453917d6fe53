"""Asks the assistant of an example design, with the stand-in endpoint for a model."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any

from callagain.porting.design.model import Design
from callagain.porting.running import DesignRun, DesignRunner, llm_activity
from callagain.porting.script import Value
from callagain.testing import AnyAnswer, StandIn, calls

NOON = datetime(2026, 3, 5, 12, tzinfo=UTC)


@dataclass(frozen=True, slots=True)
class Asked:
    """What came of a question. requests: those that were answered; statuses: of all of them."""

    run: DesignRun
    variables: dict[str, Any]
    requests: list[dict[str, Any]]
    statuses: list[int | None]

    @property
    def results(self) -> list[str]:
        """The contents of the tool messages in the last request."""
        return [each["content"] for each in self.requests[-1]["messages"] if each["role"] == "tool"]

    @property
    def roles(self) -> list[str]:
        """The roles of the messages in the last request."""
        return [each["role"] for each in self.requests[-1]["messages"]]

    @property
    def ids_fit(self) -> bool:
        """Whether each tool message answers the call of the message before it."""
        messages = self.requests[-1]["messages"]
        answered = [at for at, each in enumerate(messages) if each["role"] == "tool"]
        return all(messages[at]["tool_call_id"] == messages[at - 1]["tool_calls"][0]["id"] for at in answered)


def ask(
    design: Design,
    operation: str,
    activity: str,
    answers: Sequence[AnyAnswer],
    variables: Mapping[str, Value],
) -> Asked:
    """Runs the operation; the stand-in gives these answers, one a request."""
    after: dict[str, Any] = dict(variables)
    with StandIn(list(answers)) as stand_in:
        activities = {activity: llm_activity(stand_in.base_url, "any")}
        runner = DesignRunner(design, activities=activities, clock=lambda: NOON, seed=1)
        run = runner.run(operation, after)
        requests = stand_in.requests
    answered = [each.json for each in requests if each.status == 200]
    return Asked(run, after, answered, [each.status for each in requests])


def tool(name: str, /, **arguments: object) -> AnyAnswer:
    """The model asks for one tool."""
    return calls((name, arguments))

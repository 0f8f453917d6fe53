"""The steps of a run for the page: each with what it changed, asked for, wrote and spent."""

from collections.abc import Sequence

from callagain.diagrams.flowchart import flowchart
from callagain.diagrams.model import Diagram
from callagain.diagrams.walk import Performed, Walk, WalkedStep
from callagain.engine.json_text import Json, JsonObject
from callagain.engine.links import FINAL_STATES, Link
from callagain.engine.problem import Problem
from callagain.engine.spending import Spent, cost, spent
from callagain.engine.variables import Variables
from callagain.viewer.commands import Commands
from callagain.viewer.texts import Requests, Rounds, Texts
from callagain.viewer.variables import VariableValues, difference


class Steps:
    """Reads the steps of a walk. `links` are the rows of the table that were taken, by their places."""

    def __init__(self, walk: Walk, texts: Texts) -> None:
        self._walk = walk
        self._diagram = flowchart(walk.chain)
        self.rounds = Rounds(texts)
        requests = Requests(texts, self.rounds)
        self.commands = Commands(texts, requests)
        self._values = VariableValues(texts, self.rounds, requests)
        self._links: dict[Link, int] = {}
        self._spent: Spent | None = None
        self.first = self._values.of(Variables.of(walk.inputs))
        self._known = self.first

    def as_json(self) -> list[Json]:
        """One object a step; a last one for the operation that a run waits in."""
        performed = enumerate(self._walk.newly_performed(), 1)
        steps: list[Json] = [self._step(place, walked, new) for place, (walked, new) in performed]
        if self._walk.state not in FINAL_STATES:
            steps.append(self._open_step(len(steps) + 1))
        return steps

    def links_as_json(self) -> list[Json]:
        """Rows of the table, with the edges and nodes of the flowchart that a run takes with them."""
        return [_link(self._diagram, link) for link in self._links]

    def _step(self, place: int, walked: WalkedStep, new: Sequence[Performed]) -> JsonObject:
        """new: what was performed in it, without what a run that was resumed took over."""
        step = walked.step
        fields: JsonObject = {"number": step.number, "operation": step.operation}
        fields["link"] = self._links.setdefault(walked.link, len(self._links))
        fields |= self._changes(step.before, step.after)
        fields |= self.commands.of(place, step.before, new, walked)
        if step.notes:
            fields["notes"] = [[note.message, note.code] for note in step.notes]
        if step.problem is not None:
            fields["problem"] = problem_as_json(step.problem)
        if known := [each.seconds for each in new if each.seconds is not None]:
            # Calls of one response run at the same time.
            fields["seconds"] = max(known)
        return fields | self._spending(step.before, step.after)

    def _open_step(self, place: int) -> JsonObject:
        """The operation that comes next, and what it waits for."""
        walk = self._walk
        before = walk.steps[-1].step.after if walk.steps else Variables.of(walk.inputs)
        return {
            "number": place,
            "operation": walk.state,
            "link": None,
            **self._changes(before, walk.variables),
            **self.commands.of(place, walk.variables, walk.waiting),
        }

    def _changes(self, before: Variables, after: Variables) -> JsonObject:
        """before: what is other than behind the step before, as where a run was resumed; mostly nothing."""
        was, now = self._values.of(before), self._values.of(after)
        back, forth = difference(self._known, was), difference(was, now)
        self._known = now
        return {"before": back, "after": forth} if back else {"after": forth}

    def _spending(self, before: Variables, after: Variables) -> JsonObject:
        """tokens, money: of this step. spent: of the run up to here, where that is news."""
        fields: JsonObject = {}
        total = spent(after)
        was = before.usage + before.estimated_usage
        used = after.usage + after.estimated_usage - was
        prices = after.inputs.prices
        if used.total_tokens:
            fields["tokens"] = [used.prompt_tokens, used.completion_tokens, used.total_tokens]
            if prices is not None:
                fields["money"] = cost(used, prices)
        if total != self._spent:
            self._spent = total
            fields["spent"] = {
                "tokens": total.tokens,
                "money": total.money,
                "requests": total.requests,
                "tool_calls": total.tool_calls,
                "estimated": total.estimated,
            }
        return fields


def problem_as_json(problem: Problem) -> JsonObject:
    """Why a step or a run did not succeed, with what is known of the answer that was no use."""
    fields: JsonObject = {
        "kind": problem.kind,
        "message": problem.message,
        "operation": problem.operation,
        "status": problem.status,
        "partial_text": problem.partial_text,
        "body": problem.body,
    }
    return {name: value for name, value in fields.items() if value is not None}


def _link(diagram: Diagram, link: Link) -> JsonObject:
    """edges: that it takes in the flowchart, which draws none for On Fail and for the end of a run.

    nodes: of its source. Of an operation that is drawn as a question and a box, the box only if the way leads
    through it.
    """
    edges = [place for place, edge in enumerate(diagram.edges) if link in edge.links]
    own = [node.id for node in diagram.nodes if node.state == link.source]
    passed = {diagram.edges[place].target for place in edges}
    nodes = [node for place, node in enumerate(own) if place == 0 or node in passed]
    return {
        "source": link.source,
        "event": link.event,
        "target": link.target,
        "when": list[Json](link.when),
        "edges": list[Json](edges),
        "nodes": list[Json](nodes),
    }

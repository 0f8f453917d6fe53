"""A design that is a drawn flowchart: its shape by nodes and edges alone; what it leaves out is a guess."""

import re
from collections.abc import Iterable
from dataclasses import dataclass

from callagain.porting.design.model import Design, Flow, Guess
from callagain.porting.recognition.model import (
    PromptBasedRouting,
    Recognition,
    RetryController,
    Shape,
    SingleRoundRouting,
    ToolCallingLoop,
)

_TOOL_CALLS = re.compile(
    r"tool[\s_-]*calls?|function[\s_-]*calls?|tools? (?:requested|needed)", re.IGNORECASE
)
_SUCCESS = re.compile(r"success|succeeded|fail|error|attempt|retr(?:y|ies)", re.IGNORECASE)
_MODEL = re.compile(r"\bllm\b|openai|\bmodel\b|\bgpt|chat completion|^prompt\b", re.IGNORECASE)
_DISPATCH = re.compile(r"dispatch|\bcase\b|\broute|run (?:the )?(?:tool|operation)", re.IGNORECASE)
_YES = re.compile(r"yes|true|found|tool|continue", re.IGNORECASE)
_NO = re.compile(r"no\b|false|none|done|final", re.IGNORECASE)


def shapes_of_flowchart(design: Design) -> Recognition:
    """The shape of a flowchart, if it is one of the guides'; empty for a design that has none."""
    if not design.flowchart:
        return Recognition()
    chart = _Chart(design)
    for look in (_of_tool_calls, _of_success):
        for decision in chart.decisions:
            shape = look(chart, decision)
            if shape is not None:
                return Recognition((shape,), tuple(chart.guesses))
    shape = _of_prompt(chart)
    return Recognition((shape,) if shape else (), tuple(chart.guesses))


class _Chart:
    def __init__(self, design: Design) -> None:
        self.design = design
        self.nodes = {node.id: node for node in reversed(design.flowchart)}
        self.guesses: list[Guess] = []

    @property
    def decisions(self) -> list[Flow]:
        return [node for node in self.design.flowchart if len(node.edges) > 1]

    def guess(self, text: str, node: Flow) -> None:
        self.guesses.append(Guess(f"flowchart node '{node.id}': {text}", node.place))

    def following(self, node: Flow) -> list[Flow]:
        return [self.nodes[target] for _, target in node.edges if target in self.nodes]

    def before(self, node: Flow) -> list[Flow]:
        return [each for each in self.design.flowchart if any(target == node.id for _, target in each.edges)]

    def path(self, start: Flow, end: Flow) -> list[Flow] | None:
        """The nodes from one to the other, both included, by the fewest edges; None if there is no way."""
        came_from: dict[str, str | None] = {start.id: None}
        waiting = [start]
        for node in waiting:
            if node.id == end.id:
                return self._back(node.id, came_from)
            for following in self.following(node):
                if following.id not in came_from:
                    came_from[following.id] = node.id
                    waiting.append(following)
        return None

    def _back(self, last: str, came_from: dict[str, str | None]) -> list[Flow]:
        nodes: list[Flow] = []
        step: str | None = last
        while step is not None:
            nodes.append(self.nodes[step])
            step = came_from[step]
        return nodes[::-1]

    def reached(self, start: Flow) -> list[Flow]:
        """A node and those after it up to where the chart joins itself again or ends."""
        found = {start.id: start}
        waiting = [start]
        for node in waiting:
            for following in self.following(node):
                if following.id not in found:
                    found[following.id] = following
                    waiting.append(following)
        return waiting

    def model(self, decision: Flow) -> Flow | None:
        """The LLM Call: what leads straight to the decision, and speaks of a model if it can."""
        before = [node for node in self.before(decision) if node.id != decision.id]
        speaking = [node for node in before if _MODEL.search(_words(node))]
        chosen = next(iter(speaking or before), None)
        if chosen is not None and not speaking:
            self.guess(f"'{_name(chosen)}' is taken for the LLM Call, since it leads to the decision", chosen)
        return chosen


@dataclass(frozen=True, slots=True)
class _Roles:
    parser: Flow | None
    dispatcher: Flow | None
    message: Flow | None


def _of_tool_calls(chart: _Chart, decision: Flow) -> Shape | None:
    if not _TOOL_CALLS.search(_words(decision)):
        return None
    model = chart.model(decision)
    if model is None:
        return None
    edges = sorted(decision.edges, key=lambda edge: not _says_yes(edge[0]))
    targets = [chart.nodes[target] for _, target in edges if target in chart.nodes]
    way = next((way for target in targets if (way := chart.path(target, model)) is not None), None)
    if way is not None:
        return _loop(chart, decision, model, way[:-1])
    return _single_round(chart, decision, model)


def _loop(chart: _Chart, decision: Flow, model: Flow, way: list[Flow]) -> ToolCallingLoop:
    roles = _roles(chart, way)
    chart.guess("the flowchart does not say how often the loop goes round; no limit is assumed", decision)
    chart.guess(
        "the flowchart has no names of tools, no variables and no texts; the guide's are assumed", model
    )
    if roles.message is not None:
        chart.guess(
            "the flowchart does not say how the messages are built; nothing is assumed", roles.message
        )
    return ToolCallingLoop(
        controller=None,
        initialise=_name_or_none(_initialise(chart, model, way)),
        llm_call=_name(model),
        response_parser=_name_or_none(roles.parser),
        tool_dispatcher=_name_or_none(roles.dispatcher),
        dispatcher=_name_or_none(roles.dispatcher),
        append_tool_result=_name_or_none(roles.message),
        append_form=None,
        max_iterations=None,
    )


def _single_round(chart: _Chart, decision: Flow, model: Flow) -> SingleRoundRouting | None:
    targets = [(label, chart.nodes[target]) for label, target in decision.edges if target in chart.nodes]
    yes = next((node for label, node in targets if _says_yes(label)), None)
    if yes is None:
        if not targets:
            return None
        yes = targets[0][1]
        chart.guess(f"the edge to '{_name(yes)}' is taken for that of a tool call", decision)
    roles = _roles(chart, chart.reached(yes))
    chart.guess("no way leads back to the LLM Call: it is called once", model)
    return SingleRoundRouting(
        initialise=_name_or_none(_initialise(chart, model, ())),
        llm_call=_name(model),
        response_parser=_name(roles.parser or decision),
        dispatcher=_name_or_none(roles.dispatcher),
    )


def _roles(chart: _Chart, way: list[Flow]) -> _Roles:
    """The dispatcher by its words, else the middle; what stands before it parses, what follows it appends."""
    place = next((number for number, node in enumerate(way) if _DISPATCH.search(_words(node))), None)
    if place is None:
        place = len(way) // 2 if len(way) != 2 else 0
        if place < len(way):
            chart.guess(f"'{_name(way[place])}' is taken for the dispatcher by its place", way[place])
    parser = way[0] if place > 0 else None
    message = way[place + 1] if place + 1 < len(way) else None
    return _Roles(parser, way[place] if place < len(way) else None, message)


def _initialise(chart: _Chart, model: Flow, way: Iterable[Flow]) -> Flow | None:
    inside = {node.id for node in way}
    return next((node for node in chart.before(model) if node.id not in inside and node.id != model.id), None)


def _of_success(chart: _Chart, decision: Flow) -> RetryController | None:
    """A way from a failure back to what was tried: the node before a decision, or one that decides itself."""
    labels = " ".join(label for label, _ in decision.edges)
    if not _SUCCESS.search(f"{_words(decision)} {labels}"):
        return None
    is_drawn = _is_decision(decision)
    for tried in chart.before(decision) if is_drawn else (decision,):
        if any(chart.path(node, tried) for node in chart.following(decision)):
            around = {node.id for node in chart.reached(tried)}
            first = next((node for node in chart.before(tried) if node.id not in around), decision)
            chart.guess(
                "the flowchart does not say how many attempts there are; no limit is assumed", decision
            )
            return RetryController(_name(decision if is_drawn else first), _name(tried), None)
    return None


def _is_decision(node: Flow) -> bool:
    return node.kind.lower() == "decision" or node.text.rstrip().endswith("?")


def _of_prompt(chart: _Chart) -> PromptBasedRouting | None:
    """A dispatcher somewhere after a call of a model, without a decision on tool calls."""
    nodes = sorted(chart.design.flowchart, key=lambda node: node.kind.lower() == "script")
    for model in nodes:
        if not _MODEL.search(_words(model)) or _DISPATCH.search(_words(model)):
            continue
        dispatcher = next((node for node in chart.reached(model) if _DISPATCH.search(_words(node))), None)
        if dispatcher is not None:
            chart.guess(
                "it is taken for a dispatch by the text of the model: nothing speaks of tool calls",
                dispatcher,
            )
            return PromptBasedRouting(
                initialise=_name_or_none(_initialise(chart, model, ())),
                llm_call=_name(model),
                dispatcher=_name(dispatcher),
            )
    return None


def _says_yes(label: str) -> bool:
    return bool(_YES.search(label)) and not _NO.match(label)


def _words(node: Flow) -> str:
    return " ".join(f"{node.kind} {node.text}".split())


def _name(node: Flow) -> str:
    return " ".join(node.text.split()) or node.id


def _name_or_none(node: Flow | None) -> str | None:
    return None if node is None else _name(node)

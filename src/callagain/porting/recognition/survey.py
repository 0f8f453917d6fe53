"""What is known of a design before shapes are looked for: the facts of its scripts, and what they show."""

import re
from collections.abc import Iterable
from dataclasses import dataclass, field

from callagain.porting.design.model import Design, Guess, Language, Operation, StepKind
from callagain.porting.recognition.conditions import Constants
from callagain.porting.recognition.dispatching import Dispatch, dispatches_in
from callagain.porting.recognition.evidence import (
    ParsedResponse,
    Request,
    ToolMessage,
    content_in,
    is_content,
    is_function_name,
    parsed_response_in,
    request_in,
    tool_message_in,
)
from callagain.porting.recognition.facts import Facts
from callagain.porting.recognition.graph import Graph, graph_of
from callagain.porting.recognition.javascript import read_javascript
from callagain.porting.recognition.loops import Loop, LoopReader
from callagain.porting.recognition.scripts import read_script
from callagain.porting.recognition.values import Part, Variable

_NAME_OF_A_TOOL = re.compile(r'"name"\s*+:\s*+"([^"\\]++)"')


@dataclass(frozen=True, slots=True)
class Survey:
    """requests, parsers, messages, contents: what scripts show, by name. guesses: what does not parse."""

    design: Design
    scripts: dict[str, Facts]
    graph: Graph
    loop_reader: LoopReader
    guesses: list[Guess]
    requests: dict[str, Request] = field(default_factory=dict[str, Request])
    parsers: dict[str, ParsedResponse] = field(default_factory=dict[str, ParsedResponse])
    messages: dict[str, ToolMessage] = field(default_factory=dict[str, ToolMessage])
    contents: dict[str, tuple[str, ...]] = field(default_factory=dict[str, tuple[str, ...]])
    dispatches: list[Dispatch] = field(default_factory=list[Dispatch])
    loops: list[Loop] = field(default_factory=list[Loop])

    @property
    def switches(self) -> frozenset[str]:
        """The variables that say whether a response had tool calls, in either way."""
        return frozenset(
            name for parsed in self.parsers.values() for name in (*parsed.switches, *parsed.opposites)
        )

    def operations_with(self, script: str) -> list[Operation]:
        """The operations that have a script among their steps."""
        return [each for each in self.design.operations if _has_step(each, script)]

    def scripts_from(self, operation: str | None) -> frozenset[str]:
        """The scripts that are steps of an operation, or of those that follow it On Success."""
        found: set[str] = set()
        seen: set[str] = set()
        while operation is not None and operation not in seen:
            seen.add(operation)
            known = self.design.operation(operation)
            found |= {step.name for step in known.steps if step.kind is StepKind.SCRIPT} if known else set()
            operation = known.on_success if known else None
        return frozenset(found)

    def tool_dispatches(self) -> list[Dispatch]:
        """The dispatches on the function that the model chose."""
        names = self._same_as(parsed.names.get("function_name") for parsed in self.parsers.values())
        known = set(self.names_of_tools())
        return [
            each
            for each in self.dispatches
            if is_function_name(each.subject)
            or (isinstance(each.subject, Variable) and each.subject.is_global and each.subject.name in names)
            or known.intersection(each.names)
        ]

    def text_dispatches(self) -> list[Dispatch]:
        """The dispatches on the text of a response."""
        texts = (
            name for script, names in self.contents.items() for name in names if script not in self.parsers
        )
        names = self._same_as(texts)
        return [
            each
            for each in self.dispatches
            if (isinstance(each.subject, Part) and is_content(each.subject))
            or (isinstance(each.subject, Variable) and each.subject.is_global and each.subject.name in names)
        ]

    def _same_as(self, names: Iterable[str | None]) -> frozenset[str]:
        """Names, and those of variables that are set to them."""
        copies: dict[str, list[str]] = {}
        for facts in self.scripts.values():
            for write in facts.global_writes:
                if isinstance(write.value.only, Variable) and write.value.only.is_global:
                    copies.setdefault(write.value.only.name, []).append(write.name)
        found = dict.fromkeys(name for name in names if name)
        waiting = list(found)
        for name in waiting:
            new = [each for each in copies.get(name, ()) if each not in found]
            found.update(dict.fromkeys(new))
            waiting.extend(new)
        return frozenset(found)

    def names_of_tools(self) -> tuple[str, ...]:
        """The names that the design announces: its tools, and those in the variable of the request."""
        found = {tool.name: None for tool in self.design.tools}
        variables = {request.names.get("toolsJson") for request in self.requests.values()}
        for variable in self.design.variables:
            if variable.name in variables and variable.default and not variable.is_secret:
                found.update(dict.fromkeys(_NAME_OF_A_TOOL.findall(variable.default)))
        return tuple(found)


def survey(design: Design) -> Survey:
    """Reads every script of a design once."""
    guesses: list[Guess] = []
    scripts: dict[str, Facts] = {}
    for script in design.scripts:
        if script.language is not Language.JAVASCRIPT and script.name not in scripts:
            scripts[script.name], problems = read_script(script)
            guesses += problems
    dotted = {each.name for each in design.variables if "." in each.name}
    dotted |= {write.name for facts in scripts.values() for write in facts.global_writes if "." in write.name}
    for script in design.scripts:
        if script.language is Language.JAVASCRIPT and script.name not in scripts:
            scripts[script.name] = read_javascript(script, dotted)
    ordered = {script.name: scripts[script.name] for script in design.scripts}
    graph = graph_of(design, ordered)
    constants = Constants(design, ordered.values())
    found = Survey(design, ordered, graph, LoopReader(graph, ordered, constants), guesses)
    for name, facts in ordered.items():
        _look(found, name, facts)
    guesses += found.loop_reader.guesses
    return found


def _look(found: Survey, name: str, facts: Facts) -> None:
    if request := request_in(facts):
        found.requests[name] = request
    if parsed := parsed_response_in(facts):
        found.parsers[name] = parsed
    if message := tool_message_in(facts):
        found.messages[name] = message
    if (contents := content_in(facts)) is not None:
        found.contents[name] = contents
    found.dispatches.extend(dispatches_in(facts))
    found.loops.extend(found.loop_reader.loops_in(facts))


def _has_step(operation: Operation, script: str) -> bool:
    return any(step.kind is StepKind.SCRIPT and step.name == script for step in operation.steps)

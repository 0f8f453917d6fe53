"""What belongs to a shape itself: its scripts by role, its variables, and what it runs."""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass

from callagain.porting.recognition.dispatching import Dispatch
from callagain.porting.recognition.graph import Node
from callagain.porting.recognition.model import (
    PromptBasedRouting,
    RetryController,
    Shape,
    SingleRoundRouting,
    ToolCallingLoop,
)
from callagain.porting.recognition.survey import Survey

GUIDE_VARIABLES = (
    "InAndOut",
    "call_llm_again",
    "final_response",
    "function_arguments",
    "function_name",
    "function_resp",
    "loop_count",
    "maxIterations",
    "non_tool_messages_json",
    "systemPrompt",
    "tool_call_id",
    "toolsJson",
    "tools_messages",
    "tools_resp",
    "userMessage",
)
_ROLES = ("controller", "initialise", "response_parser", "dispatcher", "append_tool_result")


@dataclass(frozen=True, slots=True)
class OwnParts:
    """roles: those of each script. variables: the design's names of variables, each with the guide's names.

    runs: kinds and names of the operations and scripts that the chain runs. dispatches: what the chain
    dispatches by. is_retry: whether the shape is a retry controller; retry_variables: those of its loop.
    is_text: whether the text of the model is what is dispatched by.
    """

    roles: Mapping[str, tuple[str, ...]]
    variables: Mapping[str, frozenset[str]]
    runs: frozenset[tuple[str, str | None]]
    dispatches: tuple[Dispatch, ...] = ()
    is_retry: bool = False
    is_text: bool = False
    retry_variables: frozenset[str] = frozenset()

    def guide_names(self, name: str) -> frozenset[str]:
        """The guide's variables that one of the design's is."""
        return self.variables.get(name, frozenset())

    def name(self, guide: str) -> str:
        """The design's name of one of the guide's variables."""
        return next((own for own, names in self.variables.items() if guide in names), guide)


def own_parts_of(survey: Survey, shape: Shape) -> OwnParts:
    roles = dict[str, tuple[str, ...]]()
    for script, role in _scripts_of(survey, shape):
        roles[script] = (*roles.get(script, ()), role)
    if isinstance(shape, RetryController):
        runs = frozenset({("operation", shape.operation)})
        loops = [each for each in survey.loops if each.facts.name == shape.controller]
        read = frozenset(name for loop in loops for name in loop.reads)
        return OwnParts(roles, {}, runs, is_retry=True, retry_variables=read)
    variables: dict[str, frozenset[str]] = {}
    for guide in GUIDE_VARIABLES:
        own = shape.names.get(guide, guide)
        variables[own] = variables.get(own, frozenset()) | {guide}
    for guide, name in _names_of_scripts(survey, roles):
        variables[name] = variables.get(name, frozenset()) | {guide}
    for name in survey.switches:
        variables.setdefault(name, frozenset(("call_llm_again",)))
    dispatches = [each for each in _dispatches(survey, shape) if each.facts.name in roles]
    return OwnParts(
        roles,
        variables,
        _runs_of(survey, shape, roles),
        tuple(dispatches),
        is_text=isinstance(shape, PromptBasedRouting),
    )


def _names_of_scripts(survey: Survey, scripts: Iterable[str]) -> Iterator[tuple[str, str]]:
    """The names that a script has for the guide's variables, where other scripts have another one."""
    for script in scripts:
        for shown in (survey.requests, survey.parsers, survey.messages):
            if script in shown:
                yield from shown[script].names.items()


def _scripts_of(survey: Survey, shape: Shape) -> Iterator[tuple[str, str]]:
    if isinstance(shape, ToolCallingLoop):
        yield from ((name, "controller") for name in _going_round(survey, shape))
    for role in _ROLES:
        script: str | None = getattr(shape, role, None)
        if script is not None:
            yield script, role
        if role == "dispatcher" and script is not None:
            yield from ((name, role) for name in _further_dispatchers(survey, shape, script))


def _going_round(survey: Survey, loop: ToolCallingLoop) -> list[str]:
    """The scripts behind the LLM Call that run it again, in a loop that no controller goes round."""
    if loop.controller is not None or loop.llm_call is None:
        return []
    llm_call = Node("operation", loop.llm_call)
    parts = {loop.initialise, loop.response_parser, loop.dispatcher, loop.append_tool_result}
    return [
        name
        for name in sorted(survey.scripts_from(loop.llm_call) - parts)
        if llm_call in survey.graph.following(Node("script", name))
    ]


def _dispatches(survey: Survey, shape: Shape) -> list[Dispatch]:
    return survey.text_dispatches() if isinstance(shape, PromptBasedRouting) else survey.tool_dispatches()


def _further_dispatchers(survey: Survey, shape: Shape, first: str) -> list[str]:
    """The scripts in which a dispatcher goes on: those it leads to, and further steps of its operation."""
    reached = survey.graph.reached((Node("script", first),))
    beside = {step.name for operation in survey.operations_with(first) for step in operation.steps}
    found = (each.facts.name for each in _dispatches(survey, shape))
    return [
        name
        for name in dict.fromkeys(found)
        if name != first and (Node("script", name) in reached or name in beside)
    ]


def _runs_of(
    survey: Survey, shape: Shape, roles: Mapping[str, tuple[str, ...]]
) -> frozenset[tuple[str, str | None]]:
    """The LLM Call, the dispatcher and the scripts of the shape, and the operations that lead to one."""
    own = {Node("script", name) for name in roles}
    if isinstance(shape, ToolCallingLoop | SingleRoundRouting | PromptBasedRouting) and shape.llm_call:
        own.add(Node("operation", shape.llm_call))
    if isinstance(shape, ToolCallingLoop) and shape.tool_dispatcher:
        own.add(Node("operation", shape.tool_dispatcher))
    operations = {Node("operation", each.name) for each in survey.design.operations}
    scripts = {Node("script", name) for name in survey.scripts}
    leading = {each for each in operations | scripts if survey.graph.reached((each,)) & own}
    return frozenset((node.kind, node.name) for node in own | leading)

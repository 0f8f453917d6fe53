"""The tool-calling loop: its controller, or a circle of operations, and the parts that belong to it."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from callagain.porting.design.model import Guess
from callagain.porting.recognition.conditions import Limit
from callagain.porting.recognition.dispatchers import Dispatcher, dispatcher_of
from callagain.porting.recognition.dispatching import Dispatch
from callagain.porting.recognition.facts import guess_in
from callagain.porting.recognition.graph import Node
from callagain.porting.recognition.llm_calls import llm_call_of
from callagain.porting.recognition.loops import Loop
from callagain.porting.recognition.model import ToolCallingLoop
from callagain.porting.recognition.naming import Names
from callagain.porting.recognition.requests import sent_request
from callagain.porting.recognition.retrying import retry_of
from callagain.porting.recognition.survey import Survey
from callagain.porting.script import syntax

JAVASCRIPT, STRINGS = "javascript", "strings"


def controllers_in(survey: Survey) -> list[Loop]:
    """The While loops that go back to the model with a tool's result; the inner ones, and one of a script."""
    dispatchers = {each.facts.name for each in survey.tool_dispatches()}
    goes_round = bool(_circle(survey, _parts(survey, frozenset(), None)))
    found = [loop for loop in survey.loops if _is_controller(survey, loop, dispatchers, goes_round)]
    inner = [loop for loop in found if not any(_is_around(loop, other) for other in found)]
    return list({loop.facts.name: loop for loop in reversed(inner)}.values())[::-1]


def _is_controller(survey: Survey, loop: Loop, dispatchers: set[str], goes_round: bool) -> bool:
    """goes_round: operations lead back to the model by themselves, so a While may be one around all of it."""
    scripts = {node.name for node in loop.reached if node.kind == "script"}
    if not loop.runs:
        return False
    if loop.reads & survey.switches:
        return True
    if goes_round:
        return False
    if scripts & survey.messages.keys():
        return True
    own = loop.facts.name
    answered = bool(scripts & survey.parsers.keys()) or own in survey.parsers
    dispatched = bool(scripts & dispatchers) or own in dispatchers
    return answered and dispatched and retry_of(loop) is None


def _is_around(loop: Loop, other: Loop) -> bool:
    """Whether a loop does no more than to run what has the other loop in it."""
    if loop is other:
        return False
    if loop.facts is other.facts:
        return any(node is other.call for node, _ in syntax.walk(loop.body))
    other_node, own_node = Node("script", other.facts.name), Node("script", loop.facts.name)
    return other_node in loop.reached and own_node not in other.reached


@dataclass(frozen=True, slots=True)
class _Parts:
    """The scripts that play the parts of one loop, by name. by_place: the dispatches are, by no variable."""

    initialise: str | None
    parser: str | None
    message: str | None
    dispatches: Sequence[Dispatch]
    by_place: bool = False


def tool_loops_in(survey: Survey) -> tuple[list[ToolCallingLoop], list[Guess]]:
    """The tool-calling loops of a design: one for each controller, else one by its circle or its parts."""
    controllers = controllers_in(survey)
    if not controllers:
        return _loop_without_controller(survey)
    loops: list[ToolCallingLoop] = []
    guesses: list[Guess] = []
    for controller in controllers:
        reached = controller.reached | {Node("script", controller.facts.name)}
        alone = len(controllers) == 1
        parts = _parts(survey, reached, controller, alone=alone)
        found, problems = _assembled(survey, parts, controller, reached)
        loops.append(found)
        guesses += problems
    return loops, guesses


def _loop_without_controller(survey: Survey) -> tuple[list[ToolCallingLoop], list[Guess]]:
    parts = _parts(survey, frozenset(), None)
    known = [parts.initialise, parts.parser, parts.message, parts.dispatches or None]
    circle = _circle(survey, parts)
    if parts.message is None and not circle:
        return [], []
    if sum(part is not None for part in known) < 2:
        return [], [_lonely(survey, parts)] if parts.message else []
    loop, guesses = _assembled(survey, parts, None, circle)
    return [loop], guesses


def _lonely(survey: Survey, parts: _Parts) -> Guess:
    assert parts.message is not None
    text = "it makes a message of the role tool, and nothing else of a tool-calling loop was found"
    return guess_in(survey.scripts[parts.message].script, text, survey.messages[parts.message].line)


def _circle(survey: Survey, parts: _Parts) -> frozenset[Node]:
    """The operations and scripts of a loop that is made of links, or of operations that run each other."""
    for name in (parts.parser, parts.message, *(each.facts.name for each in parts.dispatches)):
        if name is not None and (circle := survey.graph.circle_of(Node("script", name))):
            return circle
        for operation in survey.operations_with(name) if name is not None else ():
            if circle := survey.graph.circle_of(Node("operation", operation.name)):
                return circle
    return frozenset()


def _parts(
    survey: Survey, reached: frozenset[Node], controller: Loop | None, *, alone: bool = True
) -> _Parts:
    """The parts of a loop, those first that it reaches; one that is not alone has no others."""

    def chosen(names: Iterable[str]) -> str | None:
        listed = list(names)
        inside = [name for name in listed if Node("script", name) in reached]
        return next(iter(inside or (listed if alone else [])), None)

    parsers = sorted(survey.parsers, key=lambda name: -len(survey.parsers[name].names))
    dispatches = survey.tool_dispatches()
    by_place = False
    if not any(parsed.names.get("function_name") for parsed in survey.parsers.values()):
        # Nothing says which variable holds the function's name, so a dispatch has to be in the loop.
        others = [each for each in survey.dispatches if Node("script", each.facts.name) in reached]
        by_place = not dispatches and bool(others)
        dispatches = dispatches or others[:1]
    inside = [each for each in dispatches if Node("script", each.facts.name) in reached]
    message = chosen(survey.messages)
    return _Parts(
        initialise=_initialise(survey, reached, controller, message),
        parser=chosen(parsers),
        message=message,
        dispatches=inside or (dispatches if alone else []),
        by_place=by_place,
    )


def _initialise(
    survey: Survey, reached: frozenset[Node], controller: Loop | None, message: str | None
) -> str | None:
    """The script with the first request: one with tools, outside of the loop, and near to its other parts."""
    variable = survey.messages[message].names.get("InAndOut") if message else None
    beside = {
        step.name
        for operation in (survey.operations_with(controller.facts.name) if controller else ())
        for step in operation.steps
    }

    def rank(name: str) -> tuple[bool, bool, bool, bool]:
        request = survey.requests[name]
        other = variable is not None and request.variable != variable
        return request.tools is None, Node("script", name) in reached, other, name not in beside

    return min(survey.requests, key=rank, default=None)


def _assembled(
    survey: Survey, parts: _Parts, controller: Loop | None, reached: frozenset[Node]
) -> tuple[ToolCallingLoop, list[Guess]]:
    names = Names(survey)
    names.of_parts(parts.parser, parts.message, parts.initialise)
    readers = [parts.parser] if parts.parser else []
    llm_call, guesses = llm_call_of(survey, readers, names.variables("InAndOut"), controller)
    dispatcher = dispatcher_of(survey, parts.dispatches, names.variables("function_resp"))
    names.of_dispatcher(dispatcher)
    limit = controller.limit if controller else _limit_of_circle(survey, reached)
    names.of_controller(controller, limit)
    guesses += _guesses_of_dispatcher(survey, dispatcher, parts)
    guesses += _guesses_of_limit(survey, controller, limit, parts, circle=bool(reached))
    sent = sent_request(survey, parts.initialise)
    if dispatcher is None:
        operation, more = _dispatching_operation(survey, controller, llm_call)
        guesses += more
    else:
        alone = controller is None or dispatcher.script != controller.facts.name
        operation = dispatcher.operation if alone else None
    message = survey.scripts[parts.message] if parts.message else None
    loop = ToolCallingLoop(
        controller=controller.facts.name
        if controller
        else _controller_of_circle(survey, reached, parts, llm_call),
        initialise=parts.initialise,
        llm_call=llm_call,
        response_parser=parts.parser,
        tool_dispatcher=operation,
        dispatcher=dispatcher.script if dispatcher else None,
        append_tool_result=parts.message,
        append_form=None if message is None else (STRINGS if message.tree else JAVASCRIPT),
        max_iterations=limit.rounds if limit else None,
        tools=dispatcher.tools if dispatcher else (),
        default_response=dispatcher.default_response if dispatcher else None,
        default_script=dispatcher.default_script if dispatcher else None,
        tools_variable=sent.tools_variable,
        model=sent.model,
        tool_choice=sent.tool_choice,
        parallel_tool_calls=sent.parallel_tool_calls,
        names=names.differing(),
        numbers=sent.numbers,
    )
    return loop, [*guesses, *sent.guesses, *names.guesses]


def _limit_of_circle(survey: Survey, circle: frozenset[Node]) -> Limit | None:
    """By the scripts of the circle, and those that are steps of its operations."""
    steps = {each for node in circle for each in survey.graph.following(node)}
    return survey.loop_reader.limit_of_circle(circle | steps, survey.switches)


def _controller_of_circle(
    survey: Survey, circle: frozenset[Node], parts: _Parts, llm_call: str | None
) -> str | None:
    """The script that runs the operations of a circle, where they do not run each other by links.

    It begins the conversation, so it is none that follows upon the LLM Call: no script that plays another
    part, and no step of the LLM Call or of an operation that comes On Success of it.
    """
    others = {each.facts.name for each in parts.dispatches} | {parts.parser, parts.message}
    others |= survey.scripts_from(llm_call)
    for node in sorted(circle):
        if node.kind == "script" and node.name not in others and survey.scripts[node.name].runs:
            return node.name
    return None


def _dispatching_operation(
    survey: Survey, controller: Loop | None, llm_call: str | None
) -> tuple[str | None, list[Guess]]:
    """The operation in the place of the dispatcher, in a design whose dispatcher was not found."""
    for run in controller.runs if controller else ():
        if run.kind == "operation" and run.name != llm_call and survey.design.operation(run.name or ""):
            text = f"the operation '{run.name}' is taken for the Tool Dispatcher by its place in the loop"
            script = controller.facts.script if controller else None
            return run.name, [guess_in(script, text, run.line)] if script else []
    return None, []


def _guesses_of_dispatcher(survey: Survey, dispatcher: Dispatcher | None, parts: _Parts) -> list[Guess]:
    if dispatcher is None:
        return []
    if not parts.by_place:
        return list(dispatcher.guesses)
    text = "it is taken for the dispatcher by its place in the loop: nothing says where the name comes from"
    place = parts.dispatches[0].place
    return [guess_in(survey.scripts[dispatcher.script].script, text, place.line), *dispatcher.guesses]


def _guesses_of_limit(
    survey: Survey, controller: Loop | None, limit: Limit | None, parts: _Parts, *, circle: bool
) -> list[Guess]:
    if controller is None:
        name = parts.parser or parts.message
        script = survey.scripts[name].script if name else None
        text = "no While goes back to the LLM Call, and nothing else does: the loop has no controller"
        if circle:
            text = "no While goes back to the LLM Call; operations that lead to each other are the loop"
        return [guess_in(script, text)] if script else []
    if limit is None:
        return []
    if limit.rounds is None:
        text = f"what '{limit.counter.name}' is compared with has no value here; no limit is assumed"
        return [guess_in(controller.facts.script, text, limit.place.line)]
    if len(limit.given) > 1:
        numbers = ", ".join(f"{number:g}" for number in limit.given)
        text = f"the limit is given several numbers: {numbers}; the first one is taken"
        return [guess_in(controller.facts.script, text, limit.place.line)]
    if limit.inside:
        text = f"the loop is ended from inside; the limit is taken to be {limit.rounds}"
        return [guess_in(controller.facts.script, text, controller.line)]
    return []

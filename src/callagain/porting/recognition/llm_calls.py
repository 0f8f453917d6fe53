"""Which operation is the LLM Call: by the script that reads its response, and by its activity."""

import re
from collections.abc import Collection, Iterable

from callagain.porting.design.model import Activity, Design, Guess, Operation, StepKind
from callagain.porting.recognition.facts import guess_in
from callagain.porting.recognition.loops import Loop
from callagain.porting.recognition.survey import Survey

_MODEL = re.compile(
    r"openai|chat/completions|/v\d+/responses|anthropic|ollama|gemini|mistral|bedrock|claude|\bgpt|\bllm\b",
    re.IGNORECASE,
)


def llm_call_of(
    survey: Survey, readers: Collection[str], requests: Collection[str], loop: Loop | None
) -> tuple[str | None, list[Guess]]:
    """The operation that calls the model. readers: the scripts that read the response; requests: variables.

    The first that is found: an activity that looks like a model, or any other one, from which a reader
    follows by steps or On Success; an operation that a script runs before a reader; an activity that looks
    like a model; an operation with a reader and no activity; what the controller runs before its loop and in
    it.
    """
    near = _distances(survey, readers)
    behind = {each.name for each in survey.design.operations if _activity_is_behind(each, readers)}
    speaking = {each.name for each in survey.design.operations if _speaks(survey.design, each, requests)}
    active = {each.name for each in survey.design.operations if _activities(survey.design, each)}
    for candidates in (speaking, active):
        followed = [name for name in near if name in candidates and name not in behind]
        if followed:
            return min(followed, key=lambda name: near[name]), []
    if (before := _run_before(survey, readers)) is not None:
        return before, []
    preferred = [name for name in speaking if loop is None or _is_reached(loop, name)] or sorted(speaking)
    if preferred:
        return sorted(preferred)[0], []
    quiet = _distances(survey, [name for name in readers if not survey.scripts[name].runs])
    if quiet:
        return _without_activity(survey, quiet)
    return _by_loop(survey, loop)


def _activity_is_behind(operation: Operation, readers: Collection[str]) -> bool:
    """Whether an operation reads a response before it has any activity of its own."""
    for step in operation.steps:
        if step.kind in (StepKind.ACTIVITY, StepKind.OPERATION):
            return False
        if step.kind is StepKind.SCRIPT and step.name in readers:
            return True
    return False


def _without_activity(survey: Survey, near: dict[str, int]) -> tuple[str | None, list[Guess]]:
    """The nearest operation that a script runs, else the one that leads to that with the reader."""
    run = {run.name for facts in survey.scripts.values() for run in facts.runs.values()}
    ordered = sorted(near, key=lambda name: near[name])
    linking = [name for name in ordered if near[name] == 1]
    name = next((name for name in ordered if name in run), (linking or ordered)[0])
    operation = survey.design.operation(name)
    if operation is None:
        return None, []
    text = f"operation '{name}' is taken for the LLM Call by what reads its response; it has no activity here"
    return name, [Guess(text, operation.place)]


def _by_loop(survey: Survey, loop: Loop | None) -> tuple[str | None, list[Guess]]:
    """What the controller runs both before its loop and in it, in a design that has no reader."""
    if loop is None:
        return None, []
    inside = [run.name for run in loop.runs if run.kind == "operation" and run.name]
    before = [
        run.name
        for run in loop.facts.runs.values()
        if run.kind == "operation" and run.name in inside and run.line < loop.line
    ]
    if not before:
        return None, []
    name = before[0]
    if survey.design.operation(name) is None:
        text = f"it runs the operation '{name}' before its loop and in it; the design has no such operation"
        return None, [guess_in(loop.facts.script, text, loop.line)]
    text = f"the operation '{name}' is taken for the LLM Call, since it is run before the loop and in it"
    return name, [guess_in(loop.facts.script, text, loop.line)]


def _is_reached(loop: Loop, name: str) -> bool:
    return any(node.kind == "operation" and node.name == name for node in loop.reached)


def _distances(survey: Survey, readers: Collection[str]) -> dict[str, int]:
    """The operations from which a reader follows by steps and On Success, with how many links it takes."""
    found: dict[str, int] = {}
    for operation in survey.design.operations:
        if any(step.kind is StepKind.SCRIPT and step.name in readers for step in operation.steps):
            found.setdefault(operation.name, 0)
    before: dict[str, list[str]] = {}
    for operation in survey.design.operations:
        if operation.on_success is not None:
            before.setdefault(operation.on_success, []).append(operation.name)
    waiting = list(found)
    for name in waiting:
        for each in before.get(name, ()):
            if each not in found:
                found[each] = found[name] + 1
                waiting.append(each)
    return found


def _run_before(survey: Survey, readers: Collection[str]) -> str | None:
    """The operation that a script runs before it runs a reader, or before it reads itself."""
    for facts in survey.scripts.values():
        known = [
            run
            for run in facts.runs.values()
            if run.kind == "script" or survey.design.operation(run.name or "")
        ]
        last: str | None = None
        for run in sorted(known, key=lambda each: each.line):
            if run.kind == "operation":
                last = run.name
            elif run.name in readers and last:
                return last
        if facts.name in readers:
            active = (run.name for run in known if run.kind == "operation" and run.name)
            return next((name for name in active if _activities_of(survey, name)), None)
    return None


def _activities_of(survey: Survey, name: str) -> list[Activity | None]:
    operation = survey.design.operation(name)
    return _activities(survey.design, operation) if operation else []


def _activities(design: Design, operation: Operation, depth: int = 0) -> list[Activity | None]:
    """The activities of an operation and of those that it invokes as steps; None for one without its data."""
    found: list[Activity | None] = []
    for step in operation.steps:
        if step.kind is StepKind.ACTIVITY:
            found.append(design.activity(step.name))
        elif step.kind is StepKind.OPERATION and depth < 3:
            invoked = design.operation(step.name)
            found += _activities(design, invoked, depth + 1) if invoked else []
    return found


def _speaks(design: Design, operation: Operation, requests: Collection[str]) -> bool:
    """Whether an activity goes to a model, by connector, address and body; its name does not count."""
    return any(
        _MODEL.search(text)
        or any(text == name or f"[{name}" in text or f"${name}" in text for name in requests)
        for activity in _activities(design, operation)
        if activity is not None
        for text in _texts(design, activity)
    )


def prompting_operations(design: Design) -> list[Operation]:
    """The operations with an activity of a connector for models, which gives the text of an answer."""
    return [
        operation
        for operation in design.operations
        if any(
            _MODEL.search(activity.connector) or _MODEL.search(activity.function)
            for activity in _activities(design, operation)
            if activity is not None
        )
    ]


def _texts(design: Design, activity: Activity) -> Iterable[str]:
    yield from (activity.connector, activity.function, *activity.properties.values())
    for connection in design.connections:
        if connection.name == activity.connection:
            yield from (connection.connector, *connection.properties.values())

"""The dispatcher of a shape: one dispatch, or several that belong together, in one script or in more."""

from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace

from callagain.porting.design.model import Guess
from callagain.porting.recognition.dispatching import (
    Branch,
    Dispatch,
    answers_in,
    default_response_of,
    default_script_of,
    operation_of,
    tool_of,
)
from callagain.porting.recognition.facts import guess_in
from callagain.porting.recognition.graph import Node, nodes_of
from callagain.porting.recognition.model import DispatchedTool
from callagain.porting.recognition.survey import Survey
from callagain.porting.recognition.values import Variable
from callagain.porting.script import syntax

_NOT_UNDERSTOOD = "the condition of this branch was not understood"


@dataclass(frozen=True, slots=True)
class Dispatcher:
    """operation: the one that has the script as a step. subject: the variable that is compared with names.

    answer: the one variable that its branches set.
    """

    script: str
    operation: str | None
    tools: tuple[DispatchedTool, ...]
    default_response: str | None
    subject: str | None
    answer: str | None
    guesses: tuple[Guess, ...] = ()
    default_script: str | None = None


def dispatcher_of(
    survey: Survey, dispatches: Sequence[Dispatch], answers: Collection[str] = (), *, of_text: bool = False
) -> Dispatcher | None:
    """Dispatches as one dispatcher. answers: the variables that are known to hold the result of a tool.

    of_text: the text of the model is compared and no function name, so a name may be looked for in it.
    """
    ordered = _in_order(survey, dispatches)
    if not ordered:
        return None
    first = ordered[0]
    tools: dict[str, DispatchedTool] = {}
    default: str | None = None
    default_script: str | None = None
    for dispatch in ordered:
        others = {each.facts.name for each in ordered} - {dispatch.facts.name}
        for branch in dispatch.branches:
            if not _leads_to(survey, dispatch, branch.body, others):
                for named in _named(survey, dispatch, branch, of_text=of_text):
                    tools.setdefault(named.name, tool_of(named, dispatch.facts))
        for tool in _computed(survey, dispatch):
            tools.setdefault(tool.function_name, tool)
        if default is None and not _leads_to(survey, dispatch, dispatch.default, others):
            default = default_response_of(dispatch, answers or answers_in(dispatch))
            default_script = default_script_of(dispatch, answers or answers_in(dispatch))
    answers = set(answers) or {name for each in ordered for name in answers_in(each)}
    operations = survey.operations_with(first.facts.name)
    return Dispatcher(
        script=first.facts.name,
        operation=operations[0].name if operations else None,
        tools=tuple(tools.values()),
        default_response=default,
        subject=next((each.subject.name for each in ordered if isinstance(each.subject, Variable)), None),
        answer=next(iter(answers)) if len(answers) == 1 else _common_answer(survey, tools.values()),
        guesses=(*_guesses(ordered, of_text=of_text), *_not_understood(survey, ordered, of_text=of_text)),
        default_script=default_script,
    )


def _common_answer(survey: Survey, tools: Iterable[DispatchedTool]) -> str | None:
    """The one global variable that the scripts of all tools set."""
    operations = [survey.design.operation(tool.operation) for tool in tools if tool.operation]
    common: set[str] | None = None
    for operation in operations:
        steps = [survey.scripts.get(step.name) for step in operation.steps] if operation else []
        names = {write.name for facts in steps if facts for write in facts.global_writes}
        common = names if common is None else common & names
    return next(iter(common)) if common is not None and len(common) == 1 else None


def _named(survey: Survey, dispatch: Dispatch, branch: Branch, *, of_text: bool) -> list[Branch]:
    """The branch for every name that it is for: of a beginning those that are announced."""
    if branch.is_prefix:
        names = [name for name in survey.names_of_tools() if name.startswith(branch.name)]
        return [replace(branch, name=name, is_prefix=False) for name in names]
    return [] if branch in dispatch.searched and not of_text else [branch]


def _not_understood(survey: Survey, ordered: Sequence[Dispatch], *, of_text: bool) -> Iterator[Guess]:
    """The branches that no tool is made of."""
    for dispatch in ordered:
        for branch in dispatch.branches:
            if not _named(survey, dispatch, branch, of_text=of_text):
                if branch.is_prefix:
                    why = f"no announced name begins with '{branch.name}'"
                else:
                    why = _NOT_UNDERSTOOD
                yield _no_tool(dispatch, branch.body, branch.place.line, why)
        for each in dispatch.open:
            yield _no_tool(dispatch, each.body, each.place.line, _NOT_UNDERSTOOD)


def _no_tool(dispatch: Dispatch, body: syntax.Statements, line: int, why: str) -> Guess:
    operation = operation_of(body, dispatch.facts)
    what = f"the operation '{operation}' that it runs" if operation else "what it does"
    return guess_in(dispatch.facts.script, f"{why}; {what} is no tool here", line)


def _in_order(survey: Survey, dispatches: Sequence[Dispatch]) -> list[Dispatch]:
    """What leads to the others first, then in the order of the steps of an operation."""
    steps = {
        step.name: number
        for operation in survey.design.operations
        for number, step in enumerate(operation.steps)
    }
    names = {Node("script", each.facts.name) for each in dispatches}

    def key(dispatch: Dispatch) -> tuple[int, int, int]:
        own = Node("script", dispatch.facts.name)
        others = survey.graph.reached((own,)) & (names - {own})
        return -len(others), steps.get(dispatch.facts.name, 0), dispatch.place.line

    return sorted(dispatches, key=key)


def _leads_to(
    survey: Survey, dispatch: Dispatch, body: syntax.Statements | None, scripts: Collection[str]
) -> bool:
    """Whether a branch does no more than to run a script that goes on with the comparisons."""
    if body is None:
        return False
    reached = survey.graph.reached(nodes_of(dispatch.facts.runs_in(body)))
    return any(Node("script", name) in reached for name in scripts)


def _computed(survey: Survey, dispatch: Dispatch) -> Iterator[DispatchedTool]:
    """The tools of a computed tag: the names for which there is an operation that it fits."""
    if dispatch.computed is None:
        return
    pieces = [piece if isinstance(piece, str) else "\0" for piece in dispatch.computed.tag.pieces]
    tag = "".join(pieces).removeprefix("<TAG>operation:").removesuffix("</TAG>")
    before, _, after = tag.partition("\0")
    known = {tool.name for tool in survey.design.tools}
    for operation in survey.design.operations:
        if operation.name.startswith(before) and operation.name.endswith(after):
            name = operation.name.removeprefix(before).removesuffix(after)
            if name and (name in known or (before and not known)):
                yield DispatchedTool(name, operation.name)


def _guesses(ordered: Sequence[Dispatch], *, of_text: bool) -> Iterator[Guess]:
    scripts = tuple(dict.fromkeys(each.facts.name for each in ordered))
    first = ordered[0]
    if len(scripts) > 1:
        others = ", ".join(f"'{name}'" for name in scripts[1:])
        text = f"the dispatcher begins here and goes on in {others}; they are taken for one"
        yield guess_in(first.facts.script, text, first.place.line)
    for dispatch in ordered:
        if dispatch.searched and of_text:
            text = "names are looked for inside a longer text; they are taken for what the model answers with"
            yield guess_in(dispatch.facts.script, text, dispatch.place.line)
        if dispatch.computed is not None:
            text = (
                "the operation is computed from the function name; the tools that are known are taken for it"
            )
            yield guess_in(dispatch.facts.script, text, dispatch.place.line)

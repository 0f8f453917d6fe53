"""Retry controllers: loops that go round as long as something fails that they run."""

from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass

from callagain.porting.design.model import Guess
from callagain.porting.recognition.conditions import conjuncts
from callagain.porting.recognition.explaining import shortened
from callagain.porting.recognition.facts import assignments_in, calls_in, guess_in, variables_in
from callagain.porting.recognition.loops import Loop
from callagain.porting.recognition.model import RetryController
from callagain.porting.recognition.survey import Survey
from callagain.porting.script import script_text, syntax

_OUTCOMES = ("runoperation", "eval", "isvalid", "getlasterror")


def retry_controllers_in(
    survey: Survey, controllers: Collection[Loop]
) -> tuple[list[RetryController], list[Guess]]:
    """One for each loop that tries something again, and is not the controller of a tool-calling loop."""
    found: list[RetryController] = []
    guesses: list[Guess] = []
    for loop in survey.loops:
        retry = None if any(loop is each for each in controllers) else retry_of(loop)
        if retry is None:
            continue
        expression = script_text(retry.expression) if isinstance(retry.expression, syntax.Call) else ""
        found.append(RetryController(loop.facts.name, retry.operation or "", retry.attempts, expression))
        if retry.operation is None:
            text = f"what is tried again is no operation: {shortened(expression)}"
            guesses.append(guess_in(loop.facts.script, text, loop.line))
        elif survey.design.operation(retry.operation) is None:
            text = f"it tries the operation '{retry.operation}' again, which the design does not have"
            guesses.append(guess_in(loop.facts.script, text, loop.line))
        if loop.limit is not None and retry.attempts is None:
            text = f"what '{loop.limit.counter.name}' is compared with has no value in the design"
            guesses.append(guess_in(loop.facts.script, text, loop.line))
    return found, guesses


@dataclass(frozen=True, slots=True)
class Retry:
    """What a loop tries again until it succeeds: an operation, or an expression where operation is None."""

    operation: str | None
    expression: syntax.Node | None
    attempts: int | None


def retry_of(loop: Loop) -> Retry | None:
    """What a While tries again: it goes round as long as something fails that it runs."""
    in_condition = calls_in(loop.condition, "runoperation", "eval")
    if in_condition:
        return _tried_in_condition(loop, in_condition)
    outcomes = _outcomes(loop.body)
    flags = {
        name
        for name, success in _flags(loop.body, outcomes)
        if success is None or success != _wanted(loop, name)
    }
    if not flags & loop.reads:
        return None
    operations = [run.name for run in loop.facts.runs_in(loop.body) if run.kind == "operation" and run.name]
    attempts = loop.limit.rounds if loop.limit else None
    if operations:
        return Retry(operations[0], None, attempts)
    tried = calls_in(loop.body, "eval", "isvalid")
    return Retry(None, tried[0], attempts) if tried else None


def _tried_in_condition(loop: Loop, calls: list[syntax.Call]) -> Retry | None:
    """`While(!RunOperation(tag) && attempt < max, attempt++)`, and the same with Eval and a default."""
    first = calls[0]
    is_eval = first.name.lower() == "eval"
    if is_eval and (loop.limit is None or loop.limit.counter.name in variables_in(first)):
        return None
    if not is_eval and _wants_success(loop.condition, first):
        return None
    attempts = loop.limit.rounds if loop.limit else None
    # What stands before the comparison is tried once more before the loop sees that it is at its limit.
    if attempts is not None and loop.limit and first.place < loop.limit.place:
        attempts += 1
    operations = [run.name for run in loop.facts.runs_in(first) if run.kind == "operation" and run.name]
    return Retry(operations[0] if operations else None, None if operations else first, attempts)


def _wants_success(condition: syntax.Node, call: syntax.Call) -> bool:
    """Whether a loop goes round as long as an operation succeeds, which is no retry."""
    return any(conjunct is call for conjunct in conjuncts(condition))


def _outcomes(body: syntax.Node) -> dict[str, bool | None]:
    """The variables that hold whether something succeeded, and which of their values means success."""
    names: dict[str, bool | None] = {}
    for node in assignments_in(body):
        if not isinstance(node.target, syntax.Index) and _is_outcome(node.value, names):
            names[node.target.name] = _means_success(node.value, names)
    return names


def _is_outcome(node: syntax.Node, names: Mapping[str, bool | None]) -> bool:
    return bool(calls_in(node, *_OUTCOMES)) or bool(variables_in(node) & names.keys())


def _flags(body: syntax.Node, outcomes: Mapping[str, bool | None]) -> Iterator[tuple[str, bool | None]]:
    """The variables that an outcome sets, and which of their values means success, if that is clear."""
    yield from outcomes.items()
    for call in calls_in(body, "if"):
        if call.arguments and _is_outcome(call.arguments[0], outcomes):
            positive = _means_success(call.arguments[0], outcomes)
            for number, branch in enumerate(call.arguments[1:3]):
                turned = positive if number == 0 or positive is None else not positive
                yield from _set_in(branch, turned)


def _set_in(branch: syntax.Node, positive: bool | None) -> Iterator[tuple[str, bool | None]]:
    for node in assignments_in(branch):
        if not isinstance(node.target, syntax.Index):
            value = node.value.value if isinstance(node.value, syntax.Literal) else None
            clear = isinstance(value, bool) and positive is not None
            yield node.target.name, (value == positive) if clear else None


def _means_success(node: syntax.Node, outcomes: Mapping[str, bool | None]) -> bool | None:
    """Whether a value is true on success (true) or on failure (false); None if that is not clear."""
    match node:
        case syntax.Statements(items) if items:
            return _means_success(items[-1], outcomes)
        case syntax.Unary("!", operand):
            inside = _means_success(operand, outcomes)
            return None if inside is None else not inside
        case syntax.Call(name) if name.lower() in ("runoperation", "isvalid"):
            return True
        case syntax.Local(name) | syntax.Global(name):
            return outcomes.get(name)
        case syntax.Operations(first, (only,)) if isinstance(only.operand, syntax.Literal):
            inside = _means_success(first, outcomes)
            if inside is None or only.operator not in ("==", "!="):
                return None
            return inside == ((only.operand.value is True) == (only.operator == "=="))
        case _:
            return None


def _wanted(loop: Loop, name: str) -> bool | None:
    """The value of a variable for which a loop goes round; None if its condition is of another form."""
    for conjunct in conjuncts(loop.condition):
        if name in variables_in(conjunct):
            return _wanted_by(conjunct)
    return None


def _wanted_by(node: syntax.Node) -> bool | None:
    match node:
        case syntax.Local() | syntax.Global():
            return True
        case syntax.Unary("!", operand):
            inside = _wanted_by(operand)
            return None if inside is None else not inside
        case syntax.Operations(syntax.Local() | syntax.Global(), (only,)) if isinstance(
            only.operand, syntax.Literal
        ):
            if only.operator not in ("==", "!=") or not isinstance(only.operand.value, bool):
                return None
            return only.operand.value == (only.operator == "==")
        case _:
            return None

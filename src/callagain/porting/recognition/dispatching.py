"""Dispatchers: a Case, or Ifs nested or one after the other, that compare one value with names."""

from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass

from callagain.porting.recognition.facts import Facts, Run, assignments_in, calls_in
from callagain.porting.recognition.model import DispatchedTool
from callagain.porting.recognition.values import Part, Value, Variable
from callagain.porting.script import Place, read_tag, script_text, syntax

Subject = Variable | Part


@dataclass(frozen=True, slots=True)
class Branch:
    """What is done for a name, and where it stands."""

    name: str
    body: syntax.Statements
    place: Place


@dataclass(frozen=True, slots=True)
class Dispatch:
    """A script's comparisons of one subject with names. default: what is done if no name fits.

    contains: the names are looked for in a longer text. computed: the tag of an operation that is put
    together from the subject, in place of branches.
    """

    facts: Facts
    subject: Subject
    branches: tuple[Branch, ...]
    default: syntax.Statements | None = None
    contains: bool = False
    computed: Run | None = None

    @property
    def place(self) -> Place:
        if self.computed is not None:
            return self.computed.place
        return self.branches[0].place if self.branches else Place(1, 1)

    @property
    def names(self) -> tuple[str, ...]:
        return tuple(branch.name for branch in self.branches)


@dataclass(frozen=True, slots=True)
class _Match:
    subject: Subject
    names: tuple[str, ...]
    contains: bool = False
    negated: bool = False


def dispatches_in(facts: Facts) -> list[Dispatch]:
    """A dispatch for every subject that the script compares with names, and runs or sets something by it."""
    if facts.tree is None:
        return []
    found: dict[Subject, _Collected] = {}
    for call in calls_in(facts.tree.body, "if", "case"):
        for condition, body, rest in _pairs(call):
            match = _match(condition, facts)
            if match is None:
                _take_default(found, condition, body, facts)
                continue
            collected = found.setdefault(match.subject, _Collected())
            if match.negated:
                collected.default = collected.default or body
                continue
            collected.contains = collected.contains or match.contains
            place = call.place if condition is call.arguments[0] else condition.place
            collected.branches += (Branch(name, body, place) for name in match.names)
            if rest is not None and not _compares(rest, match.subject, facts):
                collected.default = rest
    dispatches = [
        Dispatch(facts, subject, tuple(each.branches), each.default, each.contains)
        for subject, each in found.items()
        if any(_acts(branch.body, facts) for branch in each.branches)
    ]
    return [*dispatches, *_computed(facts)]


class _Collected:
    def __init__(self) -> None:
        self.branches: list[Branch] = []
        self.default: syntax.Statements | None = None
        self.contains = False


def tool_of(branch: Branch, facts: Facts) -> DispatchedTool:
    """A branch as a tool: the operation that it runs, and its source if it does more or something else."""
    operation = operation_of(branch.body, facts)
    alone = _is_a_lone_call(branch.body) or _tag_of(branch.body, facts) is not None
    return DispatchedTool(branch.name, operation, None if operation and alone else _source(branch.body))


def operation_of(body: syntax.Statements, facts: Facts) -> str | None:
    """The one operation that a branch runs, or whose tag it gives."""
    runs = facts.runs_in(body)
    if not runs:
        return _tag_of(body, facts)
    names = {run.name for run in runs if run.kind == "operation" and run.name}
    return names.pop() if len(names) == 1 else None


def _tag_of(body: syntax.Statements, facts: Facts) -> str | None:
    """The operation whose tag a branch gives, to be run behind the comparisons."""
    if len(body.items) != 1:
        return None
    (only,) = body.items
    tag = read_tag(facts.value_of(only.value if isinstance(only, syntax.Assignment) else only).text or "")
    return tag.name if tag is not None and tag.kind == "operation" else None


def default_response_of(dispatch: Dispatch, answers: Collection[str]) -> str | None:
    """What is answered if no name fits, variables as `[name]`; None if nothing is.

    answers: the names of the variables that can hold the result of a tool. What stands in one of them before
    the first comparison is an answer too.
    """
    if dispatch.default is not None and dispatch.default.items:
        assigned = _assigned_value(dispatch.default, dispatch.facts, answers)
        return _text(assigned) if assigned is not None else _source(dispatch.default)
    before = [
        write.value
        for write in dispatch.facts.global_writes
        if write.name in answers and write.place < dispatch.place and not write.branch
    ]
    text = _text(before[-1]) if before else ""
    return text or None


def answers_in(dispatch: Dispatch) -> tuple[str, ...]:
    """The global variables that branches set, those of the default first."""
    bodies = [] if dispatch.default is None else [dispatch.default]
    bodies += (branch.body for branch in dispatch.branches)
    return tuple(dict.fromkeys(name for body in bodies for name in _set_globals(body)))


# Conditions


def _pairs(
    call: syntax.Call,
) -> Iterator[tuple[syntax.Statements, syntax.Statements, syntax.Statements | None]]:
    """Condition and result of a Case, one after the other; of an If with what is done otherwise."""
    if call.name.lower() == "if":
        if len(call.arguments) >= 2:
            yield call.arguments[0], call.arguments[1], call.arguments[2] if len(call.arguments) > 2 else None
        return
    for number in range(0, len(call.arguments) - 1, 2):
        yield call.arguments[number], call.arguments[number + 1], None


def _take_default(
    found: dict[Subject, "_Collected"], condition: syntax.Statements, body: syntax.Statements, facts: Facts
) -> None:
    """`true, default` of a Case, and `If($function_resp == "", $function_resp = default)` after the Ifs."""
    if not found:
        return
    collected = next(reversed(found.values()))
    if facts.value_of(_last(condition)).constant is True:
        subject = next(reversed(found))
        if not _compares(body, subject, facts):
            collected.default = body
        return
    if collected.default is not None or not _asks_for_nothing(condition):
        return
    read = {each.name for each, _ in syntax.walk(condition) if isinstance(each, syntax.Global)}
    before = {name for branch in collected.branches for name in _set_globals(branch.body)}
    left = read & set(_set_globals(body))
    if left and (not before or left & before):
        collected.default = body


def _asks_for_nothing(condition: syntax.Node) -> bool:
    """Whether a condition asks if a variable is empty."""
    if calls_in(condition, "isnull", "length"):
        return True
    return any(isinstance(each, syntax.Literal) and each.value == "" for each, _ in syntax.walk(condition))


def _match(condition: syntax.Node, facts: Facts) -> _Match | None:
    """What a condition compares, and with which names."""
    node = _last(condition)
    match node:
        case syntax.Operations(first, (only,)) if only.operator == "==":
            return _equal(first, only.operand, facts) or _searched(first, facts)
        case syntax.Operations(first, (only,)) if only.operator == "!=":
            found = _equal(first, only.operand, facts)
            if found is not None:
                return _Match(found.subject, found.names, negated=True)
            return _searched(first, facts)
        case syntax.Operations(first, rest) if rest[0].operator in ("||", "&&"):
            matches = [_match(each, facts) for each in (first, *(part.operand for part in rest))]
            return _either(matches) if rest[0].operator == "||" else _both(matches)
        case syntax.Operations(first, (only,)) if only.operator in (">", ">="):
            return _searched(first, facts)
        case syntax.Operations(_, (only,)) if only.operator in ("<", "<="):
            return _searched(only.operand, facts)
        case syntax.Call(name, (one, other)) if name.lower() == "equal":
            return _equal(one, other, facts)
        case syntax.Call():
            return _searched(node, facts)
        case _:
            return None


def _equal(one: syntax.Node, other: syntax.Node, facts: Facts) -> _Match | None:
    for left, right in ((one, other), (other, one)):
        subject, name = _subject(left, facts), _value(right, facts).text
        if subject is not None and name:
            return _Match(subject, (name,))
    return None


def _searched(node: syntax.Node, facts: Facts) -> _Match | None:
    """`InList(subject, "a", "b")`, and `Index(subject, "a")` and the like, which look into a longer text."""
    if not isinstance(node, syntax.Call):
        return None
    name = node.name.lower()
    if name not in ("inlist", "index", "countsubstring", "regexmatch") or len(node.arguments) < 2:
        return None
    subject = _subject(node.arguments[0], facts)
    others = node.arguments[1:] if name == "inlist" else node.arguments[1:2]
    names = [text for each in others if (text := _value(each, facts).text)]
    if subject is None or len(names) != len(others):
        return None
    return _Match(subject, tuple(names), contains=name != "inlist")


def _either(matches: Sequence[_Match | None]) -> _Match | None:
    """`a == "x" || a == "y"`: both names have this branch."""
    found = [each for each in matches if each is not None]
    if not found or len(found) != len(matches) or any(each.negated for each in found):
        return None
    if len({each.subject for each in found}) > 1:
        return None
    names = tuple(dict.fromkeys(name for each in found for name in each.names))
    return _Match(found[0].subject, names, any(each.contains for each in found))


def _both(matches: Sequence[_Match | None]) -> _Match | None:
    """`$call_llm_again && a == "x"`: the comparison among others. All of them `!=` is what no name fits."""
    found = [each for each in matches if each is not None]
    positive = [each for each in found if not each.negated]
    if len(positive) == 1:
        return positive[0]
    return found[0] if found and not positive and len(found) == len(matches) > 1 else None


def _subject(node: syntax.Node, facts: Facts) -> Subject | None:
    source = _value(node, facts).only
    if isinstance(source, Variable | Part):
        return source
    node = _last(node)
    return Variable(node.name) if isinstance(node, syntax.Global) else None


def _value(node: syntax.Node, facts: Facts) -> Value:
    return facts.value_of(_last(node))


def _last(node: syntax.Node) -> syntax.Node:
    """The expression that a list of statements is worth."""
    return node.items[-1] if isinstance(node, syntax.Statements) and node.items else node


def _compares(body: syntax.Node, subject: Subject, facts: Facts) -> bool:
    """Whether a body goes on with comparing the subject, or runs a script that may."""
    for call in calls_in(body, "if", "case"):
        for condition, _, _ in _pairs(call):
            match = _match(condition, facts)
            if match is not None and match.subject == subject:
                return True
    return False


# Bodies


def _acts(body: syntax.Statements, facts: Facts) -> bool:
    """Whether a branch runs something or sets a global variable."""
    return bool(facts.runs_in(body) or _set_globals(body) or _tag_of(body, facts))


def _set_globals(body: syntax.Node) -> list[str]:
    return [each.target.name for each in assignments_in(body) if isinstance(each.target, syntax.Global)]


def _is_a_lone_call(body: syntax.Statements) -> bool:
    return len(body.items) == 1 and isinstance(body.items[0], syntax.Call) and _is_run(body.items[0])


def _is_run(call: syntax.Call) -> bool:
    return call.name.lower() == "runoperation"


def _source(body: syntax.Statements) -> str:
    return "\n".join(f"{script_text(item)};" for item in body.items)


def _assigned_value(body: syntax.Statements, facts: Facts, answers: Collection[str]) -> Value | None:
    """The value that a body gives a variable; None if it runs something besides."""
    if facts.runs_in(body):
        return None
    assigned = [each for each in assignments_in(body) if isinstance(each.target, syntax.Global)]
    named = [
        each for each in assigned if isinstance(each.target, syntax.Global) and each.target.name in answers
    ]
    chosen = named or assigned
    return facts.value_of(chosen[-1].value) if chosen else None


def _text(value: Value) -> str:
    """The characters, with the names of variables in brackets, as Jitterbit substitutes them."""
    template: list[str] = []
    for piece in value.pieces:
        match piece:
            case str():
                template.append(piece)
            case Variable(name):
                template.append(f"[{name}]")
            case Part(variable, path):
                template.append(f"[{'/'.join((variable or '', *path))}]")
            case _:
                template.append("[…]")
    return "".join(template)


def _computed(facts: Facts) -> list[Dispatch]:
    """`RunOperation("<TAG>operation:" + $function_name + "</TAG>")`: the operation of any name."""
    found: list[Dispatch] = []
    for run in facts.runs.values():
        if run.kind == "operation" and run.name is None:
            subjects = [source for source in run.tag.sources if isinstance(source, Variable | Part)]
            if len(subjects) == 1:
                found.append(Dispatch(facts, subjects[0], (), computed=run))
    return found

"""Dispatchers: a Case, or Ifs nested or one after the other, that compare one value with names."""

from collections.abc import Collection, Iterator
from dataclasses import dataclass

from callagain.porting.recognition.facts import Facts, Run, assignments_in, calls_in, variables_in
from callagain.porting.recognition.matching import Match, Subject, last_of, match_of
from callagain.porting.recognition.model import DispatchedTool
from callagain.porting.recognition.values import Part, Value, Variable
from callagain.porting.script import Place, read_tag, script_text, syntax


@dataclass(frozen=True, slots=True)
class Branch:
    """What is done for a name, or for all names that begin with it; and where it stands."""

    name: str
    body: syntax.Statements
    place: Place
    is_prefix: bool = False


@dataclass(frozen=True, slots=True)
class OpenBranch:
    """What is done on a condition that is neither a name nor the beginning of one."""

    body: syntax.Statements
    place: Place


@dataclass(frozen=True, slots=True)
class Dispatch:
    """A script's comparisons of one subject with names. default: what is done if no name fits.

    computed: the tag of an operation that is put together from the subject, in place of branches. open:
    branches whose condition is not understood. searched: those of the branches whose name is looked for
    inside of the subject.
    """

    facts: Facts
    subject: Subject
    branches: tuple[Branch, ...]
    default: syntax.Statements | None = None
    computed: Run | None = None
    open: tuple[OpenBranch, ...] = ()
    searched: tuple[Branch, ...] = ()

    @property
    def place(self) -> Place:
        if self.computed is not None:
            return self.computed.place
        places = [*(each.place for each in self.branches), *(each.place for each in self.open)]
        return min(places, default=Place(1, 1))

    @property
    def names(self) -> tuple[str, ...]:
        return tuple(branch.name for branch in self.branches if not branch.is_prefix)


_EFFECTS = ("runoperation", "runscript", "writetooperationlog", "raiseerror", "sleep", "set")


def dispatches_in(facts: Facts) -> list[Dispatch]:
    """A dispatch for every subject that the script compares with names, and runs or sets something by it."""
    if facts.tree is None:
        return []
    found: dict[Subject, _Collected] = {}
    for call in calls_in(facts.tree.body, "if", "case"):
        for condition, body, rest in _pairs(call):
            match = match_of(condition, facts)
            if match is None:
                if not _take_default(found, condition, body, facts):
                    _take_open(found, condition, body, facts)
                continue
            collected = found.setdefault(match.subject, _Collected())
            if match.negated:
                collected.default = collected.default or body
                continue
            place = call.place if condition is call.arguments[0] else condition.place
            collected.take(match, body, place)
            if rest is not None and not _compares(rest, match.subject, facts):
                collected.default = rest
    dispatches = [each.dispatch(facts, subject) for subject, each in found.items() if each.acts(facts)]
    return [*dispatches, *_computed(facts)]


class _Collected:
    """What is found of the dispatch on one subject."""

    def __init__(self) -> None:
        self.branches: list[Branch] = []
        self.default: syntax.Statements | None = None
        self.open: list[OpenBranch] = []
        self.searched: list[Branch] = []

    def take(self, match: Match, body: syntax.Statements, place: Place) -> None:
        branches = [Branch(name, body, place) for name in match.names]
        self.branches += branches
        self.branches += (Branch(name, body, place, is_prefix=True) for name in match.prefixes)
        if match.contains:
            self.searched += branches
        if match.is_open:
            self.open.append(OpenBranch(body, place))

    def acts(self, facts: Facts) -> bool:
        bodies = [*(each.body for each in self.branches), *(each.body for each in self.open)]
        return any(_acts(body, facts) for body in bodies)

    def dispatch(self, facts: Facts, subject: Subject) -> Dispatch:
        return Dispatch(
            facts,
            subject,
            tuple(self.branches),
            self.default,
            open=tuple(each for each in self.open if _acts(each.body, facts)),
            searched=tuple(self.searched),
        )


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


def default_script_of(dispatch: Dispatch, answers: Collection[str]) -> str | None:
    """The source of the default branch if it does more than to set the answer to a text; else None."""
    if dispatch.default is None or not dispatch.default.items:
        return None
    only = dispatch.default.items[0] if len(dispatch.default.items) == 1 else None
    if isinstance(only, syntax.Assignment) and isinstance(only.target, syntax.Global):
        lone = only.target.name in answers and not calls_in(only.value, *_EFFECTS)
        return None if lone else _source(dispatch.default)
    return None if isinstance(only, syntax.Literal) else _source(dispatch.default)


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
) -> bool:
    """`true, default` of a Case, and `If($function_resp == "", $function_resp = default)` after the Ifs."""
    if not found:
        return False
    collected = next(reversed(found.values()))
    if facts.value_of(last_of(condition)).constant is True:
        subject = next(reversed(found))
        if not _compares(body, subject, facts):
            collected.default = body
        return True
    if collected.default is not None or not _asks_for_nothing(condition):
        return False
    read = {each.name for each, _ in syntax.walk(condition) if isinstance(each, syntax.Global)}
    before = {name for branch in collected.branches for name in _set_globals(branch.body)}
    left = read & set(_set_globals(body))
    if left and (not before or left & before):
        collected.default = body
        return True
    return False


def _take_open(
    found: dict[Subject, "_Collected"], condition: syntax.Statements, body: syntax.Statements, facts: Facts
) -> None:
    """What is run on another condition that reads the subject, such as its length."""
    if not facts.runs_in(body):
        return
    read = variables_in(condition)
    for subject, collected in found.items():
        if isinstance(subject, Variable) and subject.name in read:
            collected.open.append(OpenBranch(body, condition.place))


def _asks_for_nothing(condition: syntax.Node) -> bool:
    """Whether a condition asks if a variable is empty."""
    if calls_in(condition, "isnull", "length"):
        return True
    return any(isinstance(each, syntax.Literal) and each.value == "" for each, _ in syntax.walk(condition))


def _compares(body: syntax.Node, subject: Subject, facts: Facts) -> bool:
    """Whether a body goes on with comparing the subject, or runs a script that may."""
    for call in calls_in(body, "if", "case"):
        for condition, _, _ in _pairs(call):
            match = match_of(condition, facts)
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

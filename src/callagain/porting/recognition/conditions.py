"""What the condition of a loop says: which variables it reads, and how often it lets the loop go round."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from math import isfinite

from callagain.porting.design.model import Design
from callagain.porting.recognition.facts import Facts, Write, assignments_in
from callagain.porting.recognition.values import Constant
from callagain.porting.script import Place, syntax

_GOES_ON = {"<": "<", "<=": "<=", ">": ">", ">=": ">=", "!=": "<"}
_ENDS = {">=": "<", ">": "<=", "==": "<", "<=": ">", "<": ">="}
_PASS_ON = ("ifempty", "ifnull", "int", "long", "double", "eval")
_MAX_DEPTH = 20
_TURNED = {"<": ">", "<=": ">=", ">": "<", ">=": "<="}


@dataclass(frozen=True, slots=True)
class Limit:
    """A comparison of a counter with a limit. rounds: how often the loop goes round; None if it is not known.

    limit: what the counter is compared with. inside: the comparison stands in the body of the loop, and ends
    it from there. by: how far the counter goes in a round. given: the numbers that scripts give the limit.
    """

    counter: syntax.Local | syntax.Global
    limit: syntax.Expression
    rounds: int | None
    place: Place
    inside: bool = False
    by: float = 1
    given: tuple[float, ...] = ()


class Constants:
    """The numbers that variables are given: by scripts, or as project variables."""

    def __init__(self, design: Design, scripts: Iterable[Facts]) -> None:
        self._written: dict[str, dict[Constant, None]] = {}
        self._locals: dict[str, dict[str, syntax.Expression]] = {}
        self._globals: dict[str, list[tuple[syntax.Expression, Facts]]] = {}
        self._projects = {
            each.name: each.default
            for each in design.variables
            if each.default is not None and not each.is_secret
        }
        for facts in scripts:
            for write in facts.global_writes:
                self._note(write)
            assigned = _assigned(facts)
            self._locals[facts.name] = {
                target.name: value for target, value in assigned.items() if isinstance(target, syntax.Local)
            }
            for target, value in assigned.items():
                if isinstance(target, syntax.Global):
                    self._globals.setdefault(target.name, []).append((value, facts))

    def _note(self, write: Write) -> None:
        number = _number_of(write)
        if number is not None:
            self._written.setdefault(write.name, {})[number] = None

    def number(self, node: syntax.Node, facts: Facts, depth: int = 0) -> float | None:
        """The number that an expression is, as far as the design says it: the first one that it is given."""
        if depth > _MAX_DEPTH:
            return None
        match node:
            case syntax.Literal(value) if not isinstance(value, bool):
                return _as_number(value)
            case syntax.Unary("-", operand):
                number = self.number(operand, facts, depth + 1)
                return None if number is None else -number
            case syntax.Local(name):
                return self._local(name, facts, depth + 1)
            case syntax.Global(name):
                return self.of_global(name, depth + 1)
            case syntax.Call(function, arguments) if function.lower() in _PASS_ON:
                return self._first_known(arguments, facts, depth + 1)
            case syntax.Statements(items) if items:
                return self.number(items[-1], facts, depth + 1)
            case syntax.Operations(first, (only,)) if only.operator in ("+", "-"):
                left = self.number(first, facts, depth + 1)
                right = self.number(only.operand, facts, depth + 1)
                if left is None or right is None:
                    return None
                return left + right if only.operator == "+" else left - right
            case _:
                return None

    def of_global(self, name: str, depth: int = 0) -> float | None:
        written = self._written.get(name)
        if written:
            return float(next(iter(written)))
        numbers = (self.number(value, facts, depth) for value, facts in self._globals.get(name, ()))
        found = next((number for number in numbers if number is not None), None)
        return _as_number(self._projects.get(name, "")) if found is None else found

    def given(self, node: syntax.Expression) -> tuple[float, ...]:
        """All numbers that scripts give to a global variable."""
        written = self._written.get(node.name, {}) if isinstance(node, syntax.Global) else {}
        return tuple(float(number) for number in written)

    def _first_known(self, arguments: Sequence[syntax.Statements], facts: Facts, depth: int) -> float | None:
        """Of `IfEmpty($limit, 5)`, `Int($limit)` and the like."""
        numbers = (self.number(argument, facts, depth) for argument in arguments[:2])
        return next((number for number in numbers if number is not None), None)

    def _local(self, name: str, facts: Facts, depth: int) -> float | None:
        """By the first assignment of a local variable that does not count it on."""
        assigned = self._locals.get(facts.name, {}).get(name)
        return None if assigned is None else self.number(assigned, facts, depth)


def conjuncts(node: syntax.Node) -> list[syntax.Node]:
    """The parts of a condition that all have to be true."""
    if isinstance(node, syntax.Statements) and node.items:
        return conjuncts(node.items[-1])
    if isinstance(node, syntax.Operations) and all(each.operator == "&&" for each in node.rest):
        parts = [node.first, *(each.operand for each in node.rest)]
        return [conjunct for part in parts for conjunct in conjuncts(part)]
    return [node]


def _comparisons(node: syntax.Node) -> list[syntax.Node]:
    """The parts of a condition, whether all of them or one of them has to be true."""
    if isinstance(node, syntax.Statements) and node.items:
        return _comparisons(node.items[-1])
    if isinstance(node, syntax.Operations) and node.rest[0].operator in ("&&", "||"):
        parts = [node.first, *(each.operand for each in node.rest)]
        return [comparison for part in parts for comparison in _comparisons(part)]
    return [node]


def limit_of(
    condition: syntax.Node, facts: Facts, counters: Mapping[str, float], constants: Constants
) -> Limit | None:
    """The limit in the condition of a While. counters: the variables that count, and by how much."""
    for conjunct in conjuncts(condition):
        limit = _limit(conjunct, facts, counters, constants, inside=False)
        if limit is not None:
            return limit
    return None


def limit_inside(
    branches: Iterable[tuple[syntax.Node, Facts]], counters: Mapping[str, float], constants: Constants
) -> Limit | None:
    """The limit in conditions that end a loop from inside: `If($loop_count >= 5, $again = false)`."""
    for condition, facts in branches:
        for part in _comparisons(condition):
            limit = _limit(part, facts, counters, constants, inside=True)
            if limit is not None:
                return limit
    return None


def _limit(
    comparison: syntax.Node,
    facts: Facts,
    counters: Mapping[str, float],
    constants: Constants,
    *,
    inside: bool,
) -> Limit | None:
    found = _compared(comparison, counters, _ENDS if inside else _GOES_ON)
    if found is None:
        return None
    counter, operator, other = found
    number = constants.number(other, facts)
    # What begins with null counts from 0.
    start = constants.number(counter, facts) or 0.0
    by = counters[counter.name]
    rounds = _rounds(start, operator, number, by)
    return Limit(counter, other, rounds, comparison.place, inside, by, constants.given(other))


def _compared(
    node: syntax.Node, counters: Mapping[str, float], operators: Mapping[str, str]
) -> tuple[syntax.Local | syntax.Global, str, syntax.Expression] | None:
    """A counter, how it has to stand to a number for another round, and that number."""
    if not isinstance(node, syntax.Operations) or len(node.rest) != 1:
        return None
    (operation,) = node.rest
    written, left, right = operation.operator, node.first, operation.operand
    if isinstance(right, syntax.Local | syntax.Global) and right.name in counters:
        written, left, right = _TURNED.get(written, written), right, left
    operator = operators.get(written)
    if operator is None or not isinstance(left, syntax.Local | syntax.Global) or left.name not in counters:
        return None
    return left, operator, right


def _rounds(start: float, operator: str, number: float | None, by: float) -> int | None:
    if number is None or by == 0:
        return None
    distance = (number - start) if operator in ("<", "<=") else (start - number)
    step = by if operator in ("<", "<=") else -by
    if step <= 0:
        return None
    rounds = -(-distance // step)
    if operator in ("<=", ">=") and distance % step == 0:
        rounds += 1
    return max(0, int(rounds)) if abs(rounds) < 1e9 else None


def _number_of(write: Write) -> Constant | None:
    constant = write.value.constant
    if isinstance(constant, bool):
        return None
    return _as_number(write.value.text or "" if constant is None else constant)


def _as_number(value: float | str) -> float | None:
    try:
        number = float(value)
    except (ValueError, OverflowError):
        return None
    return number if isfinite(number) else None


def _assigned(facts: Facts) -> dict[syntax.Local | syntax.Global, syntax.Expression]:
    """What each variable is first given, those assignments left out that count it on."""
    found: dict[syntax.Local | syntax.Global, syntax.Expression] = {}
    for node in assignments_in(facts.tree.body) if facts.tree else ():
        if node.operator != "=" or isinstance(node.target, syntax.Index) or node.target in found:
            continue
        if all(each != node.target for each, _ in syntax.walk(node.value)):
            found[node.target] = node.value
    return found

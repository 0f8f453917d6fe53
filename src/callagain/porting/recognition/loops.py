"""The loops of scripts: every While, with what it runs, what its condition reads, and its limit."""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property

from callagain.porting.design.model import Guess
from callagain.porting.recognition.conditions import Constants, Limit, limit_inside, limit_of
from callagain.porting.recognition.facts import Facts, Run, calls_in, guess_in, variables_in
from callagain.porting.recognition.graph import Graph, Node, nodes_of
from callagain.porting.script import syntax

_MAX_LOOPS = 200
_ENDS = ("raiseerror", "canceloperation", "canceloperationchain")


@dataclass(frozen=True, eq=False)
class Loop:
    """A While. reached: the operations and scripts that its body leads to. reads: names in its condition."""

    facts: Facts
    call: syntax.Call
    runs: tuple[Run, ...]
    reached: frozenset[Node]
    reads: frozenset[str]
    reader: "LoopReader"

    @cached_property
    def limit(self) -> Limit | None:
        return self.reader.limit_of_loop(self)

    @property
    def line(self) -> int:
        return self.call.place.line

    @property
    def condition(self) -> syntax.Node:
        return self.call.arguments[0]

    @property
    def body(self) -> syntax.Node:
        return self.call.arguments[1]


@dataclass(frozen=True, slots=True)
class _Exit:
    """An If that may end a loop: by setting one of `names`, or by an error, whatever the loop reads."""

    condition: syntax.Node
    names: frozenset[str]
    by_error: bool

    def ends(self, reads: frozenset[str]) -> bool:
        return self.by_error or bool(self.names & reads)


class LoopReader:
    """Finds the loops of scripts and their limits; of each script what counts and what ends loops once."""

    def __init__(self, graph: Graph, scripts: Mapping[str, Facts], constants: Constants) -> None:
        self._graph = graph
        self._scripts = scripts
        self._constants = constants
        self._counters: dict[str, dict[str, float]] = {}
        self._exits: dict[str, list[_Exit]] = {}
        self.guesses: list[Guess] = []

    def loops_in(self, facts: Facts) -> Iterator[Loop]:
        """Every While of a script; of very many the first ones."""
        loops = calls_in(facts.tree.body, "while") if facts.tree else []
        if len(loops) > _MAX_LOOPS:
            text = f"it has {len(loops)} loops; {_MAX_LOOPS} of them are looked at"
            self.guesses.append(guess_in(facts.script, text, loops[_MAX_LOOPS].place.line))
        for call in loops[:_MAX_LOOPS]:
            if len(call.arguments) == 2:
                yield self._loop(facts, call)

    def _loop(self, facts: Facts, call: syntax.Call) -> Loop:
        runs = tuple(facts.runs_in(call))
        reached = self._graph.reached(nodes_of(runs))
        return Loop(facts, call, runs, reached, variables_in(call.arguments[0]), self)

    def limit_of_loop(self, loop: Loop) -> Limit | None:
        """The limit in the condition of a loop, else that in an If of its body which ends it."""
        others = [each for each in self._known(loop.reached) if each is not loop.facts]
        counters = self._counted(others) | _counted_in(loop.facts, id(loop.call))
        limit = limit_of(loop.condition, loop.facts, counters, self._constants)
        if limit is not None:
            return limit
        exits = [(each, loop.facts) for each in _exits_in(loop.body)]
        exits += [(each, other) for other in others for each in self._exits_of(other)]
        ending = ((each.condition, where) for each, where in exits if each.ends(loop.reads))
        return limit_inside(ending, counters, self._constants)

    def limit_of_circle(self, nodes: Iterable[Node], switches: frozenset[str]) -> Limit | None:
        """The limit of a loop without a While: in an If that decides whether it goes on."""
        members = self._known(nodes)
        counters = self._counted(members)
        for facts in members:
            for call in calls_in(facts.tree.body, "if", "case") if facts.tree and facts.runs else ():
                if call.arguments and facts.runs_in(call):
                    limit = limit_of(call.arguments[0], facts, counters, self._constants)
                    if limit is not None:
                        return limit
        exits = ((each, facts) for facts in members for each in self._exits_of(facts))
        ending = ((each.condition, facts) for each, facts in exits if each.ends(switches))
        return limit_inside(ending, counters, self._constants)

    def _known(self, nodes: Iterable[Node]) -> list[Facts]:
        names = sorted(node.name for node in nodes if node.kind == "script")
        return [self._scripts[name] for name in names if name in self._scripts]

    def _counted(self, scripts: Iterable[Facts]) -> dict[str, float]:
        """The global variables that scripts count, and by how much."""
        counters: dict[str, float] = {}
        for facts in scripts:
            if facts.name not in self._counters:
                self._counters[facts.name] = {
                    write.name: write.by for write in facts.global_writes if write.by is not None
                }
            counters |= self._counters[facts.name]
        return counters

    def _exits_of(self, facts: Facts) -> list[_Exit]:
        if facts.name not in self._exits:
            self._exits[facts.name] = list(_exits_in(facts.tree.body)) if facts.tree else []
        return self._exits[facts.name]


def _counted_in(facts: Facts, loop: int) -> dict[str, float]:
    """The variables that the body of a loop counts, and by how much."""
    return {
        write.name: write.by
        for write in facts.writes
        if write.by is not None and any(call == loop for call, _ in write.branch)
    }


def _exits_in(body: syntax.Node) -> Iterator[_Exit]:
    for call in calls_in(body, "if"):
        if len(call.arguments) < 2:
            continue
        then = call.arguments[1]
        targets = (each.target for each, _ in syntax.walk(then) if isinstance(each, syntax.Assignment))
        names = frozenset(each.name for each in targets if isinstance(each, syntax.Local | syntax.Global))
        by_error = bool(calls_in(then, *_ENDS))
        if names or by_error:
            yield _Exit(call.arguments[0], names, by_error)

"""A chain: operations, and the table of links that says which of them comes next.

A chain is data. It is checked when it is made, so a chain that exists is a chain that can be run to its
end: for every state and event, and for every combination of the guards' values, exactly one link fires;
every state can be reached; every operation can reach a final state. `transitions` executes the table.

A chain never changes. `insert` and `replace` give a new one, checked anew: that is how options and users
extend the loop (redact a result before it is sent, translate an answer, ask a second time).
"""

import dataclasses
import itertools
import logging
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from types import SimpleNamespace
from typing import Any, TypeAlias

from transitions import Machine

from callagain.engine.errors import ChainError, IllegalEventError
from callagain.engine.operation import Activity, Operation, Script
from callagain.engine.variables import Variables

ON_SUCCESS = "on_success"
ON_FAIL = "on_fail"
EVENTS = (ON_SUCCESS, ON_FAIL)

# The final states are a run's outcomes.
COMPLETED = "completed"
LIMIT = "limit"
FAILED = "failed"
FINAL_STATES = (COMPLETED, LIMIT, FAILED)

# As a source: every operation that has no link of its own that fires for the event.
ANY_OPERATION = "any operation"

Guard: TypeAlias = Callable[[Variables], bool]


@dataclass(frozen=True, slots=True)
class Link:
    """One row of the table: in `source`, on `event`, when all guards of `when` hold, go to `target`.

    A guard is the name of a function of the variables, or "not " and that name.
    """

    source: str
    event: str
    target: str
    when: tuple[str, ...] = ()

    def __str__(self) -> str:
        condition = f" when {' and '.join(self.when)}" if self.when else ""
        return f"{self.source} --{self.event}--> {self.target}{condition}"

    def fires(self, guards: Mapping[str, bool]) -> bool:
        """Whether the link fires, given the values of the guards."""
        return all(guards[guard_name(word)] is not word.startswith("not ") for word in self.when)


def guard_name(word: str) -> str:
    """The name of the guard in a word of `Link.when`."""
    return word.removeprefix("not ")


@dataclass(frozen=True, eq=False)
class Chain:
    """Operations by state name, the links between them, and the guards that the links name.

    Raises ChainError, which names the link, the state or the operation, if the table is not whole.
    """

    name: str
    links: tuple[Link, ...]
    operations: Mapping[str, Operation]
    guards: Mapping[str, Guard]
    initial: str = "initialize"
    _machine: Machine = field(init=False, repr=False)

    def __post_init__(self) -> None:
        check(self)
        object.__setattr__(self, "_machine", _build_machine(self))

    @property
    def final_states(self) -> tuple[str, ...]:
        """The outcomes that this chain can come to."""
        targets = {link.target for link in self.links}
        return tuple(state for state in FINAL_STATES if state in targets)

    def links_from(self, state: str, event: str) -> tuple[Link, ...]:
        """The links for this event in this state, the state's own before the general ones."""
        own = [link for link in self.links if (link.source, link.event) == (state, event)]
        general = [link for link in self.links if (link.source, link.event) == (ANY_OPERATION, event)]
        return (*own, *(dataclasses.replace(link, source=state) for link in general))

    def next_state(self, state: str, event: str, variables: Variables) -> str:
        """Where the table leads. Raises IllegalEventError, and changes nothing, where it leads nowhere."""
        cursor = SimpleNamespace(state=state)
        if state not in self.operations or event not in EVENTS:
            raise IllegalEventError(f"chain {self.name!r}: no link fires for {event!r} in state {state!r}")
        # The check of the table proves that a link fires, so long as guards answer True or False.
        if not self._machine.events[event].trigger(cursor, variables):
            raise IllegalEventError(f"chain {self.name!r}: a guard in state {state!r} gave no bool")
        return str(cursor.state)

    def insert(
        self, name: str, operation: Operation, *, before: str | None = None, after: str | None = None
    ) -> "Chain":
        """A chain with one operation more, `before` or `after` (exactly one) an operation of this one."""
        anchor = before if after is None else after
        if anchor is None or (before is None) == (after is None):
            raise ChainError(f"insert {name!r}: give exactly one of before= and after=")
        if anchor not in self.operations:
            raise ChainError(f"insert {name!r}: there is no operation {anchor!r} in chain {self.name!r}")
        if name in self.operations:
            raise ChainError(f"insert {name!r}: chain {self.name!r} has an operation of this name")
        if before is not None:
            links = [dataclasses.replace(k, target=name) if k.target == anchor else k for k in self.links]
            links.append(Link(name, ON_SUCCESS, anchor))
        else:
            leaving = (anchor, ON_SUCCESS)
            links = [
                dataclasses.replace(k, source=name) if (k.source, k.event) == leaving else k
                for k in self.links
            ]
            links.append(Link(anchor, ON_SUCCESS, name))
        initial = name if before == self.initial else self.initial
        return dataclasses.replace(
            self, links=tuple(links), operations={**self.operations, name: operation}, initial=initial
        )

    def replace(
        self,
        *,
        name: str | None = None,
        links: tuple[Link, ...] | None = None,
        operations: Mapping[str, Operation] | None = None,
        guards: Mapping[str, Guard] | None = None,
    ) -> "Chain":
        """A chain with other links; `operations` and `guards` are added to those that stand."""
        return dataclasses.replace(
            self,
            name=name or self.name,
            links=self.links if links is None else links,
            operations={**self.operations, **(operations or {})},
            guards={**self.guards, **(guards or {})},
        )


def check(chain: Chain) -> None:
    """Raises ChainError unless the chain is whole."""
    _check_names(chain)
    for state in chain.operations:
        for event in EVENTS:
            _check_one_link_fires(chain, state, event)
    _check_every_state_is_reached(chain)
    _check_every_state_ends(chain)


def _check_names(chain: Chain) -> None:
    for name, operation in chain.operations.items():
        if not isinstance(operation, Script | Activity):
            raise ChainError(f"operation {name!r} is neither a Script nor an Activity: {operation!r}")
        if name in (*FINAL_STATES, ANY_OPERATION):
            raise ChainError(f"operation {name!r} has the name of a final state or of 'any operation'")
    if chain.initial not in chain.operations:
        raise ChainError(f"the initial state {chain.initial!r} has no operation")
    for link in chain.links:
        if link.event not in EVENTS:
            raise ChainError(f"link [{link}]: the event is neither on_success nor on_fail")
        if link.source in FINAL_STATES:
            raise ChainError(f"link [{link}]: it leaves a final state")
        if link.source != ANY_OPERATION and link.source not in chain.operations:
            raise ChainError(f"link [{link}]: there is no operation {link.source!r}")
        if link.target not in FINAL_STATES and link.target not in chain.operations:
            raise ChainError(f"link [{link}]: there is no operation or final state {link.target!r}")
        for word in link.when:
            if guard_name(word) not in chain.guards:
                raise ChainError(f"link [{link}]: there is no guard {guard_name(word)!r}")


def _check_one_link_fires(chain: Chain, state: str, event: str) -> None:
    links = chain.links_from(state, event)
    names = sorted({guard_name(word) for link in links for word in link.when})
    fired: set[Link] = set()
    for values in itertools.product((True, False), repeat=len(names)):
        guards = dict(zip(names, values, strict=True))
        firing = [link for link in links if link.fires(guards)]
        own = [link for link in firing if _is_own(chain, link)]
        chosen = own or firing
        where = f"in state {state!r} on {event!r}" + (f" with {_described(guards)}" if guards else "")
        if not chosen:
            raise ChainError(f"{where} no link fires; add one, or widen the guards of another")
        if len(chosen) > 1:
            raise ChainError(f"{where} more than one link fires: {', '.join(f'[{k}]' for k in chosen)}")
        fired.add(chosen[0])
    for link in links:
        if link not in fired and _is_own(chain, link):
            raise ChainError(f"link [{link}] can never fire")


def _is_own(chain: Chain, link: Link) -> bool:
    return link in chain.links


def _described(guards: Mapping[str, bool]) -> str:
    return " and ".join(name if value else f"not {name}" for name, value in guards.items())


def _neighbours(chain: Chain, state: str) -> Iterator[str]:
    for event in EVENTS:
        for link in chain.links_from(state, event):
            yield link.target


def _check_every_state_is_reached(chain: Chain) -> None:
    reached = {chain.initial}
    waiting = [chain.initial]
    while waiting:
        for target in _neighbours(chain, waiting.pop()):
            if target not in reached and target not in FINAL_STATES:
                reached.add(target)
                waiting.append(target)
    for state in chain.operations:
        if state not in reached:
            raise ChainError(f"operation {state!r} is never reached from {chain.initial!r}")


def _check_every_state_ends(chain: Chain) -> None:
    """On Success alone must lead to an end: a run in which nothing fails has to be able to finish."""
    ending: set[str] = set(FINAL_STATES)
    growing = True
    while growing:
        growing = False
        for state in chain.operations:
            targets = {link.target for link in chain.links_from(state, ON_SUCCESS)}
            if state not in ending and targets & ending:
                ending.add(state)
                growing = True
    for state in chain.operations:
        if state not in ending:
            raise ChainError(f"from operation {state!r} no final state can be reached by on_success")


def _build_machine(chain: Chain) -> Machine:
    rows: list[dict[str, Any]] = []
    for state, event in itertools.product(chain.operations, EVENTS):
        for link in chain.links_from(state, event):
            words = link.when
            rows.append(
                {
                    "trigger": event,
                    "source": state,
                    "dest": link.target,
                    "conditions": [chain.guards[word] for word in words if not word.startswith("not ")],
                    "unless": [chain.guards[guard_name(word)] for word in words if word.startswith("not ")],
                }
            )
    # No model is registered: the machine keeps every model that it knows alive, and finds it by equality.
    return Machine(
        model=None,
        name=f"{_MACHINE_NAME}{chain.name}",
        states=[*chain.operations, *FINAL_STATES],
        transitions=rows,
        initial=chain.initial,
        auto_transitions=False,
    )


_MACHINE_NAME = "callagain:"


def _not_of_ours(record: logging.LogRecord) -> bool:
    """transitions logs each move at INFO; ours are in the operation log already."""
    arguments = record.args
    return not (isinstance(arguments, tuple) and arguments and str(arguments[0]).startswith(_MACHINE_NAME))


logging.getLogger("transitions.core").addFilter(_not_of_ours)

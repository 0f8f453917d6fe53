"""A chain: operations, and the table of links that says which of them comes next.

A chain is data. It is checked when it is made (see `chain_check`), so that a chain which exists can be run to
its end, and executed by `transitions`. It never changes: `insert` and `replace` give a new one. That is how
options and users extend the loop (redact a result before it is sent, translate an answer).
"""

import dataclasses
import logging
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from operator import itemgetter
from types import SimpleNamespace
from typing import Any, TypeAlias

from transitions import Machine

from callagain.engine.chain_check import check_chain
from callagain.engine.errors import ChainError, IllegalEventError
from callagain.engine.links import EVENTS, FINAL_STATES, ON_SUCCESS, Link, guards_named, links_from
from callagain.engine.operation import Operation
from callagain.engine.variables import Variables

Guard: TypeAlias = Callable[[Variables], bool]
_BOOL = {bool}


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
    # The guards that a row of the table names, and where the rows lead that were asked for.
    _guards_of: Mapping[tuple[str, str], tuple[str, ...]] = field(init=False, repr=False)
    _targets: dict[tuple[str, str, tuple[bool, ...]], str] = field(init=False, repr=False)

    def __post_init__(self) -> None:
        check_chain(self.links, self.operations, self.guards, self.initial)
        object.__setattr__(self, "_machine", _build_machine(self))
        places = [(state, event) for state in self.operations for event in EVENTS]
        guards_of = {place: guards_named(self.links, *place) for place in places}
        object.__setattr__(self, "_guards_of", guards_of)
        object.__setattr__(self, "_targets", {})

    @property
    def final_states(self) -> tuple[str, ...]:
        """The outcomes that this chain can come to."""
        targets = {link.target for link in self.links}
        return tuple(state for state in FINAL_STATES if state in targets)

    def next_state(self, state: str, event: str, variables: Variables) -> str:
        """Where the table leads. Raises IllegalEventError, and changes nothing, where it leads nowhere."""
        names = self._guards_of.get((state, event))
        if names is None:
            raise IllegalEventError(f"chain {self.name!r}: no link fires for {event!r} in state {state!r}")
        values = tuple([self.guards[name](variables) for name in names])
        # The check of the table proves that a link fires, so long as guards answer True or False.
        if not _BOOL.issuperset(map(type, values)):
            raise IllegalEventError(f"chain {self.name!r}: a guard in state {state!r} gave no bool")
        # The table never changes, so the machine is asked once about each row of it.
        row = (state, event, values)
        if row not in self._targets:
            cursor = SimpleNamespace(state=state)
            self._machine.events[event].trigger(cursor, dict(zip(names, values, strict=True)))
            self._targets[row] = str(cursor.state)
        return self._targets[row]

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
            moved = [dataclasses.replace(k, target=name) if k.target == anchor else k for k in self.links]
            links = (*moved, Link(name, ON_SUCCESS, anchor))
        else:
            leaving = (anchor, ON_SUCCESS)
            moved = [
                dataclasses.replace(k, source=name) if (k.source, k.event) == leaving else k
                for k in self.links
            ]
            links = (*moved, Link(anchor, ON_SUCCESS, name))
        initial = name if before == self.initial else self.initial
        operations = {**self.operations, name: operation}
        return dataclasses.replace(self, links=links, operations=operations, initial=initial)

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


_MACHINE_NAME = "callagain:"


def _build_machine(chain: Chain) -> Machine:
    # No model is registered: a machine keeps every model that it knows alive, and finds it by equality.
    return Machine(
        model=None,
        name=f"{_MACHINE_NAME}{chain.name}",
        states=[*chain.operations, *FINAL_STATES],
        transitions=[
            _as_transition(link)
            for state in chain.operations
            for event in EVENTS
            for links in links_from(chain.links, state, event)
            for link in links
        ],
        initial=chain.initial,
        auto_transitions=False,
    )


def _as_transition(link: Link) -> dict[str, Any]:
    """Its conditions look the guards' values up, which the trigger is given by their names."""
    return {
        "trigger": link.event,
        "source": link.source,
        "dest": link.target,
        "conditions": [itemgetter(name) for name, value in link.guards.items() if value],
        "unless": [itemgetter(name) for name, value in link.guards.items() if not value],
    }


def _not_of_ours(record: logging.LogRecord) -> bool:
    """transitions logs each move at INFO; ours are in the operation log already."""
    arguments = record.args
    return not (isinstance(arguments, tuple) and arguments and str(arguments[0]).startswith(_MACHINE_NAME))


logging.getLogger("transitions.core").addFilter(_not_of_ours)

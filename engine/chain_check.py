"""Whether a chain is whole: it can be run from its beginning to an end, whatever happens on the way."""

from collections.abc import Iterator, Mapping, Sequence

from callagain.engine.errors import ChainError
from callagain.engine.links import (
    ANY_OPERATION,
    EVENTS,
    FINAL_STATES,
    ON_SUCCESS,
    Link,
    decisions,
    links_from,
)
from callagain.engine.operation import Activity, Operation, Script


def check_chain(
    links: Sequence[Link], operations: Mapping[str, Operation], guards: Mapping[str, object], initial: str
) -> None:
    """Raises ChainError, which names the link, the state or the operation, unless all of this holds.

    Every name is known; for every state, event and combination of guards exactly one link fires; every
    operation is reached; from every operation a final state can be reached by on_success.
    """
    _check_operations(operations, initial)
    for link in links:
        _check_names(link, operations, guards)
    for state in operations:
        for event in EVENTS:
            _check_one_fires(links, state, event)
    _check_all_are_reached(links, operations, initial)
    _check_all_end(links, operations)


def _check_operations(operations: Mapping[str, object], initial: str) -> None:
    for name, operation in operations.items():
        if not isinstance(operation, Script | Activity):
            raise ChainError(f"operation {name!r} is neither a Script nor an Activity: {operation!r}")
        if name in (*FINAL_STATES, ANY_OPERATION):
            raise ChainError(f"operation {name!r} has the name of a final state or of 'any operation'")
    if initial not in operations:
        raise ChainError(f"the initial state {initial!r} has no operation")


def _check_names(link: Link, operations: Mapping[str, Operation], guards: Mapping[str, object]) -> None:
    if link.event not in EVENTS:
        raise ChainError(f"link [{link}]: the event is neither on_success nor on_fail")
    if link.source in FINAL_STATES:
        raise ChainError(f"link [{link}]: it leaves a final state")
    if link.source != ANY_OPERATION and link.source not in operations:
        raise ChainError(f"link [{link}]: there is no operation {link.source!r}")
    if link.target not in FINAL_STATES and link.target not in operations:
        raise ChainError(f"link [{link}]: there is no operation or final state {link.target!r}")
    for name in link.guards:
        if name not in guards:
            raise ChainError(f"link [{link}]: there is no guard {name!r}")


def _check_one_fires(links: Sequence[Link], state: str, event: str) -> None:
    fired: set[Link] = set()
    for values, firing in decisions(links, state, event):
        described = " and ".join(name if value else f"not {name}" for name, value in values.items())
        where = f"in state {state!r} on {event!r}" + (f" with {described}" if described else "")
        if not firing:
            raise ChainError(f"{where} no link fires; add one, or widen the guards of another")
        if len(firing) > 1:
            raise ChainError(f"{where} more than one link fires: {', '.join(f'[{k}]' for k in firing)}")
        fired.add(firing[0])
    for link in links_from(links, state, event)[0]:
        if link not in fired:
            raise ChainError(f"link [{link}] can never fire")


def _targets(links: Sequence[Link], state: str, events: Sequence[str]) -> Iterator[str]:
    for event in events:
        own, general = links_from(links, state, event)
        yield from (link.target for link in (*own, *general))


def _check_all_are_reached(links: Sequence[Link], operations: Mapping[str, Operation], initial: str) -> None:
    reached = {initial}
    waiting = [initial]
    while waiting:
        targets = set(_targets(links, waiting.pop(), EVENTS)) - reached - set(FINAL_STATES)
        reached |= targets
        waiting += targets
    for state in operations:
        if state not in reached:
            raise ChainError(f"operation {state!r} is never reached from {initial!r}")


def _check_all_end(links: Sequence[Link], operations: Mapping[str, Operation]) -> None:
    # By on_success alone: a run in which nothing fails has to be able to finish.
    targets = {state: set(_targets(links, state, [ON_SUCCESS])) for state in operations}
    ending: set[str] = set(FINAL_STATES)
    while found := [state for state in operations if state not in ending and targets[state] & ending]:
        ending.update(found)
    for state in operations:
        if state not in ending:
            raise ChainError(f"from operation {state!r} no final state can be reached by on_success")

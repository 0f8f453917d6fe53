"""The rows of a table, and which of them fires."""

import dataclasses
import itertools
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

ON_SUCCESS = "on_success"
ON_FAIL = "on_fail"
EVENTS = (ON_SUCCESS, ON_FAIL)

# The final states are a run's outcomes.
COMPLETED = "completed"
LIMIT = "limit"
FAILED = "failed"
FINAL_STATES = (COMPLETED, LIMIT, FAILED)

# As a source: every operation, where no link of its own fires for the event.
ANY_OPERATION = "any operation"


@dataclass(frozen=True, slots=True)
class Link:
    """One row of the table: in `source`, on `event`, when all guards of `when` hold, go to `target`.

    A guard is the name of a function of the variables, or "not " and that name.

    Guide: If, On Success, RunOperation, RunScript, TAG.
    Departs from the guide in RunOperation, RunScript, TAG: in the guide one script runs the others, by their
    tags. Here no operation knows another, and rows lead from one to the next: so the way can be checked
    before anything runs, and drawn.
    """

    source: str
    event: str
    target: str
    when: tuple[str, ...] = ()

    def __str__(self) -> str:
        condition = f" when {' and '.join(self.when)}" if self.when else ""
        return f"{self.source} --{self.event}--> {self.target}{condition}"

    @property
    def guards(self) -> dict[str, bool]:
        """The names of the guards, each with the value that it must have."""
        return {word.removeprefix("not "): not word.startswith("not ") for word in self.when}

    def fires(self, values: Mapping[str, bool]) -> bool:
        """Whether the link fires, given the values of all guards."""
        return all(values[word.removeprefix("not ")] is not word.startswith("not ") for word in self.when)


def links_from(links: Sequence[Link], state: str, event: str) -> tuple[list[Link], list[Link]]:
    """The links for this event in this state: the state's own, which come first, and the general ones."""
    own = [link for link in links if (link.source, link.event) == (state, event)]
    general = [link for link in links if (link.source, link.event) == (ANY_OPERATION, event)]
    return own, [dataclasses.replace(link, source=state) for link in general]


def guards_named(links: Sequence[Link], state: str, event: str) -> tuple[str, ...]:
    """The guards that decide about this event in this state, by their names."""
    own, general = links_from(links, state, event)
    return tuple(sorted({name for link in (*own, *general) for name in link.guards}))


def decisions(
    links: Sequence[Link], state: str, event: str
) -> Iterator[tuple[Mapping[str, bool], list[Link]]]:
    """Every combination of the guards' values, each with the links that fire then; it ought to be one."""
    own, general = links_from(links, state, event)
    names = guards_named(links, state, event)
    for combination in itertools.product((True, False), repeat=len(names)):
        values = dict(zip(names, combination, strict=True))
        firing = [link for link in own if link.fires(values)]
        yield values, firing or [link for link in general if link.fires(values)]

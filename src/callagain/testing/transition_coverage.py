"""Which links of its table a chain has taken: what a set of tests never saw happen.

    with TransitionCoverage() as coverage:
        ...
    print(coverage.report())

Every move of every run goes through `Chain.next_state`, whatever drives the run. While a coverage is open,
another function stands in its place, which does the same and then notes the link. A run that is folded from
its log moves as well, and counts.
"""

import threading
from collections import Counter
from collections.abc import Sequence
from types import TracebackType
from typing import Self, TypeAlias

from callagain.engine.chain import Chain
from callagain.engine.errors import ConfigurationError
from callagain.engine.json_text import JsonObject
from callagain.engine.links import ANY_OPERATION, Link
from callagain.engine.variables import Variables
from callagain.testing.transition_coverage_report import ChainCoverage, chain_coverages

_Key: TypeAlias = tuple[str, tuple[Link, ...]]


class TransitionCoverage:
    """The links that all runs of this process take while it is open, in whatever thread.

    chains: these are reported in any case, others as soon as a run of theirs has moved.

    A chain is known by its name and its links: with an option that changes its path it is another one. It can
    be opened again, and counts on; any number may be open at the same time.
    """

    def __init__(self, *chains: Chain) -> None:
        self._lock = threading.Lock()
        self._chains: dict[_Key, Chain] = {}
        self._counts: dict[_Key, Counter[Link]] = {}
        for chain in chains:
            self._counts_of(chain)

    def __enter__(self) -> Self:
        """Raises ConfigurationError if it is open."""
        _open(self)
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, traceback: TracebackType | None
    ) -> None:
        _close(self)

    @property
    def chains(self) -> Sequence[ChainCoverage]:
        """What was seen of each chain until now, in the order in which they were first seen."""
        with self._lock:
            return chain_coverages([(chain, self._counts[key]) for key, chain in self._chains.items()])

    def report(self) -> str:
        """Lines of text: of each chain, how many of its links were taken, and which never were."""
        return "".join(chain.report() for chain in self.chains) or "no run of a chain was seen\n"

    def markdown(self) -> str:
        """The table of each chain in Markdown, with how often each link was taken."""
        return "\n".join(f"### {chain.label}\n\n{chain.markdown()}" for chain in self.chains)

    def as_json(self) -> JsonObject:
        """`{"chains": […]}`, each as `ChainCoverage.as_json` gives it."""
        return {"chains": [chain.as_json() for chain in self.chains]}

    def count(self, chain: Chain, link: Link) -> None:
        """Notes that a run of this chain took this link of it once more."""
        with self._lock:
            self._counts_of(chain)[link] += 1

    def _counts_of(self, chain: Chain) -> Counter[Link]:
        key = (chain.name, chain.links)
        self._chains.setdefault(key, chain)
        return self._counts.setdefault(key, Counter())


_next_state = Chain.next_state
_opening = threading.Lock()
_all_open: tuple[TransitionCoverage, ...] = ()


def _next_state_noted(self: Chain, state: str, event: str, variables: Variables) -> str:
    """A method of Chain, while it stands there."""
    target = _next_state(self, state, event, variables)
    link = _link_taken(self, state, event, variables)
    for coverage in _all_open:
        coverage.count(self, link)
    return target


def _link_taken(chain: Chain, state: str, event: str, variables: Variables) -> Link:
    """The row of the table itself: its target alone would not tell it from others."""
    for source in (state, ANY_OPERATION):
        for link in chain.links:
            values = {name: chain.guards[name](variables) for name in link.guards}
            if (link.source, link.event) == (source, event) and link.fires(values):
                return link
    raise AssertionError(f"chain {chain.name!r} left {state!r} by no link of its table")


def _open(coverage: TransitionCoverage) -> None:
    global _all_open
    with _opening:
        if coverage in _all_open:
            raise ConfigurationError("this TransitionCoverage is open; make another one")
        _all_open = (*_all_open, coverage)
        Chain.next_state = _next_state_noted  # type: ignore[method-assign]


def _close(coverage: TransitionCoverage) -> None:
    global _all_open
    with _opening:
        _all_open = tuple(one for one in _all_open if one is not coverage)
        if not _all_open:
            Chain.next_state = _next_state  # type: ignore[method-assign]

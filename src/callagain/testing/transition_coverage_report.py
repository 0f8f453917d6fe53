"""What a transition coverage says of a chain: as text, as a Markdown table, and as JSON."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from callagain.diagrams import transition_table_markdown
from callagain.engine.chain import Chain
from callagain.engine.json_text import JsonObject
from callagain.engine.links import Link


@dataclass(frozen=True, slots=True)
class ChainCoverage:
    """How often each link of a chain was taken, in table order. A general link counts as one.

    label: the chain's name, and where several chains have it, what this one has besides.
    """

    label: str
    chain: Chain
    counts: Mapping[Link, int]

    @property
    def taken(self) -> Sequence[Link]:
        return [link for link, count in self.counts.items() if count]

    @property
    def never_taken(self) -> Sequence[Link]:
        return [link for link, count in self.counts.items() if not count]

    @property
    def percent(self) -> float:
        """The share of the links that were taken, from 0 to 100."""
        return 100 * len(self.taken) / len(self.counts)

    @property
    def summary(self) -> str:
        """`tool_calling_loop: 8 of 9 links (88%)`, rounded down: 100% is all of them."""
        return f"{self.label}: {len(self.taken)} of {len(self.counts)} links ({int(self.percent)}%)"

    def report(self) -> str:
        """The summary, and a line for each link that was never taken."""
        if not self.never_taken:
            return f"{self.summary}\n"
        return "".join([f"{self.summary}; never taken:\n", *(f"    {link}\n" for link in self.never_taken)])

    def markdown(self) -> str:
        """The chain's table with a further column, `taken`."""
        column = ["taken", "-----", *(str(count) for count in self.counts.values())]
        rows = transition_table_markdown(self.chain).splitlines()
        return "".join(f"{row} {cell:>5} |\n" for row, cell in zip(rows, column, strict=True))

    def as_json(self) -> JsonObject:
        """`name`, `label`, `taken`, `total`, and `links`: `source`, `event`, `target`, `when`, `count`."""
        return {
            "name": self.chain.name,
            "label": self.label,
            "taken": len(self.taken),
            "total": len(self.counts),
            "links": [
                {
                    "source": link.source,
                    "event": link.event,
                    "target": link.target,
                    "when": list(link.when),
                    "count": count,
                }
                for link, count in self.counts.items()
            ],
        }


def chain_coverages(seen: Sequence[tuple[Chain, Mapping[Link, int]]]) -> list[ChainCoverage]:
    """The chains with what was counted, each under a label of its own."""
    labels = _labels([chain for chain, _ in seen])
    return [
        ChainCoverage(label, chain, {link: counts.get(link, 0) for link in chain.links})
        for label, (chain, counts) in zip(labels, seen, strict=True)
    ]


def _labels(chains: Sequence[Chain]) -> list[str]:
    labels: list[str] = []
    for chain in chains:
        of_this_name = [_words(other) for other in chains if other.name == chain.name]
        further = [word for word in _words(chain) if not all(word in words for words in of_this_name)]
        label = f"{chain.name} with {', '.join(further)}" if further else chain.name
        namesakes = sum(known == label or known.startswith(f"{label} (") for known in labels)
        labels.append(f"{label} ({namesakes + 1})" if namesakes else label)
    return labels


def _words(chain: Chain) -> list[str]:
    """The operations of a chain, and then its guards, each once and in table order."""
    sources = [link.source for link in chain.links]
    guards = [guard for link in chain.links for guard in link.guards]
    return list(dict.fromkeys([*sources, *guards]))

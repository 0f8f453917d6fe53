"""What three guides to tool calling state, and the phrases of our pages that hold it."""

import tomllib
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

STATEMENTS = Path(__file__).with_name("guide_statements.toml")


@dataclass(frozen=True, slots=True)
class Statement:
    """words: what a guide states. page: the page of docs/ that holds it. phrases: the phrase there, and maybe
    the one that explains how callagain departs. nowhere: why no page holds it; empty for the others."""

    words: str
    page: str = ""
    phrases: tuple[str, ...] = ()
    nowhere: str = ""

    def problems(self, text: str) -> Iterator[str]:
        """What of it the page does not hold, or holds twice, so that one of the two could go unnoticed."""
        joined = " ".join(text.split())
        for phrase in self.phrases:
            times = joined.count(phrase)
            if times != 1:
                yield f"{self.page} has {times} times {phrase!r}, which holds: {self.words}"


def read_statements(file: Path = STATEMENTS) -> list[Statement]:
    """Of all guides, in their order."""
    guides = tomllib.loads(file.read_text("utf-8"))
    return [_statement(row) for guide in guides.values() for row in guide["statements"]]


def _statement(row: Sequence[str]) -> Statement:
    if len(row) == 2:
        return Statement(row[0], nowhere=row[1])
    words, page, *phrases = row
    return Statement(words, page, tuple(phrases))

"""Rules about a tool's description."""

import re
from collections.abc import Iterable, Iterator

from callagain.tool_check.announcement import Announcement
from callagain.tool_check.rules import Finding, finding
from callagain.tool_check.words import READING, base_forms, name_words, vocabulary

_WORD = re.compile(r"\w+(?:['’]\w+)*")
_ARTICLES = frozenset({"a", "an", "the"})
_FILLING = _ARTICLES | vocabulary(
    "and by for from function given in into it its of on or that this to tool used which with"
)
_GIVING_BACK = READING | vocabulary("""
    answer display gets give got output produce provide receive respond result returned returning
    yield
""")
_LIMITING = re.compile(
    r"\b(?:not|cannot|\w+n['’]t|never|only|instead|except|unless|without|rather|avoid|excludes?|excluding|no|but)\b",
    re.IGNORECASE,
)


def check_description(tool: Announcement) -> Iterator[Finding]:
    """description-missing, description-repeats-name, description-returns, description-when-not."""
    if not tool.description:
        yield finding(tool.name, "description-missing")
        return
    if _repeats_name(tool):
        yield finding(tool.name, "description-repeats-name")
        return
    if not tool.is_english:
        return
    if all(_GIVING_BACK.isdisjoint(base_forms(word)) for word in _WORD.findall(tool.description)):
        yield finding(tool.name, "description-returns")
    if not _LIMITING.search(tool.description):
        yield finding(tool.name, "description-when-not")


def check_alike(tools: Iterable[Announcement]) -> Iterator[Finding]:
    """description-alike, for a tool with the description of an earlier one, but for case, articles, marks."""
    first: dict[tuple[str, ...], str] = {}
    for tool in tools:
        words = tuple(word for word in _words(tool.description) if word not in _ARTICLES)
        if words and (other := first.setdefault(words, tool.name)) != tool.name:
            yield finding(tool.name, "description-alike", other=other)


def _words(text: str) -> list[str]:
    """In small letters, without the marks around them; of any script."""
    stripped = (word.strip(".,;:!?()[]'\"“”‘’`…-–*") for word in text.casefold().split())
    return [word for word in stripped if word]


def _repeats_name(tool: Announcement) -> bool:
    """Whether no word of the description is new to one who has read the name."""
    named = {form for word in name_words(tool.name) for form in base_forms(word)}
    said = [word for word in _words(tool.description) if word not in _FILLING]
    return all(not named.isdisjoint(base_forms(word)) for word in said)

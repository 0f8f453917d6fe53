"""Rules about one property: its type, its description, its values."""

import re
from collections.abc import Iterator

from callagain.tool_check.alternatives import listed_values
from callagain.tool_check.announcement import Announcement, Property
from callagain.tool_check.rules import Finding, finding
from callagain.tool_check.words import (
    COUNTED,
    FREE_TEXT,
    LIKELY_ENUMS,
    MEASURED,
    MEDIA,
    UNITS,
    base_forms,
    last_word,
    name_words,
)

_SHOWN_VALUES = 4
# With one of these a schema says by itself what a value looks like.
_CLOSED = ("enum", "const", "pattern", "format")
_SHOWING = (*_CLOSED, "default", "example", "examples")
_TYPED = ("type", "enum", "const", "properties", "items", "prefixItems", "not", "$ref", "$dynamicRef")
_NUMBERS = frozenset({"integer", "number"})

_EXAMPLE = re.compile(
    r"""\d | ["“`\#] | (?<!\w)['‘] | \be\.?g\b | \b(?:
    such\ as | as\ in | like | for\ (?:example|instance) | examples? | in\ the\ form | format(?:s|ted)? |
    (?:digit|letter|character|word|sentence|paragraph)s? | ISO | IANA | UTC | UUID | URLs? | URI | HTML |
    JSON | YAML | XML | CSV | SQL | Markdown | regex | regular\ expression | plain | absolute | relative
    )\b""",
    re.VERBOSE,
)
_UNIT_SIGN = re.compile(r"[$€£¥%°²³]|\b[A-Z]{3}\b|\bto \d|\d ?(?:-|–) ?\d")
_WORD = re.compile(r"[^\W\d_]+")


def check_properties(tool: Announcement) -> Iterator[Finding]:
    """property-type, property-description, enum-missing, enum-likely, property-example, property-unit."""
    for each in tool.properties:
        yield from _type(tool, each)
        if each.says("enum", "const"):
            continue
        if not each.description:
            yield finding(tool.name, "property-description", each.path, example=_example_for(each))
        yield from _words(tool, each)


def _type(tool: Announcement, each: Property) -> Iterator[Finding]:
    if not each.says(*_TYPED):
        yield finding(
            tool.name, "property-type", each.path, what="it has no type", example='{"type": "string"}'
        )
    elif "array" in each.types and not each.says("prefixItems") and not any(each.items):
        yield finding(
            tool.name,
            "property-type",
            each.path,
            what="its items have no type",
            example='"items": {"type": "string"}',
        )


def _words(tool: Announcement, each: Property) -> Iterator[Finding]:
    """What the description of a string or a number leaves out."""
    if "string" in each.types:
        values = [] if each.says(*_CLOSED) else listed_values(each.name, each.description)
        if values:
            more = ", …" if len(values) > _SHOWN_VALUES else ""
            shown = ", ".join(f"“{value}”" for value in values[:_SHOWN_VALUES]) + more
            yield finding(tool.name, "enum-missing", each.path, values=shown)
        elif _sounds_closed(each):
            yield finding(tool.name, "enum-likely", each.path)
        elif tool.is_english and each.description and _needs_example(each):
            yield finding(tool.name, "property-example", each.path)
    elif tool.is_english and each.description and _needs_unit(each):
        yield finding(tool.name, "property-unit", each.path)


def _example_for(each: Property) -> str:
    if each.types & _NUMBERS:
        return "“Length of the stay in days”"
    if "boolean" in each.types:
        return "“Whether closed tickets are listed too”"
    return "“Ticket id, such as T-101”"


def _sounds_closed(each: Property) -> bool:
    words = name_words(each.name)
    is_open = each.says(*_CLOSED, "examples") or not MEDIA.isdisjoint(words)
    return last_word(each.name) in LIKELY_ENUMS and not is_open


def _needs_example(each: Property) -> bool:
    if each.says(*_SHOWING) or _EXAMPLE.search(each.description):
        return False
    return FREE_TEXT.isdisjoint([*name_words(each.name), *_said(each)])


def _needs_unit(each: Property) -> bool:
    if not each.types or not each.types <= _NUMBERS or _UNIT_SIGN.search(each.description):
        return False
    words = [*name_words(each.name), *_said(each)]
    forms = {form for word in words for form in base_forms(word)}
    return not MEASURED.isdisjoint(words) and UNITS.isdisjoint(forms) and COUNTED.isdisjoint(words)


def _said(each: Property) -> list[str]:
    return [word.casefold() for word in _WORD.findall(each.description)]

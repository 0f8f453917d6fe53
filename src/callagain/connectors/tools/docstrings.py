"""What a docstring says about a tool: its description, and a description of each parameter.

Understood are the three common forms: Google (`Args:`), numpy (underlined `Parameters`), reST (`:param x:`).
The sections about parameters, results and errors are for programmers; everything else is for the model too.
"""

import inspect
import re
from collections.abc import Sequence
from dataclasses import dataclass, field

_PARAMETER_SECTIONS = {"args", "arguments", "parameters", "params", "keyword args", "keyword arguments"}
_OTHER_SECTIONS = {"other parameters", "returns", "return", "yields", "raises", "attributes"}
_SECTIONS = _PARAMETER_SECTIONS | _OTHER_SECTIONS

_GOOGLE_ITEM = re.compile(r"\*{0,2}(?P<names>\w+)(?:\s*\([^)]*\))?\s*:\s*(?P<text>.*)")
_NUMPY_ITEM = re.compile(r"(?P<names>\*{0,2}\w+(?:\s*,\s*\w+)*)\s*(?::.*)?(?P<text>)")
_REST_FIELD = re.compile(
    r":(?P<kind>param|parameter|arg|argument|key|keyword|type|returns?|rtype|raises?|yields?)\b"
    r"(?P<subject>[^:]*):\s*(?P<text>.*)"
)
_REST_PARAMETER = {"param", "parameter", "arg", "argument", "key", "keyword"}


@dataclass(frozen=True, slots=True)
class Docstring:
    """`description` is the summary and body; `parameters` maps a name to its text, on one line."""

    description: str = ""
    parameters: dict[str, str] = field(default_factory=dict[str, str])


def parse_docstring(text: str | None) -> Docstring:
    """Split a docstring into the tool's description and the descriptions of its parameters."""
    lines = inspect.cleandoc(text or "").splitlines()
    body: list[str] = []
    parameters: dict[str, str] = {}
    position = 0
    while position < len(lines):
        if field_match := _REST_FIELD.match(lines[position]):
            end = _end_of_block(lines, position + 1)
            _read_rest_field(field_match, lines[position + 1 : end], parameters)
        elif (header := _google_header(lines[position])) is not None:
            end = _end_of_block(lines, position + 1)
            if header in _PARAMETER_SECTIONS:
                parameters |= _read_items(lines[position + 1 : end], _GOOGLE_ITEM)
        elif (header := _numpy_header(lines, position)) is not None:
            end = _end_of_numpy_section(lines, position + 2)
            if header in _PARAMETER_SECTIONS:
                parameters |= _read_items(lines[position + 2 : end], _NUMPY_ITEM)
        else:
            body.append(lines[position])
            end = position + 1
        position = end
    description = re.sub(r"\n{3,}", "\n\n", "\n".join(body)).strip()
    return Docstring(description, parameters)


def _google_header(line: str) -> str | None:
    name = line[:-1].lower() if line.endswith(":") else ""
    return name if name in _SECTIONS else None


def _numpy_header(lines: Sequence[str], position: int) -> str | None:
    """The lower-case name of a known section whose title is underlined."""
    if not _is_underlined(lines, position):
        return None
    name = lines[position].strip().lower()
    return name if name in _SECTIONS else None


def _is_underlined(lines: Sequence[str], position: int) -> bool:
    return (
        position + 1 < len(lines)
        and lines[position].strip() != ""
        and re.fullmatch(r"-{3,}", lines[position + 1].strip()) is not None
    )


def _end_of_block(lines: Sequence[str], start: int) -> int:
    """Where the indented lines end that belong to the header before `start`."""
    for position in range(start, len(lines)):
        if lines[position] and not lines[position][0].isspace():
            return position
    return len(lines)


def _end_of_numpy_section(lines: Sequence[str], start: int) -> int:
    for position in range(start, len(lines)):
        if _is_underlined(lines, position):
            return position
    return len(lines)


def _read_items(lines: Sequence[str], item: re.Pattern[str]) -> dict[str, str]:
    """The items of a section: a line at the section's own indentation opens one, deeper lines add to it."""
    lines = inspect.cleandoc("\n" + "\n".join(lines)).splitlines()
    found: dict[str, list[str]] = {}
    current: list[str] = []
    for line in lines:
        match = None if line[:1].isspace() else item.fullmatch(line.strip())
        if match is None:
            current.append(line.strip())
            continue
        current = [match["text"]]
        for name in match["names"].split(","):
            found[name.strip().lstrip("*")] = current
    return {name: " ".join(" ".join(texts).split()) for name, texts in found.items()}


def _read_rest_field(match: re.Match[str], more: Sequence[str], parameters: dict[str, str]) -> None:
    subject = match["subject"].split()
    if match["kind"] in _REST_PARAMETER and subject:
        parameters[subject[-1].lstrip("*")] = " ".join(" ".join([match["text"], *more]).split())

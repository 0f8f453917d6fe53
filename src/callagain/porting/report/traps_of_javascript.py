"""Traps of JavaScript steps: what is newer than the language that Jitterbit has."""

import re
from collections.abc import Iterator

from callagain.porting.report.javascript_text import JavaScriptText
from callagain.porting.report.reading import Reading
from callagain.porting.report.trap import Finding, at_position, trap

_NO_NAME_BEFORE = r"(?<![\w$.])"
_SYNTAX = {
    name: _NO_NAME_BEFORE + pattern if pattern[0].isalpha() else pattern
    for name, pattern in {
        "let": r"let(?=\s+(?!in\b|instanceof\b)[\w$\[{]|\{)",
        "const": r"const(?=\s+(?!in\b|instanceof\b)[\w$\[{]|[\[{])",
        "class": r"class(?=\s+[\w$]|\s*\{)",
        "An arrow function": r"=>",
        "A template string": r"`",
        "for … of": r"for\s*\(\s*(?:(?:var|let|const)\s*(?=[\s\[{]))?(?!(?:var|let|const)\b)"
        r"[^;()]*?[\w$\]}]\s*(?<![\w$])of(?=\s*[\w$\[({\"'`])(?!\s+in\b)",
        "Spread (...)": r"\.\.\.",
        "A default parameter": r"function\b\s*+\*?\s*+[\w$]*+\s*+\([^()={\[]*=",
        "Destructuring": r"(?:(?:var|let|const)\s*[\[{]|function\b\s*+\*?\s*+[\w$]*+\s*+\([^()=]*[{\[])",
        "A generator": r"function\s*\*",
        "async": r"async(?=\s+(?:function\b|[\w$]+\s*=>)|\s*\([^()]*\)\s*=>)",
        "The operator **": r"\*\*",
    }.items()
}
_OBJECTS = (
    rf"{_NO_NAME_BEFORE}(?:new\s+(Map|Set|WeakMap|WeakSet|Promise|Proxy)\b|(Promise|Reflect|Symbol)\s*[.(])"
)
_REFUSED = "{} is newer than ECMAScript 5.1, which Jitterbit runs: its engine refuses the script."
_MISSING = "ECMAScript 5.1, which Jitterbit runs, has no {}: the script fails here."


@trap(
    "newer JavaScript",
    does="The script uses what is newer than ECMAScript 5.1, which Jitterbit runs: it fails there.",
    script="It runs here all the same, in QuickJS, but for what waits: Promise, async and await.",
)
def newer_javascript(reading: Reading) -> Iterator[Finding]:
    """In JavaScript: let, const, class, arrow functions, template strings, for … of, spread and rest, default
    parameters, destructuring, generators, async, the operator **, and objects such as Map, Set and Promise
    that the script does not define itself; each at its first place in a script."""
    for script in reading.javascripts:
        found = sorted({**_newer_syntax(script), **_newer_objects(script)}.items(), key=lambda item: item[1])
        yield from (at_position(script, position, does) for does, position in found)


def _newer_syntax(script: JavaScriptText) -> dict[str, int]:
    """What is to be said of newer syntax, and where it is first."""
    found: dict[str, int] = {}
    for name, pattern in _SYNTAX.items():
        if (match := next(script.find(pattern), None)) is not None:
            found[_REFUSED.format(name)] = match.start()
    return found


def _newer_objects(script: JavaScriptText) -> dict[str, int]:
    found: dict[str, int] = {}
    for match in script.find(_OBJECTS):
        name = match[1] or match[2]
        if not script.has(rf"\b(?:var|function|let|const|class)\s+{re.escape(name)}\b"):
            found.setdefault(_MISSING.format(name), match.start())
    return found

"""The colours of a drawing: classes over custom properties, in a light and a dark set."""

from typing import Literal

Theme = Literal["auto", "light", "dark"]

_LIGHT = {
    "paper": "#ffffff",
    "ink": "#1f2933",
    "soft": "#5b6673",
    "line": "#68737f",
    "box": "#eef3f9",
    "box-edge": "#8fa6bf",
    "decision": "#fdf3dc",
    "decision-edge": "#c79a3a",
    "count": "#0b62b8",
    "here": "#d6f2dd",
    "here-edge": "#1a7f37",
    "error": "#b42318",
}
_DARK = {
    "paper": "#0d1117",
    "ink": "#e6edf3",
    "soft": "#9aa6b2",
    "line": "#8b96a2",
    "box": "#182433",
    "box-edge": "#4a6785",
    "decision": "#2f2711",
    "decision-edge": "#a97f25",
    "count": "#6cb6ff",
    "here": "#12341f",
    "here-edge": "#3fb950",
    "error": "#ff8078",
}

_RULES = """\
text { fill: var(--ink); font: 14px system-ui, "Segoe UI", "Liberation Sans", sans-serif; }
.paper { fill: var(--paper); }
.shape { fill: var(--box); stroke: var(--box-edge); stroke-width: 1.5; }
.kind { fill: var(--soft); font-size: 12px; }
.line { fill: none; stroke: var(--line); stroke-width: 1.5; }
.arrow { fill: var(--line); stroke: none; }
.label, .count, .together .kind { font-size: 12px; paint-order: stroke; stroke: var(--paper); \
stroke-width: 4px; stroke-linejoin: round; }
.label { fill: var(--soft); }
.count { fill: var(--count); font-size: 11px; font-weight: 600; }
.decision .shape, .remark .shape { fill: var(--decision); stroke: var(--decision-edge); }
.general .shape { stroke-dasharray: 5 4; }
.start .shape, .dot { fill: var(--line); stroke: none; }
.end .shape { fill: none; stroke: var(--line); }
.unvisited { opacity: 0.35; }
.current .shape { fill: var(--here); stroke: var(--here-edge); stroke-width: 2.5; }
.lifeline, .between { stroke: var(--line); stroke-dasharray: 3 4; opacity: 0.6; }
.message .label { fill: var(--ink); }
.message.result .line { stroke-dasharray: 6 4; }
.message.error .line, .message.retry .line, .cross { stroke: var(--error); stroke-dasharray: 6 4; }
.message.error .label, .message.retry .label { fill: var(--error); }
.message.decision .line { stroke: var(--here-edge); }
.message.decision .arrow { fill: var(--here-edge); }
.cross { fill: none; stroke-width: 2; stroke-dasharray: none; }
.remark .said { font-size: 12px; }
.frame { fill: none; stroke: var(--box-edge); stroke-width: 1.5; }
"""
# In the middle of a page they are for the drawing alone.
_SCOPE = ".callagain-diagram"


def css(theme: Theme = "auto") -> str:
    """The CSS of a drawing that stands alone. auto: dark where the reader's system is."""
    first = _DARK if theme == "dark" else _LIGHT
    dark = f"@media (prefers-color-scheme: dark) {{ {_properties(_DARK)} }}\n" if theme == "auto" else ""
    return f"{_properties(first)}\n{dark}{_scoped(_RULES)}"


def _properties(colours: dict[str, str]) -> str:
    values = " ".join(f"--{name}: {value};" for name, value in colours.items())
    return f"{_SCOPE} {{ {values} }}"


def _scoped(rules: str) -> str:
    lines: list[str] = []
    for line in rules.splitlines():
        selectors, brace, declarations = line.partition("{")
        scoped = ", ".join(f"{_SCOPE} {each.strip()}" for each in selectors.split(","))
        lines.append(f"{scoped} {brace}{declarations}\n")
    return "".join(lines)

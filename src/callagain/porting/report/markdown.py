"""The report as a page of Markdown, for the package and for those who read it in a browser."""

from collections.abc import Iterable, Iterator, Sequence

from callagain.porting.report.model import Component, Report
from callagain.porting.report.safe_text import code, fenced, markdown
from callagain.porting.report.summary import COUNTED, WORDS, TrapGroup, counts, grouped, tasks


def report_markdown(report: Report) -> str:
    """The report in Markdown: summary, what is left to do, then tables, and the chain as a Mermaid diagram.

    What comes from the design is escaped, so that it stands as text wherever it is.
    """
    sections = [
        ("What is left to do", _tasks(report)),
        ("The machine", [fenced(report.diagram, "mermaid")] if report.diagram else []),
        ("Inventory", _table(("component", "number"), _inventory(report))),
        ("Components", _components(report.components)),
        ("Traps", _traps(report)),
        ("Unknown functions", _table(("function", "calls", "scripts"), _unknown_functions(report))),
        ("Tags that name nothing", _table(("tag", "script", "line", "column"), _tags(report))),
        ("Names", _table(("kind", "in Jitterbit", "in Python"), _names(report))),
        ("Secrets to enter anew", [f"- {code(name)}" for name in report.secrets]),
        ("Guesses", [f"- {markdown(text)}" for text in report.guesses]),
    ]
    lines = [*_head(report)]
    for heading, body in sections:
        if body:
            lines += ["", f"## {heading}", "", *body]
    return "\n".join(lines) + "\n"


def _head(report: Report) -> Iterator[str]:
    yield f"# Port of {markdown(report.design)}"
    yield ""
    yield f"Read from: {markdown(report.form)}. The package is {code(report.package)}."
    yield ""
    yield from _table(tuple(WORDS.values()), [tuple(map(str, counts(report).values()))])


def _tasks(report: Report) -> list[str]:
    lines: list[str] = []
    for task in tasks(report):
        if task.section:
            examples = [*map(markdown, task.examples), task.others]
            lines += [f"- {task.text}:", *(f"  - {example}" for example in examples if example)]
        else:
            lines.append(f"- {task.text}: {', '.join(map(markdown, task.about))}")
    return lines or ["Nothing: run the tests of the package."]


def _inventory(report: Report) -> list[tuple[str, ...]]:
    return [(markdown(kind), str(number)) for kind, number in report.inventory.items()]


def _components(components: Sequence[Component]) -> list[str]:
    rows = [
        (
            markdown(each.kind),
            code(each.name),
            each.status.value,
            code(each.became) if each.became else "",
            markdown(str(each.place)),
            "; ".join(map(markdown, each.notes)),
        )
        for each in components
    ]
    return _table(("kind", "name", "status", "became", "place", "notes"), rows)


def _traps(report: Report) -> list[str]:
    rows = [
        (markdown(group.trap), _places(group), markdown(group.design_does), markdown(group.python_does))
        for group in grouped(report)
    ]
    table = _table(("trap", "where", "the design", "the Python"), rows)
    return [*table, "", markdown(COUNTED)] if table else []


def _places(group: TrapGroup) -> str:
    return "; ".join(f"{code(name)} {', '.join(at)}".rstrip() for name, at in group.where.items())


def _unknown_functions(report: Report) -> list[tuple[str, ...]]:
    return [
        (code(each.name), str(each.calls), ", ".join(map(code, each.scripts)))
        for each in report.unknown_functions
    ]


def _tags(report: Report) -> list[tuple[str, ...]]:
    return [
        (code(each.tag), code(each.script), str(each.line), str(each.column))
        for each in report.unresolved_tags
    ]


def _names(report: Report) -> list[tuple[str, ...]]:
    return [
        (markdown(kind), code(name), code(became))
        for kind, names in report.names.items()
        for name, became in names.items()
    ]


def _table(headings: tuple[str, ...], rows: Iterable[tuple[str, ...]]) -> list[str]:
    """The lines of a table, none if it has no rows."""
    body = [f"| {' | '.join(row)} |" for row in rows]
    return [f"| {' | '.join(headings)} |", f"|{' --- |' * len(headings)}", *body] if body else []

"""The report for a terminal."""

import textwrap
from collections.abc import Iterable, Iterator, Sequence
from unicodedata import combining, east_asian_width

from callagain.porting.report.model import Component, Report, Status
from callagain.porting.report.safe_text import plain
from callagain.porting.report.summary import COUNTED, WORDS, TrapGroup, counts, grouped, of_status, tasks

NARROWEST = 40
_INDENT = "  "
_NAME_COLUMNS = 30
_PLACES = 12
_BOLD, _RED, _YELLOW, _GREEN, _FAINT = "1", "31", "33", "32", "2"
_COLOURS = {
    Status.CONVERTED: _GREEN,
    Status.CONVERTED_WITH_NOTES: _YELLOW,
    Status.KEPT_AS_SCRIPT: _YELLOW,
    Status.STUB: _RED,
    Status.IGNORED: _FAINT,
}
_HEADINGS = {
    Status.STUB: "Stubs",
    Status.CONVERTED_WITH_NOTES: "Converted with notes",
    Status.KEPT_AS_SCRIPT: "Kept as script",
    Status.CONVERTED: "Converted",
    Status.IGNORED: "Ignored",
}


def report_text(report: Report, width: int = 80, colour: bool = False) -> str:
    """The report in lines of at most `width` columns (40 at least): summary, what is left to do, details.

    Nothing of the design reaches the terminal but printable characters. A name or path that is wider than a
    line is not cut, so that it can be copied.
    """
    return "\n".join(_TextReport(report, max(width, NARROWEST), colour).lines()) + "\n"


class _TextReport:
    def __init__(self, report: Report, width: int, colour: bool) -> None:
        self._report = report
        self._width = width
        self._colour = colour

    def lines(self) -> Iterator[str]:
        yield from self._summary()
        yield from self._section("What is left to do", self._tasks())
        yield from self._section("Inventory", self._pairs(self._report.inventory.items()))
        for status, heading in _HEADINGS.items():
            components = of_status(self._report, status)
            yield from self._section(f"{heading} ({len(components)})", self._components(components))
        yield from self._section("Traps", self._traps())
        yield from self._section("Unknown functions", self._unknown_functions())
        yield from self._section("Tags that name nothing", self._tags())
        for kind, names in self._report.names.items():
            yield from self._section(f"Names: {plain(kind)}", self._pairs(names.items()))
        yield from self._section("Guesses", self._bullets(self._report.guesses))

    def _summary(self) -> Iterator[str]:
        report = self._report
        said = f"{plain(report.design)} ({plain(report.form)}) became the package {plain(report.package)}."
        yield from map(self._bold, self._wrapped(said))
        yield ""
        for status, number in counts(report).items():
            if number:
                yield f"{_INDENT}{number:4} {self._painted(_COLOURS[status], WORDS[status])}"

    def _tasks(self) -> Iterator[str]:
        left = tasks(self._report)
        for task in left:
            yield from self._wrapped(f"- {task.text}:", _INDENT)
            if task.section:
                for example in filter(None, (*map(plain, task.examples), task.others)):
                    yield from self._wrapped(example, _INDENT * 3, _INDENT * 4)
            else:
                yield from self._wrapped(_shortened(map(plain, task.about)), _INDENT * 3)
        if not left:
            yield from self._wrapped("Nothing: run the tests of the package.", _INDENT)

    def _components(self, components: Sequence[Component]) -> Iterator[str]:
        kinds = _columns((component.kind for component in components), 16)
        names = _columns((component.name for component in components), _NAME_COLUMNS)
        for each in components:
            line = f"{_INDENT}{_padded(plain(each.kind), kinds)}  {_padded(plain(each.name), names)}"
            became = f"-> {plain(each.became)}" if each.became else ""
            indent = " " * (len(_INDENT) + kinds + 2)
            if became and _width(line) + 2 + _width(became) <= self._width:
                line, became = f"{line}  {became}", ""
            yield line.rstrip()
            if became:
                yield from self._wrapped(became, indent)
            yield from map(self._faint, self._wrapped(f"at {plain(str(each.place))}", indent))
            for note in each.notes:
                yield from self._wrapped(plain(note), indent)

    def _traps(self) -> Iterator[str]:
        for number, group in enumerate(grouped(self._report)):
            if number:
                yield ""
            yield from map(self._bold, self._wrapped(plain(group.trap), _INDENT))
            yield from self._named("Jitterbit", plain(group.design_does))
            yield from self._named("Python", plain(group.python_does))
            yield from self._named("at", _places(group))
        if any(trap.line for trap in self._report.traps):
            yield ""
            yield from map(self._faint, self._wrapped(COUNTED, _INDENT))

    def _unknown_functions(self) -> Iterator[str]:
        for each in self._report.unknown_functions:
            calls = "1 call" if each.calls == 1 else f"{each.calls} calls"
            scripts = _shortened(map(plain, each.scripts))
            yield from self._wrapped(f"{plain(each.name)}: {calls} in {scripts}", _INDENT)

    def _tags(self) -> Iterator[str]:
        for each in self._report.unresolved_tags:
            place = f"{plain(each.script)} {each.line}:{each.column}"
            yield from self._wrapped(f"{plain(each.tag)} in {place}", _INDENT)

    def _pairs(self, pairs: Iterable[tuple[str, object]]) -> Iterator[str]:
        listed = [(plain(name), plain(str(value))) for name, value in pairs]
        names = _columns((name for name, _ in listed), _NAME_COLUMNS)
        for name, value in listed:
            line = f"{_INDENT}{_padded(name, names)}  {value}"
            if _width(line) <= self._width:
                yield line
            else:
                yield from self._wrapped(name, _INDENT)
                yield from self._wrapped(value, _INDENT * 2)

    def _bullets(self, texts: Iterable[str]) -> Iterator[str]:
        for text in texts:
            yield from self._wrapped(f"- {plain(text)}", _INDENT, _INDENT * 2)

    def _named(self, name: str, text: str) -> Iterator[str]:
        yield from self._wrapped(text, f"{_INDENT * 2}{name:<9}  ", " " * (len(_INDENT) * 2 + 11))

    def _section(self, heading: str, lines: Iterable[str]) -> Iterator[str]:
        """A heading and what stands below it, nothing if that is nothing."""
        body = list(lines)
        if body:
            yield from ("", self._bold(heading), *body)

    def _wrapped(self, text: str, indent: str = "", further: str | None = None) -> list[str]:
        return textwrap.wrap(
            text,
            self._width,
            initial_indent=indent,
            subsequent_indent=indent if further is None else further,
            break_long_words=False,
            break_on_hyphens=False,
        )

    def _bold(self, text: str) -> str:
        return self._painted(_BOLD, text)

    def _faint(self, text: str) -> str:
        return self._painted(_FAINT, text)

    def _painted(self, code: str, text: str) -> str:
        return f"\x1b[{code}m{text}\x1b[0m" if self._colour else text


def _places(group: TrapGroup) -> str:
    where = (f"{plain(name)} {', '.join(at[:_PLACES])}".rstrip() for name, at in group.where.items())
    return _shortened(where, "; ")


def _shortened(texts: Iterable[str], between: str = ", ") -> str:
    """The first of many, and how many more there are."""
    listed = list(texts)
    more = len(listed) - _PLACES
    return between.join(listed[:_PLACES]) + (f" and {more} more" if more > 0 else "")


def _columns(texts: Iterable[str], most: int) -> int:
    return min(max((_width(plain(text)) for text in texts), default=0), most)


def _padded(text: str, columns: int) -> str:
    return text + " " * (columns - _width(text))


def _width(text: str) -> int:
    """Columns of a terminal; a wide character takes two, and one that joins the one before takes none."""
    return sum(0 if combining(each) else 2 if east_asian_width(each) in "WF" else 1 for each in text)

"""What every drawing is made of: the `<svg>` itself, its texts and its numbers."""

import html
from collections.abc import Iterable, Iterator

from callagain.diagrams.plain_text import one_line

Point = tuple[float, float]
# A letter of an SVG path, and its points.
Step = tuple[str, tuple[Point, ...]]


def whole_svg(
    name: str, title: str, size: tuple[float, float], rules: str | None, body: Iterable[str]
) -> str:
    """The drawing, for a file or for the middle of a page.

    name: the id of the title, which is read out to those who do not see the drawing. rules: the CSS; without
    it there is no background either, and the page has both.
    """
    return "\n".join(_lines(name, title, size, rules, body)) + "\n"


def _lines(
    name: str, title: str, size: tuple[float, float], rules: str | None, body: Iterable[str]
) -> Iterator[str]:
    wide, high = map(number, size)
    yield (
        f'<svg xmlns="http://www.w3.org/2000/svg" class="callagain-diagram" role="img" '
        f'aria-labelledby="{name}" viewBox="0 0 {wide} {high}" width="{wide}" height="{high}">'
    )
    yield f'<title id="{name}">{escaped(title)}</title>'
    if rules is not None:
        yield f"<style>\n{rules}</style>"
        yield f'<rect class="paper" width="{wide}" height="{high}"/>'
    yield from body
    yield "</svg>"


def text(at: Point, words: str, kind: str = "", anchor: str = "middle") -> str:
    """One line. kind: its class. anchor: which end of it is at the point: start, middle or end."""
    x, y = map(number, at)
    of_kind = f' class="{kind}"' if kind else ""
    return f'<text{of_kind} x="{x}" y="{y}" text-anchor="{anchor}">{escaped(words)}</text>'


def path(kind: str, steps: Iterable[tuple[str, Iterable[Point]]]) -> str:
    drawn = " ".join(f"{letter}{' '.join(map(_pair, points))}" for letter, points in steps)
    return f'<path class="{kind}" d="{drawn}"/>'


def rectangle(kind: str, corner: Point, size: tuple[float, float], radius: float) -> str:
    (x, y), (wide, high) = map(number, corner), map(number, size)
    return f'<rect class="{kind}" x="{x}" y="{y}" width="{wide}" height="{high}" rx="{number(radius)}"/>'


def circle(kind: str, middle: Point, radius: float) -> str:
    x, y = map(number, middle)
    return f'<circle class="{kind}" cx="{x}" cy="{y}" r="{number(radius)}"/>'


def escaped(words: str) -> str:
    """Any text, for an element or an attribute."""
    return html.escape(one_line(words), quote=True)


def number(value: float) -> str:
    """Short: nobody sees less than a tenth of a pixel."""
    rounded = f"{value:.1f}".removesuffix(".0")
    return "0" if rounded == "-0" else rounded


def _pair(point: Point) -> str:
    return f"{number(point[0])},{number(point[1])}"

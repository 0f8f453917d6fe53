"""A run's sequence diagram as SVG: a column for each participant, and time goes down.

Each message is a `<g class="message call" data-step="4">` with its kind as a class and the number of the
operation in which it was said. Colours are custom properties; `theme.py` has them.
"""

from collections.abc import Iterator, Sequence

from callagain.diagrams.overlay import stand
from callagain.diagrams.sequence import (
    MOST_ROUNDS,
    Kind,
    Message,
    Remark,
    SequenceDiagram,
    Together,
    sequence,
)
from callagain.diagrams.svg import Point, number, path, rectangle, text, whole_svg
from callagain.diagrams.text_size import width, wrapped
from callagain.diagrams.theme import Theme, css
from callagain.diagrams.walk import Walk

_TEXT, _SMALL, _LINE = 14.0, 12.0, 16.0
_MOST_NAME, _MOST_LABEL = 180.0, 300.0
_MARGIN, _PADDING = 16.0, 10.0
_HEAD_HALF = 46.0  # at least, of the width of a participant's box
_APART = 26.0  # between two boxes, and around a label between two columns
_ARROW = 9.0
_FRAME = 14.0  # around calls that run together


def sequence_svg(walk: Walk, *, rounds: int = MOST_ROUNDS, theme: Theme = "auto", style: bool = True) -> str:
    """Who said what to whom in a run: the caller, the loop, the LLM endpoint and each tool.

    rounds: of a longer run only so many are drawn, the first and the last ones; a remark says what is left
    out. theme, style: as for `flowchart_svg`.
    """
    drawing = _Drawing(sequence(walk, rounds=rounds))
    title = f"Sequence diagram of {walk.chain.name}, {stand(walk)}"
    return whole_svg("sequence-title", title, drawing.size, css(theme) if style else None, drawing.body())


class _Drawing:
    def __init__(self, diagram: SequenceDiagram) -> None:
        self._names = {each: wrapped([each.name], _TEXT, _MOST_NAME) for each in diagram.participants}
        self._number = {each: number for number, each in enumerate(diagram.participants)}
        self._halves = [self._half(lines) for lines in self._names.values()]
        self._head = max(map(len, self._names.values())) * _LINE + 2 * _PADDING
        self._columns = self._columns_for(list(_all(diagram)))
        # What has been drawn so far reaches from here to there, and down to y.
        self._left: float = -self._halves[0]
        self._right: float = self._columns[-1] + self._halves[-1]
        self._y = _MARGIN + self._head + 1.5 * _PADDING
        self._drawn = [line for part in diagram.parts for line in self._part(part)]
        self.size = (self._right - self._left + 2 * _MARGIN, self._y + self._head + _PADDING + _MARGIN)

    def body(self) -> Iterator[str]:
        yield f'<g transform="translate({number(_MARGIN - self._left)},0)">'
        bottom = self._y + _PADDING
        for column, lines in enumerate(self._names.values()):
            x = self._columns[column]
            yield '<g class="participant">'
            yield path("lifeline", [("M", [(x, _MARGIN + self._head)]), ("L", [(x, bottom)])])
            for top in (_MARGIN, bottom):
                half = self._halves[column]
                yield rectangle("shape", (x - half, top), (2 * half, self._head), 4)
                first = top + self._head / 2 - (len(lines) - 1) * _LINE / 2 + _TEXT * 0.35
                for place, line in enumerate(lines):
                    yield text((x, first + place * _LINE), line)
            yield "</g>"
        yield from self._drawn
        yield "</g>"

    def _half(self, lines: Sequence[str]) -> float:
        return max(max((width(line, _TEXT) for line in lines), default=0.0) / 2 + _PADDING, _HEAD_HALF)

    def _columns_for(self, parts: Sequence[Message | Remark]) -> list[float]:
        """The middle of each column: far enough apart for the boxes, and for every label between them."""
        gaps = [one + other + _APART for one, other in zip(self._halves, self._halves[1:], strict=False)]
        for part in sorted(parts, key=self._span):
            (first, last), wide = self._ends(part), self._wide(part.text)
            if first == last:
                for beside in {max(first - 1, 0), min(first, len(gaps) - 1)}:
                    gaps[beside] = max(gaps[beside], wide / 2 + _APART)
            elif (missing := wide + _APART - sum(gaps[first:last])) > 0:
                gaps[last - 1] += missing
        columns = [0.0]
        for gap in gaps:
            columns.append(columns[-1] + gap)
        return columns

    def _span(self, part: Message | Remark) -> int:
        first, last = self._ends(part)
        return last - first

    def _ends(self, part: Message | Remark) -> tuple[int, int]:
        both = (part.source, part.target) if isinstance(part, Message) else part.over
        first, last = sorted(self._number[each] for each in both)
        return first, last

    def _wide(self, words: str) -> float:
        return max((width(line, _SMALL) for line in wrapped([words], _SMALL, _MOST_LABEL)), default=0.0)

    def _part(self, part: Message | Remark | Together) -> Iterator[str]:
        match part:
            case Message():
                yield from self._message(part)
            case Remark():
                yield from self._remark(part)
            case Together():
                yield from self._together(part)

    def _message(self, message: Message) -> Iterator[str]:
        source, target = (self._columns[self._number[each]] for each in (message.source, message.target))
        step = "" if message.step is None else f' data-step="{message.step}"'
        lines = wrapped([message.text], _SMALL, _MOST_LABEL)
        yield f'<g class="message {message.kind.value}"{step}>'
        self._y += _LINE * 0.8
        for line in lines:
            yield text(((source + target) / 2, self._y), line, "label")
            self._y += _LINE
        y = self._y - _LINE * 0.5
        towards = 1 if target > source else -1
        end = target - towards * _ARROW
        yield path("line", [("M", [(source, y)]), ("L", [(end, y)])])
        yield from _head(message.kind, (target, y), towards)
        yield "</g>"
        self._y = y + _PADDING

    def _remark(self, remark: Remark) -> Iterator[str]:
        lines = wrapped([remark.text], _SMALL, _MOST_LABEL)
        first, last = self._ends(remark)
        middle = (self._columns[first] + self._columns[last]) / 2
        half = max(self._wide(remark.text), self._columns[last] - self._columns[first]) / 2 + _PADDING
        high = len(lines) * _LINE + _PADDING
        self._left, self._right = min(self._left, middle - half), max(self._right, middle + half)
        yield '<g class="remark">'
        yield rectangle("shape", (middle - half, self._y), (2 * half, high), 2)
        for place, line in enumerate(lines):
            yield text((middle, self._y + _PADDING / 2 + _LINE * (place + 0.75)), line, "said")
        yield "</g>"
        self._y += high + _PADDING

    def _together(self, part: Together) -> Iterator[str]:
        """The branches below each other, in one frame, with a line between two of them."""
        ends = [self._ends(each) for branch in part.branches for each in branch]
        left = self._columns[min(first for first, _ in ends)] - _FRAME
        right = self._columns[max(last for _, last in ends)] + _FRAME
        top = self._y
        self._y += _LINE
        inside: list[str] = []
        for place, branch in enumerate(part.branches):
            if place:
                inside.append(path("between", [("M", [(left, self._y)]), ("L", [(right, self._y)])]))
            outside = self._left, self._right
            self._left = self._right = (left + right) / 2
            self._y += _PADDING / 2
            inside += [line for each in branch for line in self._part(each)]
            left, right = min(left, self._left - _FRAME / 2), max(right, self._right + _FRAME / 2)
            self._left, self._right = outside
        self._left, self._right = min(self._left, left), max(self._right, right)
        yield '<g class="together">'
        yield rectangle("frame", (left, top), (right - left, self._y - top), 4)
        yield text((left + 8, top + _SMALL + 3), "at the same time", "kind", "start")
        yield from inside
        yield "</g>"
        self._y += _PADDING


def _all(diagram: SequenceDiagram) -> Iterator[Message | Remark]:
    for part in diagram.parts:
        if isinstance(part, Together):
            yield from (each for branch in part.branches for each in branch)
        else:
            yield part


def _head(kind: Kind, tip: Point, towards: int) -> Iterator[str]:
    """An arrow, or a cross for what did not come to good."""
    x, y = tip
    back, half = x - towards * _ARROW, _ARROW * 0.45
    if kind in (Kind.ERROR, Kind.RETRY):
        left, right = x - towards * 2 * half - half, x - towards * 2 * half + half
        yield path(
            "cross",
            [
                ("M", [(left, y - half)]),
                ("L", [(right, y + half)]),
                ("M", [(left, y + half)]),
                ("L", [(right, y - half)]),
            ],
        )
    else:
        yield path("arrow", [("M", [tip, (back, y - half), (back, y + half)]), ("Z", ())])

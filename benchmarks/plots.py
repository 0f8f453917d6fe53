"""The plots of the page, as SVG whose colours are readable on light and on dark ground."""

import hashlib
import io
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

import matplotlib as mpl
from benchmarks.figures import Read, cpu, figure, throughput
from benchmarks.results import Results
from benchmarks.roster import AIOHTTP, LIBRARIES, OURS_ASYNC, POST_AIOHTTP, SDK_ASYNC, Peer
from benchmarks.works import AT_ONCE, LONG, ONE_ROUND, ROUNDS_20, ROUNDS_50, Work
from matplotlib.figure import Figure as Drawing

# Colour, width and style of a line; the libraries' colours are in the order of LIBRARIES.
LINES = {
    OURS_ASYNC: ("#e8590c", 3.0, "-"),
    SDK_ASYNC: ("#1c7ed6", 2.5, "-"),
    POST_AIOHTTP: ("#7b828a", 1.5, "--"),
    AIOHTTP: ("#7b828a", 1.5, ":"),
}
COLOURS = ("#2b9348", "#ae3ec9", "#0c8599", "#a67c00", "#7c5cf5", "#e64980", "#6a8d3a")
TEXT_COLOUR = "#7b828a"
# The asynchronous loops, and smolagents, which has no other.
COSTS = (SDK_ASYNC, OURS_ASYNC, POST_AIOHTTP, *(peer for peer in LIBRARIES if peer.name != "haystack"))
COST_WORKS = (ONE_ROUND, ROUNDS_20, ROUNDS_50, LONG)
THROUGHPUTS = (*COSTS, AIOHTTP)


@dataclass(frozen=True, slots=True)
class Line:
    """points: x and y, both more than 0."""

    title: str
    points: tuple[tuple[float, float], ...]
    colour: str
    width: float
    style: str


@dataclass(frozen=True, slots=True)
class Plot:
    """name: of its file. lines: as the legend has them from top to bottom."""

    name: str
    title: str
    x_label: str
    y_label: str
    lines: tuple[Line, ...]

    @property
    def digest(self) -> str:
        """Of all that it shows; the SVG has it as its identifier."""
        return hashlib.sha256(repr(self).encode()).hexdigest()

    def svg(self) -> str:
        # Letters stay letters, and the ids are the same each time.
        style = mpl.rc_context(
            {
                "svg.fonttype": "none",
                "svg.hashsalt": "callagain",
                "font.size": 11,
                "text.color": TEXT_COLOUR,
                "axes.labelcolor": TEXT_COLOUR,
                "axes.edgecolor": TEXT_COLOUR,
                "xtick.color": TEXT_COLOUR,
                "ytick.color": TEXT_COLOUR,
                "grid.color": TEXT_COLOUR,
            }
        )
        with style:
            drawing = Drawing(figsize=(9, 5), layout="constrained")
            self._draw(drawing)
            written = io.StringIO()
            metadata = {"Date": None, "Title": self.title, "Identifier": self.digest}
            drawing.savefig(written, format="svg", transparent=True, metadata=metadata)
        return "\n".join(line.rstrip() for line in written.getvalue().splitlines()) + "\n"

    def _draw(self, drawing: Drawing) -> None:
        axes = drawing.add_subplot()
        for line, marker in zip(self.lines, "osD^v<>ph*X", strict=False):
            x, y = zip(*line.points, strict=True)
            axes.plot(
                x,
                y,
                label=line.title,
                color=line.colour,
                linewidth=line.width,
                linestyle=line.style,
                marker=marker,
            )
        ticks = sorted({x for line in self.lines for x, _ in line.points})
        axes.set(xscale="log", yscale="log", xlabel=self.x_label, ylabel=self.y_label, title=self.title)
        axes.set_xticks(ticks, [f"{tick:,.0f}" for tick in ticks])
        axes.minorticks_off()
        axes.yaxis.set_major_formatter("{x:,g}")
        axes.grid(alpha=0.3)
        axes.spines[["top", "right"]].set_visible(False)
        drawing.legend(loc="outside right center", frameon=False)


def plots(results: Results) -> list[Plot]:
    """Those for which something was measured."""
    cost = Plot(
        "cost",
        "Client CPU of a run",
        "rounds",
        "ms",
        _lines(results, COSTS, [(work.task.rounds, work) for work in COST_WORKS], cpu, ROUNDS_50),
    )
    at_once = Plot(
        "throughput",
        "Runs of three rounds, endpoint 200 ms a request",
        "runs at once",
        "runs a second",
        _lines(results, THROUGHPUTS, [(work.at_once, work) for work in AT_ONCE], throughput, AT_ONCE[-2]),
    )
    return [plot for plot in (cost, at_once) if plot.lines]


def _lines(
    results: Results, peers: Iterable[Peer], works: Sequence[tuple[float, Work]], read: Read, by: Work
) -> tuple[Line, ...]:
    """In the order of what they have in `by`, the largest first."""
    found: list[tuple[float, Line]] = []
    for peer in peers:
        points = tuple((x, each.median) for x, work in works if (each := figure(results, work, peer, read)))
        place = figure(results, by, peer, read)
        if points:
            found.append((place.median if place else 0.0, _line(peer, points)))
    return tuple(line for _, line in sorted(found, key=lambda each: each[0], reverse=True))


def _line(peer: Peer, points: tuple[tuple[float, float], ...]) -> Line:
    title = peer.title.replace(", async", "")
    if peer in LINES:
        return Line(title, points, *LINES[peer])
    return Line(title, points, COLOURS[LIBRARIES.index(peer)], 1.5, "-")

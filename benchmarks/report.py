"""Writes docs/performance.md and its plots from what a session found out.

What stands around the blocks of the page is written by hand, and stays as it is.
"""

import re
from collections.abc import Callable

from benchmarks.places import PAGE, PLOTS
from benchmarks.plots import plots
from benchmarks.results import Results, write_whole
from benchmarks.tables import (
    at_once,
    costs,
    endpoint_share,
    engine,
    failures,
    goals,
    imports,
    journal,
    long_runs,
    machine,
    missed,
    throughputs,
    versions,
)

# By the name that the page gives to the block.
BLOCKS: dict[str, Callable[[Results], str]] = {
    "goals": goals,
    "missed": missed,
    "costs": costs,
    "long-runs": long_runs,
    "throughputs": throughputs,
    "at-once": at_once,
    "journal": journal,
    "engine": engine,
    "imports": imports,
    "endpoint": endpoint_share,
    "failures": failures,
    "machine": machine,
    "versions": versions,
}
BLOCK = re.compile(r"(<!-- measured: ([\w-]+) -->\n).*?(<!-- end -->)", re.DOTALL)


def filled(page: str, results: Results) -> str:
    """The page with its blocks written anew. Raises ValueError if a block is unknown, or not there."""
    names = [match[2] for match in BLOCK.finditer(page)]
    if sorted(names) != sorted(BLOCKS):
        raise ValueError(f"blocks of {PAGE}: must be {', '.join(BLOCKS)}, not {', '.join(names)}")
    return BLOCK.sub(lambda match: match[1] + _block(match[2], results) + match[3], page)


def write_page(results: Results) -> None:
    """The page and its plots."""
    write_whole(PAGE, filled(PAGE.read_text("utf-8"), results))
    for plot in plots(results):
        write_whole(PLOTS / f"{plot.name}.svg", plot.svg())


def _block(name: str, results: Results) -> str:
    text = BLOCKS[name](results)
    return f"\n{text}\n" if text else "\nNone.\n\n"

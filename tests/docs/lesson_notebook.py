"""A Jupyter notebook of some lessons: their text, their Python as cells, and what these print as outputs."""

import json
from typing import TypeAlias

from tests.docs.fences import Fence, fences_in

Cell: TypeAlias = dict[str, object]

INTRODUCTION = """\
# The first lessons

The first lessons of [the course](README.md), to be run from top to bottom where callagain is installed. Lines
that begin with `$` are for a terminal.

The outputs that are here already are those of the lessons; `…` stands for what they leave out."""


def notebook_of(pages: list[str]) -> str:
    """The notebook's file, of format 4.5. The same pages give the same text."""
    cells = [_markdown(INTRODUCTION), *(cell for page in pages for cell in _cells(page))]
    document = {
        "cells": [{"id": f"cell-{number}", **cell} for number, cell in enumerate(cells)],
        "metadata": {
            "kernelspec": {"display_name": "Python 3", "language": "python", "name": "python3"},
            "language_info": {"name": "python"},
        },
        "nbformat": 4,
        "nbformat_minor": 5,
    }
    return json.dumps(document, ensure_ascii=False, indent=1) + "\n"


def _cells(page: str) -> list[Cell]:
    cells: list[Cell] = []
    place = 0
    fences = fences_in(page)
    for fence, after in zip(fences, [*fences[1:], None], strict=True):
        if fence.language != "python" or fence.source is not None:
            continue
        output = after if after is not None and _is_output(page, fence, after) else None
        cells += [_markdown(page[place : fence.start]), _code(fence, output)]
        place = fence.end if output is None else output.end
    return [cell for cell in [*cells, _markdown(page[place:])] if cell["source"]]


def _is_output(page: str, fence: Fence, after: Fence) -> bool:
    return after.language == "text" and not page[fence.end : after.start].strip()


def _markdown(text: str) -> Cell:
    return {"cell_type": "markdown", "metadata": {}, "source": _lines(text.strip("\n"))}


def _code(fence: Fence, output: Fence | None) -> Cell:
    outputs: list[Cell] = []
    if output is not None:
        outputs.append({"name": "stdout", "output_type": "stream", "text": _lines(output.body)})
    return {
        "cell_type": "code",
        "execution_count": None,
        "metadata": {},
        "outputs": outputs,
        "source": _lines(fence.body.rstrip("\n")),
    }


def _lines(text: str) -> list[str]:
    """As Jupyter itself writes a text, so that a change of one line is a change of one line."""
    return text.splitlines(keepends=True)

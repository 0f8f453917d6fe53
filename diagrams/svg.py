"""Mermaid text drawn as SVG, by mermaidx: Mermaid itself, without a browser or a network.

Another version of it may place things otherwise, so an SVG is not compared byte by byte: its first line
holds the SHA-256 of the Mermaid text that it was drawn from.
"""

import hashlib
import importlib
import json
from typing import Protocol, cast

from callagain.engine.errors import CallAgainError

# Labels as SVG text, since only browsers show the HTML that Mermaid puts into its SVG otherwise.
_CONFIG = {"htmlLabels": False, "flowchart": {"htmlLabels": False}}

# On a dark page the arrows of a transparent picture cannot be seen.
_TRANSPARENT, _WHITE = "background-color: transparent", "background-color: white"


class RendererMissingError(CallAgainError):
    """What draws SVG is not installed; the message says how to install it."""


class _Drawing(Protocol):
    def svg(self) -> str: ...


class _Renderer(Protocol):
    def render(self, source: str) -> _Drawing: ...


def draw_svg(mermaid: str) -> str:
    """The picture of a Mermaid text. Raises RendererMissingError without mermaidx."""
    try:
        renderer = cast(_Renderer, importlib.import_module("mermaidx"))
    except ImportError:
        raise RendererMissingError(
            "mermaidx, which draws the SVG files, is not installed; "
            "the Mermaid and Markdown files need nothing: pip install 'mermaidx>=0.10,<0.11'"
        ) from None
    svg = renderer.render(f"---\nconfig: {json.dumps(_CONFIG)}\n---\n{mermaid}").svg()
    return f"{origin(mermaid)}\n{svg.replace(_TRANSPARENT, _WHITE, 1)}\n"


def origin(mermaid: str) -> str:
    """The first line of the SVG that is drawn from this Mermaid text."""
    return f"<!-- Drawn from the Mermaid text with SHA-256 {hashlib.sha256(mermaid.encode()).hexdigest()} -->"

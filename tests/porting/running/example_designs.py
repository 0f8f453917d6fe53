"""The designs of examples/designs."""

from functools import cache
from pathlib import Path

from callagain.porting.design import Design, read_design

ROOT = Path(__file__).parents[3] / "examples" / "designs"


@cache
def example(name: str) -> Design:
    """A design by the name of its folder or file."""
    return read_design(ROOT / name)

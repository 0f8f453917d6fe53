"""The design and the package do the same."""

from pathlib import Path

from callagain.porting.parity import parity

FOLDER = Path(__file__).parents[1]


def test_the_package_does_what_the_design_does() -> None:
    assert parity(FOLDER).holds

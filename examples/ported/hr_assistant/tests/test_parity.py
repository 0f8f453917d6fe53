"""The design and the package do the same."""

from pathlib import Path

import pytest
from callagain.porting.parity import parity

FOLDER = Path(__file__).parents[1]


@pytest.mark.xfail(reason="something is left to write: see README.md", strict=False)
def test_the_package_does_what_the_design_does() -> None:
    assert parity(FOLDER).holds

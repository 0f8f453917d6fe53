"""The packages of the examples, ported once for all tests."""

from pathlib import Path

import pytest
from tests.porting.parity.packages import ported


@pytest.fixture(scope="session")
def orders(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return ported("orders", tmp_path_factory.mktemp("parity") / "orders")


@pytest.fixture(scope="session")
def hr_assistant(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return ported("hr_assistant", tmp_path_factory.mktemp("parity") / "hr_assistant")

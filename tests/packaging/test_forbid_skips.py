"""FORBID_SKIPS=1, which .ci/run sets: a test run in which something was skipped has failed."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]

SKIP = """
import pytest

def test_skips(): pytest.skip("no such thing here")

@pytest.mark.skipif(True, reason="not on this machine")
def test_is_skipped(): ...

@pytest.mark.xfail(reason="known")
def test_fails_as_expected(): assert False
"""

SKIP_THE_MODULE = """
import pytest

pytest.importorskip("no_such_module")
"""


@pytest.fixture
def tests(tmp_path: Path) -> Path:
    (tmp_path / "conftest.py").write_text((ROOT / "tests/conftest.py").read_text("utf-8"), "utf-8")
    (tmp_path / "pytest.ini").touch()
    (tmp_path / "test_skip.py").write_text(SKIP)
    (tmp_path / "test_skip_the_module.py").write_text(SKIP_THE_MODULE)
    return tmp_path


def run_pytest(folder: Path, forbid_skips: str) -> subprocess.CompletedProcess[str]:
    environment = {**os.environ, "PYTHONPATH": str(ROOT / "src"), "FORBID_SKIPS": forbid_skips}
    command = [sys.executable, "-m", "pytest", "-p", "no:cacheprovider", "-p", "no:asyncio", str(folder)]
    return subprocess.run(
        command, cwd=folder, env=environment, capture_output=True, text=True, timeout=60, check=False
    )


def test_fails_whatever_was_skipped_with_its_reason(tests: Path) -> None:
    tests.joinpath("test_skip_the_module.py").unlink()
    run = run_pytest(tests, "1")
    assert run.returncode == 1, run.stdout + run.stderr
    assert "FORBID_SKIPS=1: test_skip.py::test_skips: Skipped: no such thing here" in run.stdout
    assert "FORBID_SKIPS=1: test_skip.py::test_is_skipped: Skipped: not on this machine" in run.stdout
    assert "1 failed, 1 xfailed, 1 error" in run.stdout


def test_fails_a_module_that_skips_itself(tests: Path) -> None:
    run = run_pytest(tests, "1")
    assert run.returncode == 2, run.stdout + run.stderr
    assert "FORBID_SKIPS=1: test_skip_the_module.py: Skipped: could not import 'no_such_module'" in run.stdout


def test_without_it_a_skip_is_a_skip(tests: Path) -> None:
    run = run_pytest(tests, "")
    assert run.returncode == 0, run.stdout + run.stderr
    assert "3 skipped, 1 xfailed" in run.stdout

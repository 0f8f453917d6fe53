"""The designs of examples/designs are ported in examples/ported, and what is there works."""

import subprocess
import sys
from pathlib import Path

import pytest
from tests.porting.package.packages import DESIGNS, PORTED, ROOT, texts, written

from callagain.porting.design import read_design
from callagain.porting.package import port

EXAMPLES = ["orders", "hr_assistant"]


@pytest.mark.parametrize("example", EXAMPLES)
def test_it_is_what_port_writes(example: str, tmp_path: Path) -> None:
    written(read_design(DESIGNS / example), tmp_path / "ported")
    assert dict(texts(PORTED / example)) == dict(texts(tmp_path / "ported")), (
        f"write it anew: callagain port examples/designs/{example} -o examples/ported/{example} --force"
    )


def test_the_export_becomes_the_same_package_as_the_folder() -> None:
    folder = port(read_design(DESIGNS / "orders"))
    export = port(read_design(DESIGNS / "orders_studio_export.json"))
    # What was read from where, and what was guessed on the way, is in the report.
    reports = ("README.md", "REPORT.md", "report.json")
    assert {path: text for path, text in export.files.items() if path not in reports} == {
        path: text for path, text in folder.files.items() if path not in reports
    }
    assert export.report.guesses != ()


@pytest.mark.slow
@pytest.mark.parametrize("example", EXAMPLES)
def test_its_own_tests_pass(example: str) -> None:
    done = run("pytest", "-q", "-p", "no:cacheprovider", folder=PORTED / example)
    assert done.returncode == 0, done.stdout
    assert " passed" in done.stdout


@pytest.mark.slow
def test_they_are_typed_and_clean() -> None:
    # What mypy knows of callagain from `make lint` it need not find out again.
    known = (f"--config-file={ROOT / 'pyproject.toml'}", f"--cache-dir={ROOT / '.mypy_cache'}")
    for example in EXAMPLES:
        done = run("mypy", *known, example_package(example), "tests", folder=PORTED / example)
        assert done.returncode == 0, done.stdout
        for check in (["check", "--no-cache"], ["format", "--check", "--no-cache"]):
            done = run("ruff", *check, ".", folder=PORTED / example)
            assert done.returncode == 0, done.stdout


def example_package(example: str) -> str:
    (project,) = (PORTED / example).glob("*/project.py")
    return project.parent.name


def run(module: str, *options: str, folder: Path) -> "subprocess.CompletedProcess[str]":
    return subprocess.run(
        [sys.executable, "-m", module, *options],
        cwd=folder,
        env={"PYTHONPATH": str(ROOT / "src"), "PYTHONDONTWRITEBYTECODE": "1", "MYPYPATH": str(ROOT / "src")},
        capture_output=True,
        text=True,
        timeout=110,
        check=False,
    )

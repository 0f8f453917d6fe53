"""The plugin in a test run of its own: in a bare checkout and installed, cheap to import, silent."""

import importlib
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
# Where callagain is installed, this makes the test run one of a bare checkout.
NOT_INSTALLED = ("-p", "no:callagain")

TESTS = """
from urllib.error import URLError
from urllib.request import Request, urlopen

import pytest

BODY = b'{"model": "m", "messages": [{"role": "user", "content": "Hi"}]}'
used = []

def ask(server):
    with urlopen(Request(f"{server.base_url}/chat/completions", BODY, {"api-key": "any"})) as answer:
        return answer.read()

def test_one_test_has_several_servers(stand_in):
    used.extend([stand_in(["one"]), stand_in(["two"], repeat_last=True, delay=0.01)])
    assert b'"one"' in ask(used[0])
    assert b'"two"' in ask(used[1])

def test_they_are_closed_when_it_is_over():
    for server in used:
        with pytest.raises(URLError):
            ask(server)
"""


def python(folder: Path, *arguments: str) -> subprocess.CompletedProcess[str]:
    path = f"{ROOT / 'src'}:{folder}"
    return subprocess.run(
        [sys.executable, *arguments],
        cwd=folder,
        env={"PYTHONPATH": path},
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )


def run_pytest(folder: Path, *options: str) -> subprocess.CompletedProcess[str]:
    """A pytest of its own in this folder, in which a warning is an error."""
    (folder / "pytest.ini").write_text("[pytest]\nfilterwarnings = error\n")
    (folder / "test_given.py").write_text(TESTS)
    command = ("-m", "pytest", "-p", "no:asyncio", "-p", "no:cacheprovider")
    return python(folder, *command, *options, "test_given.py")


def install(folder: Path) -> None:
    """The metadata of an installed callagain, with the entry point as pyproject.toml declares it."""
    metadata = folder / "callagain-0.1.dist-info"
    metadata.mkdir()
    (metadata / "METADATA").write_text("Metadata-Version: 2.1\nName: callagain\nVersion: 0.1\n")
    (metadata / "entry_points.txt").write_text("[pytest11]\ncallagain = callagain.testing.plugin\n")


@pytest.fixture
def with_our_conftest(tmp_path: Path) -> Path:
    (tmp_path / "conftest.py").write_text((ROOT / "tests" / "conftest.py").read_text())
    return tmp_path


def test_an_installed_plugin_offers_the_fixture(tmp_path: Path) -> None:
    install(tmp_path)
    run = run_pytest(tmp_path)
    assert "2 passed" in run.stdout, run.stdout + run.stderr
    assert "warning" not in run.stdout


def test_without_plugin_and_conftest_there_is_no_fixture(tmp_path: Path) -> None:
    assert "fixture 'stand_in' not found" in run_pytest(tmp_path, *NOT_INSTALLED).stdout


def test_our_conftest_offers_the_fixture_in_a_bare_checkout(with_our_conftest: Path) -> None:
    run = run_pytest(with_our_conftest, *NOT_INSTALLED)
    assert "2 passed" in run.stdout, run.stdout + run.stderr


def test_our_conftest_does_not_register_an_installed_plugin_twice(with_our_conftest: Path) -> None:
    install(with_our_conftest)
    run = run_pytest(with_our_conftest)
    assert "2 passed" in run.stdout, run.stdout + run.stderr


def test_the_plugin_imports_nothing_heavy(tmp_path: Path) -> None:
    heavy = {"openai", "jsonschema", "http.server"}
    run = python(tmp_path, "-c", f"import sys, callagain.testing.plugin; print({heavy} & set(sys.modules))")
    assert (run.returncode, run.stdout, run.stderr) == (0, "set()\n", "")


def test_without_pytest_it_says_what_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "pytest", None)
    monkeypatch.delitem(sys.modules, "callagain.testing.plugin")
    with pytest.raises(ImportError, match="pip install pytest"):
        importlib.import_module("callagain.testing.plugin")

"""What the tests of packaging share: copies of the checkout, what is built of one, and empty environments.

Nothing is built in the checkout itself, and nothing is asked of the package index.
"""

import os
import shutil
import subprocess
import sys
import sysconfig
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
HERE = Path(__file__).parent


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """What is built is built once, so these tests run in one process where there are several."""
    for item in items:
        if item.path.is_relative_to(HERE) and item.config.pluginmanager.hasplugin("xdist"):
            item.add_marker(pytest.mark.xdist_group("packaging"))


@dataclass(frozen=True, slots=True)
class Distributions:
    """What `python -m build` made: the sdist of a checkout, and the wheel of that sdist."""

    sdist: Path
    wheel: Path


@dataclass(frozen=True, slots=True)
class Environment:
    """A virtual environment that has what callagain depends on, but not callagain."""

    folder: Path

    def install(self, *arguments: str | Path) -> None:
        """pip installs this, and nothing else: without dependencies, with the setuptools that is there."""
        pip = (sys.executable, "-m", "pip", "--python", self._command("python"))
        offline = ("--no-index", "--no-deps", "--no-build-isolation")
        _output_of(*pip, "install", *offline, "--disable-pip-version-check", *arguments)

    def output_of(self, command: str, *arguments: str) -> str:
        """What a command of the environment prints, run from another folder than the checkout."""
        return _output_of(self._command(command), *arguments, folder=self.folder)

    def file_of(self, module: str) -> Path:
        """The file from which the environment imports a module; links are followed."""
        program = f"import {module} as module; print(module.__file__)"
        return Path(self.output_of("python", "-c", program).strip()).resolve()

    def _command(self, name: str) -> Path:
        return self.folder / "bin" / name


CopyCheckout = Callable[[Path], Path]
OutputOf = Callable[..., str]


def _output_of(*command: str | Path, folder: Path = ROOT) -> str:
    """What a command prints; it must succeed. No variable points it to the checkout or to an index."""
    unwanted = ("COVERAGE_", "GIT_", "PIP_", "PYTHON", "VIRTUAL_ENV")
    done = subprocess.run(
        [str(part) for part in command],
        cwd=folder,
        env={name: value for name, value in os.environ.items() if not name.startswith(unwanted)},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, f"{' '.join(map(str, command))}\n{done.stdout}{done.stderr}"
    return done.stdout


@pytest.fixture(scope="session")
def output_of() -> OutputOf:
    """`output_of("git", "init", folder)` runs the command, which must succeed, and gives what it prints."""
    return _output_of


@pytest.fixture(scope="session")
def files_of_checkout() -> list[str]:
    """The paths of all files and links that Git tracks or would track, from the top of the checkout."""
    if not (ROOT / ".git").exists():
        pytest.skip("what belongs to the checkout is known to Git only, and this is no checkout")
    listed = _output_of("git", "ls-files", "-z", "--cached", "--others", "--exclude-standard").split("\0")
    return sorted({path for path in listed if path and os.path.lexists(ROOT / path)})


@pytest.fixture(scope="session")
def copy_checkout(files_of_checkout: list[str]) -> CopyCheckout:
    """`copy_checkout(folder)` makes the folder, and copies those files there."""

    def copy_checkout(folder: Path) -> Path:
        for path in files_of_checkout:
            (folder / path).parent.mkdir(parents=True, exist_ok=True)
            shutil.copy2(ROOT / path, folder / path, follow_symlinks=False)
        return folder

    return copy_checkout


@pytest.fixture(scope="session")
def distributions(copy_checkout: CopyCheckout, tmp_path_factory: pytest.TempPathFactory) -> Distributions:
    """Built once: the wheel from the sdist, so the sdist must hold all of it."""
    folder = tmp_path_factory.mktemp("built")
    checkout = copy_checkout(folder / "checkout")
    _output_of(sys.executable, "-m", "build", "--no-isolation", "--outdir", folder, checkout)
    (sdist,) = folder.glob("*.tar.gz")
    (wheel,) = folder.glob("*.whl")
    return Distributions(sdist, wheel)


@pytest.fixture(scope="session")
def dependencies(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder to import from: all that is installed where these tests run, but callagain."""
    folder = tmp_path_factory.mktemp("dependencies")
    for path in {sysconfig.get_path("purelib"), sysconfig.get_path("platlib")}:
        for installed in Path(path).iterdir():
            if "callagain" not in installed.name:
                (folder / installed.name).symlink_to(installed)
    return folder


@pytest.fixture
def environment(dependencies: Path, tmp_path: Path) -> Environment:
    folder = tmp_path / "environment"
    _output_of(sys.executable, "-m", "venv", "--without-pip", folder)
    (packages,) = folder.glob("lib/python*/site-packages")
    (packages / "dependencies.pth").write_text(f"{dependencies}\n")
    return Environment(folder)

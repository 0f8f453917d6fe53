"""A virtual environment for each peer, since what they depend on does not go together."""

import hashlib
import shutil
import subprocess
import sys
import tempfile
import tomllib
from pathlib import Path

from benchmarks.places import ENVIRONMENTS, REQUIREMENTS, ROOT
from benchmarks.roster import CHECKOUT

# What is needed to install the project.
PARTS_OF_CHECKOUT = ("src", "engine", "operations", "diagrams", "pyproject.toml", "README.md", "LICENSE")
EXTRA = "aiohttp"


class InstallError(Exception):
    """What a peer needs could not be installed."""


def python_of(name: str) -> Path:
    """The interpreter of the environment, which is set up if it has to be. Raises InstallError."""
    python = ENVIRONMENTS / name / "bin" / "python"
    stamp = ENVIRONMENTS / name / "installed"
    state = _state(name)
    if not stamp.exists() or stamp.read_text() != state:
        stamp.unlink(missing_ok=True)
        # pip comes last into an environment, so what has it is whole.
        if not python.with_name("pip").exists():
            _call(sys.executable, "-m", "venv", str(ENVIRONMENTS / name))
        _install(name, python)
        stamp.write_text(state)
    return python


def is_set_up(name: str) -> bool:
    stamp = ENVIRONMENTS / name / "installed"
    return stamp.exists() and stamp.read_text() == _state(name)


def _state(name: str) -> str:
    """What the environment depends on, as a digest."""
    digest = hashlib.sha256(f"{sys.version}{sys.base_prefix}".encode())
    for file in _files(name):
        digest.update(file.read_bytes())
    return digest.hexdigest()


def _files(name: str) -> list[Path]:
    constraints = REQUIREMENTS / "constraints.txt"
    if name != CHECKOUT:
        return [constraints, REQUIREMENTS / f"{name}.txt"]
    parts = [ROOT / part for part in PARTS_OF_CHECKOUT]
    modules = [file for part in parts if part.is_dir() for file in sorted(part.rglob("*.py"))]
    return [constraints, ROOT / "pyproject.toml", *modules]


def _install(name: str, python: Path) -> None:
    pip = [str(python), "-m", "pip", "install", "--quiet", "--disable-pip-version-check"]
    pip += ["--constraint", str(REQUIREMENTS / "constraints.txt")]
    if name != CHECKOUT:
        _call(*pip, "--requirement", str(REQUIREMENTS / f"{name}.txt"))
        return
    # A copy, so that what an earlier build has left in the checkout is not installed as well.
    with tempfile.TemporaryDirectory() as folder:
        for part in PARTS_OF_CHECKOUT:
            _copy(ROOT / part, Path(folder) / part)
        _call(str(python), "-m", "pip", "uninstall", "--yes", "--quiet", CHECKOUT)
        _call(*pip, folder + _extra())


def _extra() -> str:
    """The extra for many runs at once, if the project has it."""
    project = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]
    return f"[{EXTRA}]" if EXTRA in project["optional-dependencies"] else ""


def _copy(source: Path, target: Path) -> None:
    if source.is_dir():
        shutil.copytree(source, target, symlinks=True, ignore=shutil.ignore_patterns("__pycache__"))
    else:
        shutil.copy(source, target)


def _call(*command: str) -> None:
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    if done.returncode:
        said = (done.stderr.strip() or done.stdout).strip().splitlines()
        raise InstallError(_reason(said) or f"{command[0]} ended with status {done.returncode}")


def _reason(lines: list[str]) -> str:
    """The first error that pip tells of: below it are notes."""
    errors = [line for line in lines if line.startswith("ERROR:")]
    return "".join(errors[:1] or lines[-1:]).removeprefix("ERROR:").strip()

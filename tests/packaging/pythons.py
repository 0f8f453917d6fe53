"""`make pythons`: some of the tests with every Python from 3.11 to 3.14 that is on PATH or of pyenv.

`python tests/packaging/pythons.py 3.12 3.14` runs them with these two alone. Each has an environment
in .venv/pythons with the newest dependencies that pyproject.toml allows.
"""

import argparse
import os
import shutil
import subprocess
import sys
import tomllib
from collections.abc import Sequence
from pathlib import Path

ROOT = Path(__file__).parents[2]
VERSIONS = ("3.11", "3.12", "3.13", "3.14")
EXTRAS = ("jitterbit", "mcp", "otel", "serve")
PYTEST = ("pytest", "pytest-asyncio", "pytest-timeout", "pytest-xdist[psutil]")
TOOLS = ("hypothesis", "opentelemetry-sdk", *PYTEST)
OPTIONS = ("-p", "no:cacheprovider", "--quiet", "--numprocesses", "logical", "--dist", "loadgroup")
FOLDERS = ("conformance", "connectors", "journal", "loop", "mcp", "serving", "telemetry")
TESTS = tuple(f"tests/{folder}" for folder in FOLDERS)


def python_of(version: str) -> Path | None:
    """The first one that runs: what pyenv puts on PATH may only say that another version is chosen."""
    pyenv = Path(os.environ.get("PYENV_ROOT", Path.home() / ".pyenv"))
    named = [shutil.which(f"python{version}")]
    of_pyenv = sorted(pyenv.glob(f"versions/{version}.*/bin/python"))
    for each in (*of_pyenv, *(Path(name) for name in named if name)):
        if subprocess.run([each, "-c", ""], capture_output=True, check=False).returncode == 0:
            return each
    return None


def environment_of(version: str, python: Path) -> Path:
    """The Python of an environment that has what the tests need."""
    pyproject = ROOT / "pyproject.toml"
    folder = ROOT / ".venv" / "pythons" / version
    installed = folder / "installed"
    if not installed.exists() or installed.stat().st_mtime < pyproject.stat().st_mtime:
        project = tomllib.loads(pyproject.read_text("utf-8"))["project"]
        extras = [one for name in EXTRAS for one in project["optional-dependencies"][name]]
        pip = (folder / "bin" / "python", "-m", "pip", "install", "--quiet", "--disable-pip-version-check")
        subprocess.run([python, "-m", "venv", "--clear", folder], check=True)
        subprocess.run([*pip, *project["dependencies"], *extras, *TOOLS], check=True)
        installed.touch()
    return folder / "bin" / "python"


def named_versions(arguments: Sequence[str]) -> list[str]:
    """Those of the command line, which may name none. Ends the program at a name that is not known."""
    parser = argparse.ArgumentParser(
        description="Run some of the tests with every Python from 3.11 to 3.14 that is on PATH or of pyenv.",
        epilog="What the tests need is installed into .venv/pythons, for each of them.",
    )
    parser.add_argument(
        "versions",
        metavar="VERSION",
        nargs="*",
        type=_version,
        help=f"only these, which have to be there: {', '.join(VERSIONS)}",
    )
    versions: list[str] = parser.parse_args(arguments).versions
    return versions


def _version(name: str) -> str:
    if name not in VERSIONS:
        raise argparse.ArgumentTypeError(f"{name!r} is none of {', '.join(VERSIONS)}")
    return name


def main(arguments: Sequence[str]) -> int:
    told: list[str] = []
    failed = 0
    named = named_versions(arguments)
    for version in named or VERSIONS:
        python = python_of(version)
        if python is None:
            told.append(f"Python {version}: not found")
            failed += version in named
            continue
        pytest = (environment_of(version, python), "-m", "pytest", *OPTIONS)
        code = subprocess.run([*pytest, *TESTS], cwd=ROOT, check=False).returncode
        told.append(f"Python {version}: {'passed' if code == 0 else f'pytest ended with {code}'}")
        failed += code != 0
    print("\n".join(told))
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))

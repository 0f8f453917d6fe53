"""What the tests of packages share: a package on disk, and its modules as Python imports them."""

import sys
from collections.abc import Generator, Iterator
from contextlib import contextmanager
from importlib import import_module
from pathlib import Path
from types import ModuleType

from callagain.porting.design import Design
from callagain.porting.package import Package, port, write_package

ROOT = Path(__file__).parents[3]
DESIGNS = ROOT / "examples" / "designs"
PORTED = ROOT / "examples" / "ported"


def written(design: Design, folder: Path, name: str | None = None) -> Package:
    package = port(design, package=name)
    write_package(package, folder)
    return package


@contextmanager
def imported(folder: Path, package: str) -> Generator[ModuleType, None, None]:
    """The package in a folder, as long as it is needed."""
    sys.path.insert(0, str(folder))
    try:
        yield import_module(package)
    finally:
        sys.path.remove(str(folder))
        for name in [name for name in sys.modules if name.split(".")[0] == package]:
            del sys.modules[name]


def texts(folder: Path) -> Iterator[tuple[str, str]]:
    """The files below a folder, by path, without what Python and tools leave there."""
    for path in sorted(folder.rglob("*")):
        parts = path.relative_to(folder).parts
        if path.is_file() and not any(part.startswith(".") or part == "__pycache__" for part in parts):
            yield "/".join(parts), path.read_text("utf-8")

"""Script files below a folder, and no others: no link leads out of it."""

from collections.abc import Iterator
from pathlib import Path

from callagain.porting.design.errors import DesignError
from callagain.porting.design.model import SourcePlace
from callagain.porting.design.readers.limits import MAX_FILES, MAX_FOLDER_DEPTH

SCRIPT_ENDINGS = (".jb", ".js")
_NOT_ENTERED = {"node_modules"}


def script_files(folder: Path) -> list[Path]:
    """All `.jb` and `.js` files, sorted by their paths. Hidden folders and `node_modules` are not entered.

    Raises DesignError for a link that leads out of the folder, and for more files than are read.
    """
    found: list[Path] = []
    for seen, path in enumerate(_below(folder, 0), 1):
        if seen > MAX_FILES:
            problem = f"has more than {MAX_FILES:,} files; give the folder that holds the scripts"
            raise DesignError(SourcePlace(str(folder)), problem)
        if path.suffix.lower() in SCRIPT_ENDINGS and path.is_file():
            found.append(inside(folder, path))
    return sorted(found)


def inside(folder: Path, path: Path) -> Path:
    """The path, if it is below the folder, links followed. Raises DesignError."""
    place = SourcePlace(str(folder))
    try:
        is_below = path.resolve().is_relative_to(folder.resolve())
    except (OSError, RuntimeError, ValueError):
        is_below = False
    if not is_below:
        raise DesignError(
            place, f"the file {str(path)!r} is not inside of the folder; put it there, without a link"
        )
    return path


def _below(folder: Path, depth: int) -> Iterator[Path]:
    place = SourcePlace(str(folder))
    if depth > MAX_FOLDER_DEPTH:
        raise DesignError(
            place, f"lies more than {MAX_FOLDER_DEPTH} folders deep; give a folder nearer to it"
        )
    try:
        entries = sorted(folder.iterdir())
    except OSError as error:
        raise DesignError(place, f"cannot be read: {error.strerror or error}") from None
    for path in entries:
        if path.is_dir() and not path.is_symlink():
            if not path.name.startswith(".") and path.name not in _NOT_ENTERED:
                yield from _below(path, depth + 1)
        else:
            yield path

"""A package on disk: all of it, or nothing."""

import os
import shutil
import tempfile
from pathlib import Path

from callagain.engine.errors import ConfigurationError
from callagain.porting.design import write_script_folder
from callagain.porting.package.package import Package


def write_package(package: Package, folder: Path, *, force: bool = False) -> None:
    """Writes a package into a folder of its own, which is not there, or empty.

    force: a package of callagain that is there is replaced. It is written beside the folder, and then takes
    its place. Raises ConfigurationError if something else is there, or if it cannot be written; then nothing
    is changed.
    """
    _refuse_to_replace(folder, force=force)
    try:
        folder.parent.mkdir(parents=True, exist_ok=True)
        beside = Path(tempfile.mkdtemp(prefix=f".{folder.name}-", dir=folder.parent))
    except OSError as error:
        raise _cannot_be_written(folder, error) from None
    try:
        written = beside / "new"
        for path, text in package.files.items():
            file = written / path
            file.parent.mkdir(parents=True, exist_ok=True)
            file.write_text(text, "utf-8", newline="\n")
        write_script_folder(package.plan.design, written / package.plan.package / "design")
        if folder.exists():
            os.replace(folder, beside / "old")
        os.replace(written, folder)
    except OSError as error:
        if (beside / "old").exists():
            os.replace(beside / "old", folder)
        raise _cannot_be_written(folder, error) from None
    finally:
        shutil.rmtree(beside, ignore_errors=True)


def _refuse_to_replace(folder: Path, *, force: bool) -> None:
    if not os.path.lexists(folder):
        return
    if folder.is_symlink() or not folder.is_dir():
        raise ConfigurationError(f"{folder} is no folder; give the path of a new one by -o")
    if not any(folder.iterdir()):
        return
    if not is_package(folder):
        raise ConfigurationError(f"{folder} holds other files; give the path of a new folder by -o")
    if not force:
        raise ConfigurationError(
            f"{folder} holds a ported package already; give another folder, or --force to replace it"
        )


def is_package(folder: Path) -> bool:
    """Whether a folder holds a package that was ported."""
    try:
        return "[tool.callagain.port]" in (folder / "pyproject.toml").read_text("utf-8")
    except (OSError, ValueError):
        return False


def _cannot_be_written(folder: Path, error: OSError) -> ConfigurationError:
    return ConfigurationError(f"{folder} cannot be written: {error.strerror or error}")

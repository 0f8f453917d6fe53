"""A design as a folder of scripts: `design.json`, and a file for each script."""

import re
from pathlib import Path

from callagain.engine.json_text import valid_unicode
from callagain.porting.design.errors import DesignError
from callagain.porting.design.manifest import manifest_text
from callagain.porting.design.model import Design, Language, SourcePlace
from callagain.porting.design.readers.manifest_form import MANIFEST
from callagain.porting.design.script_texts import wrap
from callagain.recording import write_whole

_ENDINGS = {Language.JITTERBIT_SCRIPT: ".jb", Language.JAVASCRIPT: ".js"}
_UNFIT = re.compile(r"[^\w.-]+")
_LONGEST = 80


def write_script_folder(design: Design, folder: Path) -> None:
    """Writes the design, so that `read_design` of the folder gives the same operations, scripts and so on.

    folder: made if it is not there; files in it that have the same names are replaced. What was ignored and
    guessed is not written, nor are the places. Each file is whole or as it was. Raises DesignError if a file
    cannot be written, or would come to stand outside of the folder.
    """
    scripts = folder / "scripts"
    files = [scripts / name for name in _file_names(design)]
    try:
        folder.mkdir(parents=True, exist_ok=True)
        if files:
            scripts.mkdir(exist_ok=True)
        if scripts.exists() and scripts.resolve() != folder.resolve() / "scripts":
            problem = "is a link to another folder; remove it"
            raise DesignError(SourcePlace(str(scripts)), problem)
        for file, script in zip(files, design.scripts, strict=True):
            write_whole(file, valid_unicode(wrap(script.text, script.language)))
        write_whole(folder / MANIFEST, manifest_text(design, [f"scripts/{file.name}" for file in files]))
    except OSError as error:
        problem = f"cannot be written: {error.strerror or error}"
        raise DesignError(SourcePlace(str(error.filename or folder)), problem) from None


def _file_names(design: Design) -> list[str]:
    """A file name for each script, made of its name: no two are the same, whatever the case."""
    taken: set[str] = set()
    names: list[str] = []
    for script in design.scripts:
        stem = _UNFIT.sub("_", script.name).strip("._")[:_LONGEST] or "script"
        ending, number, name = _ENDINGS[script.language], 1, stem
        while name.lower() in taken:
            number += 1
            name = f"{stem}_{number}"
        taken.add(name.lower())
        names.append(f"{name}{ending}")
    return names

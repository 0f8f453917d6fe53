"""Packages to compare: the two examples as they are ported, the same with a lie in them, and small ones."""

import json
import shutil
from collections.abc import Mapping
from pathlib import Path

from callagain.porting.design import read_design
from callagain.porting.package import port, write_package

DESIGNS = Path(__file__).parents[3] / "examples" / "designs"

PROJECT = """\
from pathlib import Path

from callagain.porting.jitterbit import State
from callagain.porting.ported import PortedDesign
from callagain.porting.script import OperationFailed

{code}

PROJECT = PortedDesign(Path(__file__).parent / "design", {settings})
"""


def ported(example: str, folder: Path) -> Path:
    """The package of an example design."""
    write_package(port(read_design(DESIGNS / example)), folder)
    return folder


def lying(package: Path, folder: Path, file: str, old: str, new: str) -> Path:
    """A copy of a package, in which one text of a file is another one."""
    shutil.copytree(package, folder)
    path = folder / file
    text = path.read_text("utf-8")
    assert text.count(old) == 1, (file, old, text.count(old))
    path.write_text(text.replace(old, new), "utf-8")
    return folder


def small(
    folder: Path,
    scripts: Mapping[str, str],
    *,
    code: str = "",
    settings: str = "python={}",
    manifest: Mapping[str, object] | None = None,
) -> Path:
    """A package without a chain, of a design whose operations run one script each, by the script's name."""
    package = folder / "small_design"
    (package / "design").mkdir(parents=True)
    (folder / "pyproject.toml").write_text('[tool.callagain.port]\npackage = "small_design"\n')
    (package / "__init__.py").write_text("")
    (package / "project.py").write_text(PROJECT.format(code=code, settings=settings))
    for name, text in scripts.items():
        (package / "design" / f"{name}.jb").write_text(text)
    operations = [{"name": f"Run {name}", "steps": [{"script": name}]} for name in scripts]
    design = {"name": "Small", "operations": operations, **(manifest or {})}
    (package / "design" / "design.json").write_text(json.dumps(design))
    return folder

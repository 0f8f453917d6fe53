"""A ported package, imported by its path, and gone again afterwards."""

import importlib
import importlib.util
import sys
import tomllib
from collections.abc import Callable, Generator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from types import ModuleType
from typing import cast

from callagain.porting.parity.errors import ParityError
from callagain.porting.ported import Answer, PortedDesign

_WHAT_TO_GIVE = "give the folder that `callagain port` has written"


@dataclass(frozen=True)
class LoadedPackage:
    """What a package is compared by.

    ask: None if its design has become no chain. tools: the text of tools.json, if there is one.
    """

    name: str
    project: PortedDesign
    ask: Callable[..., Answer] | None = None
    tools: str | None = None

    @contextmanager
    def with_project(self, project: PortedDesign) -> Generator[None, None, None]:
        """Meanwhile every module of the package has this project in place of its own."""
        holders = [
            (module, name)
            for module in _modules_of(self.name)
            for name, value in vars(module).items()
            if value is self.project
        ]
        for module, name in holders:
            setattr(module, name, project)
        try:
            yield
        finally:
            for module, name in holders:
                setattr(module, name, self.project)


@contextmanager
def loaded_package(folder: Path) -> Generator[LoadedPackage, None, None]:
    """The package in a folder, imported anew; afterwards no module and no path of it is left.

    Raises ParityError for a folder that is no ported package, or whose modules cannot be imported.
    """
    root = _resolved(folder)
    name = _package_name(root)
    path, modules, writes = list(sys.path), dict(sys.modules), sys.dont_write_bytecode
    try:
        for module in _modules_of(name):
            del sys.modules[module.__name__]
        # Behind everything else, so that no file of the folder hides a library.
        sys.path.append(str(root))
        sys.dont_write_bytecode = True
        yield _loaded(root, name)
    finally:
        sys.dont_write_bytecode = writes
        sys.path[:] = path
        _forget(root, name, modules)


def _resolved(folder: Path) -> Path:
    try:
        if folder.is_dir():
            return folder.resolve()
    except OSError as error:
        raise ParityError(f"cannot read {folder}: {error.strerror}; {_WHAT_TO_GIVE}") from None
    raise ParityError(f"there is no folder {folder}; {_WHAT_TO_GIVE}")


def _package_name(root: Path) -> str:
    """What pyproject.toml calls the package."""
    file = root / "pyproject.toml"
    try:
        settings: dict[str, object] = tomllib.loads(file.read_text("utf-8"))
    except FileNotFoundError:
        raise ParityError(f"{root} is no ported package: it has no {file.name}; {_WHAT_TO_GIVE}") from None
    except OSError as error:
        raise ParityError(f"cannot read {file}: {error.strerror}; {_WHAT_TO_GIVE}") from None
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise ParityError(f"{file} is not TOML: {error}; mend it") from None
    name: object = settings
    for key in ("tool", "callagain", "port", "package"):
        name = _member(name, key)
    if not isinstance(name, str):
        raise ParityError(f"{file} names no package in [tool.callagain.port]; {_WHAT_TO_GIVE}")
    if not name.isidentifier() or name in sys.stdlib_module_names or name == "callagain":
        raise ParityError(f"{file}: {name!r} cannot be the name of a package; rename it")
    if not (root / name / "__init__.py").is_file():
        raise ParityError(f"{root} has no package {name}, which {file.name} names; {_WHAT_TO_GIVE}")
    return name


def _member(table: object, key: str) -> object:
    return cast("dict[str, object]", table).get(key) if isinstance(table, dict) else None


def _loaded(root: Path, name: str) -> LoadedPackage:
    _import_package(root, name)
    project = getattr(_import(root, f"{name}.project"), "PROJECT", None)
    if not isinstance(project, PortedDesign):
        raise ParityError(f"{root / name / 'project.py'} has no PROJECT that is a PortedDesign; add one")
    if not (root / name / "chain.py").is_file():
        return LoadedPackage(name, project)
    ask = getattr(_import(root, f"{name}.chain"), "ask", None)
    if not callable(ask):
        file = root / name / "chain.py"
        raise ParityError(f"{file} has no function ask(user_message, **settings); add one")
    return LoadedPackage(
        name, project, cast("Callable[..., Answer]", ask), _text_of(root / name / "tools.json")
    )


def _text_of(file: Path) -> str | None:
    try:
        return file.read_text("utf-8")
    except OSError:
        return None
    except UnicodeDecodeError as error:
        raise ParityError(f"{file} is not UTF-8 text: {error.reason}; convert it first") from None


def _import_package(root: Path, name: str) -> None:
    """The package itself by its file, whatever else on the path has its name."""
    file = root / name / "__init__.py"
    spec = importlib.util.spec_from_file_location(name, file, submodule_search_locations=[str(file.parent)])
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules[name] = module
    with _errors_in_one_line(root, name):
        spec.loader.exec_module(module)


def _import(root: Path, name: str) -> ModuleType:
    with _errors_in_one_line(root, name):
        return importlib.import_module(name)


@contextmanager
def _errors_in_one_line(root: Path, name: str) -> Generator[None, None, None]:
    try:
        yield
    except (Exception, SystemExit) as error:
        said = " ".join(f"{type(error).__name__}: {error}".split())
        raise ParityError(
            f"cannot import {name} of {root}{_line_in(root, error)}: {said}; mend it, and run it again"
        ) from None


def _line_in(root: Path, error: BaseException) -> str:
    """Where in the folder the error comes from: the last line of it on the way."""
    if isinstance(error, SyntaxError) and error.filename:
        return f" ({Path(error.filename).name}, line {error.lineno})"
    found = ""
    traceback = error.__traceback__
    while traceback is not None:
        file = Path(traceback.tb_frame.f_code.co_filename)
        if file.is_relative_to(root):
            found = f" ({file.name}, line {traceback.tb_lineno})"
        traceback = traceback.tb_next
    return found


def _modules_of(name: str) -> list[ModuleType]:
    return [
        module for known, module in list(sys.modules.items()) if known == name or known.startswith(f"{name}.")
    ]


def _forget(root: Path, name: str, before: dict[str, ModuleType]) -> None:
    """Takes out what was imported of the folder, and puts back what stood in its place."""
    for known, module in list(sys.modules.items()):
        file = getattr(module, "__file__", None)
        is_of_package = known == name or known.startswith(f"{name}.")
        is_of_folder = known not in before and isinstance(file, str) and Path(file).is_relative_to(root)
        if is_of_package or is_of_folder:
            del sys.modules[known]
    sys.modules.update(
        (known, module) for known, module in before.items() if known == name or known.startswith(f"{name}.")
    )

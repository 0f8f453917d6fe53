"""The tools of a Python file that is named on the command line."""

import importlib.util
import inspect
import sys
from collections.abc import Callable, Iterable
from pathlib import Path
from types import ModuleType
from typing import TypeAlias, cast

from callagain.connectors.tools import Tool, collect_tools
from callagain.engine.errors import ConfigurationError

AnyTool: TypeAlias = Tool | Callable[..., object]


def load_tools(paths: Iterable[str]) -> list[Tool]:
    """The tools of all the files, in order. Raises ConfigurationError, ToolSchemaError, DuplicateToolError.

    A file's tools are its list or tuple TOOLS. Without one they are the functions that it defines under a
    name without a leading underscore, and whatever `@tool` and its kin have made, wherever it comes from.
    """
    found = [one for path in paths for one in _tools_of(_import_file(_python_file(path)), path)]
    return list(collect_tools(found).values())


def _tools_of(module: ModuleType, path: str) -> list[AnyTool]:
    if hasattr(module, "TOOLS"):
        tools: object = module.TOOLS
        if not isinstance(tools, list | tuple):
            raise ConfigurationError(
                f"TOOLS in {path} must be a list or a tuple of tools, not {type(tools).__name__}"
            )
        listed = list(cast("list[AnyTool]", tools))
    else:
        listed = _tools_by_name(module)
    if not listed:
        raise ConfigurationError(
            f"{path} has no tools: define a function whose name has no leading underscore, or a list TOOLS"
        )
    return listed


def _tools_by_name(module: ModuleType) -> list[AnyTool]:
    found: list[AnyTool] = []
    for name, value in vars(module).items():
        is_own = inspect.isfunction(value) and value.__module__ == module.__name__
        if (isinstance(value, Tool) or (is_own and not name.startswith("_"))) and value not in found:
            found.append(value)
    return found


def _python_file(given: str) -> Path:
    """The whole path of a file that is there."""
    path = Path(given)
    if path.suffix != ".py":
        raise ConfigurationError(f"--tools takes a Python file, which ends in .py: {path}")
    try:
        if path.is_file():
            return path.resolve()
    except OSError as error:
        raise ConfigurationError(
            f"cannot read the tools file {path}: {error.strerror}; give the path of a Python file"
        ) from None
    raise ConfigurationError(f"there is no tools file {path}; give the path of a Python file")


def _import_file(path: Path) -> ModuleType:
    """The file as a module, with its folder importable, as `python FILE` has it."""
    if (folder := str(path.parent)) not in sys.path:
        sys.path.insert(0, folder)
    # The whole path: json.py is a fair name for a file of tools, and would hide a module.
    name = str(path)
    spec = importlib.util.spec_from_file_location(name, path)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    # Dataclasses and type hints look their module up there.
    sys.modules[name] = module
    try:
        spec.loader.exec_module(module)
    except KeyboardInterrupt:
        raise
    except BaseException as error:
        del sys.modules[name]
        raise ConfigurationError(_why_not(path, error)) from None
    return module


def _why_not(path: Path, error: BaseException) -> str:
    line = _line_in(path, error)
    where = f"{path}, line {line}" if line else str(path)
    text = str(error.msg if isinstance(error, SyntaxError) else error)
    said = f"{type(error).__name__}: {text}" if text else type(error).__name__
    if isinstance(error, ModuleNotFoundError):
        return f"cannot import the tools file {where}: {said}; install it for {sys.executable}"
    return f"cannot import the tools file {where}: {said}; mend it, and run the command again"


def _line_in(path: Path, error: BaseException) -> int | None:
    """The line of the file that the error comes from: the last one of it on the way."""
    if isinstance(error, SyntaxError) and error.filename == str(path):
        return error.lineno
    lines: list[int] = []
    traceback = error.__traceback__
    while traceback is not None:
        if traceback.tb_frame.f_code.co_filename == str(path):
            lines.append(traceback.tb_lineno)
        traceback = traceback.tb_next
    return lines[-1] if lines else None

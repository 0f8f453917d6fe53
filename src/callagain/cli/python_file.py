"""A Python file that is named on the command line, as a module."""

import contextlib
import importlib.util
import sys
from pathlib import Path
from types import ModuleType

from callagain.engine.errors import ConfigurationError


def import_python_file(given: str, what: str) -> ModuleType:
    """The module. what: it is called so in messages, as "tools file". Raises ConfigurationError."""
    return _import_file(_python_file(given, what), what)


def _python_file(given: str, what: str) -> Path:
    """The whole path of a file that is there."""
    path = Path(given)
    if path.suffix != ".py":
        raise ConfigurationError(f"the {what} must be a Python file, which ends in .py: {path}")
    try:
        if path.is_file():
            return path.resolve()
    except OSError as error:
        raise ConfigurationError(
            f"cannot read the {what} {path}: {error.strerror}; give the path of a Python file"
        ) from None
    raise ConfigurationError(f"there is no {what} {path}; give the path of a Python file")


def _import_file(path: Path, what: str) -> ModuleType:
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
        # stdout is for the answer.
        with contextlib.redirect_stdout(sys.stderr):
            spec.loader.exec_module(module)
    except KeyboardInterrupt:
        raise
    except BaseException as error:
        del sys.modules[name]
        raise ConfigurationError(_why_not(path, what, error)) from None
    return module


def _why_not(path: Path, what: str, error: BaseException) -> str:
    line = _line_in(path, error)
    where = f"{path}, line {line}" if line else str(path)
    text = str(error.msg if isinstance(error, SyntaxError) else error)
    said = f"{type(error).__name__}: {text}" if text else type(error).__name__
    if isinstance(error, ModuleNotFoundError):
        return f"cannot import the {what} {where}: {said}; install it for {sys.executable}"
    return f"cannot import the {what} {where}: {said}; mend it, and run the command again"


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

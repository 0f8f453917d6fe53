"""The loop of a program that is named on the command line: FILE.py:NAME, or package.module:NAME."""

import importlib
import os
import sys
from typing import TYPE_CHECKING, cast

from callagain.cli.python_file import import_python_file
from callagain.engine.errors import ConfigurationError

if TYPE_CHECKING:
    from callagain.loop import ToolLoop

DEFAULT_NAME = "loop"


def load_loop(given: str) -> "ToolLoop[object]":
    """given: without a name, `loop` is meant. Raises ConfigurationError, and what making the loop raises."""
    from callagain.loop import ToolLoop

    place, _, name = given.partition(":")
    name = name or DEFAULT_NAME
    module = import_python_file(place, "loop file") if place.endswith(".py") else _imported(place)
    loop = getattr(module, name, None)
    if isinstance(loop, ToolLoop):
        return cast("ToolLoop[object]", loop)
    has = "no" if loop is None else f"a {type(loop).__name__}, and no ToolLoop,"
    others = sorted(key for key, value in vars(module).items() if isinstance(value, ToolLoop))
    hint = (
        f"name one of its loops: {', '.join(f'{place}:{each}' for each in others)}"
        if others
        else (f"write {name} = ToolLoop(…) into it")
    )
    raise ConfigurationError(f"{place} has {has} {name!r}; {hint}")


def _imported(place: str) -> object:
    # As `python -m` has it, and not where the command was installed.
    if (here := os.getcwd()) not in sys.path:
        sys.path.insert(0, here)
    try:
        return importlib.import_module(place)
    except KeyboardInterrupt:
        raise
    except BaseException as error:
        said = " ".join(f"{type(error).__name__}: {error}".split())
        raise ConfigurationError(
            f"cannot import {place}: {said}; name a module that can be imported from here, or FILE.py:NAME"
        ) from None

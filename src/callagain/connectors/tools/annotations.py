"""The type hints of a function, resolved when it becomes a tool.

Under `from __future__ import annotations` every hint is a string. It is resolved where its author meant it:
in the function's module, its closure, and the scopes around it that still run while the tool is made.
"""

import builtins
import inspect
import types
import typing
from collections import ChainMap
from collections.abc import Callable, Iterator

from callagain.engine.errors import ToolSchemaError
from callagain.engine.json_text import Json, JsonObject

_JSON_ALIASES: dict[str, object] = {"Json": typing.Any, "JsonObject": dict[str, typing.Any]}
_ALIAS_TEXTS = {"Json": Json, "JsonObject": JsonObject}
_PRODUCT = __name__.partition(".")[0]


def outside_frames() -> Iterator[types.FrameType]:
    """The frames of the callers outside callagain, the nearest first."""
    frame = inspect.currentframe()
    while frame is not None:
        if str(frame.f_globals.get("__name__", "")).partition(".")[0] != _PRODUCT:
            yield frame
        frame = frame.f_back


class Hints:
    """Resolves the annotations of one function; `tool` is the name that its errors give."""

    def __init__(self, function: Callable[..., object], tool: str) -> None:
        self._tool = tool
        source = inspect.unwrap(function)
        source = source.__func__ if inspect.ismethod(source) else source
        self._globals: dict[str, object] = getattr(source, "__globals__", {})
        self._locals = _local_names(function, source, self._globals)

    def resolve(self, annotation: object, what: str) -> object:
        """The type behind an annotation; `what` says whose it is. Raises ToolSchemaError."""
        holder = types.SimpleNamespace(__annotations__={"hint": annotation})
        try:
            return typing.get_type_hints(
                holder, globalns=self._globals, localns=self._locals, include_extras=True
            )["hint"]
        except NameError as error:
            raise ToolSchemaError(
                f"tool {self._tool}: the type {annotation!r} of {what} cannot be resolved: {error}; "
                "define or import the name before the tool is made, not under TYPE_CHECKING"
            ) from None
        except Exception as error:
            raise ToolSchemaError(
                f"tool {self._tool}: the annotation {annotation!r} of {what} is not a type: {error}"
            ) from None


def _local_names(
    function: Callable[..., object], source: object, module: dict[str, object]
) -> "ChainMap[str, object]":
    """What the annotations may name, the nearest scope first.

    A running scope counts if the function is written inside it; a variable of any other caller is not meant.
    The names of a method's class come last, so that a method called `list` does not hide the type.
    """
    qualified_name = str(getattr(source, "__qualname__", ""))
    scopes: list[dict[str, object]] = [_closure(source)]
    scopes += [
        dict(frame.f_locals)
        for frame in outside_frames()
        if frame.f_globals is module and qualified_name.startswith(frame.f_code.co_qualname + ".")
    ]
    scopes = [_json_aliases(module), *scopes, module, dict(vars(builtins)), _JSON_ALIASES]
    if (instance := getattr(function, "__self__", None)) is not None:
        owner = instance if isinstance(instance, type) else type(instance)
        scopes += [dict(vars(each)) for each in owner.__mro__[:-1]]
    return ChainMap(*scopes)


def _json_aliases(module: dict[str, object]) -> dict[str, object]:
    """Our own recursive aliases where the module uses them; they are strings, and end here at Any."""
    return {name: _JSON_ALIASES[name] for name, text in _ALIAS_TEXTS.items() if module.get(name) == text}


def _closure(source: object) -> dict[str, object]:
    if not isinstance(source, types.FunctionType) or source.__closure__ is None:
        return {}
    found: dict[str, object] = {}
    for name, cell in zip(source.__code__.co_freevars, source.__closure__, strict=True):
        try:
            found[name] = cell.cell_contents
        except ValueError:
            continue  # Not assigned yet: if an annotation needs it, resolving it says so.
    return found

"""The tools of a case: from its behaviours to tools of the loop, with a record of what reached them."""

import builtins
import dataclasses
import functools
import importlib
import inspect
import sys
import time
from collections.abc import Awaitable, Callable, Collection, Mapping
from contextvars import ContextVar
from types import ModuleType, TracebackType
from typing import Any, cast

from tests.conformance.case import CaseError, JsonDict
from tests.conformance.forms import SECONDS, TEXT, TEXT_OR_NULL, Form

from callagain import CallAgainError, Tool, ToolProblem, tool_from_schema
from callagain.connectors.tools import ToolOptions
from callagain.connectors.tools.problem import exception_text
from callagain.connectors.tools.results import json_value

_NO_PARAMETERS: JsonDict = {"type": "object", "properties": {}}

# What each behaviour reads in the entry of a tool. What no behaviour reads is an option of the tool.
_KEYS: Mapping[str, set[str]] = {
    "return": {"parameters", "delay", "value"},
    "count": {"parameters", "delay", "value"},
    "echo": {"parameters", "delay"},
    "raise": {"parameters", "delay", "exc", "message"},
    "sleep": {"parameters", "delay", "value", "seconds"},
    "python": {"source"},
}
_NEEDED = {"source", "exc", "seconds"}
_FORMS: Mapping[str, Form] = {
    "source": TEXT,
    "exc": TEXT,
    "message": TEXT_OR_NULL,
    "seconds": SECONDS,
    "delay": SECONDS,
}


@dataclasses.dataclass(frozen=True, slots=True)
class Invocation:
    """A call that reached a tool's function. args: as JSON, at that moment."""

    name: str
    args: object


class CaseTools:
    """Makes the tools of one case, and knows what reached them. Modules of Python tools last until it exits.

    context: names of context variables and their values. Each Python tool finds a variable of that name in
    its module, unless it makes its own; `enter_context` sets them all.
    """

    def __init__(self, case_id: str, context: Mapping[str, object]) -> None:
        self.invocations: list[Invocation] = []
        self._case_id = case_id
        self._context = context
        self._variables = [ContextVar[object](name) for name in context]
        self._modules: list[ModuleType] = []

    def __enter__(self) -> "CaseTools":
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, traceback: TracebackType | None
    ) -> None:
        for module in self._modules:
            sys.modules.pop(module.__name__, None)

    def make(self, entry: JsonDict) -> Tool:
        """The tool of an entry. Raises what the product raises for what cannot be a tool, and CaseError."""
        options = _options(entry)
        tool = self._of_source(entry, options) if "source" in entry else _of_schema(entry, options)
        return dataclasses.replace(tool, function=_recorded(tool, self.invocations))

    def enter_context(self) -> None:
        """Sets the case's context variables in the context of the caller."""
        for variable in self._variables:
            variable.set(self._context[variable.name])

    def _of_source(self, entry: JsonDict, options: JsonDict) -> Tool:
        name = entry["name"]
        module = self._module(name, entry["source"])
        found: Any = vars(module).get(name)
        if found is None:
            raise CaseError(f"tool {name}: its source defines nothing of this name")
        if isinstance(found, Tool):
            _check_options(name, options, known=())
            return found
        _check_options(name, options, known=ToolOptions.__annotations__)
        return Tool.from_function(found, **options)

    def _module(self, name: str, source: str) -> ModuleType:
        module = ModuleType(f"conformance_case_{self._case_id}_{name}")
        # There the names in annotations are looked up.
        sys.modules[module.__name__] = module
        self._modules.append(module)
        namespace = vars(module)
        namespace.update({variable.name: variable for variable in self._variables})
        try:
            exec(compile(source, module.__name__, "exec", dont_inherit=True), namespace)
        except CallAgainError:
            raise
        except (Exception, SystemExit) as error:
            raise CaseError(f"tool {name}: its source cannot be run: {exception_text(error)}") from error
        for value in namespace.values():
            if isinstance(value, ContextVar) and value.name in self._context:
                self._variables.append(cast("ContextVar[object]", value))
        return module


def _options(entry: JsonDict) -> JsonDict:
    name, behaviour = entry.get("name"), entry.get("behaviour")
    if not isinstance(behaviour, str) or behaviour not in _KEYS:
        raise CaseError(f"tool {name}: unknown behaviour {behaviour!r}; known are {', '.join(_KEYS)}")
    for needed in {"name", *_NEEDED & _KEYS[behaviour]}:
        if needed not in entry:
            raise CaseError(f"tool {name}: the behaviour {behaviour} needs {needed}")
    read = {"name", "behaviour", *_KEYS[behaviour]}
    for key in _FORMS.keys() & _KEYS[behaviour] & entry.keys():
        _FORMS[key].require(f"tool {name}: {key}", entry[key])
    return {key: value for key, value in entry.items() if key not in read}


def _check_options(name: str, options: JsonDict, known: Collection[str]) -> None:
    for option in options.keys() - set(known):
        raise CaseError(f"tool {name}: {option} is no option here; known are {', '.join(known) or 'none'}")


def _of_schema(entry: JsonDict, options: JsonDict) -> Tool:
    name = entry["name"]
    further = inspect.signature(tool_from_schema).parameters.keys() - {"parameters", "function", "options"}
    _check_options(name, options, known=[*ToolOptions.__annotations__, *further])
    behave = _behaviour(entry)

    def function(**arguments: Any) -> object:
        time.sleep(entry.get("delay", 0))
        return behave(arguments)

    described: JsonDict = {"description": f"The tool {name} of the case.", **options}
    return tool_from_schema(entry.get("parameters", _NO_PARAMETERS), function, name=name, **described)


def _behaviour(entry: JsonDict) -> Callable[[JsonDict], object]:
    value = entry.get("value")
    match entry["behaviour"]:
        case "echo":
            return lambda arguments: arguments
        case "sleep":
            return functools.partial(_sleep, entry["seconds"], value)
        case "raise":
            return functools.partial(_raise, _exception(entry["exc"]), entry.get("message"))
        case _:
            return lambda _: value


def _sleep(seconds: float, value: object, _arguments: JsonDict) -> object:
    time.sleep(seconds)
    return value


def _raise(kind: type[BaseException], message: str | None, _arguments: JsonDict) -> object:
    raise kind(message) if message else kind()


def _exception(name: str) -> type[BaseException]:
    """A builtin exception, or one of a module: `asyncio.CancelledError`."""
    module, _, plain = name.rpartition(".")
    try:
        found: object = getattr(importlib.import_module(module) if module else builtins, plain, None)
    except (ImportError, ValueError):
        found = None
    if not (isinstance(found, type) and issubclass(found, BaseException)):
        raise CaseError(f"there is no exception {name}")
    return found


def _recorded(tool: Tool, invocations: list[Invocation]) -> Callable[..., object]:
    """The tool's function, async where it is, with a record of each call before it runs."""
    function = tool.function

    def record(arguments: JsonDict) -> None:
        given = {name: value for name, value in arguments.items() if name != tool.context_parameter}
        try:
            invocations.append(Invocation(tool.name, json_value(given)))
        except ToolProblem:
            invocations.append(Invocation(tool.name, repr(given)))

    @functools.wraps(function)
    def recorded(*args: Any, **arguments: Any) -> object:
        record(arguments)
        return function(*args, **arguments)

    @functools.wraps(function)
    async def recorded_async(*args: Any, **arguments: Any) -> object:
        record(arguments)
        return await cast("Awaitable[object]", function(*args, **arguments))

    return recorded_async if tool.is_async else recorded

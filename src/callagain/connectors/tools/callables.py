"""What a callable says about itself: its name, its parameters, whether it is async."""

import functools
import inspect
import re
from collections.abc import Callable
from dataclasses import dataclass
from types import UnionType
from typing import Annotated, Union, get_args, get_origin

from callagain.connectors.tools.annotations import Hints
from callagain.connectors.tools.context import ToolContext
from callagain.connectors.tools.problem import clip
from callagain.engine.errors import ToolSchemaError

_LEGAL_NAME = re.compile(r"[a-zA-Z0-9_-]{1,64}")
_NO_DEFAULT = inspect.Parameter.empty
_REFUSED = {
    inspect.Parameter.VAR_POSITIONAL: "*{} cannot be announced to a model; give every parameter its own name",
    inspect.Parameter.VAR_KEYWORD: "**{} cannot be announced to a model; give every parameter its own name",
    inspect.Parameter.POSITIONAL_ONLY: "{} is positional-only, but arguments come by name; drop the /",
}


@dataclass(frozen=True, slots=True)
class Parameter:
    """A parameter that the call's arguments may fill. `hint` is None where there is no annotation."""

    name: str
    hint: object
    default: object

    @property
    def required(self) -> bool:
        """Whether the function has no default for it."""
        return self.default is _NO_DEFAULT


@dataclass(frozen=True, slots=True)
class Inspected:
    """A callable as a tool sees it."""

    name: str
    docstring: str | None
    parameters: tuple[Parameter, ...]
    takes_any_keyword: bool
    context_parameter: str | None
    is_async: bool
    is_method: bool


def _way_to_a_tool(given: object) -> str:
    """For what newcomers have in their hands."""
    if isinstance(given, dict):
        return "entries of the API's own list of tools need tools_from_json"
    for method in ("get_tools", "to_tool_list"):
        if hasattr(given, method):
            return f"of a whole set of tools take its members: tools=[*tools.{method}()]"
    return "a pydantic model needs Tool.from_model"


def legal_name(name: object) -> str:
    """The name, if an endpoint takes it. Raises ToolSchemaError."""
    if not isinstance(name, str) or not _LEGAL_NAME.fullmatch(name):
        raise ToolSchemaError(
            f"tool {shown(name)}: a tool's name has 1 to 64 letters, digits, _ and -; "
            "set a legal one with name="
        )
    return name


def shown(value: object) -> str:
    """A value that was given by mistake, short enough for a message."""
    return clip(repr(value), 100)


def inspect_callable(
    function: Callable[..., object], name: str | None = None, *, typed: bool = True, any_keyword: bool = False
) -> Inspected:
    """Everything about a callable that a tool needs.

    typed: every parameter must have an annotation that resolves; otherwise only the ones that there are must.
    any_keyword: `**kwargs` are accepted.
    Raises ToolSchemaError, naming the tool, for what cannot be called by name with JSON arguments.
    """
    if not callable(function) or isinstance(function, type):
        raise ToolSchemaError(
            f"{shown(function)} is not a function; a tool is made from a function, a method or an object "
            f"with __call__, and {_way_to_a_tool(function)}"
        )
    code = code_of(function)
    tool = legal_name(name if name is not None else _name_of(function))
    _refuse_generators(code, tool)
    parameters = _visible_parameters(function, _signature(function, tool))
    is_method = _waits_for_self(function, parameters)
    if is_method:
        del parameters[0]
    takes_any_keyword = any_keyword and _drop_keywords(parameters)
    hints = Hints(code, tool)
    found = [_parameter(each, hints, tool, typed=typed) for each in parameters]
    contexts = [each.name for each in found if _is_context(each.hint)]
    if len(contexts) > 1:
        raise ToolSchemaError(f"tool {tool}: {' and '.join(contexts)} both ask for the context; keep one")
    return Inspected(
        name=tool,
        docstring=_docstring_of(function),
        parameters=tuple(each for each in found if each.name not in contexts),
        takes_any_keyword=takes_any_keyword,
        context_parameter=contexts[0] if contexts else None,
        is_async=inspect.iscoroutinefunction(code),
        is_method=is_method,
    )


def return_type(function: Callable[..., object], tool: str) -> object:
    """The type that the function is annotated to return. Raises ToolSchemaError."""
    annotation = _signature(function, tool).return_annotation
    if annotation is inspect.Signature.empty:
        raise ToolSchemaError(f"tool {tool}: output_schema=True needs a return annotation on the function")
    return Hints(code_of(function), tool).resolve(annotation, "the result")


def code_of(function: Callable[..., object]) -> Callable[..., object]:
    """The function behind partials and objects with `__call__`."""
    function = _without_wrappers(function)
    return function if inspect.isroutine(function) else _call_method(function)


def _name_of(function: Callable[..., object]) -> str:
    function = _without_wrappers(function)
    return str(getattr(function, "__name__", type(function).__name__))


def _docstring_of(function: Callable[..., object]) -> str | None:
    function = _without_wrappers(function)
    if inspect.isroutine(function):
        return inspect.getdoc(function)
    return _call_method(function).__doc__ or type(function).__doc__


def _call_method(instance: object) -> Callable[..., object]:
    method: Callable[..., object] = getattr(instance, "__call__")  # noqa: B004, B009 - the method itself is meant
    return method


def _without_wrappers(function: Callable[..., object]) -> Callable[..., object]:
    while True:
        if isinstance(function, functools.partial):
            function = function.func
        elif isinstance(function, staticmethod):
            function = function.__func__
        else:
            return function


def _signature(function: Callable[..., object], tool: str) -> inspect.Signature:
    try:
        return inspect.signature(function)
    except (ValueError, TypeError, NameError) as error:
        raise ToolSchemaError(f"tool {tool}: its parameters cannot be read: {error}") from None


def _visible_parameters(
    function: Callable[..., object], signature: inspect.Signature
) -> list[inspect.Parameter]:
    """The parameters without those that a `functools.partial` fixes: they are not the model's to choose."""
    fixed: set[str] = set()
    while isinstance(function, functools.partial):
        fixed |= set(function.keywords)
        function = function.func
    return [each for each in signature.parameters.values() if each.name not in fixed]


def _waits_for_self(function: Callable[..., object], parameters: list[inspect.Parameter]) -> bool:
    """Whether the function stands in a class and is not bound to an instance yet."""
    if not inspect.isfunction(function) or not parameters:
        return False
    return parameters[0].name == "self" and parameters[0].annotation is inspect.Parameter.empty


def _drop_keywords(parameters: list[inspect.Parameter]) -> bool:
    """Take `**kwargs` off the list; whether it was there."""
    if not parameters or parameters[-1].kind is not inspect.Parameter.VAR_KEYWORD:
        return False
    del parameters[-1]
    return True


def _parameter(parameter: inspect.Parameter, hints: Hints, tool: str, *, typed: bool) -> Parameter:
    name, annotation = parameter.name, parameter.annotation
    if parameter.kind in _REFUSED:
        raise ToolSchemaError(f"tool {tool}: {_REFUSED[parameter.kind].format(name)}")
    if annotation is not inspect.Parameter.empty:
        return Parameter(name, hints.resolve(annotation, f"the parameter {name}"), parameter.default)
    if typed:
        raise ToolSchemaError(f"tool {tool}: the parameter {name} has no type; annotate it: {name}: str")
    return Parameter(name, None, parameter.default)


def _is_context(hint: object) -> bool:
    if get_origin(hint) in (Annotated, Union, UnionType):
        return any(_is_context(each) for each in get_args(hint))
    return hint is ToolContext


def _refuse_generators(code: Callable[..., object], tool: str) -> None:
    if inspect.isgeneratorfunction(code) or inspect.isasyncgenfunction(code):
        raise ToolSchemaError(
            f"tool {tool}: a generator has no single result; return a value, for example a list of the parts"
        )

"""The functions by name, each with the declaration that the reference of Jitterbit gives it.

A group is one page of the reference. A declaration such as `"int Index(string str, string subStr[, int n])"`
says how many arguments there are and to what each is converted before the function is called:

    string       to_text, so null is the empty string
    int, double  to_whole, to_number
    bool         to_truth
    array, dict  it must be one
    date         a date, its text, or seconds since 1970
    type, var    as it is

A function of values gets the converted arguments; one of the run gets the run before them; one of expressions
gets the run and the arguments as they stand in the script, and evaluates what it needs.

The docstring of each function says what it does, and where the page is silent or is not followed, why.
Registering it adds the declaration and the place in the reference.
"""

import re
from collections.abc import Callable
from dataclasses import dataclass, field
from inspect import cleandoc
from typing import Any

from callagain.porting.script.date_texts import to_date
from callagain.porting.script.errors import ScriptArgumentError
from callagain.porting.script.values import Value, to_number, to_text, to_truth, to_whole, type_name

Body = Callable[..., Any]

_DECLARATION = re.compile(r"(?P<result>\w+) (?P<name>\w+)\((?P<parameters>[^)]*)\)")
_REPEATED = "..."


@dataclass(frozen=True, slots=True)
class Parameter:
    """A parameter of a declaration: `[, int n]` is an optional one of the type int."""

    type: str
    name: str
    required: bool


@dataclass(frozen=True, slots=True)
class Group:
    """A group of functions; `page` is its page in the reference."""

    name: str
    page: str

    def of_values(self, declaration: str) -> Callable[[Body], Body]:
        """Registers a function of its arguments alone."""
        return self._registering(declaration)

    def of_run(self, declaration: str) -> Callable[[Body], Body]:
        """Registers a function that gets the run first."""
        return self._registering(declaration, takes_run=True)

    def of_expressions(self, declaration: str) -> Callable[[Body], Body]:
        """Registers a function that evaluates its arguments itself."""
        return self._registering(declaration, takes_run=True, takes_expressions=True)

    def _registering(self, declaration: str, **takes: bool) -> Callable[[Body], Body]:
        def register(body: Body) -> Body:
            function = _declared(self, declaration, body, **takes)
            FUNCTIONS[function.name.lower()] = function
            body.__doc__ = f"{cleandoc(body.__doc__ or '')}\n\n{declaration}\n\nSource: {function.source}"
            return body

        return register


@dataclass(frozen=True, slots=True)
class Function:
    """A function of Jitterbit Script. `repeated`: the last parameter may be given again and again."""

    name: str
    declaration: str
    group: Group
    parameters: tuple[Parameter, ...]
    repeated: bool
    body: Body = field(repr=False)
    takes_run: bool = False
    takes_expressions: bool = False

    @property
    def summary(self) -> str:
        """The first line of its docstring."""
        return (self.body.__doc__ or "").partition("\n")[0]

    @property
    def source(self) -> str:
        """Its section in the reference."""
        return f"{self.group.page}#{self.name.lower()}"

    @property
    def required(self) -> int:
        return sum(each.required for each in self.parameters)

    def check_count(self, count: int, written: str) -> None:
        """Refuses too few or too many arguments, with the declaration."""
        if count >= self.required and (self.repeated or count <= len(self.parameters)):
            return
        few = count < self.required
        wanted = f"at least {self.required}" if few and self.repeated else str(self.required)
        if not self.repeated and self.required != len(self.parameters):
            wanted = f"{self.required} to {len(self.parameters)}"
        noun = "argument" if wanted == "1" else "arguments"
        raise ScriptArgumentError(
            f"{written} takes {wanted} {noun} and got {count}; it is {self.declaration}"
        )

    def converted(self, position: int, value: Value) -> Any:
        """An argument as the function wants it. Raises ScriptArgumentError with the name of the parameter."""
        parameter = self.parameters[min(position, len(self.parameters) - 1)]
        if value is None and parameter.type in ("array", "dict", "date", "binary"):
            message = f"{self.name} wants {parameter.name} to be of the type {parameter.type}; it is null"
            raise ScriptArgumentError(message)
        return _CONVERSIONS[parameter.type](value, f"{self.name} wants {parameter.name} to be")


FUNCTIONS: dict[str, Function] = {}
"""All functions, by name in lower case: names of functions have no case."""


def _declared(group: Group, declaration: str, body: Body, **takes: bool) -> Function:
    match = _DECLARATION.fullmatch(declaration)
    if match is None:
        raise ValueError(f"no declaration: {declaration}")
    required, _, optional = match["parameters"].partition("[")
    parameters = [_parameter(each, required=True) for each in _names(required)]
    parameters += [_parameter(each, required=False) for each in _names(optional.rstrip("]"))]
    repeated = declaration.endswith(f"{_REPEATED}])") or declaration.endswith(f"{_REPEATED})")
    return Function(match["name"], declaration, group, tuple(parameters), repeated, body, **takes)


def _parameter(text: str, *, required: bool) -> Parameter:
    type_, name = text.split()
    return Parameter(type_, name, required)


def _names(parameters: str) -> list[str]:
    names = [each.strip() for each in parameters.split(",")]
    return [each for each in names if each and each != _REPEATED]


def _an_array(value: Value, wanted: str) -> list[Value]:
    if not isinstance(value, list):
        raise ScriptArgumentError(f"{wanted} an array; it is of the type {type_name(value)}")
    return value


def _a_dictionary(value: Value, wanted: str) -> dict[str, Value]:
    if not isinstance(value, dict):
        raise ScriptArgumentError(f"{wanted} a dictionary; it is of the type {type_name(value)}")
    return value


def _bytes(value: Value, wanted: str) -> bytes:
    if not isinstance(value, bytes):
        raise ScriptArgumentError(f"{wanted} binary; it is of the type {type_name(value)}")
    return value


def _a_number(value: Value, wanted: str) -> int | float:
    if isinstance(value, list | dict | bytes):
        raise ScriptArgumentError(f"{wanted} a number; it is of the type {type_name(value)}")
    return to_number(value)


def _whole(value: Value, wanted: str) -> int:
    return to_whole(_a_number(value, wanted))


_CONVERSIONS: dict[str, Callable[[Value, str], Any]] = {
    "string": lambda value, _: to_text(value),
    "int": _whole,
    "double": _a_number,
    "bool": lambda value, _: to_truth(value),
    "array": _an_array,
    "dict": _a_dictionary,
    "binary": _bytes,
    "date": lambda value, _: to_date(value),
    "type": lambda value, _: value,
    "var": lambda value, _: value,
}

"""The tool: a Python function that a model may ask for, with the schema that announces it.

A tool is made once and does not change. Everything that can be refused is refused then, by ToolSchemaError;
what happens during a call is told to the model, by ToolProblem.
"""

import contextlib
import copy
import dataclasses
import functools
import inspect
import types
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Concatenate, Generic, ParamSpec, Protocol, TypeVar, cast, overload

from callagain.connectors.tools.argument_lengths import over_long
from callagain.connectors.tools.context import ToolContext
from callagain.connectors.tools.options import OnUnknown, RequiresApproval, ToolOptions
from callagain.connectors.tools.problem import ToolProblem
from callagain.connectors.tools.results import json_value, text_of_json
from callagain.engine.json_text import Json, JsonObject

if TYPE_CHECKING:
    from typing import Self, Unpack

    from pydantic import BaseModel

P = ParamSpec("P")
R = TypeVar("R")
P2 = ParamSpec("P2")
R2 = TypeVar("R2")
Owner = TypeVar("Owner")


class ToolDescriptionWarning(UserWarning):
    """A tool has no description, so a model can only guess from its name when to ask for it."""


class ReadArguments(Protocol):
    """Validates the arguments of one call and gives what the function is called with, by name.

    Raises ToolProblem (`invalid_arguments`).
    """

    def __call__(self, arguments: JsonObject, /) -> Mapping[str, object]: ...


class CheckResult(Protocol):
    """Holds a result against the output schema. Raises ToolProblem (`invalid_result`)."""

    def __call__(self, value: Json, /) -> None: ...


@dataclass(frozen=True, kw_only=True, eq=False)
class Tool:
    """A function, its announcement, and what is known about running it.

    Made by `@tool`, `Tool.from_function`, `Tool.from_model`, `tool_from_schema`, `tools_from_json` or
    `foreign_tool`, which check all of it; the constructor checks nothing. `parameters` is the announced JSON
    schema. ToolOptions explains the flags.

    Guide: target operation, tool schemas.
    """

    name: str
    description: str
    parameters: JsonObject = field(repr=False)
    function: Callable[..., object]
    is_async: bool
    read_arguments: ReadArguments = field(repr=False)
    context_parameter: str | None = None
    whole_parameter: str | None = None
    """The parameter that gets all arguments, as one object or model."""
    output_schema: JsonObject | None = field(default=None, repr=False)
    check_result: CheckResult | None = field(default=None, repr=False)
    sequential: bool = False
    read_only: bool = False
    idempotent: bool = False
    timeout: float | None = None
    in_caller_thread: bool = False
    requires_approval: RequiresApproval = False
    on_unknown: OnUnknown | None = None
    max_result_chars: int | None = None
    max_argument_chars: int | None = None
    untrusted: bool = False
    verbatim: bool = False
    polling: bool = False
    strict: bool | None = None
    sync_function: Callable[..., object] | None = field(default=None, repr=False)
    """Of a tool that is sync and async: what the synchronous driver calls in place of `function`."""
    is_method: bool = False
    """The function still waits for its `self`; take the tool from an instance."""

    def __post_init__(self) -> None:
        """Look like the function, for `help`, `inspect.signature` and test runners."""
        for attribute in ("__name__", "__qualname__", "__doc__"):
            object.__setattr__(self, attribute, getattr(self.function, attribute, None))
        object.__setattr__(self, "__wrapped__", self.function)

    def announced(self) -> JsonObject:
        """The tool's entry in the request's `tools`; a new object at every call."""
        function: JsonObject = {"name": self.name}
        if self.description:
            function["description"] = self.description
        function["parameters"] = copy.deepcopy(self.parameters)
        if self.strict is not None:
            function["strict"] = self.strict
        return {"type": "function", "function": function}

    @property
    def has_effects(self) -> bool:
        """Whether a call may change anything: so does a tool that declares nothing, and an idempotent one."""
        return not self.read_only

    @property
    def when_unknown(self) -> OnUnknown:
        """What happens when nobody knows whether a call took effect; see ToolOptions."""
        if self.on_unknown is not None:
            return self.on_unknown
        return "retry" if self.read_only or self.idempotent else "ask"

    def wants_approval(self, arguments: JsonObject) -> bool:
        """Whether somebody is asked before a call with these arguments, which have been validated, runs.

        Where `requires_approval` is a function, it is asked with the values that the tool would get, as JSON.
        One that raises, or answers neither True nor False, has let nothing through: then somebody is asked.
        """
        if isinstance(self.requires_approval, bool):
            return self.requires_approval
        try:
            answer: object = self.requires_approval(self._seen(arguments))
        except Exception:
            return True
        return answer is not False

    def _seen(self, arguments: JsonObject) -> JsonObject:
        """The arguments as the function gets them, in their JSON form: a validator may have changed them."""
        values = self.read_arguments(arguments)
        if self.whole_parameter is not None:
            seen = json_value(values[self.whole_parameter])
            return seen if isinstance(seen, dict) else copy.deepcopy(arguments)
        return {**self._defaults(), **cast("JsonObject", json_value(dict(values)))}

    def _defaults(self) -> JsonObject:
        """What the function takes where the model says nothing, as far as it has a JSON form."""
        found: JsonObject = {}
        for name, parameter in inspect.signature(self.function).parameters.items():
            if parameter.default is not parameter.empty and name != self.context_parameter:
                with contextlib.suppress(ToolProblem):
                    found[name] = json_value(parameter.default)
        return found

    def validated(self, arguments: JsonObject, max_argument_chars: int | None = None) -> Mapping[str, object]:
        """What the function would be called with, by name and without the context.

        max_argument_chars: the most characters of a string whose length the schema does not limit, unless
        the tool has a limit of its own; None is no limit. Lengths are looked at first, so that no validator
        meets a string that is too long. Raises ToolProblem (`invalid_arguments`) with every fault of the
        arguments, in words that a model can mend them from.
        """
        limit = max_argument_chars if self.max_argument_chars is None else self.max_argument_chars
        faults = "" if limit is None else over_long(arguments, self.parameters, limit)
        if faults:
            raise ToolProblem("invalid_arguments", faults)
        return self.read_arguments(arguments)

    def is_called_async(self, *, prefer_async: bool = True) -> bool:
        """Whether a call is awaited. prefer_async: where the tool is both sync and async."""
        return self.is_async and (prefer_async or self.sync_function is None)

    def bind(
        self,
        arguments: JsonObject,
        context: ToolContext,
        *,
        max_argument_chars: int | None = None,
        prefer_async: bool = True,
    ) -> Callable[[], object]:
        """Validate the arguments; the returned callable makes the call, or gives a coroutine for it.

        prefer_async: as for `is_called_async`, which tells the two apart.
        Raises ToolProblem, as `validated` does.

        Guide: JSONParser.
        Departs from the guide in JSONParser: the guide has each operation pick its arguments out of the text.
        Here they are held against the schema of the tool, and come in as parameters, so that the function
        gets only what fits.
        """
        values = dict(self.validated(arguments, max_argument_chars))
        if self.context_parameter is not None:
            values[self.context_parameter] = context
        is_async = self.is_called_async(prefer_async=prefer_async)
        return functools.partial(self.function if is_async else self.sync_function or self.function, **values)

    def result_text(self, value: object) -> str:
        """What the function returned, as text for the model.

        Raises ToolProblem: `result_unserializable`, or `invalid_result` if it does not fit `output_schema`.
        """
        converted = json_value(value)
        if self.check_result is not None:
            self.check_result(converted)
        return text_of_json(converted, value)

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        """Call the function as it was written, without validation and without a loop."""
        return self.function(*args, **kwargs)

    @staticmethod
    def from_function(function: Callable[P, R], **options: "Unpack[ToolOptions]") -> "FunctionTool[P, R]":
        """A tool from a function's type hints and docstring. Raises ToolSchemaError."""
        from callagain.connectors.tools.from_function import tool_from_function

        return tool_from_function(function, options)

    @staticmethod
    def from_model(
        model: "type[BaseModel]", function: Callable[P, R], **options: "Unpack[ToolOptions]"
    ) -> "FunctionTool[P, R]":
        """A tool whose arguments are one pydantic model, given to the function. Raises ToolSchemaError."""
        from callagain.connectors.tools.from_model import tool_from_model

        return tool_from_model(model, function, options)


@dataclass(frozen=True, kw_only=True, eq=False)
class FunctionTool(Tool, Generic[P, R]):
    """A tool that is called like the function it was made from, for type checkers too.

    In a class it is a method: `instance.name` is the tool with its `self`.
    """

    def __call__(self, *args: P.args, **kwargs: P.kwargs) -> R:
        """Call the function as it was written, without validation and without a loop."""
        result: R = self.function(*args, **kwargs)  # type: ignore[assignment]
        return result

    @overload
    def __get__(self, instance: None, owner: type) -> "Self": ...
    @overload
    def __get__(
        self: "FunctionTool[Concatenate[Owner, P2], R2]", instance: Owner, owner: type | None = None
    ) -> "FunctionTool[P2, R2]": ...
    def __get__(self, instance: object, owner: type | None = None) -> "FunctionTool[..., Any]":
        if instance is None or not self.is_method:
            return self
        bound = types.MethodType(self.function, instance)
        return dataclasses.replace(self, function=bound, is_method=False)

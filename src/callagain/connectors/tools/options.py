"""What may be said about a tool when it is made, and what it must be.

A type checker sees the same mistakes in ToolOptions; the words here are for those who use none.
"""

import inspect
from collections.abc import Callable
from typing import Literal, TypeAlias, TypedDict, get_args

from callagain.connectors.tools.callables import code_of, shown
from callagain.engine.errors import ToolSchemaError
from callagain.engine.json_text import JsonObject

RequiresApproval: TypeAlias = bool | Callable[[JsonObject], bool]
OnUnknown: TypeAlias = Literal["retry", "ask", "fail"]

# What the clocks of threads and event loops can still wait for.
_MOST_SECONDS = 1e9
# Less than this, and a result that is cut is hardly more than the words that say so.
_LEAST_RESULT_CHARS = 100
_FLAGS = ("sequential", "read_only", "idempotent", "in_caller_thread", "untrusted", "verbatim", "polling")


class ToolOptions(TypedDict, total=False):
    """What may be said about any tool when it is made.

    name: 1 to 64 letters, digits, `_` and `-`; the function's own name unless set.
    description: what the model chooses by; from the docstring unless set.
    sequential: never runs at the same time as another call of its round.
    read_only: has no effects; idempotent: doing it twice is the same as doing it once.
    timeout: seconds for one call; None takes the loop's `tool_timeout`.
    in_caller_thread: runs in the thread that drives the loop, which gives up timeout and concurrency.
    output_schema: a JSON schema that every result must fit; True takes it from the return annotation.
    requires_approval: somebody is asked before a call runs. A function decides for each call; it is not
        async, gets the validated arguments as a JSON object, and anything but False from it means yes.
    on_unknown: what happens when nobody knows whether a call took effect: it is done again, somebody is
        asked, or it counts as failed. None: `retry` for a tool that is read_only or idempotent, else `ask`.
    max_result_chars: the most characters of a result that the model reads, at least 100; None takes the
        loop's.
    max_argument_chars: the most characters of any string in the arguments whose length the schema does not
        limit; None takes the loop's.
    untrusted: its results are data from outside, and are delimited as such.
    verbatim: its result is the final response, unchanged.
    polling: the same call may be repeated without end, since its result differs each time.
    """

    name: str | None
    description: str | None
    sequential: bool
    read_only: bool
    idempotent: bool
    timeout: float | None
    in_caller_thread: bool
    output_schema: JsonObject | bool | None
    requires_approval: RequiresApproval
    on_unknown: OnUnknown | None
    max_result_chars: int | None
    max_argument_chars: int | None
    untrusted: bool
    verbatim: bool
    polling: bool


def check_options(options: ToolOptions, name: str, *, is_async: bool) -> None:
    """Raises ToolSchemaError for what is no option, for a value of a wrong type, and for a contradiction.

    The option `name` is not looked at: it is checked with the function's own.
    """
    unknown = sorted(set(options) - set(ToolOptions.__annotations__))
    if unknown:
        raise ToolSchemaError(
            f"tool {name}: unknown option {unknown[0]}; known are {', '.join(ToolOptions.__annotations__)}"
        )
    for flag in _FLAGS:
        check_flag(options.get(flag), flag, name)
    _check_texts(options.get("description"), options.get("output_schema"), name)
    timeout = options.get("timeout")
    _check_timeout(timeout, name)
    _check_approval(options.get("requires_approval", False), name)
    _check_on_unknown(options.get("on_unknown"), name)
    _check_chars(options.get("max_result_chars"), "max_result_chars", _LEAST_RESULT_CHARS, name)
    _check_chars(options.get("max_argument_chars"), "max_argument_chars", 1, name)
    if options.get("in_caller_thread") and is_async:
        raise ToolSchemaError(f"tool {name}: in_caller_thread=True is for functions that are not async")
    if options.get("in_caller_thread") and timeout is not None:
        raise ToolSchemaError(
            f"tool {name}: in_caller_thread=True cannot be stopped at a timeout; leave out one of the two"
        )


def check_flag(value: object, flag: str, name: str) -> None:
    """Raises ToolSchemaError for what is neither True nor False, nor None, which leaves the flag unsaid."""
    if not (value is None or isinstance(value, bool)):
        raise ToolSchemaError(f"tool {name}: {flag}={shown(value)} must be True or False")


def _check_texts(description: object, output_schema: object, name: str) -> None:
    if not (description is None or isinstance(description, str)):
        raise ToolSchemaError(f"tool {name}: description={shown(description)} must be a text")
    if not (output_schema is None or isinstance(output_schema, bool | dict)):
        raise ToolSchemaError(
            f"tool {name}: output_schema={shown(output_schema)} must be a JSON schema, a dict, or True"
        )


def _check_timeout(timeout: object, name: str) -> None:
    if timeout is None:
        return
    if isinstance(timeout, bool) or not isinstance(timeout, int | float) or not 0 < timeout <= _MOST_SECONDS:
        raise ToolSchemaError(
            f"tool {name}: timeout={shown(timeout)} must be a number of seconds above 0, and 1e9 at the most"
        )


def _check_approval(value: object, name: str) -> None:
    """None is refused like any other value that leaves open whether somebody is asked."""
    if isinstance(value, bool):
        return
    if not callable(value):
        raise ToolSchemaError(
            f"tool {name}: requires_approval={shown(value)} must be True, False "
            "or a function of the arguments"
        )
    code = code_of(value)
    if inspect.iscoroutinefunction(code) or inspect.isasyncgenfunction(code):
        raise ToolSchemaError(
            f"tool {name}: requires_approval={shown(value)} is async, but is asked in the middle of a call; "
            "give it a function that is not"
        )


def _check_on_unknown(value: object, name: str) -> None:
    if not (value is None or value in get_args(OnUnknown)):
        raise ToolSchemaError(f'tool {name}: on_unknown={shown(value)} must be "retry", "ask" or "fail"')


def _check_chars(value: object, option: str, least: int, name: str) -> None:
    if value is None:
        return
    if isinstance(value, bool) or not isinstance(value, int) or value < least:
        raise ToolSchemaError(
            f"tool {name}: {option}={shown(value)} must be a whole number of characters, {least} or more"
        )

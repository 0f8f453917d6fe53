"""What may be said about a tool, held against what it must be.

A type checker sees the same mistakes in ToolOptions; these words are for those who use none.
"""

from callagain.connectors.tools.callables import shown
from callagain.connectors.tools.tool import ToolOptions
from callagain.engine.errors import ToolSchemaError

# What the clocks of threads and event loops can still wait for.
_MOST_SECONDS = 1e9
_FLAGS = ("sequential", "read_only", "idempotent", "in_caller_thread")


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

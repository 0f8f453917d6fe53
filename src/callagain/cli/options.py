"""The options of a loop, shared by the commands that run one."""

import argparse
import contextlib
import math
import os
import sys
from collections.abc import Generator
from typing import TYPE_CHECKING, TextIO, get_args

from callagain.connectors.profiles import PROFILES
from callagain.engine.errors import ConfigurationError
from callagain.engine.json_text import Json, JsonError, decode
from callagain.engine.wire.formats import Api

if TYPE_CHECKING:
    from callagain.connectors.tools import Tool
    from callagain.loop import ToolLoop

MODEL_VARIABLE = "OPENAI_MODEL"
_CHOICES = ("auto", "none", "required")
_OPTIONS_OF_ARGUMENTS = (
    ("max_tokens in request_options", "--max-tokens"),
    ("request_options", "--option"),
    ("requests_per_minute", "--requests-per-minute"),
    ("max_retries", "--max-retries"),
    ("pass api='chat_completions', or a profile of your own that says otherwise", "leave out --api"),
    (
        "take another model, leave tools out, or pass a profile of your own that says otherwise",
        "take another --model, leave out --tools, or give another --profile",
    ),
)
_BEGINNINGS_OF_JSON = ("{", "[", '"')


def add_loop_options(parser: argparse.ArgumentParser) -> None:
    """Adds them to a command, in groups."""
    tools = parser.add_argument_group("tools")
    tools.add_argument(
        "--tools",
        metavar="FILE.py",
        action="append",
        default=[],
        help="a Python file whose tools are offered: its list TOOLS, or its functions without a leading "
        "underscore and everything made by @tool; may be given several times",
    )
    tools.add_argument(
        "--tool-choice", metavar="CHOICE", help="auto, none, required, or the name of one tool to be called"
    )
    tools.add_argument(
        "--tool-timeout", metavar="S", type=seconds, default=60.0, help="seconds for one call (60)"
    )
    _add_endpoint_options(parser)
    _add_limits(parser)


def _add_endpoint_options(parser: argparse.ArgumentParser) -> None:
    group = parser.add_argument_group("endpoint and request")
    group.add_argument("--model", metavar="M", help=f"the model's name (default: ${MODEL_VARIABLE})")
    group.add_argument("--base-url", metavar="URL", help="a compatible endpoint, as http://localhost:8080/v1")
    group.add_argument(
        "--api",
        choices=get_args(Api),
        default=get_args(Api)[0],
        help=f"which API the endpoint has ({get_args(Api)[0]})",
    )
    group.add_argument(
        "--profile",
        metavar="NAME",
        choices=sorted(PROFILES),
        help=f"what the endpoint wants otherwise: {', '.join(sorted(PROFILES))} (chosen by the URL)",
    )
    group.add_argument("--system", metavar="TEXT", help="the system prompt")
    group.add_argument(
        "--max-tokens", metavar="N", type=at_least_one, help="tokens of one answer at the most"
    )
    group.add_argument("--temperature", metavar="X", type=number, help="0 to 2")
    group.add_argument(
        "--option",
        metavar="NAME=VALUE",
        type=name_and_value,
        action="append",
        default=[],
        help="any other field of the request, its value as JSON or as text; may be given several times",
    )
    group.add_argument(
        "--timeout", metavar="S", type=seconds, default=60.0, help="seconds for one request, in all (60)"
    )
    group.add_argument(
        "--max-retries",
        metavar="N",
        type=whole_number,
        default=2,
        help="how often a request is sent again when that may help (2)",
    )
    group.add_argument(
        "--requests-per-minute", metavar="N", type=per_minute, help="no more requests than that (no limit)"
    )


def _add_limits(parser: argparse.ArgumentParser) -> None:
    group = parser.add_argument_group("limits")
    group.add_argument(
        "--max-iterations", metavar="N", type=whole_number, default=5, help="rounds of tools at the most (5)"
    )
    group.add_argument(
        "--on-limit",
        choices=("stop", "final_answer"),
        default="stop",
        help="end there, or ask once more for an answer without tools (stop)",
    )
    group.add_argument("--deadline", metavar="S", type=seconds, help="seconds for the whole run (no limit)")


def build_loop(arguments: argparse.Namespace) -> "ToolLoop":
    """The loop that the options describe. Raises ConfigurationError, ToolSchemaError, DuplicateToolError."""
    from callagain.cli.tools_file import load_tools
    from callagain.connectors.credentials import NOTHING_FOUND
    from callagain.loop import ToolLoop

    tools = load_tools(arguments.tools)
    try:
        return ToolLoop(
            model=_model(arguments.model),
            tools=tools,
            system_prompt=arguments.system,
            max_iterations=arguments.max_iterations,
            on_limit=arguments.on_limit,
            base_url=arguments.base_url,
            api=arguments.api,
            profile=arguments.profile,
            request_options=_request_options(arguments, tools),
            timeout=arguments.timeout,
            tool_timeout=arguments.tool_timeout,
            deadline=arguments.deadline,
            max_retries=arguments.max_retries,
            requests_per_minute=arguments.requests_per_minute,
        )
    except ConfigurationError as error:
        if str(error) == NOTHING_FOUND:
            raise ConfigurationError(
                "no endpoint: set OPENAI_API_KEY, or give --base-url URL for a compatible server; "
                "`callagain demo` needs neither"
            ) from None
        raise ConfigurationError(in_options(str(error))) from None


def in_options(message: str) -> str:
    """A message about arguments of ToolLoop, with the options of the command line in their place."""
    for argument, option in _OPTIONS_OF_ARGUMENTS:
        message = message.replace(argument, option)
    return message


@contextlib.contextmanager
def stdout_for_the_answer() -> Generator[TextIO, None, None]:
    """What the user's tools print goes to stderr meanwhile, so that stdout holds nothing but the answer.

    Gives the real stdout.
    """
    stdout = sys.stdout
    with contextlib.redirect_stdout(sys.stderr):
        yield stdout


def _model(given: str | None) -> str:
    model = given or os.environ.get(MODEL_VARIABLE)
    if not model:
        raise ConfigurationError(f"no model: give --model M, or set {MODEL_VARIABLE}")
    return model


def _request_options(arguments: argparse.Namespace, tools: "list[Tool]") -> dict[str, Json]:
    named: list[tuple[str, Json]] = [
        (name, value)
        for name, value in (
            ("max_tokens", arguments.max_tokens),
            ("temperature", arguments.temperature),
            ("tool_choice", _tool_choice(arguments.tool_choice, tools)),
        )
        if value is not None
    ]
    options: dict[str, Json] = {}
    for name, value in [*named, *arguments.option]:
        if name in options:
            raise ConfigurationError(f"the option {name} is given twice; leave out one of the two")
        options[name] = value
    return options


def _tool_choice(choice: str | None, tools: "list[Tool]") -> Json:
    if choice is None:
        return None
    if not tools:
        raise ConfigurationError("--tool-choice needs tools to choose from; give --tools FILE.py")
    if choice in _CHOICES:
        return choice
    names = [tool.name for tool in tools]
    if choice not in names:
        raise ConfigurationError(
            f"--tool-choice {choice}: there is no such tool; choose from {', '.join((*_CHOICES, *names))}"
        )
    return {"type": "function", "function": {"name": choice}}


# Types of arguments, for argparse


def whole_number(text: str, *, least: int = 0) -> int:
    """`least` or more."""
    if not (text.isascii() and text.isdecimal() and int(text) >= least):
        raise argparse.ArgumentTypeError(f"must be a whole number, {least} or more, not {text!r}")
    return int(text)


def at_least_one(text: str) -> int:
    """1 or more."""
    return whole_number(text, least=1)


def number(text: str) -> float:
    """Any finite number."""
    try:
        value = float(text)
    except ValueError:
        value = math.nan
    if not math.isfinite(value):
        raise argparse.ArgumentTypeError(f"must be a number, not {text!r}")
    return value


def seconds(text: str) -> float:
    """More than 0."""
    value = number(text)
    if value <= 0:
        raise argparse.ArgumentTypeError(f"must be more than 0 seconds, not {text!r}")
    return value


def per_minute(text: str) -> float:
    """From 0.001 to 1e9, as a Throttle takes it."""
    value = number(text)
    if not 0.001 <= value <= 1e9:
        raise argparse.ArgumentTypeError(f"must be a number from 0.001 to 1e9, not {text!r}")
    return value


def name_and_value(text: str) -> tuple[str, Json]:
    """`NAME=VALUE`; a value that is not JSON is a text, unless it begins as only JSON does."""
    name, equals, value = text.partition("=")
    if not name or not equals:
        raise argparse.ArgumentTypeError(f"must be NAME=VALUE, as in seed=7, not {text!r}")
    try:
        return name, decode(value)
    except JsonError as error:
        if value.lstrip().startswith(_BEGINNINGS_OF_JSON):
            raise argparse.ArgumentTypeError(
                f"the value of {name} begins as JSON, but {error}; mend it, or put quotes around a text"
            ) from None
        return name, value


def question(text: str) -> str:
    """Anything but nothing."""
    if not text.strip():
        raise argparse.ArgumentTypeError("the message is empty; give a question")
    return text

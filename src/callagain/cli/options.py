"""The options of a loop, shared by the commands that run one."""

import argparse
import contextlib
import os
import re
import sys
from collections.abc import Callable, Generator, Sequence
from typing import TYPE_CHECKING, TextIO, get_args

from callagain.cli.bottom_line import stderr_with_a_bottom_line
from callagain.cli.guard_options import Guards, add_guard_options, guards_of
from callagain.cli.option_types import (
    Group,
    at_least_one,
    name_and_value,
    number,
    per_minute,
    seconds,
    whole_number,
)
from callagain.connectors.profiles import PROFILES
from callagain.engine.errors import ConfigurationError
from callagain.engine.json_text import Json
from callagain.engine.wire.formats import Api

if TYPE_CHECKING:
    from callagain.approval import Approver
    from callagain.connectors.tools import Tool
    from callagain.engine.journal.store import JournalFile
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
    ("another run_id", "another --run-id"),
    ("compact_context=True", "--compact-context"),
    ("pass compact_context=", "give --compact-context "),
)
# Words such as deadline are no names of settings where they stand in a sentence.
_GUARDS = "|".join(name for name in Guards.__annotations__ if "_" in name)
_GUARD = re.compile(rf'(?<![\w"])({_GUARDS})(?:=(\w+(?:\.\d+)?))?(?![\w"])')


def add_loop_options(parser: argparse.ArgumentParser) -> None:
    """Adds them to a command, in groups."""
    tools = parser.add_argument_group("tools")
    add_tools_option(tools)
    tools.add_argument(
        "--tool-choice", metavar="CHOICE", help="auto, none, required, or the name of one tool to be called"
    )
    add_tool_timeout_option(tools)
    _add_endpoint_options(parser)
    add_guard_options(parser)


def add_tools_option(group: Group) -> None:
    group.add_argument(
        "--tools",
        metavar="FILE.py",
        action="append",
        default=[],
        help="a Python file whose tools are offered: its list TOOLS, or its functions without a leading "
        "underscore and everything made by @tool; may be given several times",
    )


def add_tool_timeout_option(group: Group) -> None:
    group.add_argument(
        "--tool-timeout", metavar="S", type=seconds, default=60.0, help="seconds for one call (60)"
    )


def add_base_url_option(group: Group) -> None:
    group.add_argument("--base-url", metavar="URL", help="a compatible endpoint, as http://localhost:8080/v1")


def add_sending_options(group: Group) -> None:
    """How requests are sent, whatever is in them."""
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


def _add_endpoint_options(parser: argparse.ArgumentParser) -> None:
    group = parser.add_argument_group("endpoint and request")
    group.add_argument("--model", metavar="M", help=f"the model's name (default: ${MODEL_VARIABLE})")
    add_base_url_option(group)
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
    add_sending_options(group)


def build_loop(
    arguments: argparse.Namespace,
    *,
    approve_effects: bool = False,
    approver_for: "Callable[[Sequence[Tool]], Approver | None] | None" = None,
    journal: "JournalFile | None" = None,
    snapshot_key: bytes | None = None,
) -> "ToolLoop":
    """The loop that the options describe. approver_for: gives who is asked about calls of these tools.

    Raises ConfigurationError, ToolSchemaError, DuplicateToolError.
    """
    from callagain.cli.tools_file import load_tools
    from callagain.loop import ToolLoop

    tools = load_tools(arguments.tools)
    with told_in_options():
        return ToolLoop(
            model=_model(arguments.model),
            tools=tools,
            system_prompt=arguments.system,
            base_url=arguments.base_url,
            api=arguments.api,
            profile=arguments.profile,
            request_options=_request_options(arguments, tools),
            timeout=arguments.timeout,
            tool_timeout=arguments.tool_timeout,
            max_retries=arguments.max_retries,
            requests_per_minute=arguments.requests_per_minute,
            approve_effects=approve_effects,
            approver=None if approver_for is None else approver_for(tools),
            journal=journal,
            snapshot_key=snapshot_key,
            **guards_of(arguments),
        )


@contextlib.contextmanager
def told_in_options() -> Generator[None, None, None]:
    """What is told of the arguments of ToolLoop is told of the options."""
    from callagain.connectors.credentials import NOTHING_FOUND

    try:
        yield
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
    return _GUARD.sub(lambda found: _option(found[1], found[2]), message)


def _option(name: str, value: str | None) -> str:
    option = f"--{name.replace('_', '-')}"
    return option if value is None else f"{option} {value}"


@contextlib.contextmanager
def stdout_for_the_answer() -> Generator[TextIO, None, None]:
    """What the user's tools print goes to stderr meanwhile, so that stdout holds nothing but the answer.

    Gives the real stdout. On a terminal stderr has a bottom line meanwhile, which nothing that is written
    to it runs into.
    """
    stdout = sys.stdout
    with stderr_with_a_bottom_line(), contextlib.redirect_stdout(sys.stderr):
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


def question(text: str) -> str:
    """Anything but nothing."""
    if not text.strip():
        raise argparse.ArgumentTypeError("the message is empty; give a question")
    return text

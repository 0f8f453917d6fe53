"""`callagain serve-stand-in`: an endpoint that answers from a script, for any client."""

import argparse
import shlex
import time
from typing import TYPE_CHECKING

from callagain.cli.exit_codes import ExitCode
from callagain.cli.option_types import port
from callagain.cli.parser import AddParser, add_command
from callagain.cli.terminal import columns, fold, say
from callagain.engine.json_text import JsonError

if TYPE_CHECKING:
    from callagain.testing import ReceivedRequest, StandIn

EXAMPLES = """\
examples:
  callagain serve-stand-in
  callagain serve-stand-in --port 8080 --script weather.json

Without a script it calls get_order_status when it is asked about an order by its
number, calls look_up_contact and then create_ticket when it is told "look up NAME
and create a ticket for her: SUBJECT", and has one sentence for everything else.
docs/stand-in.md shows how a script is written, and what the stand-in refuses.
Ctrl-C ends it."""

_SECONDS_BETWEEN_LOOKS = 0.05


def add_to(add_parser: AddParser) -> None:
    parser = add_command(
        add_parser,
        "serve-stand-in",
        execute,
        usage="serve-stand-in [--port N] [--script FILE.json]",
        description="Serve Chat Completions and the Responses API, streamed or not, on the loopback\n"
        "interface, from a script: no key, no model.",
        epilog=EXAMPLES,
    )
    parser.add_argument("--port", metavar="N", type=port, default=0, help="the port (default: a free one)")
    parser.add_argument("--script", metavar="FILE.json", help="what to answer: answers, or rules")


def execute(arguments: argparse.Namespace) -> int:
    from callagain.cli.example_rules import EXAMPLE_RULES
    from callagain.testing import StandIn, load_script

    script = load_script(arguments.script) if arguments.script else EXAMPLE_RULES
    try:
        with StandIn(script, port=arguments.port) as stand_in:
            say(_welcome(stand_in.base_url, with_script=arguments.script is not None))
            _show_requests(stand_in)
    except KeyboardInterrupt:
        say("stopped")
    return ExitCode.COMPLETED


def _welcome(base_url: str, *, with_script: bool) -> str:
    """The base URL, and two commands that work as they stand."""
    from callagain.cli import example_tools
    from callagain.cli.example_rules import NO_CALL, ONE_CALL

    question = NO_CALL if with_script else ONE_CALL
    tools = "" if with_script else f" \\\n    --tools {shlex.quote(example_tools.__file__)}"
    return f"""\
The stand-in endpoint serves {base_url}   (Ctrl-C ends it)

  curl -s {base_url}/chat/completions -H 'Authorization: Bearer any' \\
    -d '{{"model": "any", "messages": [{{"role": "user", "content": "{NO_CALL}"}}]}}'

  callagain run {shlex.quote(question)} --model any --base-url {base_url}{tools}
"""


def _show_requests(stand_in: "StandIn") -> None:
    """One line for each request once it is answered, until Ctrl-C."""
    shown = 0
    while True:
        for request in stand_in.requests[shown:]:
            if request.status is None:
                break
            say(_line(request))
            shown += 1
        time.sleep(_SECONDS_BETWEEN_LOOKS)


def _line(request: "ReceivedRequest") -> str:
    return fold(f"{request.status}  {request.method} {request.path}  {_newest_message(request)}", columns())


def _newest_message(request: "ReceivedRequest") -> str:
    """Of a request of Chat Completions, or of the Responses API, whose items need not be messages."""
    try:
        body = request.json
        conversation = body["messages"] if "messages" in body else body["input"]
        if isinstance(conversation, str):
            return f"user: {conversation}"
        newest = conversation[-1]
        if newest.get("type") == "function_call_output":
            return f"tool: {newest['output']}"
        return f"{newest['role']}: {newest['content']}"
    except (JsonError, LookupError, TypeError, AttributeError):
        return ""

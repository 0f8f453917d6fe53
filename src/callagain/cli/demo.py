"""`callagain demo`: a run in which everything can be seen, with no key and no network."""

import argparse
from collections.abc import Generator
from contextlib import contextmanager
from typing import TYPE_CHECKING

from callagain.cli.exit_codes import ExitCode
from callagain.cli.parser import AddParser, add_command

if TYPE_CHECKING:
    from callagain.loop import ToolLoop

EXAMPLES = """\
examples:
  callagain demo
  callagain demo --json"""

SYSTEM = "You help the support team."


def add_to(add_parser: AddParser) -> None:
    parser = add_command(
        add_parser,
        "demo",
        execute,
        usage="demo [--json]",
        description="Run one question that needs two tools, one after the other, against the stand-in\n"
        "endpoint on this machine, and show each operation as it ends: where it leads, and\n"
        "what it changed in the variables of Jitterbit's guide.",
        epilog=EXAMPLES,
    )
    parser.add_argument(
        "--json", action="store_true", help="one JSON object a line: each operation, then the result"
    )


def execute(arguments: argparse.Namespace) -> int:
    from callagain.cli.demo_output import JsonLines, Paragraphs
    from callagain.cli.example_rules import TWO_CALLS

    output = JsonLines() if arguments.json else Paragraphs()
    with _loop() as loop:
        output.begin(SYSTEM, TWO_CALLS)
        live = loop.start(TWO_CALLS)
        while (step := live.step()) is not None:
            output.show(loop.chain, step)
    assert live.result is not None
    output.end(live.result)
    return ExitCode.of(live.result.outcome)


@contextmanager
def _loop() -> "Generator[ToolLoop, None, None]":
    """A loop with its endpoint, for as long as it is needed."""
    import httpx2
    from openai import OpenAI

    from callagain.cli.example_rules import EXAMPLE_RULES
    from callagain.cli.example_tools import create_ticket, look_up_contact
    from callagain.loop import ToolLoop
    from callagain.testing import StandIn

    # The environment may name a proxy, which could not reach this machine's loopback interface.
    http_client = httpx2.Client(trust_env=False)
    with (
        StandIn(EXAMPLE_RULES) as stand_in,
        OpenAI(base_url=stand_in.base_url, api_key="no-key", http_client=http_client) as client,
    ):
        yield ToolLoop(
            model="stand-in", client=client, tools=[look_up_contact, create_ticket], system_prompt=SYSTEM
        )

"""`callagain verify`: the guide's Verify list, on the user's own model and tools."""

import argparse
import dataclasses
import sys
import textwrap
from typing import TYPE_CHECKING

from callagain.cli.exit_codes import EXIT_CODES, ExitCode, environment
from callagain.cli.options import add_loop_options, build_loop, question, stdout_for_the_answer
from callagain.cli.parser import AddParser, add_command
from callagain.cli.terminal import Style, columns, flat, say
from callagain.engine.errors import ConfigurationError
from callagain.engine.json_text import encode

if TYPE_CHECKING:
    from callagain.loop import ToolLoop
    from callagain.verify import Check

EXAMPLES = """\
examples:
  callagain verify --tools crm.py --model gpt-4o \\
    --one "Who is Ada Lovelace?" --none "Hello" \\
    --two "Look up Ada Lovelace and create a ticket for her: wrong invoice"

Each message is run once, and the tools really run. Points 5 and 6 of the guide's
list, a refused tool_call_id and the iteration limit, are shown when they occur."""

VARIABLES = ("OPENAI_API_KEY", "OPENAI_BASE_URL", "OPENAI_MODEL", "NO_COLOR")
_INDENT = " " * 9


def add_to(add_parser: AddParser) -> None:
    parser = add_command(
        add_parser,
        "verify",
        execute,
        usage="verify --tools FILE.py [--one MESSAGE] [--two MESSAGE]\n"
        "                        [--none MESSAGE] [options]",
        description="Run the list “Verify the integration” of Jitterbit's guide on your own model and\n"
        "tools, and say what was seen.",
        epilog="\n\n".join([EXAMPLES, environment(*VARIABLES), EXIT_CODES]),
    )
    messages = parser.add_argument_group("messages, one of them at least")
    messages.add_argument(
        "--one", metavar="MESSAGE", type=question, help="needs exactly one tool call: points 1 and 2"
    )
    messages.add_argument(
        "--two", metavar="MESSAGE", type=question, help="needs two calls, one after the other: point 3"
    )
    messages.add_argument("--none", metavar="MESSAGE", type=question, help="needs no tool call: point 4")
    add_loop_options(parser)
    output = parser.add_argument_group("output")
    output.add_argument("--json", action="store_true", help="print one JSON document")


def execute(arguments: argparse.Namespace) -> int:
    messages = {name: getattr(arguments, name) for name in ("one", "two", "none")}
    given = {name: message for name, message in messages.items() if message is not None}
    if not given:
        raise ConfigurationError("nothing to verify: give at least one of --one, --two and --none")
    if not arguments.tools:
        raise ConfigurationError("nothing to verify without tools; give --tools FILE.py")
    with stdout_for_the_answer():
        loop = build_loop(arguments)
    checks: list[Check] = []
    for name, message in given.items():
        found = _checks(loop, name, message)
        checks += found
        if not arguments.json:
            _show(name, message, found)
    passed = all(check.passed for check in checks)
    if arguments.json:
        fields = {"passed": passed, "checks": [dataclasses.asdict(check) for check in checks]}
        say(encode(fields).decode())
    else:
        _conclude(checks)
    return ExitCode.COMPLETED if passed else ExitCode.FAILED


def _checks(loop: "ToolLoop", name: str, message: str) -> "list[Check]":
    from callagain.verify import verify

    with stdout_for_the_answer():
        return verify(loop, **{name: message})


def _show(name: str, message: str, checks: "list[Check]") -> None:
    style = Style.of(sys.stdout)
    say(style.bold(f"--{name} {flat(message)}"))
    for check in checks:
        word = style.good("pass") if check.passed else style.bad("FAIL")
        say(_wrapped(f"{check.point}  {word}  ", check.expected))
        say(style.faint(_wrapped(f"{_INDENT}seen: ", check.seen)))
        if check.advice:
            say(_wrapped(f"{_INDENT}do: ", check.advice))
    say()


def _conclude(checks: "list[Check]") -> None:
    points = sorted({check.point for check in checks})
    failed = sorted({check.point for check in checks if not check.passed})
    said = [f"point {point}: {'FAIL' if point in failed else 'pass'}" for point in points]
    left_out = [str(point) for point in (1, 2, 3, 4) if point not in points]
    if left_out:
        said.append(f"not asked for: {', '.join(left_out)}")
    say("; ".join(said))


def _wrapped(begin: str, text: str) -> str:
    return textwrap.fill(flat(text), columns(), initial_indent=begin, subsequent_indent=_INDENT)

"""`callagain demo`: scenarios in which everything can be seen, with no key and no network."""

import argparse
import os
from typing import TYPE_CHECKING

from callagain.cli.exit_codes import ExitCode
from callagain.cli.option_types import path_of_a_file
from callagain.cli.parser import AddParser, add_command
from callagain.engine.errors import ConfigurationError

if TYPE_CHECKING:
    from callagain.approval import Approver
    from callagain.cli.demo_output import DemoOutput
    from callagain.decisions import Verdict
    from callagain.pending_calls import PendingCall
    from callagain.result import Result
    from callagain.scenarios import Scenario

EXAMPLES = """\
examples:
  callagain demo
  callagain demo --list
  callagain demo limit
  callagain demo approval --yes
  callagain demo parallel-calls --view -o parallel.html
  callagain demo tool-error --json

The exit code is 0 when the run comes to what the scenario is to show, be that a
limit or a failure."""


def add_to(add_parser: AddParser) -> None:
    parser = add_command(
        add_parser,
        "demo",
        execute,
        usage="demo [NAME | --list] [--view [-o FILE]] [--yes] [--json]",
        description="Play a scenario against the stand-in endpoint on this machine, and show each\n"
        "operation as it ends: where it leads, and what it changed in the variables of\n"
        "Jitterbit's guide. The default asks a question that needs two tools, one after\n"
        "the other.",
        epilog=EXAMPLES,
    )
    parser.add_argument("name", metavar="NAME", nargs="?", help="the scenario (two-tools)")
    parser.add_argument("--list", action="store_true", help="list the scenarios, and what each one shows")
    parser.add_argument(
        "--view",
        action="store_true",
        help="write the run as a page for the browser, in place of showing it here",
    )
    parser.add_argument(
        "-o",
        "--output",
        metavar="FILE",
        type=path_of_a_file,
        help="where the page goes (callagain-demo-NAME.html)",
    )
    parser.add_argument("--yes", action="store_true", help="approve a call without asking you")
    parser.add_argument(
        "--json",
        action="store_true",
        help="one JSON object a line: each operation and each remark, then the result; with --list, one "
        "document",
    )


def execute(arguments: argparse.Namespace) -> int:
    from callagain.cli.demo_list import show_list
    from callagain.cli.demo_output import JsonLines, PageOnly, Paragraphs
    from callagain.scenarios import SCENARIOS, play, scenario_named, verified

    _check(arguments)
    if arguments.list:
        show_list(SCENARIOS, as_json=arguments.json)
        return ExitCode.COMPLETED
    scenario = SCENARIOS[0] if arguments.name is None else scenario_named(arguments.name)
    if arguments.yes and not scenario.asks:
        asking = ", ".join(each.name for each in SCENARIOS if each.asks)
        raise ConfigurationError(f"--yes is for {asking}; {scenario.name} asks nobody, so leave it out")
    page = _page_of(scenario, arguments.output) if arguments.view else None
    output = JsonLines() if arguments.json else Paragraphs() if page is None else PageOnly()
    output.begin(scenario)
    result = play(scenario, output, _approver(arguments, scenario, output))
    if page is not None:
        _write_page(result, scenario, page)
    output.end(scenario, result, verified(scenario), page)
    return ExitCode.COMPLETED if result.outcome == scenario.outcome else ExitCode.of(result.outcome)


def _check(arguments: argparse.Namespace) -> None:
    """Raises ConfigurationError for options that do not go together."""
    if arguments.list and (arguments.name or arguments.view or arguments.yes or arguments.output):
        raise ConfigurationError("--list plays nothing; give it alone, or with --json")
    if arguments.output is not None and not arguments.view:
        raise ConfigurationError("-o says where --view writes its page; add --view, or leave -o out")


def _approver(arguments: argparse.Namespace, scenario: "Scenario", output: "DemoOutput") -> "Approver | None":
    """Who is asked about a call: you, if you see the question and can answer, or else the script."""
    from callagain.cli.driving import approver_at_terminal
    from callagain.connectors.tools import collect_tools
    from callagain.decisions import approve

    why = "as --yes says" if arguments.yes else "--json asks nobody" if arguments.json else ""
    if not why:
        if (asking := approver_at_terminal(list(collect_tools(scenario.tools).values()))) is not None:
            return asking
        why = "there is no terminal to ask you at"

    def approved_by_the_script(call: "PendingCall") -> "Verdict":
        output.note(f"{call.name} {call.arguments_text} waits for approval. The script approves it: {why}.")
        return approve(call)

    return approved_by_the_script


def _page_of(scenario: "Scenario", given: str | None) -> str:
    """The path of the page. Raises ConfigurationError where it could not be written, or something is lost."""
    from callagain.viewer import is_page

    path = given or f"callagain-demo-{scenario.name}.html"
    if path == "-":
        raise ConfigurationError("--view writes a file; give its path by -o, and not -")
    if os.path.lexists(path) and not is_page(path):
        raise ConfigurationError(
            f"{path} is there already, and is no page of callagain; choose another path by -o"
        )
    if not os.path.isdir(os.path.dirname(os.path.abspath(path))):
        raise ConfigurationError(
            f"the folder of {path} does not exist; make it, or choose another path by -o"
        )
    return path


def _write_page(result: "Result", scenario: "Scenario", path: str) -> None:
    """Raises ConfigurationError if it cannot be written."""
    from callagain.viewer import write_page

    write_page(result.walk, path, title=scenario.title)

"""`callagain diagram`: the machine as Mermaid or Markdown, drawn from its table."""

import argparse
from collections.abc import Callable
from typing import TYPE_CHECKING

from callagain.cli.exit_codes import ExitCode
from callagain.cli.parser import AddParser, add_command
from callagain.cli.terminal import say
from callagain.engine.errors import ConfigurationError

if TYPE_CHECKING:
    from callagain.engine.chain import Chain

EXAMPLES = """\
examples:
  callagain diagram > loop.mmd
  callagain diagram --table
  callagain diagram --states --with final_answer,deadline
  callagain diagram --chain function_routing

Mermaid text is drawn by GitHub, by many editors, and at https://mermaid.live."""

FORMS = ("flowchart", "states", "table")
CHAINS = ("tool_calling_loop", "function_routing")
EXTENSIONS = ("deadline", "final_answer")


def add_to(add_parser: AddParser) -> None:
    parser = add_command(
        add_parser,
        "diagram",
        execute,
        usage="diagram [--flowchart | --states | --table] [options]",
        description="Print the machine, generated from the table that runs it.",
        epilog=EXAMPLES,
    )
    form = parser.add_mutually_exclusive_group()
    add = form.add_argument
    add(
        "--flowchart",
        dest="form",
        action="store_const",
        const="flowchart",
        help="the guide's flowchart (default)",
    )
    add("--states", dest="form", action="store_const", const="states", help="every state and link")
    add("--table", dest="form", action="store_const", const="table", help="the table, in Markdown")
    parser.set_defaults(form="flowchart")
    parser.add_argument(
        "--chain", choices=CHAINS, default=CHAINS[0], help="which machine (tool_calling_loop)"
    )
    parser.add_argument(
        "--with",
        dest="extensions",
        metavar="NAMES",
        default="",
        help="show what options add to the loop: final_answer (--on-limit), deadline, or both with a comma",
    )


def execute(arguments: argparse.Namespace) -> int:
    from callagain import diagrams

    draw: dict[str, Callable[[Chain], str]] = {
        "flowchart": diagrams.flowchart_mermaid,
        "states": diagrams.state_diagram_mermaid,
        "table": diagrams.transition_table_markdown,
    }
    say(draw[arguments.form](_chain(arguments.chain, arguments.extensions)).rstrip("\n"))
    return ExitCode.COMPLETED


def _chain(name: str, extensions: str) -> "Chain":
    from callagain.chains import FUNCTION_ROUTING
    from callagain.extensions import with_deadline, with_final_answer
    from callagain.operations import TOOL_CALLING_LOOP

    wanted = {word.strip() for word in extensions.split(",") if word.strip()}
    if unknown := wanted.difference(EXTENSIONS):
        raise ConfigurationError(
            f"--with {', '.join(sorted(unknown))}: no such extension; there are {', '.join(EXTENSIONS)}"
        )
    if wanted and name != TOOL_CALLING_LOOP.name:
        raise ConfigurationError(f"--with shows options of {TOOL_CALLING_LOOP.name}; {name} has none")
    chain = TOOL_CALLING_LOOP if name == TOOL_CALLING_LOOP.name else FUNCTION_ROUTING
    # In the order in which a loop adds them.
    if "deadline" in wanted:
        chain = with_deadline(chain)
    if "final_answer" in wanted:
        chain = with_final_answer(chain)
    return chain

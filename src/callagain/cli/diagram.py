"""`callagain diagram`: the machine as Mermaid or Markdown, drawn from its table."""

import argparse
from collections.abc import Callable, Collection
from typing import TYPE_CHECKING

from callagain.cli.chain_names import CHAINS
from callagain.cli.exit_codes import ExitCode
from callagain.cli.parser import AddParser, add_command
from callagain.cli.terminal import say
from callagain.engine.errors import ConfigurationError

if TYPE_CHECKING:
    from callagain.engine.chain import Chain
    from callagain.engine.run_inputs import Inputs

EXAMPLES = """\
examples:
  callagain diagram > loop.mmd
  callagain diagram --table
  callagain diagram --states --with final_answer,deadline
  callagain diagram --table --with budget
  callagain diagram --chain function_routing

Mermaid text is drawn by GitHub, by many editors, and at https://mermaid.live."""

FORMS = ("flowchart", "states", "table")
EXTENSIONS = ("budget", "compact_context", "deadline", "final_answer", "max_tokens_ceiling", "verbatim")


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
        help=f"show what options of a loop, and of its tools, add to it: {', '.join(EXTENSIONS)}; several "
        "with commas",
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
    from callagain.extended_chain import extended_chain
    from callagain.operations import TOOL_CALLING_LOOP

    wanted = {word.strip() for word in extensions.split(",") if word.strip()}
    if unknown := wanted.difference(EXTENSIONS):
        raise ConfigurationError(
            f"--with {', '.join(sorted(unknown))}: no such extension; there are {', '.join(EXTENSIONS)}"
        )
    if name == TOOL_CALLING_LOOP.name:
        return extended_chain(TOOL_CALLING_LOOP, _inputs_that_want(wanted))
    if wanted:
        raise ConfigurationError(f"--with shows options of {TOOL_CALLING_LOOP.name}; {name} has none")
    return FUNCTION_ROUTING


def _inputs_that_want(extensions: Collection[str]) -> "Inputs":
    """Inputs of a run with these options; any value of an option changes the chain alike."""
    from callagain.engine.limits import Limits
    from callagain.engine.run_inputs import AnnouncedTool, Inputs

    return Inputs(
        run_id="",
        model="",
        user_message="",
        tools=(AnnouncedTool("any", {}, verbatim="verbatim" in extensions),),
        on_limit="final_answer" if "final_answer" in extensions else "stop",
        limits=Limits(
            budget_requests=1 if "budget" in extensions else None,
            compact_at=1 if "compact_context" in extensions else None,
            deadline=1.0 if "deadline" in extensions else None,
            max_tokens_ceiling=1 if "max_tokens_ceiling" in extensions else None,
        ),
    )

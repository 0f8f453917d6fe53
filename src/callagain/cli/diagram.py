"""`callagain diagram`: the machine, or a run through it, as Mermaid, Markdown or SVG."""

import argparse
import os
from collections.abc import Callable, Collection
from pathlib import Path
from typing import TYPE_CHECKING

from callagain.cli.chain_file import chain_given, load_chain
from callagain.cli.chain_names import CHAINS
from callagain.cli.exit_codes import ExitCode, environment
from callagain.cli.given_run import given_run
from callagain.cli.journal_option import JOURNAL_VARIABLE, add_journal_option, run_id
from callagain.cli.option_types import at_least_one, path_of_a_file
from callagain.cli.parser import AddParser, add_command
from callagain.cli.snapshot_key import KEY_VARIABLE
from callagain.cli.terminal import complain, say
from callagain.engine.errors import ConfigurationError

if TYPE_CHECKING:
    from callagain.diagrams.theme import Theme
    from callagain.diagrams.walk import Walk
    from callagain.engine.chain import Chain
    from callagain.engine.run_inputs import Inputs

EXAMPLES = """\
examples:
  callagain diagram > loop.mmd
  callagain diagram --svg -o loop.svg
  callagain diagram --states --with final_answer,deadline
  callagain diagram --chain my_chain.py:chain --table
  callagain diagram --run 4f1c --journal runs.db --svg -o run.svg
  callagain diagram --run failed.json --sequence

Mermaid text is drawn by GitHub, by many editors, and at https://mermaid.live.
With --run each picture says how often the run went where, and how long it took."""

EXTENSIONS = (
    "budget",
    "compact_context",
    "deadline",
    "final_answer",
    "max_tokens_ceiling",
    "response_format",
    "verbatim",
)
THEMES = ("auto", "light", "dark")
# By these a file is known as one that this command may have written.
_BEGINNINGS = ("<svg ", "flowchart ", "stateDiagram", "sequenceDiagram", "| source")
_LONGEST_BEGINNING = 20
_FORMS = {
    "flowchart": "the guide's flowchart (default)",
    "states": "every state and link",
    "sequence": "who said what to whom in a run",
    "table": "the table, in Markdown",
}


def add_to(add_parser: AddParser) -> None:
    parser = add_command(
        add_parser,
        "diagram",
        execute,
        usage="diagram [--flowchart | --states | --sequence | --table] [options]",
        description="Print the machine, generated from the table that runs it, or a run through it.",
        epilog=f"{EXAMPLES}\n\n{environment(JOURNAL_VARIABLE, KEY_VARIABLE)}",
    )
    form = parser.add_mutually_exclusive_group()
    for name, shows in _FORMS.items():
        form.add_argument(f"--{name}", dest="form", action="store_const", const=name, help=shows)
    parser.set_defaults(form="flowchart")
    add = parser.add_argument
    add(
        "--chain",
        metavar="NAME",
        type=chain_given,
        help=f"which machine: {', '.join(CHAINS)}, or FILE.py:NAME for a chain of your own ({CHAINS[0]}; "
        "with --run, the one that it began with)",
    )
    add(
        "--with",
        dest="extensions",
        metavar="NAMES",
        default="",
        help=f"show what options of a loop, and of its tools, add to it: {', '.join(EXTENSIONS)}; several "
        "with commas",
    )
    add(
        "--run",
        metavar="RUN|FILE",
        type=run_id,
        help="draw this run: its id in the journal, or the path of an exported one",
    )
    add_journal_option(parser)
    add(
        "--rounds",
        metavar="N",
        type=at_least_one,
        help="most rounds of a --sequence; the middle is left out (10)",
    )
    add("--svg", action="store_true", help="a picture, in place of Mermaid text")
    add("--theme", choices=THEMES, help="of the picture; auto is as the reader's system has it (auto)")
    add(
        "-o",
        "--output",
        metavar="FILE",
        type=path_of_a_file,
        help="write it to a file (default: -, which is stdout)",
    )


def execute(arguments: argparse.Namespace) -> int:
    _refuse_what_does_not_fit(arguments)
    drawn = _chain(arguments) if arguments.run is None else _walk(arguments)
    text = _draw(arguments, drawn)
    if arguments.output in (None, "-"):
        say(text, end="")
    else:
        _write(arguments.output, text)
    return ExitCode.COMPLETED


def _refuse_what_does_not_fit(arguments: argparse.Namespace) -> None:
    form, has_run = arguments.form, arguments.run is not None
    if form == "sequence" and not has_run:
        raise ConfigurationError(
            "--sequence shows a run; give one by --run RUN --journal FILE, or by the path of an exported one"
        )
    if arguments.rounds is not None and form != "sequence":
        raise ConfigurationError("--rounds is for --sequence; add that, or leave --rounds out")
    if arguments.journal is not None and not has_run:
        raise ConfigurationError("--journal is where --run is looked for; add --run RUN, or leave it out")
    if arguments.extensions and has_run:
        raise ConfigurationError(
            "a run has its own options, and --with none to add; leave out --with or --run"
        )
    if arguments.svg and form == "table":
        raise ConfigurationError("the table is Markdown; leave out --svg, or ask for --flowchart or --states")
    if arguments.theme is not None and not arguments.svg:
        raise ConfigurationError("--theme is for a picture; add --svg, or leave --theme out")


def _draw(arguments: argparse.Namespace, drawn: "Chain | Walk") -> str:
    from callagain import diagrams
    from callagain.diagrams.sequence import MOST_ROUNDS

    theme: Theme = arguments.theme or "auto"
    if arguments.form == "sequence":
        assert isinstance(drawn, diagrams.Walk)
        rounds = arguments.rounds or MOST_ROUNDS
        if arguments.svg:
            return diagrams.sequence_svg(drawn, rounds=rounds, theme=theme)
        return diagrams.sequence_mermaid(drawn, rounds=rounds)
    if arguments.svg:
        picture = {"flowchart": diagrams.flowchart_svg, "states": diagrams.state_diagram_svg}[arguments.form]
        return picture(drawn, theme=theme)
    text: dict[str, Callable[[Chain | Walk], str]] = {
        "flowchart": diagrams.flowchart_mermaid,
        "states": diagrams.state_diagram_mermaid,
        "table": diagrams.transition_table_markdown,
    }
    return text[arguments.form](drawn)


def _write(path: str, text: str) -> None:
    from callagain.recording import write_whole

    # A link stays a link, and nothing but another drawing is replaced.
    target = Path(os.path.realpath(path))
    if os.path.lexists(target) and not _is_drawing(target):
        raise ConfigurationError(f"{path} is there already, and is no diagram; choose another path")
    try:
        write_whole(target, text)
    except OSError as error:
        raise ConfigurationError(
            f"the diagram could not be written to {path}: {error.strerror}; choose another path"
        ) from None


def _is_drawing(path: Path) -> bool:
    if not path.is_file():
        return False
    try:
        with path.open(encoding="utf-8") as file:
            return file.readline(_LONGEST_BEGINNING).startswith(_BEGINNINGS)
    except (OSError, UnicodeDecodeError):
        return False


def _walk(arguments: argparse.Namespace) -> "Walk":
    given = given_run(arguments)
    replay = given.replayed()
    if replay.difference is not None:
        complain(f"warning: the replay of {given.content.run_id} differs: {replay.difference}{given.hint}")
    return replay.walk


def _chain(arguments: argparse.Namespace) -> "Chain":
    from callagain.extended_chain import extended_chain

    chain = load_chain(arguments.chain or CHAINS[0])
    wanted = {word.strip() for word in arguments.extensions.split(",") if word.strip()}
    if unknown := wanted.difference(EXTENSIONS):
        raise ConfigurationError(
            f"--with {', '.join(sorted(unknown))}: no such extension; there are {', '.join(EXTENSIONS)}"
        )
    if wanted and arguments.chain in CHAINS and "append_tool_result" not in chain.operations:
        raise ConfigurationError(f"--with shows options of {CHAINS[0]}; {chain.name} has none")
    return extended_chain(chain, _inputs_that_want(wanted))


def _inputs_that_want(extensions: Collection[str]) -> "Inputs":
    """Inputs of a run with these options; any value of an option changes the chain alike."""
    from callagain.engine.limits import Limits
    from callagain.engine.run_inputs import AnnouncedTool, Inputs

    return Inputs(
        run_id="",
        model="",
        user_message="",
        tools=(AnnouncedTool("any", {}, verbatim="verbatim" in extensions),),
        output_schema={} if "response_format" in extensions else None,
        on_limit="final_answer" if "final_answer" in extensions else "stop",
        limits=Limits(
            budget_requests=1 if "budget" in extensions else None,
            compact_at=1 if "compact_context" in extensions else None,
            deadline=1.0 if "deadline" in extensions else None,
            max_tokens_ceiling=1 if "max_tokens_ceiling" in extensions else None,
        ),
    )

"""`callagain view`: a run as a page for the browser."""

import argparse
import os
from pathlib import Path

from callagain.cli.exit_codes import ExitCode, environment
from callagain.cli.given_run import add_given_run, given_run
from callagain.cli.journal_option import JOURNAL_VARIABLE
from callagain.cli.option_types import path_of_a_file
from callagain.cli.parser import AddParser, add_command
from callagain.cli.snapshot_key import KEY_VARIABLE
from callagain.cli.terminal import complain, note, say
from callagain.engine.errors import ConfigurationError

EXAMPLES = """\
examples:
  callagain view 4f1c --journal runs.db
  callagain view failed.json -o failed.html --open
  callagain view failed.json -o - | ssh laptop 'cat > failed.html'

The page is one file, which loads nothing. It holds what was said, what the tools
were told and what they returned; the keys of endpoints are in none. No request
is sent and no tool is called. What is the path of a file is read as one."""

VIEW_CODES = """\
exit codes:
  0    the page is written; stdout has its path
  2    misuse: wrong options, no such run, a file that cannot be used"""

_STDOUT = "-"


def add_to(add_parser: AddParser) -> None:
    parser = add_command(
        add_parser,
        "view",
        execute,
        usage="view RUN|FILE [-o FILE] [--open] [options]",
        description="Write a run as a page for the browser: the guide's flowchart, and beside it each\n"
        "step with its variables, its request and response, and its tool calls.",
        epilog=f"{EXAMPLES}\n\n{environment(JOURNAL_VARIABLE, KEY_VARIABLE)}\n\n{VIEW_CODES}",
    )
    add_given_run(parser)
    parser.add_argument(
        "-o",
        "--output",
        metavar="FILE",
        type=path_of_a_file,
        help="where to write it; - is stdout (default: RUN_ID.html in the current folder)",
    )
    parser.add_argument("--open", action="store_true", help="open it in the browser of this machine")
    parser.add_argument(
        "--force", action="store_true", help="replace a file that is there, whatever it holds"
    )


def execute(arguments: argparse.Namespace) -> int:
    from callagain.viewer import page, write_page

    is_for_stdout = arguments.output == _STDOUT
    if is_for_stdout and arguments.open:
        raise ConfigurationError("--open needs a file to open; give its path by -o, and not -")
    given = given_run(arguments)
    path = Path(arguments.output or _name_of(given.content.run_id))
    if not is_for_stdout:
        _refuse_to_replace(path, force=arguments.force)
    replay = given.replayed()
    difference = replay.difference
    if difference is not None:
        difference = f"{difference}{given.hint}"
        complain(f"warning: the replay of {given.content.run_id} differs: {difference}")
    if is_for_stdout:
        say(page(replay.walk, difference=difference), end="")
        return ExitCode.COMPLETED
    write_page(replay.walk, path, difference=difference)
    say(os.fspath(path))
    if arguments.open:
        _open(path)
    return ExitCode.COMPLETED


def _name_of(run_id: str) -> str:
    from callagain.recording import file_name

    return f"{file_name(run_id).removesuffix('.json')}.html"


def _refuse_to_replace(path: Path, *, force: bool) -> None:
    """Before anything is read: what is there and is no page of ours is not lost by a slip of the hand."""
    from callagain.viewer import is_page

    if os.path.isfile(path) and not force and not is_page(path):
        raise ConfigurationError(
            f"{path} is there already, and is no page of callagain; choose another path by -o, or add --force"
        )


def _open(path: Path) -> None:
    import webbrowser

    if not webbrowser.open(path.absolute().as_uri()):
        note(f"callagain: no browser could be started; open {path} by hand")

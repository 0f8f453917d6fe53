"""`callagain step`: a run, walked one operation at a time."""

import argparse
import contextlib
import sys
from collections.abc import Callable, Generator
from functools import partial
from typing import TYPE_CHECKING, TextIO

from callagain.cli.driving import approver_at_terminal, harmless, watched
from callagain.cli.exit_codes import ENVIRONMENT, EXIT_CODES, ExitCode
from callagain.cli.given_run import add_chain_option, given_run
from callagain.cli.journal_option import journal_of, resume_command, run_id
from callagain.cli.options import add_loop_options, build_loop, question, stdout_for_the_answer
from callagain.cli.parser import AddParser, add_command
from callagain.cli.report import report
from callagain.cli.run_options import (
    Recording,
    add_approval_options,
    add_keeping_options,
    approver,
    journal_told_in_options,
)
from callagain.cli.snapshot_key import snapshot_key
from callagain.cli.terminal import columns, complain, filled, note
from callagain.engine.errors import ConfigurationError

if TYPE_CHECKING:
    from callagain.cli.step_keys import Keys
    from callagain.cli.stepped_run import SteppedRun
    from callagain.live_run import LiveRun
    from callagain.loop import ToolLoop
    from callagain.result import Result
    from callagain.scenarios import Scenario

EXAMPLES = """\
examples:
  callagain step --demo
  callagain step "Where is order 481516?" --tools orders.py --model gpt-4o
  callagain step "Refund order 481516" --tools orders.py --journal runs.db
  callagain step --run 4f1c --journal runs.db
  callagain step --run failed.json

keys:
  Enter  the next operation      b  back by one; nothing is undone
  v      the variables           r  the request, InAndOut
  a      the answer received     t  the trace so far
  f      on to the end           ?  help; V R A show in full
  q      quit

Before each operation stands what it will do: send a request, call tools, or
neither. To go forth again over operations that ended performs nothing. Where
stdin is no terminal, each line of it is a key, and its end is q."""

_DEMO = "two-tools"
_PROMPT = "[Enter] [v]ariables [r]equest [a]nswer [t]race [b]ack [f]inish [?] [q]uit: "
_SHORT_PROMPT = "Enter v r a t b f ? q: "
# These say how a run is looked at, whichever it is.
_FOR_EVERY_RUN = {"execute", "command", "json"}
_OF_KEPT_RUNS = {"run", "chain", "journal"}


def add_to(add_parser: AddParser) -> None:
    parser = add_command(
        add_parser,
        "step",
        execute,
        usage="step MESSAGE [--tools FILE.py] [options]\n"
        "       callagain step --run RUN|FILE [--journal FILE] [--chain NAME]\n"
        "       callagain step --demo [NAME]",
        description="Walk through a run one operation at a time, forth and back, and look at its\n"
        "variables, requests and answers on the way.",
        epilog=f"{EXAMPLES}\n\n{ENVIRONMENT}\n\n{EXIT_CODES}",
    )
    parser.add_argument("message", metavar="MESSAGE", nargs="?", type=question, help="the question")
    other = parser.add_argument_group("another run, in place of MESSAGE")
    other.add_argument(
        "--run",
        metavar="RUN|FILE",
        type=run_id,
        help="one that is kept, by its id in the journal or the path of an exported one; nothing is "
        "performed",
    )
    add_chain_option(other)
    other.add_argument(
        "--demo",
        metavar="NAME",
        nargs="?",
        const=_DEMO,
        help=f"a scenario of `callagain demo`, with no key and no network ({_DEMO})",
    )
    add_loop_options(parser)
    add_approval_options(parser)
    add_keeping_options(parser)
    output = parser.add_argument_group("output")
    output.add_argument(
        "--json", action="store_true", help="one JSON object a line, for each operation and each key"
    )
    output.add_argument(
        "--no-progress", action="store_true", help="no line that counts on while something is waited for"
    )


def execute(arguments: argparse.Namespace) -> int:
    given = [each for each in (arguments.message, arguments.run, arguments.demo) if each is not None]
    if len(given) != 1:
        raise ConfigurationError(
            "give exactly one of MESSAGE, --run RUN and --demo; `callagain step --demo` needs nothing else"
        )
    if arguments.run is not None:
        return _kept(arguments)
    return _new(arguments) if arguments.demo is None else _demo(arguments)


def _new(arguments: argparse.Namespace) -> int:
    """A run of the user's own tools and model."""
    if arguments.message == "-":
        raise ConfigurationError("the keys are read from stdin; give the question as MESSAGE")
    if arguments.chain is not None:
        raise ConfigurationError("--chain is for a run that is kept; give it with --run RUN, or leave it out")
    with stdout_for_the_answer() as stdout:
        journal = journal_of(arguments)
        loop = build_loop(
            arguments,
            approve_effects=arguments.approve_effects,
            approver_for=lambda tools: approver(arguments, tools, can_ask=not arguments.json),
            journal=journal,
            snapshot_key=snapshot_key(),
        )
        live = loop.start(arguments.message, run_id=arguments.run_id)
        go_on = None if journal is None else resume_command(arguments, live.run_id)
        with journal_told_in_options(), Recording(arguments.record, live) as recording:
            told = "it is not kept, which --journal FILE does" if go_on is None else f"go on by: {go_on}"
            _walk_live(arguments, live, stdout, told)
    if live.result is None:
        return ExitCode.FAILED if recording.failed else ExitCode.COMPLETED
    # The walk has shown the answer.
    code = report(live.result, as_json=False, shown=_as_shown(live.result), resume_command=go_on)
    return ExitCode.FAILED if code is ExitCode.COMPLETED and recording.failed else code


def _demo(arguments: argparse.Namespace) -> int:
    from callagain.scenarios import scenario_named

    _refuse_other_options(arguments, "--demo", {"demo", "no_progress"})
    scenario = scenario_named(arguments.demo)
    if not scenario.tools:
        raise ConfigurationError(
            f"{scenario.name} takes more than one process; watch it by `callagain demo {scenario.name}`"
        )
    with stdout_for_the_answer() as stdout, _loop_of(scenario, can_ask=not arguments.json) as loop:
        live = loop.start(scenario.question)
        _walk_live(arguments, live, stdout, "a demo is not kept")
    if live.result is None or live.result.outcome == scenario.outcome:
        return ExitCode.COMPLETED
    return ExitCode.of(live.result.outcome)


@contextlib.contextmanager
def _loop_of(scenario: "Scenario", *, can_ask: bool) -> "Generator[ToolLoop, None, None]":
    """The loop of a scenario, with its endpoint."""
    from callagain.connectors.tools import collect_tools
    from callagain.scenarios.playing import loop_at
    from callagain.testing import StandIn

    tools = list(collect_tools(scenario.tools).values())
    asking = approver_at_terminal(tools) if can_ask else None
    with (
        StandIn(scenario.answers) as stand_in,
        loop_at(stand_in.base_url, scenario, approver=asking) as loop,
    ):
        yield loop


def _kept(arguments: argparse.Namespace) -> int:
    from callagain.cli.stepped_run import KeptSteps

    _refuse_other_options(arguments, "--run", _OF_KEPT_RUNS)
    given = given_run(arguments)
    replay = given.replayed()
    _walk(arguments, lambda _: KeptSteps(replay.walk, replay.result), sys.stdout)
    if replay.difference is None:
        return ExitCode.COMPLETED
    complain(f"error: the replay of {given.content.run_id} differs: {replay.difference}{given.hint}")
    return ExitCode.FAILED


def _refuse_other_options(arguments: argparse.Namespace, option: str, fitting: set[str]) -> None:
    """What stands in a run already cannot be given to it, and is not to be passed over in silence."""
    command: argparse.ArgumentParser = arguments.command
    for name, value in vars(arguments).items():
        if name not in fitting | _FOR_EVERY_RUN and value != command.get_default(name):
            other = f"--{name.replace('_', '-')}"
            raise ConfigurationError(f"{other} does not go with {option}, which brings its own; leave it out")


def _walk_live(arguments: argparse.Namespace, live: "LiveRun", stdout: TextIO, left: str) -> None:
    """left: what is told of a run that is left in the middle."""
    from callagain.cli.stepped_run import LiveSteps
    from callagain.diagrams.words import title

    watch = partial(watched, live, None, None, shows_status=not arguments.no_progress)
    try:
        _walk(arguments, lambda keys: LiveSteps(live, watch, keys.lent), stdout)
    finally:
        # A run that has not begun is kept nowhere.
        if live.result is None and live.trace:
            complain(f"the run stands before {title(live.state)}; {left}")


def _walk(arguments: argparse.Namespace, run_with: "Callable[[Keys], SteppedRun]", stdout: TextIO) -> None:
    """run_with: the run, which may have to lend the terminal to others."""
    from callagain.cli.step_keys import keys
    from callagain.cli.step_lines import StepObjects
    from callagain.cli.step_output import StepScreen
    from callagain.cli.stepping import Stepping

    output = StepObjects(stdout) if arguments.json else StepScreen(stdout)
    source = keys()
    stepping = Stepping(run_with(source), output, _complain)
    with source.taken():
        stepping.begin()
        while (key := source.read(_prompt(), fresh=stepping.has_performed)) is not None:
            if not stepping.obey(key):
                return


def _complain(text: str) -> None:
    """About a key: for whoever reads along, and not for a log."""
    note("\n".join(filled(f"callagain: {text}", columns(), indent=4)))


def _prompt() -> str:
    return _PROMPT if columns() > len(_PROMPT) else _SHORT_PROMPT


def _as_shown(result: "Result") -> str | None:
    """The answer as `report` would show it."""
    answer = result.final_response
    return harmless(answer) if answer is not None and sys.stdout.isatty() else answer

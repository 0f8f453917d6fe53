"""`callagain runs resume`: goes on with a run of a journal."""

import argparse
from collections.abc import Sequence
from typing import TYPE_CHECKING

from callagain.cli.chain_names import chain_named
from callagain.cli.driving import approver_at_terminal, drive
from callagain.cli.exit_codes import EXIT_CODES, environment
from callagain.cli.journal_option import (
    JOURNAL_VARIABLE,
    add_journal_option,
    add_run_argument,
    existing_journal,
    find_run,
    resume_command,
    told_how_to_go_on,
)
from callagain.cli.options import (
    add_base_url_option,
    add_sending_options,
    add_tool_timeout_option,
    add_tools_option,
    stdout_for_the_answer,
    told_in_options,
)
from callagain.cli.parser import AddParser, add_command
from callagain.cli.report import report
from callagain.cli.resume_options import add_change_options, add_decision_options, changes_of
from callagain.cli.run_options import add_progress_options, progress_of
from callagain.cli.snapshot_key import KEY_VARIABLE, snapshot_key
from callagain.engine.errors import ConfigurationError

if TYPE_CHECKING:
    from callagain.connectors.tools import Tool
    from callagain.engine.chain import Chain
    from callagain.engine.journal.store import JournalFile, StoredRun
    from callagain.engine.run import Run
    from callagain.engine.run_inputs import Inputs
    from callagain.live_run import LiveRun
    from callagain.loop import ToolLoop

EXAMPLES = """\
examples:
  callagain runs resume 4f1c --journal runs.db --tools orders.py
  callagain runs resume 4f1c --tools orders.py --approve call_1
  callagain runs resume 4f1c --tools orders.py --deny 'call_1=ask her first'
  callagain runs resume 4f1c --tools orders.py --edit 'call_1={"order_id": "7"}'
  callagain runs resume 4f1c --tools orders.py --max-iterations 10

The run goes on with the model, the messages and the settings that it began with,
and needs the tools that it began with. A call that was done is not done again.
On a terminal you are asked about calls that wait, if you decide nothing."""

VARIABLES = ("OPENAI_API_KEY", "OPENAI_BASE_URL", JOURNAL_VARIABLE, KEY_VARIABLE, "NO_COLOR")


def add_to(add_parser: AddParser) -> None:
    parser = add_command(
        add_parser,
        "resume",
        execute,
        usage="runs resume RUN [--tools FILE.py] [options]",
        description="Go on with a run that was left, waits for somebody, failed, or is at a limit,\n"
        "and print its answer.",
        epilog="\n\n".join([EXAMPLES, environment(*VARIABLES), EXIT_CODES]),
    )
    add_run_argument(parser)
    add_journal_option(parser)
    tools = parser.add_argument_group("tools")
    add_tools_option(tools)
    add_tool_timeout_option(tools)
    tools.add_argument(
        "--approve-effects",
        action="store_true",
        help="calls of tools that are not marked read_only wait for somebody from now on, also if the run "
        "began without this",
    )
    endpoint = parser.add_argument_group("endpoint")
    add_base_url_option(endpoint)
    add_sending_options(endpoint)
    add_decision_options(parser)
    add_change_options(parser)
    output = parser.add_argument_group("output")
    output.add_argument("--json", action="store_true", help="print one JSON document in place of the answer")
    add_progress_options(output)


def execute(arguments: argparse.Namespace) -> int:
    from callagain.cli.resume_decisions import told_of_decisions
    from callagain.cli.tools_file import load_tools
    from callagain.result import Result

    shows_progress = progress_of(arguments)
    with stdout_for_the_answer() as stdout:
        journal = existing_journal(arguments)
        stored = journal.read(find_run(journal, arguments.run))
        tools = load_tools(arguments.tools)
        with told_of_decisions():
            chain = _chain_of(stored)
            run = _run_of(stored, chain, tools)
            loop = _loop(arguments, run.inputs, chain, tools, journal)
            live = _reopened(arguments, loop, run, tools)
        go_on = resume_command(arguments, stored.run_id)
        shown = None
        if live is not None:
            with told_how_to_go_on(go_on):
                shown = drive(
                    live,
                    stdout,
                    shows_text=run.inputs.stream and not arguments.json,
                    shows_progress=shows_progress,
                )
    result = Result(run, None, snapshot_key()) if live is None else live.result
    assert result is not None
    return report(result, as_json=arguments.json, shown=shown, resume_command=go_on)


def _chain_of(stored: "StoredRun") -> "Chain":
    chain = chain_named(stored.chain)
    if chain is None:
        raise ConfigurationError(
            f"the chain of the run {stored.run_id}, {stored.chain!r}, is none of callagain's own; go on with "
            f"it in its program, by loop.resume({stored.run_id!r})"
        )
    return chain


def _run_of(stored: "StoredRun", chain: "Chain", tools: "Sequence[Tool]") -> "Run":
    """The run as it stands, for a look at what waits. Raises SnapshotError if these are not its tools."""
    from callagain.engine.journal.snapshot import run_of_content
    from callagain.extended_chain import extended_chain
    from callagain.kept_runs import content_of_stored
    from callagain.run_beginning import announced

    return run_of_content(
        content_of_stored(stored),
        lambda inputs: extended_chain(chain, inputs),
        announced({tool.name: tool for tool in tools}, None),
    )


def _loop(
    arguments: argparse.Namespace,
    inputs: "Inputs",
    chain: "Chain",
    tools: "Sequence[Tool]",
    journal: "JournalFile",
) -> "ToolLoop":
    """What the run began with stands in its inputs; the loop has what it is performed with."""
    from callagain.loop import ToolLoop

    with told_in_options():
        return ToolLoop(
            model=inputs.model,
            tools=tools,
            base_url=arguments.base_url,
            api=inputs.api,
            profile=inputs.profile,
            timeout=arguments.timeout,
            tool_timeout=arguments.tool_timeout,
            max_retries=arguments.max_retries,
            requests_per_minute=arguments.requests_per_minute,
            approve_effects=arguments.approve_effects,
            approver=None if arguments.json else approver_at_terminal(tools),
            chain=chain,
            journal=journal,
            snapshot_key=snapshot_key(),
        )


def _reopened(
    arguments: argparse.Namespace, loop: "ToolLoop", run: "Run", tools: "Sequence[Tool]"
) -> "LiveRun | None":
    """The run, ready to go on; None if it waits for decisions, and nobody gives one."""
    from callagain.cli.resume_decisions import decided_in
    from callagain.pending_calls import pending_calls

    waiting = pending_calls(run, None)
    decisions, results = decided_in(arguments, [call.id for call in waiting])
    changes = changes_of(arguments)
    if run.outcome == "suspended" and not (decisions or results or changes):
        approver = None if arguments.json else approver_at_terminal(tools)
        questions = [call for call in waiting if approver and call.why == "approval_required"]
        if approver is None or not questions:
            return None
        decisions = {call.id: approver(call) for call in questions}
    return loop.reopen(run.inputs.run_id, decisions=decisions, results=results, changes=changes)

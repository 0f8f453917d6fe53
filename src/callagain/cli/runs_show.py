"""`callagain runs show`: one run of a journal, as far as it has come."""

import argparse
import dataclasses
from typing import TYPE_CHECKING

from callagain.cli.exit_codes import ExitCode, environment
from callagain.cli.journal_option import (
    JOURNAL_VARIABLE,
    add_journal_option,
    add_run_argument,
    existing_journal,
    find_run,
)
from callagain.cli.parser import AddParser, add_command
from callagain.cli.terminal import complain, say
from callagain.engine.json_text import encode

if TYPE_CHECKING:
    from callagain.cli.kept_run import KeptRun
    from callagain.engine.journal.store import StoredStep
    from callagain.engine.json_text import JsonObject

EXAMPLES = """\
examples:
  callagain runs show 4f1c --journal runs.db
  callagain runs show 4f1c --journal runs.db --json | python -m json.tool

Times are UTC. A request or call is done; held, which means that it waits for
somebody; released by a decision; begun, where somebody performs it; or unknown,
where nobody does any more, and nobody knows whether it took effect."""


def add_to(add_parser: AddParser) -> None:
    parser = add_command(
        add_parser,
        "show",
        execute,
        usage="runs show RUN [--json] [--journal FILE]",
        description="Show a run: its operations with their requests and calls, the calls that wait,\n"
        "and the messages.",
        epilog=f"{EXAMPLES}\n\n{environment(JOURNAL_VARIABLE, 'NO_COLOR')}",
    )
    add_run_argument(parser)
    add_journal_option(parser)
    parser.add_argument("--json", action="store_true", help="print one JSON document, with nothing cut")


def execute(arguments: argparse.Namespace) -> int:
    from callagain.cli.kept_run import KeptRun
    from callagain.cli.runs_show_output import RunParagraphs

    journal = existing_journal(arguments)
    kept = KeptRun.of(journal, find_run(journal, arguments.run))
    if arguments.json:
        say(_document(kept))
    else:
        RunParagraphs(kept).show(arguments)
    if kept.difference is not None:
        what = "not shown" if kept.run is None else "as this callagain has them, which is not as it went"
        complain(f"warning: messages and waiting calls are {what}: {kept.difference}")
    return ExitCode.COMPLETED


def _document(kept: "KeptRun") -> str:
    run, stored, result = kept.run, kept.stored, kept.result
    error = None if result is None else result.error
    fields = {
        "run_id": stored.run_id,
        "status": stored.status,
        "kind": stored.kind,
        "model": stored.model,
        "chain": stored.chain,
        "created_at": stored.created_at,
        "updated_at": stored.updated_at,
        "error": None if error is None else {"kind": error.kind, "message": error.message},
        "final_response": None if run is None else run.variables.final_response,
        "loop_count": None if run is None else run.variables.loop_count,
        "operations": [_operation(step) for step in stored.steps],
        "commands": [dataclasses.asdict(command) for command in kept.commands],
        "pending_calls": [call.as_json() for call in kept.pending_calls],
        "messages": kept.messages,
        "difference": kept.difference,
    }
    return encode(fields).decode()


def _operation(step: "StoredStep") -> "JsonObject":
    return {"number": step.number, "operation": step.operation, "event": step.event, "next": step.target}

"""What a run came to: the answer or a JSON document on stdout, and what went wrong in one line on stderr."""

import dataclasses
import sys
from typing import TYPE_CHECKING

from callagain.cli.driving import harmless
from callagain.cli.exit_codes import ExitCode
from callagain.cli.options import in_options
from callagain.cli.terminal import complain, say
from callagain.engine.error_kinds import without_advice
from callagain.engine.json_text import encode
from callagain.engine.problem import Problem

if TYPE_CHECKING:
    from callagain.result import Result

ANY_HINT = "--verbose shows every operation, --json the whole conversation"
FROM_PYTHON = "--json gives its snapshot, with which a Python program goes on by loop.resume"
# In place of the advice that a Python program is given, where it has words of the library in it.
HINTS = {
    "auth": "check OPENAI_API_KEY, and that it is a key of this endpoint",
    "rate_limited": "wait a little, and run it again, or slow down by --requests-per-minute",
    "provider_unavailable": "run it again in a little while, or raise --max-retries",
    "stream_interrupted": "run it again, or raise --max-retries",
    "bad_request": "check --model, --base-url and the options of the request",
    "malformed_response": "check --base-url, which often ends in /v1",
    "context_length": "shorten the message or the results of the tools, or try --compact-context",
    "truncated": "raise --max-tokens, or ask for a shorter answer",
    "invalid_history": ANY_HINT,
    "unknown_tool": "offer the tool by --tools, or change what is asked",
    "operation_failed": ANY_HINT,
    "deadline": "give it more time by --deadline",
    "max_iterations": "the options are --max-iterations N and --on-limit final_answer",
    "repeated_call": "look at what the tool returns and at its description, or raise --repeat-limit",
    "max_repairs": "rewrite the description of the tool, or raise --max-repairs",
    "max_output_repairs": "describe the fields of its type, or allow more repairs, in its program",
    "budget_tokens": "ask for less, or raise --budget-tokens",
    "budget_money": "ask for less, take a cheaper model, or raise --budget-money",
    "budget_requests": "--verbose shows what they were for; --budget-requests allows more",
    "budget_tool_calls": "look at the question and at the descriptions, or raise --budget-tool-calls",
    "budget_time": "--verbose shows what is done meanwhile; --budget-time gives it more",
    "approval_required": "run it on a terminal, without --json and with the question as MESSAGE, and you are "
    f"asked; or decide beforehand by --approve; {FROM_PYTHON}",
    "tool_requests": FROM_PYTHON,
    "call_outcome_unknown": f"find out before you run it again; {FROM_PYTHON}",
}
OUT_OF_TIME = ("was silent", "gave no whole answer within")
TIME_HINT = "run it again, or give it more time by --timeout"

# What a run that is kept waits for, or needs to go on: behind the command that goes on with it.
DECISIONS = {
    "approval_required": "--approve ID, or --deny ID=REASON, or --edit ID=JSON",
    "tool_requests": "--result ID=VALUE, for each of them",
    "call_outcome_unknown": "--result ID=VALUE if it took effect, or --approve ID to run it again",
}
LIMIT_OPTIONS = {
    "deadline": ["--deadline S"],
    "repeated_call": ["--repeat-limit N"],
    **{
        kind: [f"--{kind.replace('_', '-')} N"]
        for kind in (
            "max_iterations",
            "max_repairs",
            "budget_tokens",
            "budget_money",
            "budget_requests",
            "budget_tool_calls",
            "budget_time",
        )
    },
}


def report(
    result: "Result", *, as_json: bool, shown: str | None = None, resume_command: str | None = None
) -> ExitCode:
    """Prints what a run came to, and gives the exit code.

    shown: the text that stands on stdout already. resume_command: goes on with the run, if it is kept.
    """
    if as_json:
        say(document(result))
    elif result.final_response is not None:
        answer = result.final_response
        if sys.stdout.isatty():
            answer = harmless(answer)
        if answer != shown:
            say(answer)
    if result.error is not None:
        told = told_with_hint(result.error, resume_command)
        complain(f"error: {result.outcome} ({result.error.kind}): {told}")
    return ExitCode.of(result.outcome)


def document(result: "Result") -> str:
    """The result as a JSON object in one line."""
    error = result.error
    fields = {
        "run_id": result.run_id,
        "outcome": result.outcome,
        "final_response": result.final_response,
        "loop_count": result.loop_count,
        "error": None if error is None else {"kind": error.kind, "message": error.message},
        "usage": dataclasses.asdict(result.usage),
        "spent": dataclasses.asdict(result.spent),
        "tool_results": [dataclasses.asdict(one) for one in result.tool_results],
        "abandoned_calls": result.abandoned_calls,
        "pending_calls": [call.as_json() for call in result.pending_calls],
        "warnings": [dataclasses.asdict(one) for one in result.warnings],
        "messages": result.messages,
        "variables": result.variables.as_jitterbit(),
        "snapshot": result.snapshot() if result.outcome == "suspended" else None,
    }
    return encode(fields).decode()


def told_with_hint(error: Problem, resume_command: str | None = None) -> str:
    """What happened, then what to do on the command line."""
    happened = happened_in(error)
    if resume_command is not None and error.kind in DECISIONS:
        return f"{happened}; go on by: {resume_command} {DECISIONS[error.kind]}"
    told = _with_hint(error, happened)
    if resume_command is None:
        return told
    return f"{told}; go on by: {' '.join([resume_command, *LIMIT_OPTIONS.get(error.kind, [])])}"


def happened_in(error: Problem) -> str:
    """What happened, without advice."""
    return in_options(without_advice(error.kind, error.message).rstrip("."))


def _with_hint(error: Problem, happened: str) -> str:
    was_late = any(words in happened for words in OUT_OF_TIME)
    hint = TIME_HINT if was_late and error.kind == "provider_unavailable" else HINTS.get(error.kind)
    if hint is not None:
        return f"{happened}; {hint}"
    has_advice = without_advice(error.kind, error.message).rstrip(".") != error.message.rstrip(".")
    return in_options(error.message) if has_advice else f"{happened}; {ANY_HINT}"

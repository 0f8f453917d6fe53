"""The options of a run that goes on: decisions about calls, results of calls, and larger limits."""

import argparse

from callagain.cli.option_types import at_least_one, at_least_two, dollars, seconds, whole_number
from callagain.engine.json_text import Json

CHANGES = (
    "max_iterations",
    "max_repairs",
    "repeat_limit",
    "deadline",
    "budget_tokens",
    "budget_money",
    "budget_requests",
    "budget_tool_calls",
    "budget_time",
)


def add_decision_options(parser: argparse.ArgumentParser) -> None:
    group = parser.add_argument_group(
        "decisions about the calls that wait",
        "ID is that of a call, as `callagain runs show` has it; several may be given.",
    )
    for option, metavar, kind, text in (
        ("--approve", "ID", str, "the call runs"),
        ("--deny", "ID[=REASON]", str, "it does not, and the model is told the reason"),
        ("--edit", "ID=JSON", _with_value, "it runs with these arguments, a JSON object"),
        ("--result", "ID=VALUE", _with_value, "it does not run; this is its result, as JSON or as text"),
    ):
        group.add_argument(option, metavar=metavar, type=kind, action="append", default=[], help=text)


def add_change_options(parser: argparse.ArgumentParser) -> None:
    group = parser.add_argument_group(
        "larger limits, for a run that has reached one", "What it has used already counts."
    )
    add = group.add_argument
    add("--max-iterations", metavar="N", type=whole_number, help="rounds of tools")
    add("--max-repairs", metavar="N", type=at_least_one, help="rounds in a row with wrong arguments")
    add("--repeat-limit", metavar="N", type=at_least_two, help="the N-th same call is not run, and ends it")
    add("--deadline", metavar="S", type=seconds, help="seconds from now on")
    add("--budget-tokens", metavar="N", type=at_least_one, help="tokens of all requests and responses")
    add("--budget-money", metavar="X", type=dollars, help="US dollars")
    add("--budget-requests", metavar="N", type=at_least_one, help="HTTP requests, repeated ones included")
    add("--budget-tool-calls", metavar="N", type=whole_number, help="calls of tools")
    add("--budget-time", metavar="S", type=seconds, help="seconds")


def changes_of(arguments: argparse.Namespace) -> dict[str, Json]:
    """The limits that are given, by their names."""
    given = {name: getattr(arguments, name) for name in CHANGES}
    return {name: value for name, value in given.items() if value is not None}


def _with_value(text: str) -> str:
    if "=" not in text.lstrip("="):
        raise argparse.ArgumentTypeError(f"must be the id of a call, = and a value, not {text!r}")
    return text

"""The options that say how much a run may do, and what it may cost."""

import argparse
from typing import TypedDict

from callagain.cli.option_types import at_least_one, at_least_two, dollars, price, seconds, whole_number
from callagain.engine.errors import ConfigurationError
from callagain.engine.run_inputs import OnLimit
from callagain.engine.wire.profile import Prices


class Guards(TypedDict):
    """Settings of ToolLoop, each of which has an option of its name; prices have two."""

    max_iterations: int
    on_limit: OnLimit
    deadline: float | None
    max_repairs: int
    repeat_limit: int | None
    max_result_chars: int
    compact_context: bool | int
    budget_tokens: int | None
    budget_money: float | None
    budget_requests: int | None
    budget_tool_calls: int | None
    budget_time: float | None
    prices: Prices | None


def add_guard_options(parser: argparse.ArgumentParser) -> None:
    """Adds them to a command, in groups."""
    _add_limits(parser)
    _add_budgets(parser)


def guards_of(arguments: argparse.Namespace) -> Guards:
    """The settings that the options stand for. Raises ConfigurationError."""
    return Guards(
        max_iterations=arguments.max_iterations,
        on_limit=arguments.on_limit,
        deadline=arguments.deadline,
        max_repairs=arguments.max_repairs,
        repeat_limit=arguments.repeat_limit,
        max_result_chars=arguments.max_result_chars,
        compact_context=arguments.compact_context,
        budget_tokens=arguments.budget_tokens,
        budget_money=arguments.budget_money,
        budget_requests=arguments.budget_requests,
        budget_tool_calls=arguments.budget_tool_calls,
        budget_time=arguments.budget_time,
        prices=_prices(arguments),
    )


def _add_limits(parser: argparse.ArgumentParser) -> None:
    add = parser.add_argument_group("limits").add_argument
    add("--max-iterations", metavar="N", type=whole_number, default=5, help="rounds of tools at the most (5)")
    add(
        "--on-limit",
        choices=("stop", "final_answer"),
        default="stop",
        help="end there, or ask once more for an answer without tools (stop)",
    )
    add("--deadline", metavar="S", type=seconds, help="seconds for the whole run (no limit)")
    add(
        "--max-repairs",
        metavar="N",
        type=at_least_one,
        default=3,
        help="rounds in a row in which the arguments for one tool do not fit (3)",
    )
    add(
        "--repeat-limit",
        metavar="N",
        type=at_least_two,
        help="the N-th call of one tool with the same arguments is not run, and ends the run (no limit)",
    )
    add(
        "--max-result-chars",
        metavar="N",
        type=at_least_one,
        default=50_000,
        help="of a result the model is told no more than that (50,000)",
    )
    add(
        "--compact-context",
        metavar="TOKENS",
        nargs="?",
        const=True,
        default=False,
        type=at_least_one,
        help="shorten old results when a request has so many tokens; without a number, half of the model's "
        "context window (no shortening)",
    )


def _add_budgets(parser: argparse.ArgumentParser) -> None:
    group = parser.add_argument_group(
        "budgets of the whole run", "A run that has used one up ends at its limit, with all that it has done."
    )
    add = group.add_argument
    add("--budget-tokens", metavar="N", type=at_least_one, help="tokens of all requests and responses")
    add("--budget-money", metavar="X", type=dollars, help="US dollars, by the two prices")
    add("--price-input", metavar="X", type=price, help="US dollars for a million tokens of requests")
    add("--price-output", metavar="X", type=price, help="US dollars for a million tokens of responses")
    add("--budget-requests", metavar="N", type=at_least_one, help="HTTP requests, repeated ones included")
    add("--budget-tool-calls", metavar="N", type=whole_number, help="calls of tools")
    add("--budget-time", metavar="S", type=seconds, help="seconds; what is under way then is waited for")


def _prices(arguments: argparse.Namespace) -> Prices | None:
    given = (arguments.price_input, arguments.price_output)
    if None not in given:
        return Prices(*given)
    if any(one is not None for one in given):
        raise ConfigurationError(
            "--price-input and --price-output go together: give both, in US dollars for a million tokens"
        )
    if arguments.budget_money is not None:
        raise ConfigurationError(
            "--budget-money needs the prices of the model: give --price-input and --price-output, in US "
            "dollars for a million tokens"
        )
    return None

"""What a run has used so far, and which of its budgets that reaches.

Source: "Operando agentes com orçamento limitado" in the document on agents and guards: limit the steps of a
task, its tokens and its cost, from the `usage` of the responses.
"""

from dataclasses import dataclass

from callagain.engine.variables import Variables
from callagain.engine.wire.profile import Prices
from callagain.engine.wire.usage import Usage

# The operation that checks the budgets, which keeps the seconds; see `callagain.extensions.budget`.
CHECK_BUDGET = "check_budget"
# The function that it calls for a budget of time, with the seconds that it knows of as `before`.
ELAPSED_SECONDS = "callagain.elapsed_seconds"
_MILLION = 1_000_000


@dataclass(frozen=True, slots=True)
class Spent:
    """tokens: of prompts and responses. money: US dollars; None without prices. requests: HTTP requests,
    retries included. seconds: of work on the run; 0 unless there is a budget of time. estimated: part of the
    tokens is our own estimate, since the endpoint did not say.
    """

    tokens: int
    money: float | None
    requests: int
    tool_calls: int
    seconds: float
    estimated: bool


def spent(variables: Variables) -> Spent:
    """What the run has used when it has these variables."""
    usage, prices = variables.usage + variables.estimated_usage, variables.inputs.prices
    kept = variables.own.get(CHECK_BUDGET)
    seconds = kept.get("seconds") if isinstance(kept, dict) else None
    return Spent(
        tokens=usage.total_tokens,
        money=None if prices is None else cost(usage, prices),
        requests=variables.requests,
        tool_calls=len(variables.tool_results),
        seconds=float(seconds) if isinstance(seconds, int | float) else 0.0,
        estimated=variables.estimated_usage != Usage(),
    )


def cost(usage: Usage, prices: Prices) -> float:
    """In US dollars. Tokens that the endpoint had cached count as all others, since not every one says."""
    return (usage.prompt_tokens * prices.input + usage.completion_tokens * prices.output) / _MILLION


def reached_budget(variables: Variables) -> tuple[str, str] | None:
    """The first budget that leaves nothing for one more request: its name, and what was used of it."""
    used, limits = spent(variables), variables.limits
    amounts = (
        ("budget_tokens", limits.budget_tokens, used.tokens, f"{used.tokens} tokens"),
        ("budget_money", limits.budget_money, used.money, f"${used.money or 0:.6f}"),
        (
            "budget_requests",
            limits.budget_requests,
            used.requests,
            f"{used.requests} request{'' if used.requests == 1 else 's'}",
        ),
        ("budget_time", limits.budget_time, used.seconds, f"{used.seconds:.1f} s"),
    )
    for name, budget, amount, words in amounts:
        if budget is not None and amount is not None and amount >= budget:
            return name, f"{words} of {name}={budget:g}"
    return None


def carry_spending(now: Variables, *, since: Variables, to: Variables) -> None:
    """What was used since then is not used less because the run goes back."""
    to.requests += now.requests - since.requests
    to.usage = to.usage + (now.usage - since.usage)
    to.estimated_usage = to.estimated_usage + (now.estimated_usage - since.estimated_usage)


def budget_below_spent(variables: Variables, name: str, budget: object) -> str | None:
    """What the run has used already, where a new budget of this name is below that."""
    used = spent(variables)
    amounts = {
        "budget_tokens": used.tokens,
        "budget_money": used.money,
        "budget_requests": used.requests,
        "budget_tool_calls": used.tool_calls,
        "budget_time": used.seconds,
    }
    amount = amounts.get(name)
    if amount is None or not isinstance(budget, int | float) or budget >= amount:
        return None
    return f"{amount:g}"

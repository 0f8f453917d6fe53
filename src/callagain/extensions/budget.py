"""`budget_tokens=`, `budget_money=`, `budget_requests=`, `budget_time=`: checked before every request.

Source: "Operando agentes com orçamento limitado" in the document on agents and guards.
"""

from collections.abc import Sequence
from dataclasses import replace

from callagain.engine.chain import Chain
from callagain.engine.commands import CallFunction
from callagain.engine.error_kinds import advised
from callagain.engine.errors import Failure
from callagain.engine.json_text import Json, JsonObject
from callagain.engine.links import LIMIT, ON_SUCCESS, Link
from callagain.engine.operation import Activity
from callagain.engine.problem import Problem
from callagain.engine.receipts import FunctionReceipt
from callagain.engine.spending import CHECK_BUDGET, ELAPSED_SECONDS, reached_budget, spent
from callagain.engine.variables import Variables

LLM_CALL = "llm_call"
BUDGET_REACHED = "budget_reached"


class CheckBudget(Activity):
    """Compares what the run has used with its budgets.

    Reads usage, requests and, for a budget of time, the seconds of work on the run. Sets limit_reached, and
    the chain goes to the limit, where nothing is left for one more request.
    """

    title = "Check the budget"

    def request(self, variables: Variables) -> Sequence[CallFunction]:
        if variables.limits.budget_time is None:
            return []
        before = spent(variables).seconds
        return [CallFunction(ELAPSED_SECONDS, {"before": before}, on_unknown="retry")]

    def receive(self, variables: Variables, receipts: Sequence[Json]) -> None:
        kept = _kept(variables)
        for receipt in map(FunctionReceipt.from_json, receipts):
            if receipt.error is not None:
                raise Failure(receipt.kind or "operation_failed", receipt.error)
            kept["seconds"] = receipt.value
        if spent(variables).estimated and "estimated" not in kept:
            kept["estimated"] = True
            told = "the endpoint does not say how many tokens it counts; the budget goes by an estimate"
            variables.warn("usage_estimated", told)
        variables.own[CHECK_BUDGET] = kept
        reached = reached_budget(variables)
        kept["reached"] = reached is not None
        if reached is not None:
            kind, words = reached
            what = f"the run has used {words}, and makes no further request"
            variables.limit_reached = Problem(kind, advised(kind, what))


def budget_reached(variables: Variables) -> bool:
    """A budget leaves nothing for one more request."""
    return _kept(variables).get("reached") is True


def with_budget(chain: Chain) -> Chain:
    """Every request, also one for a closing answer, is made only if the budgets allow it."""
    chain = chain.insert(CHECK_BUDGET, CheckBudget(), before=LLM_CALL)
    links: list[Link] = []
    for link in chain.links:
        if (link.source, link.event) == (CHECK_BUDGET, ON_SUCCESS):
            links.append(replace(link, when=(*link.when, f"not {BUDGET_REACHED}")))
            links.append(replace(link, target=LIMIT, when=(*link.when, BUDGET_REACHED)))
        else:
            links.append(link)
    return chain.replace(links=tuple(links), guards={BUDGET_REACHED: budget_reached})


def _kept(variables: Variables) -> JsonObject:
    kept = variables.own.get(CHECK_BUDGET)
    return dict(kept) if isinstance(kept, dict) else {}

"""`deadline=`: a run whose time is over ends at its limit, with everything kept, and not as a failure."""

from callagain.engine.chain import Chain
from callagain.engine.links import LIMIT, ON_FAIL, Link
from callagain.engine.variables import Variables

DEADLINE_REACHED = "deadline_reached"


def deadline_reached(variables: Variables) -> bool:
    """The operation failed since the run's deadline had passed."""
    return variables.problem is not None and variables.problem.kind == "deadline"


def with_deadline(chain: Chain, llm_call: str = "llm_call") -> Chain:
    """The LLM Call has an On Fail link of its own: past the deadline it leads to limit."""
    link = Link(llm_call, ON_FAIL, LIMIT, (DEADLINE_REACHED,))
    return chain.replace(links=(*chain.links, link), guards={DEADLINE_REACHED: deadline_reached})

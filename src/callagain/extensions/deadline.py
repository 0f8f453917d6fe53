"""`deadline=`: a run whose time is over ends at its limit, with everything kept, and not as a failure."""

from dataclasses import replace

from callagain.engine.chain import Chain
from callagain.engine.links import ANY_OPERATION, LIMIT, ON_FAIL, Link
from callagain.engine.variables import Variables

DEADLINE_REACHED = "deadline_reached"


def deadline_reached(variables: Variables) -> bool:
    """The operation failed since the run's deadline had passed."""
    return variables.problem is not None and variables.problem.kind == "deadline"


def with_deadline(chain: Chain) -> Chain:
    """Every On Fail link is split by a guard: past the deadline, whatever fails leads to limit."""
    links = [
        replace(link, when=(*link.when, f"not {DEADLINE_REACHED}")) if link.event == ON_FAIL else link
        for link in chain.links
    ]
    links.append(Link(ANY_OPERATION, ON_FAIL, LIMIT, (DEADLINE_REACHED,)))
    return chain.replace(links=tuple(links), guards={DEADLINE_REACHED: deadline_reached})

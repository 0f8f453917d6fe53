"""What each operation left behind, in a few characters: what a replay is held against.

InAndOut is not among it: the digest of the intent that sends it is.
"""

import dataclasses
import hashlib
from collections.abc import Sequence
from dataclasses import dataclass

from callagain.engine.json_text import Json, canonical
from callagain.engine.run import Step
from callagain.engine.variables import Variables

_DIGITS = 12


@dataclass(frozen=True, slots=True)
class KeptStep:
    """An operation that ended, in the order in which they ended. digest: see `step_digest`."""

    number: int
    operation: str
    event: str
    target: str
    digest: str


def kept_step(step: Step) -> KeptStep:
    return KeptStep(step.number, step.operation, step.event, step.target, step_digest(step))


def step_digest(step: Step) -> str:
    """The variables that the operation changed, as `name:digest name:digest`, in the order of their names."""
    before, after = _view(step.before), _view(step.after)
    changed = sorted(name for name, value in after.items() if value != before[name])
    return " ".join(f"{name}:{_digest(after[name])}" for name in changed)


def first_difference(then: Sequence[KeptStep], now: Sequence[KeptStep]) -> str | None:
    """Where a replay differs first, in words: the step, and which variables; None if it does not.

    A run that goes on has more steps now than were kept.
    """
    for old, new in zip(then, now, strict=False):
        if old == new:
            continue
        place = f"step {old.number}, {old.operation}"
        if (old.operation, old.event, old.target) != (new.operation, new.event, new.target):
            ways = f"--{old.event}--> {old.target}, now {new.operation} --{new.event}--> {new.target}"
            return f"{place}: it went {ways}"
        names = {each.partition(":")[0] for each in {*old.digest.split()} ^ {*new.digest.split()}}
        return f"{place}: it left {', '.join(sorted(names))} otherwise"
    if len(now) < len(then):
        return f"step {then[len(now)].number}, {then[len(now)].operation}: it is not reached"
    return None


def _view(variables: Variables) -> dict[str, Json]:
    """The variables that tell one run from another, as JSON."""
    rounds = list(variables.tools_messages)
    return {
        "call_llm_again": variables.call_llm_again,
        "loop_count": variables.loop_count,
        "maxIterations": variables.max_iterations,
        "tools_messages": [len(rounds), rounds[-1].decode() if rounds else ""],
        "tools_resp": variables.tools_resp,
        "tool_calls": [[call.id, call.name, call.arguments_text] for call in variables.tool_calls],
        "function_resps": list(variables.function_resps),
        "final_response": variables.final_response,
        "own": variables.own,
        "usage": list(dataclasses.astuple(variables.usage)),
        "requests": variables.requests,
        "problem": None if variables.problem is None else variables.problem.message,
    }


def _digest(value: Json) -> str:
    return hashlib.sha256(canonical(value).encode()).hexdigest()[:_DIGITS]

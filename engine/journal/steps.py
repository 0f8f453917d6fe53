"""What each operation left behind, in a few characters: what a replay is held against.

InAndOut is not among it: the digest of the intent that sends it is.
"""

import hashlib
from collections.abc import Callable, Mapping, Sequence
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
    before, after = step.before, step.after
    changed = [
        (name, after_value) for name, view in _VIEWS.items() if (after_value := view(after)) != view(before)
    ]
    return " ".join(f"{name}:{_digest(value)}" for name, value in changed)


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


def _rounds(variables: Variables) -> Json:
    """How many, and the last one: the others are in the digests of the steps before."""
    rounds = variables.tools_messages
    return [len(rounds), rounds[-1].decode() if rounds else ""]


def _usage(variables: Variables) -> Json:
    usage = variables.usage
    return [usage.prompt_tokens, usage.completion_tokens, usage.total_tokens]


# The variables that tell one run from another, as JSON.
_VIEWS: Mapping[str, Callable[[Variables], Json]] = {
    "call_llm_again": lambda variables: variables.call_llm_again,
    "final_response": lambda variables: variables.final_response,
    "function_resps": lambda variables: list(variables.function_resps),
    "loop_count": lambda variables: variables.loop_count,
    "maxIterations": lambda variables: variables.max_iterations,
    "own": lambda variables: variables.own,
    "problem": lambda variables: None if variables.problem is None else variables.problem.message,
    "requests": lambda variables: variables.requests,
    "tool_calls": lambda variables: [
        [call.id, call.name, call.arguments_text] for call in variables.tool_calls
    ],
    "tools_messages": _rounds,
    "tools_resp": lambda variables: variables.tools_resp,
    "usage": _usage,
}


def _digest(value: Json) -> str:
    return hashlib.sha256(canonical(value).encode()).hexdigest()[:_DIGITS]

"""What each operation left behind, in a few characters: what a replay is held against.

InAndOut is not among it: the digest of the intent that sends it is.
"""

import hashlib
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from callagain.engine.growing_sequence import GrowingSequence
from callagain.engine.json_text import Json, canonical
from callagain.engine.problem import Problem
from callagain.engine.run import Step
from callagain.engine.wire.reply import Call
from callagain.engine.wire.usage import Usage

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
    changed: list[str] = []
    for name, (attribute, as_json) in _VIEWS.items():
        before, after = getattr(step.before, attribute), getattr(step.after, attribute)
        # A variable is replaced and never changed in place, so what is the same object has not changed.
        if after is not before and (value := as_json(after)) != as_json(before):
            changed.append(f"{name}:{_digest(value)}")
    return " ".join(changed)


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


def _itself(value: Json) -> Json:
    return value


def _rounds(rounds: GrowingSequence[bytes]) -> Json:
    """How many, and the last one: the others are in the digests of the steps before."""
    return [len(rounds), rounds[-1].decode() if rounds else ""]


def _calls(calls: Sequence[Call]) -> Json:
    return [[call.id, call.name, call.arguments_text] for call in calls]


def _tokens(usage: Usage) -> Json:
    return [usage.prompt_tokens, usage.completion_tokens, usage.total_tokens]


def _message(problem: Problem | None) -> Json:
    return None if problem is None else problem.message


# The variables that tell one run from another: by which name, of which attribute, and how as JSON.
_VIEWS: Mapping[str, tuple[str, Callable[[Any], Json]]] = {
    "call_llm_again": ("call_llm_again", _itself),
    "final_response": ("final_response", _itself),
    "function_resps": ("function_resps", list),
    "loop_count": ("loop_count", _itself),
    "maxIterations": ("max_iterations", _itself),
    "own": ("own", _itself),
    "problem": ("problem", _message),
    "requests": ("requests", _itself),
    "tool_calls": ("tool_calls", _calls),
    "tools_messages": ("tools_messages", _rounds),
    "tools_resp": ("tools_resp", _itself),
    "usage": ("usage", _tokens),
}


def _digest(value: Json) -> str:
    return hashlib.sha256(canonical(value).encode()).hexdigest()[:_DIGITS]

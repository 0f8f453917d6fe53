"""On Success and On Fail of a Studio export, which holds them as codes that no page of Jitterbit explains.

An operation has `outcomes: [{outcomeType, operationId}]`. In the exports that are public the code 200 leads
to an operation that handles failures; another code was not seen. The rule, from the strongest reason to the
weakest:

1. the name of the target: `Log Error`, `Exception Handler` is On Fail, `On Success` is On Success;
2. the code, where such names decided it elsewhere in the export, and always in one way;
3. the other link of the same operation, if that is decided and has another code;
4. beside another link with a smaller code the larger one is On Fail, as 200 beside 100;
5. an ordinary name: On Success.

Every link is reported as a guess, with its code and the reason.
"""

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass

_FAIL = re.compile(r"(?i)fail|error|exception|fault|\bcatch|alert|rollback|dead.?letter")
_SUCCESS = re.compile(r"(?i)success|succeeded|completed\b")


@dataclass(frozen=True, slots=True)
class Outcome:
    """A link of an operation: the code, and the name of the operation to which it leads."""

    code: str
    target: str


@dataclass(frozen=True, slots=True)
class Decided:
    """What a link was taken for, and why."""

    outcome: Outcome
    is_fail: bool
    reason: str


def meaning_of_codes(operations: Iterable[Iterable[Outcome]]) -> dict[str, bool]:
    """Code to whether it means On Fail, for the codes that names decide, and always in one way."""
    found: dict[str, set[bool]] = {}
    for outcomes in operations:
        for outcome in outcomes:
            by_name = _by_name(outcome.target)
            if by_name is not None:
                found.setdefault(outcome.code, set()).add(by_name)
    return {code: meanings.pop() for code, meanings in found.items() if len(meanings) == 1}


def decide(outcomes: list[Outcome], codes: Mapping[str, bool]) -> list[Decided]:
    """What each link of one operation is taken for. codes: as `meaning_of_codes` gives them."""
    decided: dict[Outcome, Decided] = {}
    for outcome in outcomes:
        by_name = _by_name(outcome.target)
        if by_name is not None:
            decided[outcome] = Decided(outcome, by_name, "by the name of the target")
        elif outcome.code in codes:
            reason = "by the names to which its code leads elsewhere"
            decided[outcome] = Decided(outcome, codes[outcome.code], reason)
    return [decided.get(outcome) or _by_the_others(outcome, outcomes, decided) for outcome in outcomes]


def _by_name(target: str) -> bool | None:
    """Whether a name says that it is for failures; None if it does not say, or says both."""
    fails, succeeds = _FAIL.search(target) is not None, _SUCCESS.search(target) is not None
    return None if fails == succeeds else fails


def _by_the_others(outcome: Outcome, outcomes: list[Outcome], decided: Mapping[Outcome, Decided]) -> Decided:
    others = [other for other in outcomes if other.code != outcome.code]
    for other in others:
        if other in decided:
            return Decided(outcome, not decided[other].is_fail, "since the other link is decided")
    if any(_number(other.code) < _number(outcome.code) for other in others):
        return Decided(outcome, True, "since the other link has a smaller code")
    return Decided(outcome, False, "since the name of the target says nothing of failures")


def _number(code: str) -> int:
    return int(code) if code.isascii() and code.isdigit() and len(code) < 10 else 0

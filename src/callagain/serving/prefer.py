"""How long an answer waits for its run, by the header Prefer: https://www.rfc-editor.org/rfc/rfc7240"""

import re
from typing import NamedTuple

from starlette.requests import Request

from callagain.serving.problems import RequestProblem

_WAIT = re.compile(r"wait=(\d{1,9})")
# Of the registry of preferences: what clients send to any server, and what changes nothing here.
_WITHOUT_MEANING = frozenset({"return", "handling", "safe"})


class Wait(NamedTuple):
    """told: the header that tells what was made of a preference."""

    seconds: float
    told: dict[str, str]


def preferred_wait(request: Request, most: float) -> Wait:
    """How long the answer waits for its run.

    most: seconds; waited without a preference, and for one above it. Raises RequestProblem for any other one.
    """
    wait = Wait(most, {})
    for each in _preferences(request):
        found = _WAIT.fullmatch(each)
        if each == "respond-async":
            return Wait(0.0, _applied(each))
        if found is not None:
            seconds = min(float(found[1]), most)
            wait = Wait(seconds, _applied(f"wait={int(seconds)}"))
        elif each.partition("=")[0] not in _WITHOUT_MEANING:
            raise RequestProblem(400, "Prefer must be respond-async, or wait= and whole seconds")
    return wait


def _applied(preference: str) -> dict[str, str]:
    return {"Preference-Applied": preference}


def _preferences(request: Request) -> list[str]:
    """Without the parameters that one may have."""
    given = ",".join(request.headers.getlist("prefer")).lower().split(",")
    named = [each.partition(";")[0].replace(" ", "").replace('"', "") for each in given]
    return [each for each in named if each]

"""How much a run may do, besides the guide's maxIterations: numbers, each with what it has to be.

They enter a run with its inputs, and can be changed when a run that ended is resumed.
"""

from collections.abc import Mapping
from dataclasses import dataclass, replace

from callagain.engine.json_text import Json


@dataclass(frozen=True, slots=True)
class Limits:
    """None: no limit.

    max_repairs: rounds in a row in which a tool was asked for with arguments that do not fit its schema.
    max_output_repairs: how often in a run an answer that does not fit its schema is asked for again; always a
    number, since nothing else need end such a run.
    repeat_limit: the so-manieth call of one tool with the same arguments is not run.
    max_tokens_ceiling: tokens up to which the output limit of a request may be raised.
    budget_tokens, budget_money (US dollars), budget_requests (HTTP requests), budget_tool_calls, budget_time
    (seconds): what the whole run may use. deadline: seconds of one drive, after which nothing is waited for.
    compact_at: tokens of a request from which on old tool results are shortened.
    """

    max_repairs: int | None = 3
    max_output_repairs: int = 2
    repeat_limit: int | None = None
    max_tokens_ceiling: int | None = None
    budget_tokens: int | None = None
    budget_money: float | None = None
    budget_requests: int | None = None
    budget_tool_calls: int | None = None
    budget_time: float | None = None
    deadline: float | None = None
    compact_at: int | None = None

    @property
    def has_budget(self) -> bool:
        """Whether one of the budgets is set that are checked before a request."""
        return any(getattr(self, name) is not None for name in _BUDGETS)

    def changed(self, changes: Mapping[str, Json]) -> "Limits":
        """The same with some of them set. Raises ValueError for a name or a value that is none."""
        for name, value in changes.items():
            if name not in LIMIT_NAMES:
                raise ValueError(f"{name} is no limit; limits are max_iterations, {', '.join(LIMIT_NAMES)}")
            if value is not None and not self._is_checked(name):
                raise ValueError(f"{name} was not set when the run began, so its chain does not check it")
            if (words := wrong_limit(name, value)) is not None:
                raise ValueError(f"{name} must be {words}, not {str(value)[:60]}")
        values: dict[str, object] = dict(changes)
        return replace(self, **values)  # type: ignore[arg-type]

    def _is_checked(self, name: str) -> bool:
        if name in _BUDGETS:
            return self.has_budget
        return name not in _OF_THE_CHAIN or getattr(self, name) is not None


# These are checked by an operation or a link that the chain of a run has if they were set when it began.
_BUDGETS = ("budget_tokens", "budget_money", "budget_requests", "budget_time")
_OF_THE_CHAIN = ("max_tokens_ceiling", "deadline", "compact_at")

# The least that each may be; a float where fractions count.
_LEAST: Mapping[str, int | float] = {
    "max_repairs": 1,
    "max_output_repairs": 0,
    "repeat_limit": 2,
    "max_tokens_ceiling": 1,
    "budget_tokens": 1,
    "budget_money": 0.0,
    "budget_requests": 1,
    "budget_tool_calls": 0,
    "budget_time": 0.0,
    "deadline": 0.0,
    "compact_at": 1,
}
_MOST_FRACTION = 1e9
# None is no value of these.
_ALWAYS_SET = ("max_output_repairs",)

LIMIT_NAMES = tuple(_LEAST)


def wrong_limit(name: str, value: object) -> str | None:
    """What the limit of this name has to be, if the value is not that; None if it is."""
    least = _LEAST[name]
    if value is None and name not in _ALWAYS_SET:
        return None
    if isinstance(least, float):
        fits = isinstance(value, int | float) and not isinstance(value, bool) and 0 < value <= _MOST_FRACTION
        unit = "dollars" if name == "budget_money" else "seconds"
        return None if fits else f"more than 0 {unit} and at most 1e9, or None"
    fits = isinstance(value, int) and not isinstance(value, bool) and value >= least
    or_none = "" if name in _ALWAYS_SET else ", or None"
    return None if fits else f"a whole number, {least} or more{or_none}"

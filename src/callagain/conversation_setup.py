"""What a conversation is made of: the loop that runs its turns, and the options, which are checked here."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Literal, Protocol, TypeAlias, TypedDict, get_args

from callagain.connectors.tools import Tool
from callagain.conversation_budgets import BUDGETS
from callagain.decisions import Decisions, Results
from callagain.engine.errors import ConfigurationError
from callagain.engine.journal.store import JournalFile
from callagain.engine.json_text import Json, valid_unicode
from callagain.engine.limits import Limits, wrong_limit
from callagain.engine.run_inputs import Inputs
from callagain.live_run import LiveRun
from callagain.replaying import ReplayedRun
from callagain.turns import Keep

OnBusy: TypeAlias = Literal["wait", "refuse"]


class Loop(Protocol):
    """What a turn needs of a ToolLoop."""

    def start(
        self, message: Json, *, history: Sequence[Json], run_id: str | None, stream: bool | None
    ) -> LiveRun[object]: ...

    def reopen(
        self,
        run: str,
        *,
        decisions: Decisions | None,
        results: Results | None,
        changes: Mapping[str, Json] | None,
    ) -> LiveRun[object]: ...

    def replay(self, run: str) -> ReplayedRun: ...


@dataclass(frozen=True, slots=True)
class LoopOfTurns:
    """A loop, and what it keeps to itself. limited: the same loop with other limits."""

    loop: Loop
    limited: Callable[[Limits], Loop]
    inputs: Inputs
    tools: Mapping[str, Tool]
    journal: JournalFile | None


class TurnRules(TypedDict, total=False):
    """The options of `ToolLoop.conversation`; `callagain.Conversation` explains them."""

    keep: Keep
    max_turns: int | None
    max_messages: int | None
    on_busy: OnBusy
    budget_tokens: int | None
    budget_money: float | None
    budget_requests: int | None
    budget_tool_calls: int | None


@dataclass(frozen=True, slots=True)
class ChosenOptions:
    """budgets: those that are set, by their names."""

    keep: Keep = "messages"
    max_turns: int | None = None
    max_messages: int | None = None
    on_busy: OnBusy = "wait"
    budgets: Mapping[str, int | float] = field(default_factory=dict[str, int | float])


def _is_number(value: object) -> bool:
    return value is None or (isinstance(value, int) and not isinstance(value, bool) and value >= 0)


def _is_id(value: object) -> bool:
    return (
        isinstance(value, str) and bool(value.strip()) and "\0" not in value and valid_unicode(value) == value
    )


_NUMBER = (_is_number, "a whole number, 0 or more, or None")
_RULES: Mapping[str, tuple[Callable[[object], bool], str]] = {
    "keep": (lambda value: value in get_args(Keep), '"messages" or "tools"'),
    "on_busy": (lambda value: value in get_args(OnBusy), '"wait" or "refuse"'),
    "max_turns": _NUMBER,
    "max_messages": _NUMBER,
}


def checked_options(options: TurnRules, inputs: Inputs) -> ChosenOptions:
    """The options, with defaults. inputs: what the runs of the loop begin with.

    Raises ConfigurationError, and TypeError for a name that is none.
    """
    given: dict[str, Any] = dict(options)
    for name, value in given.items():
        if name in _RULES:
            fits, words = _RULES[name]
            if not fits(value):
                raise ConfigurationError(f"{name} must be {words}, not {_shown(value)}")
        elif name not in BUDGETS:
            raise TypeError(f"conversation() got an unexpected keyword argument {name!r}")
        elif (words_of_limit := wrong_limit(name, value)) is not None:
            raise ConfigurationError(f"{name} must be {words_of_limit}, not {_shown(value)}")
    budgets = {name: given.pop(name) for name in BUDGETS if name in given}
    if budgets.get("budget_money") is not None and inputs.prices is None:
        raise ConfigurationError(
            f"budget_money needs the prices of {inputs.model}: pass prices=Prices(input=…, output=…) to the "
            "loop, in US dollars for a million tokens"
        )
    return ChosenOptions(
        **given, budgets={name: value for name, value in budgets.items() if value is not None}
    )


def checked_conversation_id(conversation_id: str | None) -> str | None:
    """Raises ConfigurationError for what cannot be the id of a conversation."""
    if conversation_id is None or _is_id(conversation_id):
        return conversation_id
    raise ConfigurationError(
        f"conversation_id must be a text that is not empty, or None, not {_shown(conversation_id)}"
    )


def _shown(value: object) -> str:
    """A small value as it is; of others the type."""
    text = repr(value)
    return text if isinstance(value, str | int | float | None) and len(text) <= 60 else type(value).__name__

"""How a run that ended, or waits, is made ready to go on."""

from collections.abc import Mapping, Sequence
from typing import cast

from callagain.connectors.tool_calls import ToolCalls
from callagain.decisions import Decisions, Results, entries_for
from callagain.engine.errors import ConfigurationError, DecisionError, EntryError
from callagain.engine.events import CommandDecided
from callagain.engine.json_text import Json
from callagain.engine.limits import LIMIT_NAMES
from callagain.engine.links import ON_FAIL
from callagain.engine.log_entries import Resumed
from callagain.engine.run import Run
from callagain.engine.spending import budget_below_spent, spent
from callagain.engine.variables import Variables

# The settings that stand for a limit, where they are not called like its error kind.
_SETTING_OF = {"repeated_call": "repeat_limit"}
# What is compared with a budget: attributes of Spent.
_SPENT = {
    "budget_tokens": "tokens",
    "budget_money": "money",
    "budget_requests": "requests",
    "budget_time": "seconds",
}


def make_ready(
    run: Run,
    tool_calls: ToolCalls,
    decisions: Decisions,
    results: Results,
    changes: Mapping[str, Json],
) -> Sequence[CommandDecided]:
    """Applies what was decided or changed; a run that was left in the middle needs nothing.

    Raises DecisionError for decisions that do not fit, ConfigurationError for changes that do not; then
    nothing has changed.
    """
    if not isinstance(cast("object", changes), Mapping):
        raise ConfigurationError('changes must map the names of limits to numbers: {"max_iterations": 10}')
    if run.outcome == "suspended":
        if changes:
            raise ConfigurationError("changes= is for a run at a limit; this one waits for decisions")
        entries = entries_for(run, tool_calls, decisions, results)
        commands = [run.open.commands[entry.key] for entry in entries]
        for entry in entries:
            run.apply(entry)
        decided = zip(entries, commands, strict=True)
        return [CommandDecided(entry.key, command, entry.verdict) for entry, command in decided]
    _resume(run, is_decided=bool(decisions or results), changes=changes)
    return []


def _resume(run: Run, *, is_decided: bool, changes: Mapping[str, Json]) -> None:
    outcome = run.outcome
    if is_decided:
        told = "has not come to its outcome" if outcome is None else f"is {outcome}"
        raise DecisionError(f"no call waits for a decision: the run {told}")
    if outcome is None:
        if changes:
            raise ConfigurationError("changes= is for a run that has ended; this one only goes on")
        return
    if outcome == "completed":
        raise ConfigurationError(
            "the run is completed; to go on with its conversation, pass history=result.messages to a new run"
        )
    entry = Resumed(dict(changes), discard=run.trace[-1].event == ON_FAIL)
    if outcome == "limit" and not entry.discard:
        _check_enough(run, changes)
    try:
        run.apply(entry)
    except EntryError as error:
        raise ConfigurationError(str(error).removeprefix("resumed: ")) from None


def _check_enough(run: Run, changes: Mapping[str, Json]) -> None:
    kind = run.problem.kind if run.problem is not None else "max_iterations"
    setting = _SETTING_OF.get(kind, kind)
    if setting not in ("max_iterations", *LIMIT_NAMES):
        # An operation of the chain's own has set it, and knows by itself when it is reached.
        return
    if setting not in changes:
        raise ConfigurationError(
            f"the run is at its limit ({kind}); give it a larger one: changes={{{setting!r}: …}}"
        )
    limit, reached = changes[setting], _reached(run.variables, setting)
    if isinstance(limit, bool) or not isinstance(limit, int | float) or limit > reached:
        return
    if budget_below_spent(run.variables, setting, limit) is None:
        raise ConfigurationError(
            f"{setting}={limit} would stop the run where it stands; give it more than {reached:g}"
        )


def _reached(variables: Variables, setting: str) -> float:
    """A limit that is no larger than this stops the run where it stands."""
    if setting == "max_iterations":
        return variables.loop_count
    limit: float = getattr(variables.limits, setting)
    return max(limit, getattr(spent(variables), _SPENT.get(setting, ""), 0))

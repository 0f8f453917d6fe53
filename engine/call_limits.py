"""Which calls of a response are not run, since a limit forbids them.

Source of the limit on repetition: anthropics/claude-code#30150, HKUDS/nanobot#3077 (one call, hundreds of
times); a tool that is polled on purpose is exempt.
"""

from typing import cast

from callagain.engine.commands import call_digest
from callagain.engine.error_kinds import advised
from callagain.engine.json_text import Json, JsonObject, canonical
from callagain.engine.problem import Problem
from callagain.engine.run_inputs import AnnouncedTool
from callagain.engine.variables import Variables
from callagain.engine.wire.reply import Call

WARNED_AT = 3
_SHOWN_CHARS = 200


def digest_of(name: str, arguments: JsonObject, tool: AnnouncedTool | None) -> str:
    """The same for all calls that mean the same: 1.0 is 1, and a default that is spelled out is none."""
    defaults = {} if tool is None else _defaults(tool.entry)
    said = {key: value for key, value in arguments.items() if key not in defaults or value != defaults[key]}
    return call_digest(name, cast("JsonObject", _plain(said)))


def limit_on_calls(variables: Variables) -> Problem | None:
    """The limit that the calls of the last response would go past. None of them is run then."""
    return _max_repairs(variables) or _repeat_limit(variables) or _budget_of_calls(variables)


def digests(variables: Variables) -> tuple[str, ...]:
    """Of each call of the last response: empty for unreadable arguments, and for a tool that is polled."""
    return tuple(_digest(variables, call) for call in variables.tool_calls)


def open_digests(variables: Variables) -> tuple[str, ...]:
    """The same, as Parse Response has left them; or anew, if the calls have been replaced since."""
    calls, kept = variables.open_digests
    return kept if calls is variables.tool_calls else digests(variables)


def occurrences(variables: Variables) -> list[int]:
    """For each call of the last response: how often the run has seen this tool with these arguments, this
    call included; 0 where there is no digest."""
    seen = open_digests(variables)
    counts = {digest: variables.call_digests.count(digest) for digest in seen}
    found: list[int] = []
    for digest in seen:
        counts[digest] += 1
        found.append(counts[digest] if digest else 0)
    return found


def warn_of_repetition(variables: Variables) -> None:
    """A warning, once, for a call that comes for the third time."""
    for call, times in zip(variables.tool_calls, occurrences(variables), strict=True):
        if times == WARNED_AT:
            advice = "" if variables.limits.repeat_limit else "; repeat_limit= can end such a run"
            variables.warn("repeated_call", f"{_asked(call, times)}{advice}")


def _digest(variables: Variables, call: Call) -> str:
    tool = variables.inputs.tool(call.name)
    if call.arguments is None or (tool is not None and tool.polling):
        return ""
    return digest_of(call.name, call.arguments, tool)


def _defaults(entry: JsonObject) -> JsonObject:
    function = entry.get("function")
    parameters = function.get("parameters") if isinstance(function, dict) else None
    properties = parameters.get("properties") if isinstance(parameters, dict) else None
    found = properties.items() if isinstance(properties, dict) else ()
    return {name: each["default"] for name, each in found if isinstance(each, dict) and "default" in each}


def _plain(value: Json) -> Json:
    if isinstance(value, dict):
        return {key: _plain(member) for key, member in value.items()}
    if isinstance(value, list):
        return [_plain(member) for member in value]
    return int(value) if isinstance(value, float) and value.is_integer() else value


def _max_repairs(variables: Variables) -> Problem | None:
    limit = variables.limits.max_repairs
    for call in variables.tool_calls:
        if limit is not None and variables.failed_rounds.get(call.name, 0) >= limit:
            times = f"{limit} times in a row" if limit > 1 else "once"
            what = f"the arguments of {call.name} did not fit its schema {times}"
            return Problem("max_repairs", advised("max_repairs", what))
    return None


def _repeat_limit(variables: Variables) -> Problem | None:
    limit = variables.limits.repeat_limit
    if limit is None:
        return None
    for call, times in zip(variables.tool_calls, occurrences(variables), strict=True):
        if times >= limit:
            what = f"{_asked(call, times)}, and was not run again (repeat_limit={limit})"
            return Problem("repeated_call", advised("repeated_call", what))
    return None


def _budget_of_calls(variables: Variables) -> Problem | None:
    budget, made = variables.limits.budget_tool_calls, len(variables.tool_results)
    if budget is None or made + len(variables.tool_calls) <= budget:
        return None
    more = len(variables.tool_calls)
    what = f"after {made} of budget_tool_calls={budget} the response asks for {more} more"
    return Problem("budget_tool_calls", advised("budget_tool_calls", what))


def _asked(call: Call, times: int) -> str:
    arguments = canonical(call.arguments)[:_SHOWN_CHARS]
    return f"{call.name} was asked for {times} times with the same arguments {arguments}"

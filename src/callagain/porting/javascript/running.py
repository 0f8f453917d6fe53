"""Runs a JavaScript step of a design: the counterpart of `callagain.porting.script.run_script`."""

import json
import re
from collections.abc import MutableMapping, Sequence
from typing import Any

from callagain.engine.json_text import Json, JsonError, JsonObject, decode
from callagain.porting.javascript import quickjs
from callagain.porting.javascript.limits import DEFAULT_LIMITS, JavaScriptLimits
from callagain.porting.javascript.problems import out_of_time, script_error
from callagain.porting.javascript.values import from_json, to_json
from callagain.porting.script.errors import (
    ScriptError,
    ScriptLimitError,
    ScriptSyntaxError,
    ScriptValueError,
    Source,
)
from callagain.porting.script.host import Caller, Host, LocalHost
from callagain.porting.script.limits import MAX_TEXT
from callagain.porting.script.tokens import Place
from callagain.porting.script.values import EPOCH, Value, agent_time, to_number

_OPENING = re.compile(r"\s*<javascript>", re.IGNORECASE)
_CLOSING = re.compile(r"</javascript>\s*\Z", re.IGNORECASE)
_MARK = re.compile(r"</?javascript>", re.IGNORECASE)
_VARIABLE = re.compile(r"\$\w+", re.ASCII)
_START = Place(1, 1)
# A value of JSON may have the depth of one, and stands in an object of an object here.
_DEPTH = 66


def run_javascript(
    text: str,
    *,
    name: str = "script",
    host: Host | None = None,
    globals: MutableMapping[str, Any] | None = None,  # noqa: A002
    arguments: Sequence[Value] = (),
    limits: JavaScriptLimits = DEFAULT_LIMITS,
    caller: Caller | None = None,
) -> Value:
    """Runs a JavaScript step and gives what SetScriptResult set, else the value of its last statement.

    text: with its `<javascript>` marks or without. name: how messages call it. globals: the global variables
    by name without `$`, changed in place; a LocalHost is made around them. host: give one of the two, or
    none; of a host its variables, log, clock and chance are used. arguments: `_1`, `_2` and so on. caller:
    the script that runs this one.

    Every variable without a dot is `$name`, and what it holds in the end is its value; those that the script
    did not change stay the objects that they are. A last value that is no JSON is null; so may be a
    long text, where the script is strict, or uses let or const.

    Raises ScriptError with the place where the engine knows it, and nothing else on account of a script;
    what was assigned and logged before stays. ConfigurationError if quickjs-ng is not installed, TypeError if
    both globals and host are given.

    Source: "JavaScript" (docs.jitterbit.com/studio/scripts/javascript).
    """
    if globals is not None and host is not None:
        raise TypeError("give globals, or a host that has them as its variables, and not both")
    if host is None:
        host = LocalHost(variables={} if globals is None else globals)
    source = Source(name, text)
    code = code_of(source)
    _check_nesting(host, caller, source)
    outcome = quickjs.run(code, _given(host, arguments, code), set(_VARIABLE.findall(code)), limits)
    if outcome is None:
        raise out_of_time(limits).placed(_START, source)
    error = None if outcome.error is None else script_error(outcome.error, source, limits)
    try:
        value = _take(outcome.collected, host)
    except ScriptError as problem:
        raise (error or problem).placed(_START, source) from None
    if error is not None:
        raise error.placed(_START, source)
    return value


def code_of(source: Source) -> str:
    """The text with spaces in place of its marks, so that places stay. Raises ScriptSyntaxError."""
    text = source.text
    if len(text) > MAX_TEXT:
        raise ScriptLimitError(f"the script has more than {MAX_TEXT:,} characters").placed(_START, source)
    if "\0" in text or not _is_unicode(text):
        message = "the script holds a character that no text has; look at how the file is encoded"
        raise ScriptSyntaxError(message).placed(_START, source)
    opening, closing = _OPENING.match(text), _CLOSING.search(text)
    if (opening is None) != (closing is None):
        message = "<javascript> and </javascript> must stand around the whole script, or both be left out"
        raise ScriptSyntaxError(message).placed(_START, source)
    return text if opening is None else _MARK.sub(lambda mark: " " * len(mark.group()), text)


def _is_unicode(text: str) -> bool:
    try:
        text.encode()
    except UnicodeEncodeError:
        return False
    return True


def _check_nesting(host: Host, caller: Caller | None, source: Source) -> None:
    if caller is None:
        return
    limit = host.variables.get("jitterbit.scripting.nesting.max")
    most = caller.meter.limits.nesting if limit is None else int(to_number(limit))
    if caller.nesting + 1 > most:
        message = f"scripts run each other {caller.nesting} deep; look for two that call each other"
        raise ScriptLimitError(message).placed(_START, source)


def _given(host: Host, arguments: Sequence[Value], code: str) -> str:
    """What the script begins with, as an ASCII text."""
    variables = {name: _named(name, value) for name, value in host.variables.items()}
    return json.dumps(
        {
            "variables": variables,
            "arguments": [_named(f"_{number}", value) for number, value in enumerate(arguments, 1)],
            "clock": _clock(host) if "Date" in code else {"now": 0},
            "seed": host.chance.getrandbits(32) if "random" in code else 0,
        }
    )


def _named(name: str, value: Value) -> Json:
    try:
        return to_json(value)
    except ScriptError as error:
        raise ScriptValueError(f"${name}: {error.message}") from None


def _clock(host: Host) -> JsonObject:
    """Milliseconds since 1970, or why there is no time; only a script that asks for it is told."""
    try:
        return {"now": int((agent_time(host.now()) - EPOCH).total_seconds() * 1000)}
    except ScriptError as error:
        return {"refused": error.message}


def _take(collected: str | None, host: Host) -> Value:
    """Writes the log and the variables that changed, and gives the value of the script."""
    try:
        outcome = decode(collected or "null", max_depth=_DEPTH)
    except JsonError as error:
        raise ScriptValueError(f"what the script left behind cannot be read: {error}") from None
    match outcome:
        case {"variables": dict(variables), "log": list(log), "value": value}:
            for line in log:
                host.write_to_operation_log(str(line))
            for name, each in variables.items():
                host.variables[name] = from_json(each)
            return from_json(value)
        case _:
            raise ScriptValueError("what the script left behind cannot be read; does it change JSON?")

"""What the engine says of an exception, as an error of scripts with a place."""

import re

from callagain.porting.javascript.limits import JavaScriptLimits
from callagain.porting.javascript.prelude import OWN_FUNCTIONS
from callagain.porting.script.errors import (
    RaisedError,
    ScriptError,
    ScriptLimitError,
    ScriptSyntaxError,
    ScriptValueError,
    Source,
    UnknownFunctionError,
)
from callagain.porting.script.functions import FUNCTIONS
from callagain.porting.script.tokens import Place

_MOST_CHARACTERS = 500
_TEXTLESS = ("Textless:", "(Failed obtaining QuickJS error string. Concurrency issue?)")
_THROW = re.compile(r"\bthrow\b")
_CALLS = re.compile(r"\n    at ")
# Where the whole text could not be read, nothing was called but what runs it.
_COMPILED = re.compile(r"<input>:(\d+):(\d+)\s*(?:\Z|eval \(native\)\s*runScript )")
_CALLED = re.compile(r"(?P<function>.*) \(<input>:(?P<line>\d+):(?P<column>\d+)\)\s*")
_NOT_DEFINED = re.compile(r"ReferenceError: (\S+) is not defined")
_NAMED = re.compile(r"(?P<name>[A-Za-z]*Error)(?:: (?P<message>.*))?", re.DOTALL)


def script_error(told: str, source: Source, limits: JavaScriptLimits) -> ScriptError:
    """The error of this source for an exception as the engine words it: its text, then its list of calls."""
    text, *calls = _CALLS.split(told.removesuffix("\nundefined").rstrip("\n"))
    text = text.strip()[:_MOST_CHARACTERS]
    place = next(filter(None, map(_place_of_call, calls)), None)
    if (compiled := _COMPILED.match("\n".join(calls))) is not None:
        error: ScriptError = ScriptSyntaxError(f"this is no JavaScript: {text.partition(': ')[2]}")
        place = Place(int(compiled[1]), int(compiled[2]))
    else:
        error = _limit(text, source, limits) or _error(text)
        if place is None and isinstance(error, RaisedError):
            place = _place_of_throw(source)
    return error if place is None else error.placed(place, source)


def out_of_time(limits: JavaScriptLimits) -> ScriptLimitError:
    return ScriptLimitError(
        f"the script ran longer than {limits.seconds:g} seconds; look for a loop that does not end"
    )


def _limit(text: str, source: Source, limits: JavaScriptLimits) -> ScriptLimitError | None:
    if text == "InternalError: interrupted":
        return out_of_time(limits)
    # Where there is no memory for an exception either, the engine throws null.
    if text == "InternalError: out of memory" or (text == "null" and "throw" not in source.text):
        return ScriptLimitError(
            f"the script took more than {limits.memory:,} bytes; look for a loop that collects without end"
        )
    if "Maximum call stack size exceeded" in text:
        return ScriptLimitError(
            "functions call each other too deeply; look for one that calls itself without end"
        )
    return None


def _error(text: str) -> ScriptError:
    if text in _TEXTLESS:
        return RaisedError("the script threw a value that has no text; throw new Error(…) with a message")
    if text.startswith("Unheld: "):
        return ScriptValueError(text.removeprefix("Unheld: "))
    name, _, refusal = text.partition("UnknownFunction: ")
    if not name and refusal:
        return UnknownFunctionError(refusal, refusal.partition(" ")[0])
    if (missing := _NOT_DEFINED.fullmatch(text)) is not None:
        return _not_defined(missing[1])
    named = _NAMED.fullmatch(text)
    if named is None:
        return RaisedError(text)
    if named["name"] == "Error":
        return RaisedError(named["message"] or "Error")
    return ScriptValueError(text)


def _not_defined(name: str) -> ScriptError:
    if name.startswith("$"):
        return ScriptValueError(f"{name} is not set; set it before, or declare it here: var {name} = …")
    if name.lower() in FUNCTIONS:
        return UnknownFunctionError(
            f"{name} is a function of Jitterbit Script; JavaScript has WriteToOperationLog, SetScriptResult, "
            "Jitterbit.GetVar and Jitterbit.SetVar",
            name,
        )
    return ScriptValueError(f"{name} is not defined")


def _place_of_throw(source: Source) -> Place | None:
    """Where the script throws, if it does so at one place: a value that is no Error does not tell."""
    throws = list(_THROW.finditer(source.text))
    if len(throws) != 1:
        return None
    before = source.text[: throws[0].start()]
    return Place(before.count("\n") + 1, len(before) - before.rfind("\n"))


def _place_of_call(call: str) -> Place | None:
    """Where the script's own code was, for one line of the list of calls."""
    found = _CALLED.fullmatch(call)
    if found is None or found["function"].rpartition(".")[2] in OWN_FUNCTIONS:
        return None
    return Place(int(found["line"]), int(found["column"]))

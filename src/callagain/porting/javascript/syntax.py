"""Whether a text is JavaScript, without running it."""

import re

from callagain.porting.javascript import quickjs
from callagain.porting.javascript.limits import DEFAULT_LIMITS, JavaScriptLimits
from callagain.porting.javascript.problems import out_of_time, script_error
from callagain.porting.javascript.running import code_of
from callagain.porting.script.errors import ScriptError, Source
from callagain.porting.script.tokens import Place

# A directive counts only at the beginning of a text.
_STRICT = re.compile(r"""(?:\s|//[^\n]*+|/\*(?:[^*]|\*(?!/))*+\*/)*+["']use strict["']""")
_STOP = "throw 0;"
_STOPPED = "0"


def syntax_problem(text: str, name: str = "script", limits: JavaScriptLimits = DEFAULT_LIMITS) -> str | None:
    """Why a script is no JavaScript, in one line with its place, as running it would tell; None if it is.

    text: with its `<javascript>` marks or without. Nothing of it runs: the engine reads a whole text first,
    and what stands before this one ends it at once. ConfigurationError if quickjs-ng is not installed.
    """
    source = Source(name, text)
    try:
        code = code_of(source)
    except ScriptError as error:
        return error.headline
    before = f"'use strict';{_STOP}" if _STRICT.match(code) else _STOP
    outcome = quickjs.compilation(before + code, limits)
    if outcome is None:
        return out_of_time(limits).placed(Place(1, 1), source).headline
    told = outcome.error or ""
    if told.partition("\n")[0] == _STOPPED:
        return None
    problem = script_error(told, source, limits)
    place = problem.place or Place(1, 1)
    column = max(1, place.column - len(before)) if place.line == 1 else place.column
    return ScriptError(problem.message, Place(place.line, column), source).headline

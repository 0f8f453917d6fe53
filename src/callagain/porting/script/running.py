"""Runs a script: the one call that everything else stands behind."""

from collections.abc import MutableMapping, Sequence
from typing import Any

from callagain.porting.script.host import Caller, Host, LocalHost
from callagain.porting.script.interpreter import Interpreter
from callagain.porting.script.limits import Limits, Meter
from callagain.porting.script.modes import Mode, mode_of
from callagain.porting.script.parser import parse
from callagain.porting.script.syntax import Script
from callagain.porting.script.values import Value

_DEFAULT_LIMITS = Limits()


def run_script(
    script: str | Script,
    *,
    globals: MutableMapping[str, Any] | None = None,  # noqa: A002
    host: Host | None = None,
    mode: str | Mode = "guide",
    arguments: Sequence[Value] = (),
    limits: Limits = _DEFAULT_LIMITS,
    caller: Caller | None = None,
) -> Value:
    """Runs a script and gives its value: that of its last statement.

    script: a text, or one that was parsed. globals: the global variables by name without `$`, read and
    changed in place; a LocalHost is made around them. host: what the script needs from outside, with its own
    variables; give one of the two, or none. mode: "guide", "strict", or a Mode. arguments: `_1`, `_2` and so
    on. caller: the script that runs this one, as the host got it; its limits count, and not `limits`.

    Raises ScriptError with line and column, and nothing else on account of a script; what a host raises goes
    through. ValueError for an unknown mode, TypeError if both globals and host are given.
    """
    if globals is not None and host is not None:
        raise TypeError("give globals, or a host that has them as its variables, and not both")
    if host is None:
        host = LocalHost(variables={} if globals is None else globals)
    parsed = parse(script) if isinstance(script, str) else script
    meter = Meter(limits) if caller is None else caller.meter
    nesting = 1 if caller is None else caller.nesting + 1
    return Interpreter(parsed, host, mode_of(mode), meter, arguments, nesting).run()

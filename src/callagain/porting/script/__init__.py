"""Jitterbit Script: read, print and run the expression language of Jitterbit Studio.

    from callagain.porting.script import run_script

    variables = {"loop_count": 1}
    run_script("$loop_count = $loop_count + 1", globals=variables)

`parse` gives a tree with places and comments (`syntax`), `script_text` prints one, `run_script` runs one
against a host (`host`), which has the global variables, other scripts and operations, the log and the clock.
The page docs/jitterbit-script.md says what is supported, and where this departs from Jitterbit.
"""

from callagain.porting.script.errors import (
    RaisedError,
    ScriptArgumentError,
    ScriptError,
    ScriptLimitError,
    ScriptSyntaxError,
    ScriptValueError,
    Source,
    UnknownFunctionError,
)
from callagain.porting.script.host import Caller, Host, LocalHost, OperationFailed
from callagain.porting.script.limits import Limits
from callagain.porting.script.modes import GUIDE, STRICT, Mode
from callagain.porting.script.parser import parse
from callagain.porting.script.printer import script_text
from callagain.porting.script.running import run_script
from callagain.porting.script.syntax import Script
from callagain.porting.script.tags import Tag, read_tag
from callagain.porting.script.tokens import Comment, Place
from callagain.porting.script.unknown import unknown_calls
from callagain.porting.script.values import Value, to_text

__all__ = [
    "GUIDE",
    "STRICT",
    "Caller",
    "Comment",
    "Host",
    "Limits",
    "LocalHost",
    "Mode",
    "OperationFailed",
    "Place",
    "RaisedError",
    "Script",
    "ScriptArgumentError",
    "ScriptError",
    "ScriptLimitError",
    "ScriptSyntaxError",
    "ScriptValueError",
    "Source",
    "Tag",
    "UnknownFunctionError",
    "Value",
    "parse",
    "read_tag",
    "run_script",
    "script_text",
    "to_text",
    "unknown_calls",
]

"""Secrets that a script reads, and that nobody has given."""

import re
from collections.abc import Iterator, Mapping

from callagain.porting.design.model import Design, Language, Script
from callagain.porting.names import environment_name
from callagain.porting.running import DesignRun, Kind
from callagain.porting.script import ScriptError, Value, parse
from callagain.porting.script.syntax import Global, walk


def secret_that_is_missing(design: Design, began: Mapping[str, Value], run: DesignRun) -> str | None:
    """What to do about the first one that a script of this run reads; None if there is none.

    began: the variables that the run began with.
    """
    missing = [each.name for each in design.variables if each.is_secret and began.get(each.name) is None]
    for name in dict.fromkeys(each.name for each in run.snapshots if each.kind is Kind.SCRIPT):
        script = design.script(name)
        named = [each for each in missing if script is not None and each in script.text]
        read = set(_globals_of(script)) if named and script is not None else set[str]()
        if (secret := next((each for each in named if each in read), None)) is not None:
            variable = environment_name(secret)
            return f"the script {name} reads the secret ${secret}, which is not set: set {variable}"
    return None


def _globals_of(script: Script) -> Iterator[str]:
    if script.language is Language.JAVASCRIPT:
        yield from re.findall(r"[\w.]+", script.text.replace("$", " "))
        return
    try:
        body = parse(script.text, script.name).body
    except ScriptError:
        return
    yield from (node.name for node, _ in walk(body) if isinstance(node, Global))

"""Runs a script and its translation on the same, and tells what differs."""

import random
from collections.abc import Callable, Mapping
from copy import deepcopy
from dataclasses import dataclass
from functools import cache
from typing import Any

from tests.porting.script.evaluating import NOON

from callagain.porting.jitterbit import State
from callagain.porting.script import (
    Caller,
    Limits,
    LocalHost,
    Mode,
    OperationFailed,
    Script,
    ScriptError,
    Value,
    parse,
    run_script,
    to_text,
)
from callagain.porting.translation import Translation, module_source, translate


@dataclass
class Outcome:
    """What a run leaves: its value or the kind and the message of its error, the variables, the log."""

    value: Value
    error: tuple[str, str] | None
    variables: dict[str, Value]
    log: list[str]


def host_with(variables: Mapping[str, Value]) -> LocalHost:
    """A host whose clock stands, with an operation that works, one that fails, and a script."""

    def fail(_: Caller) -> None:
        raise OperationFailed("HTTP 500")

    def count(_: Caller) -> None:
        host.variables["ran"] = to_text(host.variables.get("ran")) + "!"

    host = LocalHost(
        variables=deepcopy(dict(variables)),
        operations={"LLM Call": fail, "Tool": count},
        scripts={"Echo": lambda arguments, _: list(arguments)},
        clock=lambda: NOON,
        chance=random.Random(7),
        waiting=lambda _: None,
    )
    return host


def outcome_of(run: Callable[[LocalHost], Value], variables: Mapping[str, Value]) -> Outcome:
    host = host_with(variables)
    value, error = None, None
    try:
        value = run(host)
    except ScriptError as caught:
        error = (caught.kind, caught.message)
    return Outcome(value, error, dict(host.variables), host.log)


def interpreted(
    script: Script, variables: Mapping[str, Value], mode: str | Mode, arguments: tuple[Value, ...] = ()
) -> Outcome:
    limits = Limits(iterations=200)
    return outcome_of(
        lambda host: run_script(script, host=host, mode=mode, arguments=arguments, limits=limits), variables
    )


def function_of(translation: Translation) -> Callable[[State], Value]:
    """The function that the source of a translation defines."""
    names: dict[str, Any] = {}
    exec(compile(module_source([translation], "A script."), "translated", "exec"), names)
    function: Callable[[State], Value] = names[translation.function]
    return function


def translated(
    function: Callable[[State], Value],
    variables: Mapping[str, Value],
    mode: str | Mode,
    arguments: tuple[Value, ...] = (),
) -> Outcome:
    limits = Limits(iterations=200)
    return outcome_of(
        lambda host: function(State(host=host, mode=mode, arguments=arguments, limits=limits)), variables
    )


@cache
def parsed(script: str) -> Script:
    return parse(script, "Sample")


@cache
def translation_of(script: str) -> Translation:
    """The translation of a script. Raises NotTranslatable, and ScriptError for one that does not parse."""
    return translate(parsed(script))


def differences(
    script: str, variables: Mapping[str, Value] | None = None, arguments: tuple[Value, ...] = ()
) -> list[str]:
    """What differs between a script and its translation, in both modes. Raises NotTranslatable."""
    translation = translation_of(script)
    function = function_of(translation)
    found: list[str] = []
    for mode in ("guide", "strict"):
        one = interpreted(parsed(script), variables or {}, mode, arguments)
        other = translated(function, variables or {}, mode, arguments)
        # repr tells 1 from 1.0 and from True, and shows what contains itself.
        if repr(one) != repr(other):
            found.append(f"{script}\n{mode}: {one}\n  and not {other}\n{translation.source}")
    return found

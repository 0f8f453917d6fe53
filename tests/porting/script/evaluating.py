"""Runs a script as the tests need it."""

import random
from collections.abc import Mapping
from datetime import UTC, datetime

from callagain.porting.script import LocalHost, Mode, ScriptError, Value, run_script

NOON = datetime(2026, 3, 5, 12, 30, 15, 250_000, UTC)


class Fails(str):
    """What a script is expected to fail with: a part of the message."""


def evaluate(script: str, variables: Mapping[str, Value] | None = None, mode: str | Mode = "guide") -> Value:
    """The value of a script; its clock stands at NOON, and it has a chance of its own."""
    host = LocalHost(
        variables=dict(variables or {}), clock=lambda: NOON, chance=random.Random(7), waiting=lambda _: None
    )
    return run_script(script, host=host, mode=mode)


def outcome(script: str, mode: str | Mode = "guide") -> Value | Fails:
    """The value of a script, or the message of its error."""
    try:
        return evaluate(script, mode=mode)
    except ScriptError as error:
        return Fails(error.message)


def same(found: Value | Fails, expected: Value | Fails) -> bool:
    """Equal, and of one type: 1 is not true. Of a failure the message has the expected part."""
    if isinstance(expected, Fails) or isinstance(found, Fails):
        return isinstance(found, Fails) and isinstance(expected, Fails) and expected in found
    if isinstance(found, list) and isinstance(expected, list):
        return len(found) == len(expected) and all(map(same, found, expected))
    if isinstance(found, dict) and isinstance(expected, dict):
        return found.keys() == expected.keys() and all(same(found[key], expected[key]) for key in found)
    return type(found) is type(expected) and found == expected

"""Decisions and results as the options give them, and what is told of wrong ones."""

import argparse
from collections.abc import Collection, Generator, Mapping
from contextlib import contextmanager

from callagain.cli.option_types import json_or_text
from callagain.cli.options import in_options
from callagain.cli.resume_options import CHANGES
from callagain.decisions import Verdict, approve, deny, edit
from callagain.engine.errors import ConfigurationError, DecisionError, SnapshotError
from callagain.engine.json_text import Json, JsonError, JsonObject, decode

# What is told of the arguments of `loop.resume`, in words of the command line.
_WORDS = (
    (
        "in results={id: value} or, to let the loop run it, decisions={id: approve}",
        "by --result ID=VALUE or, to let the loop run it, --approve ID",
    ),
    ("look at result.pending_calls, and", "look at it by `callagain runs show`, and"),
    ("in results=", "by --result"),
    ("changes= is for a run at a limit;", "the options for larger limits are for a run at one;"),
    ("changes= is for a run that has ended;", "the options for larger limits are for a run at one;"),
    (
        "to go on with its conversation, pass history=result.messages to a new run",
        "`callagain runs show` has its answer",
    ),
    ("the snapshot is of another loop", "the run is of another loop"),
    ("with the chain and the tools that it", "with the chain and the --tools that it"),
    *((f"changes={{{name!r}: …}}", f"--{name.replace('_', '-')} …") for name in CHANGES),
)


def decided_in(
    arguments: argparse.Namespace, waiting: Collection[str]
) -> tuple[Mapping[str, Verdict], Mapping[str, Json]]:
    """Decisions and results by the ids of calls. waiting: the ids of those that wait.

    Raises DecisionError for a call that is decided twice, and for a value that is none.
    """
    decisions: dict[str, Verdict] = {}
    results: dict[str, Json] = {}
    said = [(text, approve) for text in arguments.approve]
    for text in arguments.deny:
        call_id, reason = _parted(text, waiting)
        said.append((call_id, deny(reason) if reason else deny()))
    for text in arguments.edit:
        call_id, value = _parted(text, waiting)
        said.append((call_id, edit(_object(call_id, value))))
    for call_id, verdict in said:
        _refuse_second(call_id, decisions)
        decisions[call_id] = verdict
    for text in arguments.result:
        call_id, value = _parted(text, waiting)
        _refuse_second(call_id, {**decisions, **results})
        results[call_id] = _value(call_id, value)
    return decisions, results


@contextmanager
def told_of_decisions() -> Generator[None, None, None]:
    """What is told of the arguments of `loop.resume` is told of the options."""
    try:
        yield
    except (ConfigurationError, DecisionError, SnapshotError) as error:
        message = str(error)
        for argument, option in _WORDS:
            message = message.replace(argument, option)
        raise type(error)(in_options(message)) from None


def _parted(text: str, waiting: Collection[str]) -> tuple[str, str]:
    """ID and value of `ID=VALUE`. An id that waits may hold the sign itself."""
    for call_id in sorted(waiting, key=len, reverse=True):
        if text == call_id or text.startswith(f"{call_id}="):
            return call_id, text[len(call_id) + 1 :]
    call_id, _, value = text.partition("=")
    return call_id, value


def _object(call_id: str, text: str) -> JsonObject:
    try:
        value = decode(text, unique_keys=True)
    except JsonError as error:
        raise DecisionError(f"the new arguments of {call_id} are no JSON: {error}") from None
    if not isinstance(value, dict):
        raise DecisionError(f"the new arguments of {call_id} must be a JSON object, such as {{}}")
    return value


def _value(call_id: str, text: str) -> Json:
    try:
        return json_or_text(text)
    except JsonError as error:
        raise DecisionError(
            f"the result of {call_id} begins as JSON, but {error}; mend it, or put quotes around a text"
        ) from None


def _refuse_second(call_id: str, decided: Collection[str]) -> None:
    if call_id in decided:
        raise DecisionError(f"{call_id} is decided twice; say one thing about each call")

"""A run is kept as one text, and taken up again as it stood."""

import json
import os
import re
import subprocess
import sys
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.engine.journal.runs import (
    TOOLS,
    Rounds,
    finish,
    inputs_of,
    receipt,
    rounds_of_calls,
    story,
    suspended_run,
)

from callagain.engine.commands import CallTool
from callagain.engine.errors import SnapshotError
from callagain.engine.journal.snapshot import run_of, snapshot
from callagain.engine.json_text import MAX_DEPTH, Json
from callagain.engine.log_entries import Decision, Held, Intent, Receipt, Resumed
from callagain.engine.run import Run
from callagain.engine.run_inputs import AnnouncedTool
from callagain.engine.wire.profile import Profile
from callagain.operations import TOOL_CALLING_LOOP

ROOT = Path(__file__).parents[3]
KEY = b"a key of the pipeline"


def taken_up(text: str | bytes, key: bytes | None = None) -> Run:
    return run_of(text, TOOL_CALLING_LOOP, TOOLS, key)


@given(rounds=rounds_of_calls, max_iterations=st.integers(0, 3), data=st.data())
def test_a_run_is_taken_up_as_it_stood_wherever_it_was_left(
    rounds: Rounds, max_iterations: int, data: st.DataObject
) -> None:
    whole = Run(TOOL_CALLING_LOOP, inputs_of(max_iterations))
    finish(whole, rounds, lambda items: data.draw(st.permutations(items)))
    left = Run(TOOL_CALLING_LOOP, inputs_of(max_iterations))
    for entry in whole.log[: data.draw(st.integers(0, len(whole.log)))]:
        left.apply(entry)
    for _ in left.walk():
        pass

    key = data.draw(st.sampled_from([None, KEY]))
    text = snapshot(left, key)
    run = taken_up(text.encode() if data.draw(st.booleans()) else text, key)
    assert story(run) == story(left)
    assert snapshot(run, key) == text
    finish(run, rounds)
    assert (run.outcome, run.variables.messages) == (whole.outcome, whole.variables.messages)


IN_ANOTHER_PROCESS = """
import json, sys
from tests.engine.journal.runs import TOOLS
from callagain.engine.journal.snapshot import run_of, snapshot
from callagain.operations import TOOL_CALLING_LOOP

text = sys.stdin.read()
run = run_of(text, TOOL_CALLING_LOOP, TOOLS)
seen = [run.state, run.outcome, list(run.open.held), run.variables.as_jitterbit(), snapshot(run) == text]
print(json.dumps(seen))
"""


def test_a_suspended_run_is_the_same_in_another_process() -> None:
    run = suspended_run()
    done = subprocess.run(
        [sys.executable, "-c", IN_ANOTHER_PROCESS],
        input=snapshot(run),
        env={**os.environ, "PYTHONPATH": os.pathsep.join(map(str, (ROOT / "src", ROOT)))},
        capture_output=True,
        text=True,
        encoding="utf-8",
    )
    assert done.stderr == ""
    assert json.loads(done.stdout) == [
        "tool_dispatcher",
        "suspended",
        [[4, 0]],
        run.variables.as_jitterbit(),
        True,
    ]


def test_a_run_that_is_taken_up_goes_on_after_a_decision_and_calls_nothing_again() -> None:
    run = taken_up(snapshot(suspended_run()))
    ((key, held),) = run.open.held.items()
    command = run.open.commands[key]
    assert (held.why, isinstance(command, CallTool) and command.arguments) == (
        "approval_required",
        {"amount": 100},
    )
    run.apply(Decision(key, command.digest, "edit", {"amount": 1}))
    ((_, edited),) = run.open.ready()
    run.apply(Intent(key, edited.digest))
    run.apply(Receipt(key, receipt(edited, [])))
    run = taken_up(snapshot(run))
    assert [command for _, command in run.open.ready() if isinstance(command, CallTool)] == []
    finish(run, [])
    assert run.outcome == "completed"
    assert [message.get("content") for message in run.variables.messages if message["role"] == "tool"] == [
        'pay: {"amount": 1}',
        "read: {}",
    ]


def test_a_run_at_a_limit_is_taken_up_and_resumed() -> None:
    rounds: Rounds = [[("read", "{}")]]
    run = Run(TOOL_CALLING_LOOP, inputs_of(0))
    finish(run, rounds)
    assert run.outcome == "limit"
    run = taken_up(snapshot(run))
    run.apply(Resumed({"max_iterations": 2}))
    run = taken_up(snapshot(run))
    finish(run, rounds)
    assert run.outcome == "completed"
    assert story(taken_up(snapshot(run))) == story(run)


def test_the_recorded_inputs_are_what_the_run_goes_on_with() -> None:
    now = tuple(replace(tool, max_result_chars=1, untrusted=True) for tool in TOOLS)
    run = run_of(snapshot(suspended_run()), TOOL_CALLING_LOOP, now)
    assert run.inputs == suspended_run().inputs


def test_whoever_looks_into_a_snapshot_finds_what_it_is() -> None:
    text = snapshot(suspended_run())
    value = json.loads(text)
    assert list(value) == [
        "callagain", "version", "fingerprint", "run_id", "outcome", "inputs", "log", "steps", "checksum",
    ]  # fmt: skip
    assert (value["callagain"], value["version"], value["run_id"]) == ("snapshot", 1, "r1")
    assert value["outcome"] == "suspended"
    assert [entry["entry"] for entry in value["log"]] == ["intent", "receipt", "intent", "receipt", "held"]
    assert "\n" not in text
    assert list(json.loads(snapshot(suspended_run(), KEY)))[-1] == "signature"


@pytest.mark.parametrize("key", [None, KEY])
def test_other_spaces_and_another_order_of_its_own_members_are_the_same_snapshot(key: bytes | None) -> None:
    value = json.loads(snapshot(suspended_run(), key))
    text = json.dumps(dict(reversed(value.items())), indent=2)
    assert story(taken_up(text, key)) == story(suspended_run())


def deep(levels: int) -> Json:
    value: Json = 1
    for _ in range(levels):
        value = [value]
    return value


@pytest.mark.parametrize(
    "value",
    [
        {"amount": 0.1, "tiny": 5e-324, "large": 1.7976931348623157e308, "zero": -0.0, "whole": 1.0},
        {"amount": 10**4000, "less": -(2**64)},
        {"deep": deep(MAX_DEPTH - 1)},
        {"é\u2028\x00": "\U0001f600\ufeff\x7f"},
    ],
)
def test_values_of_every_kind_are_read_again_as_they_were(value: dict[str, Json]) -> None:
    more = AnnouncedTool("more", value)
    run = suspended_run(replace(inputs_of(), request_options=value, tools=(*TOOLS, more)))
    run.apply(Decision((4, 0), run.open.commands[4, 0].digest, "edit", value))
    text = snapshot(run)
    read = run_of(text, TOOL_CALLING_LOOP, run.inputs.tools)
    assert read.inputs == run.inputs
    assert read.log == run.log
    assert snapshot(read) == text


@pytest.mark.parametrize("text", ["\ud800", "a\udfffb", "\ud83d\ude00"])
def test_a_lone_surrogate_becomes_the_replacement_character_and_nothing_else_changes(text: str) -> None:
    run = suspended_run()
    run.apply(Decision((4, 0), run.open.commands[4, 0].digest, "edit", {"text": text}))
    run.apply(Intent((4, 0), run.open.commands[4, 0].digest))
    for key in (None, KEY):
        kept = snapshot(run, key)
        read = taken_up(kept.encode(), key)
        assert snapshot(read, key) == kept
        command = read.open.commands[4, 0]
        assert isinstance(command, CallTool)
        assert command.arguments == {"text": re.sub("[\ud800-\udfff]", "\ufffd", text)}


class OwnProfile(Profile):
    """A profile with behaviour of its own."""


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"profile": OwnProfile("mine")}, "profile is a OwnProfile, and only a Profile itself can be kept"),
        (
            {"request_options": {"temperature": float("nan")}},
            "cannot be written as JSON: Out of range float values are not JSON compliant",
        ),
        (
            {"history": (object(),)},
            "cannot be written as JSON: Object of type object is not JSON serializable",
        ),
        ({"history": (deep(200),)}, "nested deeper than 128 levels at position "),
        (
            {"request_options": dict.fromkeys(["\ud800", "\ufffd"], 1)},
            "the key '\ufffd' stands twice in one object",
        ),
    ],
)
def test_a_run_that_could_not_be_read_again_is_not_written(changes: dict[str, Any], message: str) -> None:
    run = Run(TOOL_CALLING_LOOP, replace(inputs_of(), **changes))
    with pytest.raises(SnapshotError) as caught:
        snapshot(run)
    assert str(caught.value).startswith(f"the run cannot be kept: {message}")


def test_a_call_under_way_is_unknown_to_whoever_takes_the_run_up() -> None:
    run = suspended_run()
    run.apply(Decision((4, 0), run.open.commands[4, 0].digest, "release"))
    run.apply(Intent((4, 0), run.open.commands[4, 0].digest))
    later = taken_up(snapshot(run))
    assert [key for key, _ in later.open.unanswered()] == [(4, 0)]
    later.apply(Held((4, 0), "call_outcome_unknown"))
    assert later.outcome == "suspended"

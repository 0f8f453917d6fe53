"""What is no snapshot of this loop is refused in one line, which says what to do; nothing else comes out."""

import hashlib
import json
import re
from collections.abc import Callable, Iterable
from dataclasses import replace
from typing import Any, TypeAlias

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.engine.journal.runs import (
    TOOLS,
    announced,
    answer,
    inputs_of,
    json_values,
    story,
    suspended_run,
)

from callagain.engine.chain import Chain
from callagain.engine.errors import ChainError, SnapshotError
from callagain.engine.journal.snapshot import run_of, snapshot
from callagain.engine.json_text import Json, canonical
from callagain.engine.log_entries import Intent, Receipt
from callagain.engine.operation import Script
from callagain.engine.run import Run
from callagain.engine.run_inputs import AnnouncedTool, Inputs
from callagain.engine.variables import Variables
from callagain.operations import TOOL_CALLING_LOOP

# Changes the JSON of a snapshot in place.
Change: TypeAlias = Callable[[Any], object]
Place: TypeAlias = tuple[str | int, ...]
KEY = b"a key of the pipeline"


def resealed(change: Change, text: str | None = None) -> str:
    """A snapshot with a change that somebody made who knows how checksums are made."""
    content = json.loads(text or snapshot(suspended_run()))
    del content["checksum"]
    change(content)
    content["checksum"] = hashlib.sha256(canonical(content).encode()).hexdigest()
    return json.dumps(content)


def refused(text: object, key: bytes | None = None, tools: tuple[AnnouncedTool, ...] = TOOLS) -> str:
    with pytest.raises(SnapshotError) as caught:
        run_of(text, TOOL_CALLING_LOOP, tools, key)  # type: ignore[arg-type]
    return str(caught.value)


WHOLE = snapshot(suspended_run())
NO_JSON = "the snapshot is no JSON text"
CUT_OFF = "it may have been cut off: take it again from where it was kept"
NO_SNAPSHOT = "this is no snapshot of a run; give the text that result.snapshot() gave"
DAMAGED = "the snapshot is damaged, its checksum does not match; take it again from where it was kept"


@pytest.mark.parametrize(
    ("text", "message"),
    [
        (None, "a snapshot is the text that result.snapshot() gave, not a NoneType"),
        ({}, "a snapshot is the text that result.snapshot() gave, not a dict"),
        (
            b"\xff\xfe",
            f"{NO_JSON} ('utf-8' codec can't decode byte 0xff in position 0: invalid start byte); {CUT_OFF}",
        ),
        ("", f"{NO_JSON} (Expecting value at position 0); {CUT_OFF}"),
        (WHOLE[:23], f"{NO_JSON} (Expecting ',' delimiter at position 23); {CUT_OFF}"),
        ("[" * 100_000, f"{NO_JSON} (nested deeper than 128 levels at position 128); {CUT_OFF}"),
        ('{"a": 1, "a": 1}', f"{NO_JSON} (the key 'a' stands twice in one object); {CUT_OFF}"),
        ("9" * 5_000, f"{NO_JSON} (an integer has too many digits); {CUT_OFF}"),
        ("[1]", NO_SNAPSHOT),
        ('{"callagain": "export"}', NO_SNAPSHOT),
        (
            WHOLE.replace('"version":1', '"version":2'),
            "the snapshot has version 2, and this callagain reads 1; use the callagain that wrote it",
        ),
        (WHOLE.replace('"amount', '"amounts'), DAMAGED),
        (re.sub('"checksum":".*"', '"checksum":"é"', WHOLE), DAMAGED),
        (WHOLE.replace('"checksum"', '"check"'), DAMAGED),
        (
            snapshot(suspended_run(), KEY),
            "the snapshot is signed; give the key that signed it, snapshot_key=",
        ),
    ],
)
def test_a_text_that_is_no_whole_snapshot_is_refused(text: object, message: str) -> None:
    assert refused(text) == message


def test_a_snapshot_without_a_signature_is_refused_where_one_is_expected() -> None:
    message = (
        "the snapshot is not signed, and snapshot_key= is given; if nobody else can write where it was kept, "
        "resume it without a key"
    )
    assert refused(WHOLE, KEY) == message
    assert refused(resealed(lambda content: content.update(run_id="r2")), KEY) == message


def test_a_signature_is_of_one_key_and_one_content() -> None:
    signed = snapshot(suspended_run(), KEY)
    message = (
        "the signature of the snapshot does not match; it was signed with another key than this "
        "snapshot_key=, or changed since"
    )
    assert refused(signed, b"another key") == message
    assert refused(signed.replace('"amount', '"amounts'), KEY) == message
    assert refused(signed.replace('"outcome":"suspended"', '"outcome":null'), KEY) == message
    checksum = json.loads(WHOLE)["checksum"]
    assert refused(re.sub('"signature":".*"', f'"signature":"{checksum}"', signed), KEY) == message


ANOTHER_LOOP = "the snapshot is of another loop:"
SAME_LOOP = "resume it with the chain and the tools that it began with, or begin a new run"


def test_a_run_of_other_tools_is_refused_with_the_difference() -> None:
    assert refused(WHOLE, tools=(*TOOLS[:2], announced("list"))) == (
        f"{ANOTHER_LOOP} the tools are not those that it began with (added: 'list'; removed: 'log'); "
        f"{SAME_LOOP}"
    )


class Redact(Script):
    def run(self, variables: Variables) -> None:
        variables.own["redacted"] = True


def test_a_run_of_another_chain_is_refused() -> None:
    chain = TOOL_CALLING_LOOP.insert("redact", Redact(), before="llm_call")
    with pytest.raises(SnapshotError) as caught:
        run_of(WHOLE, chain, TOOLS)
    assert str(caught.value) == (
        f"{ANOTHER_LOOP} it began with another chain than 'tool_calling_loop' as it is now (its links, its "
        f"guards or the names of its operations), or with another version of callagain; {SAME_LOOP}"
    )


def test_a_chain_may_follow_from_the_recorded_inputs() -> None:
    def chain_of(inputs: Inputs) -> Chain:
        if inputs.run_id == "r1":
            return TOOL_CALLING_LOOP
        raise ChainError("there is no such chain")

    assert story(run_of(WHOLE, chain_of, TOOLS)) == story(suspended_run())
    other = snapshot(suspended_run(replace(inputs_of(), run_id="r2")))
    with pytest.raises(SnapshotError) as caught:
        run_of(other, chain_of, TOOLS)
    assert str(caught.value) == f"{ANOTHER_LOOP} there is no such chain; {SAME_LOOP}"


def test_the_recorded_tools_are_those_of_the_fingerprint() -> None:
    text = resealed(lambda content: content["inputs"]["tools"].pop())
    assert refused(text).startswith(f"{ANOTHER_LOOP} the tools are not those")
    assert refused(text, tools=TOOLS[:2]).startswith(ANOTHER_LOOP)


ANOTHER_FORM = "the snapshot is not of the form that this callagain reads"
LATER = "use the callagain that wrote it"
NOT_FITTING = "the log of the snapshot does not fit the chain after"
OTHER_COMMAND = (
    "intent for (2, 0): the command differs from the one in the log; the chain, the inputs or an operation "
    "have changed since"
)
AS_BEFORE = (
    "resume it with the operations and the callagain that it began with, from the text as it was written"
)


MISFITS: list[tuple[Change, str]] = [
    (
        lambda content: content["inputs"].pop("seed"),
        f"{ANOTHER_FORM} (seed is missing in snapshot.inputs); {LATER}",
    ),
    (
        lambda content: content["inputs"].update({"a\nb": 1}),
        f"{ANOTHER_FORM} (there is no 'a\\nb' in snapshot.inputs); {LATER}",
    ),
    (
        lambda content: content.update(signed_by="me"),
        f"{ANOTHER_FORM} (there is no 'signed_by' in snapshot); {LATER}",
    ),
    (
        lambda content: content.update(version=True),
        f"{ANOTHER_FORM} (snapshot.version must be a whole number, not true or false); {LATER}",
    ),
    (
        lambda content: content.update(log={}),
        f"{ANOTHER_FORM} (snapshot.log must be a list, not an object); {LATER}",
    ),
    (
        lambda content: content["log"][1].update(key=["4\n", 0]),
        f"{ANOTHER_FORM} (entry 2 of its log: receipt.key[0] must be a whole number, not a text); {LATER}",
    ),
    (
        lambda content: content["log"][0].update(digest="ab"),
        f"{NOT_FITTING} 0 of 5 entries, in llm_call ({OTHER_COMMAND}); {AS_BEFORE}",
    ),
    (
        lambda content: content["log"][4].update(key=[9, 0]),
        f"{NOT_FITTING} 4 of 5 entries, in tool_dispatcher (hold for (9, 0): no open command has this key); "
        f"{AS_BEFORE}",
    ),
    (
        lambda content: content["log"][1].update(value={"no": "answer"}),
        f"{NOT_FITTING} 2 of 5 entries, in llm_call (ValueError: not the receipt of a request: "
        f"{{'no': 'answer'}}); {AS_BEFORE}",
    ),
]


@pytest.mark.parametrize(("change", "message"), MISFITS)
def test_a_snapshot_that_does_not_fit_is_refused(change: Change, message: str) -> None:
    assert refused(resealed(change)) == message


def test_where_a_store_has_sorted_what_requests_are_written_from_the_text_is_asked_for() -> None:
    text = json.dumps(json.loads(WHOLE), sort_keys=True)
    assert refused(text).endswith(f"in llm_call ({OTHER_COMMAND}); {AS_BEFORE}")


def test_a_last_receipt_that_is_none_is_refused_too() -> None:
    run = Run(TOOL_CALLING_LOOP, inputs_of())
    for _ in run.walk():
        pass
    run.apply(Intent((2, 0), run.open.ready()[0][1].digest))
    run.apply(Receipt((2, 0), answer([], 0)))
    text = resealed(lambda content: content["log"][1].update(value="no\nanswer"), snapshot(run))
    assert refused(text) == (
        f"{NOT_FITTING} 2 of 2 entries, in llm_call (ValueError: not the receipt of a request: no answer); "
        f"{AS_BEFORE}"
    )


def run_or_reason(text: str | bytes) -> Run | str:
    """The run, or why there is none; any other exception than a SnapshotError fails the test."""
    try:
        return run_of(text, TOOL_CALLING_LOOP, TOOLS)
    except SnapshotError as error:
        return str(error)


@given(data=st.data())
def test_damage_is_found_or_changes_nothing(data: st.DataObject) -> None:
    text = bytearray(WHOLE.encode())
    place = data.draw(st.integers(0, len(text) - 1))
    kind = data.draw(st.sampled_from(["change", "remove", "insert", "cut"]))
    if kind == "cut":
        del text[place:]
    elif kind == "remove":
        del text[place]
    else:
        text[place : place + (kind == "change")] = [data.draw(st.integers(0, 255))]
    found = run_or_reason(bytes(text))
    if isinstance(found, Run):
        assert story(found) == story(suspended_run())
    else:
        assert "\n" not in found


@given(st.one_of(st.text(), st.binary(), json_values.map(json.dumps)))
def test_any_other_text_is_refused(text: str | bytes) -> None:
    assert "\n" not in refused(text)


def places(value: Json, path: Place = ()) -> list[Place]:
    members: Iterable[tuple[str | int, Json]] = ()
    if isinstance(value, dict | list):
        members = value.items() if isinstance(value, dict) else enumerate(value)
    return [path, *(place for name, each in members for place in places(each, (*path, name)))]


PLACES = [place for place in places(json.loads(WHOLE)) if place and place != ("checksum",)]


@given(place=st.sampled_from(PLACES), value=json_values)
def test_any_value_in_any_place_is_refused_or_taken_for_a_run(place: Place, value: Json) -> None:
    def change(content: Any) -> None:
        *parents, last = place
        for name in parents:
            content = content[name]
        content[last] = value

    found = run_or_reason(resealed(change))
    if isinstance(found, Run):
        assert run_of(snapshot(found), TOOL_CALLING_LOOP, TOOLS).log == found.log
    else:
        assert "\n" not in found

"""Every entry of a log is JSON, and is read again as it was, or refused with the reason."""

import re
from typing import get_args

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.engine.journal.runs import json_values

from callagain.engine.journal.entries_json import entry_as_json, entry_from_json
from callagain.engine.json_text import Json, decode, encode
from callagain.engine.log_entries import Decision, Entry, Held, Intent, Receipt, Resumed

keys = st.tuples(st.integers(1), st.integers(0))
entries: st.SearchStrategy[Entry] = st.one_of(
    st.builds(Intent, keys, st.text()),
    st.builds(Receipt, keys, json_values),
    st.builds(Held, keys, st.text()),
    st.builds(Decision, keys, st.text(), st.sampled_from(["release", "answer", "edit"]), json_values),
    st.builds(Resumed, st.dictionaries(st.text(), json_values), st.booleans()),
)


@given(entries)
def test_an_entry_is_read_again_as_it_was(entry: Entry) -> None:
    assert entry_from_json(entry_as_json(entry)) == entry


@given(entries)
def test_an_entry_is_written_as_json(entry: Entry) -> None:
    value = entry_as_json(entry)
    assert decode(encode(value).decode()) == value


@pytest.mark.parametrize(
    ("entry", "value"),
    [
        (Intent((4, 0), "ab"), {"entry": "intent", "key": [4, 0], "digest": "ab"}),
        (Receipt((4, 0), {"content": "x"}), {"entry": "receipt", "key": [4, 0], "value": {"content": "x"}}),
        (
            Held((4, 1), "approval_required"),
            {"entry": "held", "key": [4, 1], "why": "approval_required", "abandoned": False},
        ),
        (
            Decision((4, 1), "ab", "release"),
            {"entry": "decision", "key": [4, 1], "digest": "ab", "verdict": "release", "value": None},
        ),
        (
            Resumed({"max_iterations": 9}),
            {"entry": "resumed", "changes": {"max_iterations": 9}, "discard": False},
        ),
    ],
)
def test_the_form_of_each_entry(entry: Entry, value: Json) -> None:
    assert entry_as_json(entry) == value
    assert entry_from_json(value) == entry


@pytest.mark.parametrize("kind", get_args(Entry))
def test_every_kind_of_entry_has_its_name(kind: type[Entry]) -> None:
    with pytest.raises(ValueError, match=f" is missing in {kind.__name__.lower()}$"):
        entry_from_json({"entry": kind.__name__.lower()})


@pytest.mark.parametrize(
    ("value", "message"),
    [
        (None, "an entry must be an object"),
        ({}, "entry must be one of intent, receipt, held, decision, resumed"),
        ({"entry": ["intent"]}, "entry must be one of intent, receipt, held, decision, resumed"),
        ({"entry": "intent", "key": [4, 0]}, "digest is missing in intent"),
        (
            {"entry": "held", "key": [4, 0], "why": "x", "abandoned": False, "who": "y"},
            "there is no 'who' in held",
        ),
        (
            {"entry": "held", "key": [4, 0], "why": None, "abandoned": False},
            "held.why must be a text, not null",
        ),
        ({"entry": "receipt", "key": "4,0", "value": 1}, "receipt.key must be a list, not a text"),
        ({"entry": "receipt", "key": [4], "value": 1}, "receipt.key must be a list of 2, not of 1"),
        (
            {"entry": "receipt", "key": [4, 0.0], "value": 1},
            "receipt.key[1] must be a whole number, not a number",
        ),
        (
            {"entry": "receipt", "key": [True, 0], "value": 1},
            "receipt.key[0] must be a whole number, not true or false",
        ),
        (
            {"entry": "decision", "key": [4, 0], "digest": "", "verdict": "maybe", "value": None},
            "decision.verdict must be one of 'release', 'answer', 'edit'",
        ),
        (
            {"entry": "resumed", "changes": [], "discard": False},
            "resumed.changes must be an object, not a list",
        ),
        (
            {"entry": "resumed", "changes": {}, "discard": 0},
            "resumed.discard must be true or false, not a whole number",
        ),
    ],
)
def test_what_is_no_entry_is_refused_with_the_reason(value: Json, message: str) -> None:
    with pytest.raises(ValueError, match=f"^{re.escape(message)}$"):
        entry_from_json(value)


@given(st.sampled_from(["intent", "receipt", "held", "decision", "resumed", None]), json_values)
def test_any_other_json_is_refused(name: str | None, value: Json) -> None:
    with pytest.raises(ValueError, match="^(entry must be|an entry must be|.+ is missing in)"):
        entry_from_json({**value, "entry": name} if isinstance(value, dict) else value)

"""The inputs of a run are JSON, whole, and are read again exactly as they were."""

import dataclasses
import re
from collections.abc import Mapping
from types import NoneType, UnionType
from typing import Any, Literal, Union, get_args, get_origin

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.engine.journal.runs import inputs_of, json_values

from callagain.connectors.profiles import PROFILES
from callagain.engine.journal.dataclass_json import as_json, from_json
from callagain.engine.journal.inputs_json import inputs_as_json, inputs_from_json
from callagain.engine.json_text import Json, JsonObject, decode, encode
from callagain.engine.run_inputs import Inputs
from callagain.engine.wire.profile import ModelFacts, Prices, Profile

_PLAIN: Mapping[Any, st.SearchStrategy[Any]] = {
    NoneType: st.none(),
    bool: st.booleans(),
    int: st.integers(),
    float: st.floats(allow_nan=False, allow_infinity=False),
    str: st.text(max_size=3),
    Json: json_values,
    JsonObject: st.dictionaries(st.text(max_size=3), json_values, max_size=1),
}
_PATTERNS = st.none() | st.sampled_from(["[a-z]{9}", "call_.*"])


def values_of(kind: Any) -> st.SearchStrategy[Any]:
    """Any value of a declared type; of a dataclass with any value in every field, also in one added later."""
    origin, inner = get_origin(kind), get_args(kind)
    if kind in _PLAIN:
        return _PLAIN[kind]
    if origin in (Union, UnionType):
        return st.one_of(*map(values_of, inner))
    if origin is Literal:
        return st.sampled_from(inner)
    if origin is tuple:
        return st.lists(values_of(inner[0]), max_size=2).map(tuple)
    if origin is frozenset:
        return st.frozensets(values_of(inner[0]), max_size=2)
    if origin is Mapping:
        return st.dictionaries(st.text(max_size=3), values_of(inner[1]), max_size=2)
    values = {field.name: values_of(field.type) for field in dataclasses.fields(kind)}
    if "call_id_pattern" in values:
        values["call_id_pattern"] = _PATTERNS
    return st.builds(kind, **values)


@settings(max_examples=25)
@given(values_of(Inputs))
def test_inputs_are_read_again_as_they_were_with_every_field(inputs: Inputs) -> None:
    text = encode(inputs_as_json(inputs)).decode()
    assert inputs_from_json(decode(text)) == inputs


@pytest.mark.parametrize("profile", PROFILES.values(), ids=lambda profile: profile.name)
def test_every_profile_that_is_known_is_read_again_as_it_was(profile: Profile) -> None:
    inputs = dataclasses.replace(inputs_of(), profile=profile)
    assert inputs_from_json(inputs_as_json(inputs)) == inputs


def test_a_profile_is_kept_as_data() -> None:
    prices = Prices(2.5, 10)
    profile = Profile(
        "mine",
        "[a-z]+",
        frozenset({"b", "a"}),
        hosts=(".mine.example",),
        models={"m*": ModelFacts(8_000, prices=prices)},
    )
    value = as_json(profile)
    assert value["not_echoed"] == ["a", "b"]
    assert value["hosts"] == [".mine.example"]
    assert value["models"] == {
        "m*": {
            "context_window": 8_000,
            "max_output_tokens": None,
            "prices": {"input": 2.5, "output": 10, "cached_input": None},
            "tools": None,
            "reasoning": None,
            "json_schema": None,
        }
    }
    restored = from_json(Profile, value, "profile")
    assert restored == profile
    assert (type(restored.not_echoed), type(restored.hosts)) == (frozenset, tuple)
    assert restored.facts("mx").prices == prices


class OwnProfile(Profile):
    """A profile with behaviour of its own, which no text can hold."""


def test_a_profile_of_a_subclass_is_not_kept() -> None:
    inputs = dataclasses.replace(inputs_of(), profile=OwnProfile("mine"))
    with pytest.raises(ValueError, match="^profile is a OwnProfile, and only a Profile itself can be kept$"):
        inputs_as_json(inputs)


def changed(path: str, value: Json) -> Json:
    """The JSON of inputs with another value at the path."""
    whole = inputs_as_json(inputs_of())
    place: Any = whole
    *parents, last = path.split("/")
    for name in parents:
        place = place[int(name) if name.isdigit() else name]
    place[last] = value
    return whole


def without(path: str) -> Json:
    whole = inputs_as_json(inputs_of())
    place: Any = whole
    *parents, last = path.split("/")
    for name in parents:
        place = place[name]
    del place[last]
    return whole


@pytest.mark.parametrize(
    ("value", "message"),
    [
        ([], "inputs must be an object, not a list"),
        (without("seed"), "seed is missing in inputs"),
        (without("profile/supports/tools"), "tools is missing in inputs.profile.supports"),
        (changed("colour", "red"), "there is no 'colour' in inputs"),
        (changed("limits/colour", "red"), "there is no 'colour' in inputs.limits"),
        (changed("run_id", None), "inputs.run_id must be a text, not null"),
        (changed("stream", 1), "inputs.stream must be true or false, not a whole number"),
        (changed("max_iterations", True), "inputs.max_iterations must be a whole number, not true or false"),
        (changed("history", {}), "inputs.history must be a list, not an object"),
        (changed("api", "carrier_pigeon"), "inputs.api must be one of 'chat_completions', 'responses'"),
        (changed("tools/1/entry", "x"), "inputs.tools[1].entry must be an object, not a text"),
        (changed("limits/budget_money", "x"), "inputs.limits.budget_money must be a number, not a text"),
        (changed("profile/not_echoed", [1]), "inputs.profile.not_echoed must be a text, not a whole number"),
        (
            changed("profile/models", {"m": None}),
            "inputs.profile.models['m'] must be an object, not null",
        ),
        (
            changed("profile/call_id_pattern", "("),
            "inputs.profile: profile 'generic': call_id_pattern is no regular expression: missing ), "
            "unterminated subpattern at position 0",
        ),
    ],
)
def test_what_are_no_inputs_is_refused_with_the_place(value: Json, message: str) -> None:
    with pytest.raises(ValueError, match=f"^{re.escape(message)}$"):
        inputs_from_json(value)


@dataclasses.dataclass
class WithASet:
    members: set[str]


@dataclasses.dataclass
class WithAChoice:
    either: int | str


@pytest.mark.parametrize(
    ("data", "kind"), [(WithASet({"a"}), r"set\[str\]"), (WithAChoice(1), r"int \| str")]
)
def test_a_field_of_a_type_that_has_no_form_is_a_mistake_of_the_program(data: object, kind: str) -> None:
    with pytest.raises(TypeError, match=f"^a field of type {kind} cannot be kept as JSON"):
        as_json(data)

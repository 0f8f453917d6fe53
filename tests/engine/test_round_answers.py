"""The answers in a round that is written: read, and replaced without touching anything else."""

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from callagain.engine.json_text import encode
from callagain.engine.wire.formats import WIRE_FORMATS
from callagain.engine.wire.http_answer import HttpAnswer
from callagain.engine.wire.profile import GENERIC
from callagain.engine.wire.wire_format import WireFormat

Item = dict[str, Any]

CHAT, RESPONSES = WIRE_FORMATS["chat_completions"], WIRE_FORMATS["responses"]

CHAT_CALLS: Item = {
    "role": "assistant",
    "content": "I look.",
    "reasoning": "tool",
    "tool_calls": [
        {"id": "a", "type": "function", "function": {"name": "find", "arguments": '{"n": 1.50}'}},
        {"id": "b", "type": "custom", "custom": {"name": "run", "input": "x = 1"}},
    ],
}
RESPONSES_OUTPUT: list[Item] = [
    {"type": "reasoning", "id": "rs_1", "summary": [], "encrypted_content": "b64=="},
    {"type": "message", "role": "assistant", "content": [{"type": "output_text", "text": "I look."}]},
    {"type": "function_call", "call_id": "a", "name": "find", "arguments": '{"n": 1.50}'},
    {"type": "custom_tool_call", "call_id": "b", "name": "run", "input": "x = 1"},
]

RECEIVED: dict[str, Any] = {
    "chat_completions": {"choices": [{"message": CHAT_CALLS}]},
    "responses": {"status": "completed", "output": RESPONSES_OUTPUT},
}
TEXT_FIELD = {"chat_completions": "content", "responses": "output"}

wires = pytest.mark.parametrize("wire", [CHAT, RESPONSES], ids=["chat_completions", "responses"])


def written(wire: WireFormat, *answers: str) -> bytes:
    """A round of the model's own two calls, as Append Tool Result writes it."""
    reply = wire.read(HttpAnswer(200, "application/json", json.dumps(RECEIVED[wire.name])), GENERIC, "seed")
    return wire.write(reply.message, reply.calls, answers, GENERIC)


def items(fragment: bytes) -> list[Item]:
    found: list[Item] = json.loads(b"[" + fragment + b"]")
    return found


def fragment_of(*found: Item) -> bytes:
    return b",".join(map(encode, found))


@wires
@given(first=st.text(), second=st.text())
def test_what_was_written_is_read_and_what_is_replaced_is_read_again(
    wire: WireFormat, first: str, second: str
) -> None:
    fragment = written(wire, "one", "two")
    assert list(wire.answers_in(fragment).items()) == [("a", "one"), ("b", "two")]
    replaced = wire.with_answers(fragment, {"b": second, "a": first})
    assert list(wire.answers_in(replaced).items()) == [("a", first), ("b", second)]
    assert replaced == written(wire, first, second)


@wires
def test_only_the_answers_change(wire: WireFormat) -> None:
    fragment = written(wire, "one", "two")
    before, after = items(fragment), items(wire.with_answers(fragment, {"b": "2"}))
    assert after == [*before[:-1], {**before[-1], TEXT_FIELD[wire.name]: "2"}]
    assert wire.with_answers(fragment, {}) == fragment
    assert wire.with_answers(fragment, {"of another round": "2"}) == fragment


def test_the_answer_to_a_custom_call_is_one_of_them() -> None:
    replaced = items(RESPONSES.with_answers(written(RESPONSES, "one", "two"), {"a": "1", "b": "2"}))
    assert replaced[-2:] == [
        {"type": "function_call_output", "call_id": "a", "output": "1"},
        {"type": "custom_tool_call_output", "call_id": "b", "output": "2"},
    ]


@pytest.mark.parametrize(
    ("wire", "answer"),
    [
        (CHAT, {"role": "tool", "tool_call_id": "a", "content": [{"type": "text", "text": "Sunny"}]}),
        (CHAT, {"role": "tool", "tool_call_id": "a", "content": None}),
        (CHAT, {"role": "tool", "content": "for nobody"}),
        (CHAT, {"role": "user", "tool_call_id": "a", "content": "What a user said"}),
        (CHAT, {"role": ["tool"], "tool_call_id": "a", "content": "of no role"}),
        (RESPONSES, {"type": "function_call_output", "call_id": "a", "output": [{"type": "input_text"}]}),
        (RESPONSES, {"type": "function_call_output", "call_id": None, "output": "for nobody"}),
        (RESPONSES, {"type": "mcp_call", "call_id": "a", "output": "the endpoint's own tool"}),
        (RESPONSES, {"type": "shell_call_output", "call_id": "a", "output": "of another kind of call"}),
        (RESPONSES, {"role": "user", "content": "What a user said"}),
    ],
)
def test_what_is_no_answer_in_text_stays_as_it_is(wire: WireFormat, answer: Item) -> None:
    fragment = fragment_of({"role": "assistant", "content": "text"}, answer)
    assert wire.answers_in(fragment) == {}
    assert wire.with_answers(fragment, {"a": "replaced"}) == fragment


@wires
def test_fields_of_an_answer_that_nobody_knows_stay(wire: WireFormat) -> None:
    *calls, first, second = items(written(wire, "one", "two"))
    marked = fragment_of(*calls, {"cache_control": {"type": "ephemeral"}, **first}, second)
    assert items(wire.with_answers(marked, {"a": "1"}))[-2:] == [
        {"cache_control": {"type": "ephemeral"}, **first, TEXT_FIELD[wire.name]: "1"},
        second,
    ]


@wires
def test_several_rounds_in_one_fragment_are_read_as_one(wire: WireFormat) -> None:
    """A script that assigns tools_messages makes one fragment of all rounds."""
    later = written(wire, "three", "four").replace(b'"a"', b'"c"').replace(b'"b"', b'"d"')
    both = b",".join((written(wire, "one", "two"), later))
    assert wire.answers_in(both) == {"a": "one", "b": "two", "c": "three", "d": "four"}
    assert wire.answers_in(wire.with_answers(both, {"c": "3"}))["c"] == "3"


@wires
def test_a_lone_surrogate_in_a_text_is_replaced_as_everywhere(wire: WireFormat) -> None:
    replaced = wire.with_answers(written(wire, "one", "two"), {"a": "half \ud83d"})
    assert wire.answers_in(replaced)["a"] == "half \ufffd"

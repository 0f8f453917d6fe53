"""Whatever an endpoint answers, nothing runs that it did not plainly say, and the next request is valid.

Arbitrary values and bytes hardly ever hold a call, so most answers are good ones that were broken: members
dropped, doubled, exchanged and replaced, texts cut. A generator of random numbers breaks them, since a
hundred decisions of Hypothesis for one example would take too long; its seed stands in the report.
"""

import copy
import json
from collections.abc import Iterator
from random import Random
from typing import Any, TypeAlias

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from callagain.engine.commands import CallTool, SendRequest
from callagain.engine.json_text import Json, JsonObject, encode
from callagain.engine.log_entries import Intent, Receipt
from callagain.engine.receipts import ToolReceipt
from callagain.engine.run import Run
from callagain.engine.run_inputs import AnnouncedTool, Inputs
from callagain.engine.wire.answer_reader import AnswerReader
from callagain.engine.wire.formats import WIRE_FORMATS, Api
from callagain.engine.wire.http_answer import HttpAnswer
from callagain.operations import TOOL_CALLING_LOOP
from callagain.testing import refuse, refuse_responses

Sent: TypeAlias = dict[str, Any]

NAMES = ("read", "pay")
TOOLS = tuple(
    AnnouncedTool(name, {"type": "function", "function": {"name": name, "parameters": {"type": "object"}}})
    for name in NAMES
)
STATUSES = (200, 201, 400, 429, 503)
TYPES = ("application/json", "text/event-stream", "text/html", "")
GOOD = '{"a":1}'

KEYS = (
    "choices", "message", "delta", "tool_calls", "function_call", "function", "custom", "name", "arguments",
    "id", "index", "type", "role", "content", "refusal", "reasoning_content", "finish_reason", "error",
    "code", "usage", "output", "call_id", "status", "incomplete_details", "reason", "summary", "text", "item",
    "output_index", "item_id", "response", "encrypted_content", "annotations", "audio",
)  # fmt: skip
ARGUMENTS = (
    "", "{}", "null", '{"a":1}', '{"a":{"b":[1,"x"]}}', '"{\\"a\\":2}"', '{"a":1,"a":2}', "[1]", '{"a":NaN}',
    '{"a":1e999}', "{'a':1}", '{"a":"\\ud83d"}', '{"a":1}{"a":2}', '{"a', '{"a":1} x', '{"a":"\n"}', "{}{}",
    '{"a":' + "[" * 70 + "]" * 70 + "}", '{"a":' + "9" * 5000 + "}",
)  # fmt: skip
TEXTS = (
    *NAMES, *ARGUMENTS, "ghost", "functions.read", "read<|channel|>", " pay ", "x" * 70, "call_1", "call_2",
    "stop", "length", "tool_calls", "content_filter", "error", "MAX_TOKENS", "assistant", "tool", "completed",
    "incomplete", "failed", "in_progress", "max_output_tokens", "reasoning", "function_call", "message",
    "custom_tool_call", "output_text", "text", "custom", "function", "web_search_call", "Hello", "é \ud83d",
)  # fmt: skip


def some_text(random: Random) -> str:
    if random.random() < 0.9:
        return random.choice(TEXTS)
    return "".join(chr(random.choice((random.randrange(128), random.randrange(0x11000)))) for _ in range(9))


def some_value(random: Random, depth: int = 3) -> Json:
    """Any JSON value, with the keys and the texts that matter."""
    match random.randrange(8 if depth else 6):
        case 6:
            return [some_value(random, depth - 1) for _ in range(random.randrange(4))]
        case 7:
            return {random.choice(KEYS): some_value(random, depth - 1) for _ in range(random.randrange(5))}
        case 0 | 1:
            return random.choice((None, None, True, False, 0, 1, 2, -1, 429, 503, 10**30, 0.5, 1e300))
        case _:
            return some_text(random)


def whole_body(random: Random, api: Api) -> JsonObject:
    """What a good endpoint answers: calls, words, or both."""
    called: list[JsonObject] = [
        {"name": random.choice((*NAMES, "ghost")), "arguments": random.choice((GOOD, *ARGUMENTS))}
        for _ in range(random.randrange(4))
    ]
    words = random.choice((None, "", "Hello"))
    if api == "chat_completions":
        calls: list[Json] = [
            {"id": f"call_{number}", "type": "function", "function": each}
            for number, each in enumerate(called)
        ]
        message: JsonObject = {"role": "assistant", "content": words, "tool_calls": calls}
        reason = random.choice(("stop", "tool_calls", "tool_calls", "length")) if called else "stop"
        return {"id": "x", "choices": [{"index": 0, "message": message, "finish_reason": reason}]}
    output: list[Json] = []
    for number, each in enumerate(called):
        output.append({"type": "reasoning", "id": f"rs_{number}", "summary": [], "encrypted_content": "e"})
        call: JsonObject = {"type": "function_call", "id": f"fc_{number}", "call_id": f"call_{number}"}
        output.append({**call, **each, "status": "completed"})
    if words is not None:
        parts: list[Json] = [{"type": "output_text", "text": words, "annotations": []}]
        output.append({"type": "message", "id": "msg_1", "role": "assistant", "content": parts})
    return {"id": "resp_1", "status": "completed", "output": output, "error": None}


def places(value: Any) -> Iterator[tuple[Any, Any]]:
    """Where each value within a value stands: what holds it, and its key there."""
    keys: Any = value if is_object(value) else range(len(value))
    for key in list(keys):
        yield value, key
        inner = value[key]
        if isinstance(inner, dict | list):
            yield from places(inner)


def broken(random: Random, value: Json, times: int) -> Json:
    """The value after so many changes; also a part of it in the place of another."""
    root = [copy.deepcopy(value)]
    for _ in range(times):
        (holder, key), (other_holder, other_key) = random.choices(list(places(root)), k=2)
        old: Any = holder[key]
        match random.randrange(6):
            case 0 if holder is not root:
                del holder[key]
            case 1 if isinstance(key, int) and holder is not root:
                holder.insert(key, copy.deepcopy(old))
            case 2 if isinstance(old, str):
                holder[key] = old[: random.randrange(len(old) + 1)]
            case 3:
                holder[key] = copy.deepcopy(other_holder[other_key])
            case 4 if isinstance(key, str):
                holder[random.choice(KEYS)] = some_value(random)
            case _:
                holder[key] = some_value(random)
    return root[0]


def as_events(random: Random, api: Api, body: Json) -> str:
    """The body as a stream brings it, with its events broken, doubled or missing."""
    if api == "responses":
        output = body.get("output") if isinstance(body, dict) else None
        data: list[Json] = [
            {"type": "response.output_item.done", "output_index": index, "item": item}
            for index, item in enumerate(output if isinstance(output, list) else [])
        ]
        data.append({"type": "response.completed", "response": body})
    else:
        chunk = json.dumps(body).replace('"message":', '"delta":')
        data = [json.loads(chunk), {"choices": [{"index": 0, "delta": {}, "finish_reason": "stop"}]}]
    events = [f"data: {json.dumps(broken(random, each, random.choice((0, 0, 1, 2))))}\n\n" for each in data]
    events.append(random.choice(("data: [DONE]\n\n", "data: [DONE]\n\n", ": ping\n\n", "data: <html>\n\n")))
    if random.random() < 0.2:
        events = random.choices(events, k=len(events))
    return "".join(events)


def some_answer(random: Random, api: Api) -> HttpAnswer:
    """The receipt of what an endpoint sent, in two pieces."""
    body = some_value(random, 6) if random.random() < 0.1 else whole_body(random, api)
    body = broken(random, body, random.choice((0, 0, 1, 1, 2, 3, 5)))
    is_stream = random.random() < 0.4
    content = (as_events(random, api, body) if is_stream else json.dumps(body)).encode()
    if random.random() < 0.1:
        content = content[: random.randrange(len(content) + 1)]
    if random.random() < 0.05:
        content += random.randbytes(9)
    content_type = random.choice(("text/event-stream", "application/json", "")) if is_stream else ""
    reader = AnswerReader(200, content_type, WIRE_FORMATS[api].assembly())
    cut = random.randrange(len(content) + 1)
    reader.take(content[:cut])
    reader.take(content[cut:])
    return reader.answer()


def good_answer(api: Api) -> HttpAnswer:
    """One call, by an id that others like to use as well."""
    called: JsonObject = {"name": "read", "arguments": GOOD}
    if api == "responses":
        item: JsonObject = {"type": "function_call", "id": "fc_good", "call_id": "call_0", **called}
        body: JsonObject = {"id": "resp_0", "status": "completed", "output": [item]}
    else:
        call: JsonObject = {"id": "call_0", "type": "function", "function": called}
        message: JsonObject = {"role": "assistant", "content": None, "tool_calls": [call]}
        body = {"choices": [{"message": message, "finish_reason": "tool_calls"}]}
    return HttpAnswer(200, "application/json", encode(body).decode())


def run_of(random: Random, api: Api, *, after_a_good_round: bool) -> Run:
    """A run to which an endpoint answered, until it is over or no answer is left."""
    inputs = Inputs(run_id="r1", model="m", user_message="Go", tools=TOOLS, api=api, max_iterations=2)
    run = Run(TOOL_CALLING_LOOP, inputs)
    coming = [some_answer(random, api) for _ in range(2)]
    perform(run, [good_answer(api), *coming] if after_a_good_round else coming, random)
    return run


def perform(run: Run, coming: list[HttpAnswer], random: Random) -> None:
    """Until the run is over, or no answer is left for its request; what it asks for is looked at."""
    answer = coming[0]
    while True:
        for _ in run.walk():
            pass
        if run.outcome is not None:
            assert run.outcome == "completed" or run.problem is not None
            return
        ready = run.open.ready()
        check_calls(run.inputs.api, [each for _, each in ready if isinstance(each, CallTool)], answer)
        for key, command in ready:
            run.apply(Intent(key, command.digest))
            if isinstance(command, SendRequest):
                check_request(run.inputs.api, command.body)
                if not coming:
                    return
                answer = coming.pop(0)
                run.apply(Receipt(key, answer.as_json()))
            else:
                run.apply(Receipt(key, ToolReceipt(some_text(random)).as_json()))


def check_calls(api: Api, calls: list[CallTool], answer: HttpAnswer) -> None:
    """Each is a call that the answer vouches for, of an announced name, with a whole object."""
    if not calls:
        return
    said = iter(said_calls(api, json.loads(answer.body)))
    for call in calls:
        assert call.name in NAMES
        assert any(call.name in name and meant(arguments) == call.arguments for name, arguments in said)


def said_calls(api: Api, body: Any) -> list[tuple[str, Any]]:
    """The names and the arguments of the calls that a response vouches for."""
    if api == "responses":
        assert body.get("status") not in ("incomplete", "failed", "in_progress")
        functions = [item for item in body["output"] if is_object(item) and item.get("type") == CALL_TYPES[0]]
    else:
        choices = [each for each in body["choices"] if is_object(each)]
        choice = next((each for each in choices if each.get("index") == 0), choices[0])
        assert choice.get("finish_reason") not in ("length", "MAX_TOKENS", "content_filter", "error")
        message = choice["message"]
        entries = message.get("tool_calls") or [{"function": message["function_call"]}]
        functions = [each.get("function") for each in entries if is_object(each)]
    said: list[Any] = [each for each in functions if is_object(each)]
    return [(str(each.get("name")), each.get("arguments")) for each in said]


def is_object(value: Any) -> bool:
    return isinstance(value, dict)


def meant(arguments: Any) -> Any:
    """The object that the arguments stand for, without the product's own decoder; None for anything else."""
    for _ in range(2):
        if isinstance(arguments, str) and arguments.strip():
            try:
                arguments = json.loads(
                    arguments, strict=False, object_pairs_hook=unique, parse_constant=no_constant
                )
            except (ValueError, RecursionError):
                return None
    if arguments is None or (isinstance(arguments, str) and not arguments.strip()):
        return {}
    text = json.dumps(arguments, ensure_ascii=False).encode("utf-16-le", "surrogatepass")
    return json.loads(text.decode("utf-16-le", "replace")) if isinstance(arguments, dict) else None


def unique(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    if len(dict(pairs)) != len(pairs):
        raise ValueError
    return dict(pairs)


def no_constant(name: str) -> None:
    raise ValueError(name)


def check_request(api: Api, data: bytes) -> None:
    """The endpoint takes it, and every call in it has one answer, in the order of the calls."""
    body: Sent = json.loads(data)
    if api == "responses":
        body["input"] = [understood_item(item) for item in body["input"]]
        assert refuse_responses(body) is None
        calls = [item["call_id"] for item in body["input"] if item.get("type") in CALL_TYPES]
        answered = [item["call_id"] for item in body["input"] if item.get("type") in OUTPUT_TYPES]
    else:
        messages = body["messages"] = [understood_message(message) for message in body["messages"]]
        assert refuse(body) is None
        calls = [call["id"] for message in messages for call in message.get("tool_calls", [])]
        answered = [message["tool_call_id"] for message in messages if message["role"] == "tool"]
    assert answered == calls
    assert len(set(calls)) == len(calls)


# What only this endpoint knows goes back to it as it came, which the stand-in cannot know: parts and items of
# types of its own, ids of items in a form of its own.


def understood_message(message: Sent) -> Sent:
    kept = {**message, "content": "parts"} if isinstance(message["content"], list) else {**message}
    calls = message.get("tool_calls")
    if calls is not None:
        kept["tool_calls"] = [each if "function" in each else {"id": each["id"], **CUSTOM} for each in calls]
    return kept


def understood_item(item: Sent) -> Sent:
    if item.get("type", "message") not in (*CALL_TYPES, *OUTPUT_TYPES, "reasoning"):
        return item if item.get("role") == "user" else {"role": "assistant", "content": f"{item}"}
    kept = {name: value for name, value in item.items() if name not in ("id", "role")}
    if kept["type"] == "reasoning":
        return {**kept, "summary": [kept["summary"]]}
    return {"name": "x", "input": "x", **kept} if kept["type"] == CALL_TYPES[1] else kept


CUSTOM: Sent = {"type": "custom", "custom": {"name": "x", "input": "x"}}
CALL_TYPES = ("function_call", "custom_tool_call")
OUTPUT_TYPES = ("function_call_output", "custom_tool_call_output")


@pytest.mark.parametrize("after_a_good_round", [False, True])
@pytest.mark.parametrize("api", ["chat_completions", "responses"])
@settings(max_examples=500)
@given(random=st.randoms(use_true_random=True))
def test_only_what_was_plainly_said_is_run_and_the_next_request_is_valid(
    api: Api, after_a_good_round: bool, random: Random
) -> None:
    run = run_of(random, api, after_a_good_round=after_a_good_round)
    assert run.outcome != "suspended"


@pytest.mark.parametrize("api", ["chat_completions", "responses"])
@settings(max_examples=150)
@given(random=st.randoms(use_true_random=True))
def test_the_log_of_a_run_makes_the_same_requests_again(api: Api, random: Random) -> None:
    run = run_of(random, api, after_a_good_round=random.random() < 0.5)
    replayed = Run(TOOL_CALLING_LOOP, run.inputs)
    for entry in run.log:
        replayed.apply(entry)
    for _ in replayed.walk():
        pass
    assert [step.after.InAndOut for step in replayed.trace] == [step.after.InAndOut for step in run.trace]
    assert (replayed.state, replayed.problem) == (run.state, run.problem)


@pytest.mark.parametrize("api", ["chat_completions", "responses"])
@settings(max_examples=150)
@given(status=st.sampled_from(STATUSES), content_type=st.sampled_from(TYPES), data=st.binary(max_size=80))
def test_bytes_that_are_no_answer_end_the_run(api: Api, status: int, content_type: str, data: bytes) -> None:
    reader = AnswerReader(status, content_type, WIRE_FORMATS[api].assembly())
    reader.take(data)
    run = Run(TOOL_CALLING_LOOP, Inputs(run_id="r1", model="m", user_message="Go", api=api))
    perform(run, [reader.answer()], Random(0))
    assert run.outcome == "failed"

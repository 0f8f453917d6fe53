"""`response_format`: what is asked for, validated, asked for again, kept and given out as a value."""

import json
import threading
from collections.abc import Callable
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal

import pytest
from pydantic import BaseModel, Field, create_model, field_validator
from typing_extensions import TypedDict

from callagain import (
    ConfigurationError,
    JournalFile,
    OperationEnded,
    OutcomeError,
    Profile,
    Result,
    SnapshotError,
    Supports,
    TextDelta,
    ToolLoop,
    replay_file,
    tool,
)
from callagain.testing import AnyAnswer, StandIn, calls, says

Run = Callable[..., Result[Any]]
Serve = Callable[..., StandIn]

KEY = "sk-test-SECRET123"
STRICT = Profile("strict", supports=Supports(json_schema=True, responses=True))


class Line(BaseModel):
    article: str
    price: float = Field(ge=0)


class Invoice(BaseModel):
    number: str
    lines: list[Line]
    note: str | None = None

    @field_validator("number")
    @classmethod
    def has_digits(cls, value: str) -> str:
        if value == "break":
            raise KeyError(KEY)
        if not value.isdigit():
            raise ValueError(f"{value} has other characters than digits")
        return value


@dataclass
class Point:
    x: int
    y: int = 0


class Order(TypedDict):
    id: int


@tool
def ping() -> str:
    """Answers."""
    return "pong"


@tool(verbatim=True)
def terms() -> str:
    """The terms of service."""
    return "All sales are final."


def answer(number: object = "1", **more: object) -> str:
    return json.dumps({"number": number, "lines": [{"article": "chair", "price": 3}], **more})


GOOD, BAD = answer(), answer(1)
INVOICE = Invoice(number="1", lines=[Line(article="chair", price=3.0)])


def loop_at(server: StandIn, response_format: Any = Invoice, **options: Any) -> ToolLoop[Any]:
    options = {"base_url": server.base_url, "api_key": KEY, "profile": STRICT, "tools": [ping], **options}
    return ToolLoop(model="m", response_format=response_format, **options)


def sent(server: StandIn) -> list[Any]:
    """The conversation of the last request."""
    body = server.requests[-1].json
    found: list[Any] = body["messages"] if "messages" in body else body["input"]
    return found


@pytest.mark.parametrize("stream", [False, True], ids=["plain", "stream"])
@pytest.mark.parametrize("api", ["chat_completions", "responses"])
def test_an_answer_that_does_not_fit_is_asked_for_again_with_its_faults(
    run: Run, stand_in: Serve, api: Any, stream: bool
) -> None:
    server = stand_in([calls(("ping", {})), says(BAD), calls(("ping", {})), says(GOOD)])
    result = run(loop_at(server, api=api, stream=stream))
    assert (result.outcome, result.loop_count, result.output) == ("completed", 2, INVOICE)
    assert result.final_response == GOOD
    assert result.output is result.output
    faults = "number: should be a valid string, got number 1"
    told = (
        f"Your answer does not fit its JSON schema: {faults}. Answer again: the whole JSON object, mended, "
    )
    roles = [(message.get("role"), message.get("content")) for message in result.messages]
    assert ("assistant", BAD) in roles
    assert ("user", f"{told}and nothing else.") in roles
    assert [(note.code, note.message) for note in result.warnings] == [
        (
            "output_repaired",
            "the answer does not fit response_format, and is asked for again (1 of 2)",
        )
    ]


def test_a_schema_is_sent_in_the_field_of_the_api_or_stands_in_the_prompt(stand_in: Serve) -> None:
    server = stand_in([says(GOOD)] * 4)
    for api in ("chat_completions", "responses"):
        loop_at(server, api=api, system_prompt="Be brief.").run("Go")
        loop_at(server, api=api, system_prompt="Be brief.", profile="generic").run("Go")
    chat, chat_prompt, responses, responses_prompt = (request.json for request in server.requests)
    line = {
        "type": "object",
        "properties": {"article": {"type": "string"}, "price": {"minimum": 0, "type": "number"}},
        "required": ["article", "price"],
        "additionalProperties": False,
    }
    schema = {
        "type": "object",
        "properties": {
            "number": {"type": "string"},
            "lines": {"type": "array", "items": {"$ref": "#/$defs/Line"}},
            "note": {"anyOf": [{"type": "string"}, {"type": "null"}]},
        },
        "required": ["number", "lines", "note"],
        "additionalProperties": False,
        "$defs": {"Line": line},
    }
    told = {"name": "Invoice", "strict": True, "schema": schema}
    assert chat["response_format"] == {"type": "json_schema", "json_schema": told}
    assert responses["text"] == {"format": {"type": "json_schema", **told}}
    assert (chat["messages"][0]["content"], responses["input"][0]["content"]) == ("Be brief.", "Be brief.")
    for body, messages in ((chat_prompt, "messages"), (responses_prompt, "input")):
        prompt = body[messages][0]["content"]
        assert prompt.startswith("Be brief.\n\nYour final answer is one JSON object and nothing else: ")
        assert '"required":["number","lines"]' in prompt
        assert "response_format" not in body
        assert "text" not in body


# What a model says, and the faults that it is told; none if the answer is taken.
SAID = [
    (f"\n {GOOD} \n", ""),
    (f"```json\n{GOOD}\n```", ""),
    (f"Here it is:\n```\n{GOOD}\n```\nAnything else?", ""),
    (answer(note="```json\n{}\n```"), ""),
    (answer(lines=[{"article": "a", "price": 3.0, "weight": 1}]), ""),
    (f"\ufeff{GOOD}\n", ""),
    (f"Here it is: {GOOD}", "the answer has words around its JSON object; leave them out"),
    (
        f"```\n{GOOD}\n```\n```\n{GOOD}\n```",
        "the answer has more than one block of code; give one JSON object",
    ),
    ("I cannot {say}.", "the answer is not JSON: Expecting value at position 0"),
    (GOOD[:20], "the answer is not JSON: Unterminated string starting at position 16"),
    ("[1]", "the answer must be a JSON object"),
    ('{"number": "1", "number": "2"}', "the answer is not JSON: the key 'number' stands twice in one object"),
    ("{" * 100, "the answer is not JSON: nested deeper than 64 levels at position 64"),
    ('{"number": "1"}', "lines: required, but missing"),
    (answer("x1"), 'number: x1 has other characters than digits, got string "x1"'),
    (answer(lines=[{"article": "a", "price": "3"}]), "lines[0].price: should be a valid number, got"),
]


def test_blanks_and_one_fence_are_left_out_and_everything_else_is_a_fault(stand_in: Serve) -> None:
    server = stand_in([says(text) for text, _ in SAID])
    loop = loop_at(server, max_output_repairs=0)
    for text, faults in SAID:
        result = loop.run("Go")
        if not faults:
            assert (result.outcome, type(result.output)) == ("completed", Invoice), text
            assert json.loads(result.final_response or "")["number"] == "1"
            continue
        assert result.error is not None
        assert result.error.message.startswith(f"the answer does not fit response_format: {faults}"), text
        assert (result.outcome, result.final_response, result.error.partial_text) == ("limit", None, text)
        with pytest.raises(OutcomeError, match="^limit \\(max_output_repairs\\): the answer does not fit"):
            _ = result.output


def test_a_dataclass_a_typed_dict_and_a_type_that_contains_itself_are_types_of_answers(
    stand_in: Serve,
) -> None:
    class Node(BaseModel):
        name: str
        next: "Node | None" = Field(description="The one behind.")

    server = stand_in(
        [says('{"x": 1}'), says('{"id": 7}'), says('{"name": "a", "next": {"name": "b", "next": null}}')]
    )
    assert loop_at(server, Point).run("Go").output == Point(1)
    assert loop_at(server, Order).run("Go").output == {"id": 7}
    node = loop_at(server, Node).run("Go").output
    assert (node.name, node.next.name, node.next.next) == ("a", "b", None)
    schemas = [request.json["response_format"]["json_schema"]["schema"] for request in server.requests]
    assert [schema["required"] for schema in schemas] == [["x", "y"], ["id"], ["name", "next"]]
    assert schemas[2]["properties"]["next"]["anyOf"] == [{"$ref": "#/$defs/Node"}, {"type": "null"}]


class Loose(BaseModel):
    lines: list[dict[str, int]]


class Pair(BaseModel):
    place: tuple[int, int]


class Anything(BaseModel):
    value: Any


class Endless(BaseModel):
    again: "Endless" = Field(description="Once more.")


class Nothing(BaseModel):
    pass


class Around(BaseModel):
    nothing: Nothing


model_of: Any = create_model


def nested(levels: int) -> Any:
    model: Any = model_of("Level1", value=(int, ...))
    for level in range(2, levels + 1):
        model = model_of(f"Level{level}", within=(list[model], ...))
    return model


NO_FORM = (
    "; or pass a profile with supports=Supports(json_schema=False), by which the schema goes into the prompt"
)
REFUSED: list[tuple[Any, dict[str, Any], str]] = [
    ("Invoice", {}, "response_format must be a pydantic model, a dataclass or a TypedDict, not Invoice; "),
    (list[Invoice], {}, "response_format list must be an object with named fields, as endpoints demand; "),
    (Callable, {}, "response_format Callable has no JSON schema: "),
    (
        Loose,
        {},
        "response_format Loose: lines[0]: strict mode has no form for keys that have no names; make it a "
        f"list of models with a field for the key{NO_FORM}",
    ),
    (Pair, {}, "response_format Pair: place: strict mode has no form for a tuple; make it a model with "),
    (Anything, {}, "response_format Anything: value: strict mode has no form for a value of any type; "),
    (
        Endless,
        {},
        "response_format Endless: again: strict mode has no form for a value that contains itself ",
    ),
    (Nothing, {}, "response_format Nothing has no fields; give it one for each thing that the answer is to "),
    (Around, {}, "response_format Around: Nothing: strict mode has no form for an object without fields; "),
    (
        nested(11),
        {},
        "response_format Level11: strict mode takes 10 levels of objects within objects, and not 11; ask for "
        f"less at a time{NO_FORM.replace(';', ',')}",
    ),
    (
        model_of("Wordy", **{"x" * 120_001: (int, ...)}),
        {},
        "response_format Wordy: strict mode takes 120,000 characters of names and values in all, and not ",
    ),
    (
        model_of("Choice", of=(Literal[tuple(range(1_001))], ...)),
        {},
        "response_format Choice: strict mode takes 1,000 values of enums in all, and not 1,001; ",
    ),
    (
        Invoice,
        {"request_options": {"response_format": {"type": "json_object"}}},
        "response_format= and request_options both say what the answer is to be; leave one out",
    ),
    (
        Invoice,
        {"request_options": {"text": {"format": {"type": "text"}}}},
        "response_format= and request_options both say what the answer is to be; leave one out",
    ),
    (
        Invoice,
        {"tools": [terms]},
        "the result of terms is the answer, to the letter (verbatim), and response_",
    ),
    (Invoice, {"max_output_repairs": None}, "max_output_repairs must be a whole number, 0 or more, not None"),
    (Invoice, {"max_output_repairs": -1}, "max_output_repairs must be a whole number, 0 or more, not -1"),
]


@pytest.mark.parametrize(("kind", "options", "told"), REFUSED)
def test_what_cannot_be_an_answer_is_said_when_the_loop_is_made(
    stand_in: Serve, kind: Any, options: dict[str, Any], told: str
) -> None:
    with pytest.raises(ConfigurationError) as raised:
        loop_at(stand_in([]), kind, **options)
    assert str(raised.value).startswith(told)


def test_the_largest_schema_of_strict_mode_is_sent(stand_in: Serve) -> None:
    server = stand_in([says("No.")])
    loop_at(server, nested(10), max_output_repairs=0).run("Go")
    assert server.requests[0].json["response_format"]["json_schema"]["strict"] is True


def test_what_strict_mode_cannot_say_may_stand_in_the_prompt_beside_json_mode(stand_in: Serve) -> None:
    server = stand_in([says('{"lines": [{"Lyon": 1}]}')])
    mode = {"response_format": {"type": "json_object"}}
    loop = loop_at(server, Loose, profile="generic", request_options=mode)
    assert loop.run("Go").output == Loose(lines=[{"Lyon": 1}])
    assert server.requests[0].json["response_format"] == {"type": "json_object"}


# How a run ends in which no answer comes that could be validated.
REFUSAL: AnyAnswer = {"choices": [{"message": {"content": None, "refusal": "No."}}]}
ENDS: list[tuple[AnyAnswer, dict[str, Any], str, str]] = [
    (REFUSAL, {}, "failed", "refusal"),
    (says(GOOD[:9], finish_reason="length"), {}, "failed", "truncated"),
    (says(GOOD[:9], finish_reason="length"), {"accept_truncated": True}, "limit", "max_output_repairs"),
    (says(answer("break")), {}, "failed", "operation_failed"),
]


@pytest.mark.parametrize(("said", "options", "outcome", "kind"), ENDS, ids=lambda value: str(value)[:20])
def test_an_answer_that_is_none_ends_the_run_as_it_would_without_a_schema(
    run: Run, stand_in: Serve, said: AnyAnswer, options: dict[str, Any], outcome: str, kind: str
) -> None:
    result = run(loop_at(stand_in([said]), max_output_repairs=0, **options))
    assert result.error is not None
    assert (result.outcome, result.error.kind) == (outcome, kind)
    assert KEY not in result.error.message
    assert KEY not in result.snapshot()
    with pytest.raises(OutcomeError) as raised:
        _ = result.output
    assert str(raised.value) == f"{outcome} ({kind}): {result.error.message}"


def test_an_answer_is_validated_once_and_its_value_or_its_fault_is_kept(stand_in: Serve) -> None:
    validated: list[int] = []
    refused: list[Exception] = []

    class Place(BaseModel):
        name: str

        @field_validator("name")
        @classmethod
        def look(cls, name: str) -> str:
            validated.append(threading.get_ident())
            if refused:
                raise refused[-1]
            return name

    loop = loop_at(stand_in([says('{"name": "Lyon"}')]), Place)
    live = loop.start("Where?")
    result = live.run()
    kept = result.snapshot()
    refused.append(ValueError(f"no longer, says {KEY}"))
    assert live.result is not None
    assert result.output is live.result.output
    assert (result.output.name, len(validated), threading.get_ident() in validated) == ("Lyon", 1, False)
    for error in refused[-1], KeyError(KEY):
        refused.append(error)
        loaded = loop.load(kept)
        told = set[str]()
        for _ in range(2):
            with pytest.raises(OutcomeError, match="the answer does not fit its type any more: ") as raised:
                _ = loaded.output
            told.add(str(raised.value))
        assert (len(told), KEY in str(told)) == (1, False)
    assert len(validated) == 3
    refused.clear()
    loaded = loop.load(kept)
    assert loaded.output is loaded.output
    assert len(validated) == 4


def test_a_run_at_its_last_repair_goes_on_with_more_of_them(
    run: Run, stand_in: Serve, tmp_path: Path
) -> None:
    with closing(JournalFile(tmp_path / "runs.db")) as journal:
        server = stand_in([says(BAD), says(GOOD)])
        result = run(loop_at(server, journal=journal, max_output_repairs=0))
        loop = loop_at(server, journal=journal)
        with pytest.raises(
            ConfigurationError, match=r"at its limit \(max_output_repairs\); give it a larger"
        ):
            loop.resume(result.run_id)
        for other in (None, Point):
            with pytest.raises(SnapshotError, match="has another schema than this loop's response_format"):
                loop_at(server, other, journal=journal).resume(result.run_id)
        resumed = loop.resume(result.run_id, changes={"max_output_repairs": 1})
        assert (resumed.outcome, resumed.output) == ("completed", INVOICE)
        assert len(server.requests) == 2
        assert loop.load(result.run_id).output == INVOICE
        assert loop.fingerprint != loop_at(server, Point).fingerprint
        (tmp_path / "run.json").write_text(resumed.export())
    replayed = replay_file(tmp_path / "run.json")
    assert replayed.difference is None
    assert replayed.result is not None
    assert replayed.result.output == GOOD


def test_the_stream_shows_the_answer_that_is_not_taken_too(stand_in: Serve) -> None:
    loop = loop_at(stand_in([says(BAD), says(GOOD)]))
    pieces = [""]
    with loop.stream("Go") as stream:
        for event in stream:
            if isinstance(event, TextDelta):
                pieces[-1] += event.text
            elif isinstance(event, OperationEnded) and event.step.operation == "repair_output":
                pieces.append("")
    assert pieces == [BAD, GOOD]
    assert stream.result is not None
    assert stream.result.output == INVOICE


def test_a_closing_answer_is_validated_and_the_run_stays_at_its_limit(run: Run, stand_in: Serve) -> None:
    options: dict[str, Any] = {"max_iterations": 0, "on_limit": "final_answer", "max_output_repairs": 1}
    result = run(loop_at(stand_in([calls(("ping", {})), says(BAD), says(GOOD)]), **options))
    assert (result.outcome, result.output) == ("limit", INVOICE)
    result = run(loop_at(stand_in([calls(("ping", {})), says(BAD), says(BAD)]), **options))
    assert result.error is not None
    assert (result.outcome, result.error.kind, result.final_response) == ("limit", "max_iterations", None)
    assert [note.code for note in result.warnings] == ["output_repaired", "output_invalid"]


@pytest.mark.parametrize(
    "options", [{"use_previous_response_id": True}, {"request_options": {"conversation": "c"}}]
)
def test_an_endpoint_that_keeps_the_conversation_is_told_the_faults_alone(
    stand_in: Serve, options: dict[str, Any]
) -> None:
    server = stand_in([says(BAD), says(GOOD)])
    assert loop_at(server, api="responses", **options).run("Go").output == INVOICE
    (only,) = sent(server)
    assert only["content"].startswith("Your answer does not fit its JSON schema: number: ")


def test_a_schema_in_the_prompt_of_earlier_messages_gives_way_to_that_of_the_loop(stand_in: Serve) -> None:
    server = stand_in([says('{"id": 7}'), says('{"x": 1}')])
    earlier = loop_at(server, Order, profile="generic", system_prompt="Be brief.").run("Go").messages
    assert loop_at(server, Point, profile="generic").run("On", history=earlier).output == Point(1)
    prompt = sent(server)[0]["content"]
    assert prompt.startswith("Be brief.\n\nYour final answer is one JSON object")
    assert (prompt.count("JSON schema:"), prompt.count('"id"'), prompt.count('"x"')) == (1, 0, 2)


def test_later_turns_of_a_conversation_are_told_the_answers_that_fitted(
    stand_in: Serve, tmp_path: Path
) -> None:
    server = stand_in([says(BAD), says(f"```\n{GOOD}\n```"), says('{"x": 2, "y": 3}')])
    with closing(JournalFile(tmp_path / "runs.db")) as journal:
        assert loop_at(server, journal=journal).conversation("ada").run("Invoice").output == INVOICE
        assert loop_at(server, Point, journal=journal).conversation("ada").run("Where").output == Point(2, 3)
    assert [message["content"] for message in sent(server)] == ["Invoice", GOOD, "Where"]

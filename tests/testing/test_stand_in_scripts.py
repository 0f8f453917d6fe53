"""A script in each of its forms: answers in order, a function, a table of rules; and what is no script."""

from collections.abc import Callable
from typing import Any

import pytest

from callagain.engine.errors import ConfigurationError
from callagain.testing import (
    Answer,
    Answers,
    Rule,
    Rules,
    Script,
    StandIn,
    Turn,
    call,
    calls,
    says,
)
from callagain.testing.plugin import StartStandIn

Send = Callable[..., tuple[int, Any]]
Body = dict[str, Any]
Ask = Callable[[StandIn, Body], Body]


def tool(name: str) -> Body:
    return {"type": "function", "function": {"name": name, "parameters": {"type": "object"}}}


def asks(question: Any, *after: Body, **more: Any) -> Body:
    tools = {"tools": [tool("get_weather"), tool("add")]} if "tools" not in more else {}
    return {"model": "m", "messages": [{"role": "user", "content": question}, *after], **tools, **more}


def round_of(**results: str) -> list[Body]:
    """One round: a call for each id, and its result."""
    entries = [
        {"id": id_, "type": "function", "function": {"name": "get_weather", "arguments": "{}"}}
        for id_ in results
    ]
    answers = [{"role": "tool", "tool_call_id": id_, "content": text} for id_, text in results.items()]
    return [{"role": "assistant", "content": None, "tool_calls": entries}, *answers]


def made_calls(message: Body) -> list[tuple[str, str]]:
    return [(one["function"]["name"], one["function"]["arguments"]) for one in message["tool_calls"]]


# Answers in order


def test_gives_answers_in_order(stand_in: StartStandIn, ask: Ask) -> None:
    server = stand_in([says("one"), "two", says("three")])
    assert [ask(server, asks("Hi"))["content"] for _ in range(3)] == ["one", "two", "three"]


def test_says_when_the_script_is_used_up(stand_in: StartStandIn, send: Send) -> None:
    server = stand_in(["one", "two"])
    for _ in range(2):
        send(server, asks("Hi"))
    status, answer = send(server, asks("Hi"))
    assert status == 500
    assert answer["error"]["message"] == (
        "The stand-in's script of 2 answers is used up: add one to it, or set repeat_last."
    )
    assert answer["error"]["code"] == "script_used_up"


def test_a_refused_request_uses_up_no_answer(stand_in: StartStandIn, send: Send) -> None:
    server = stand_in(["one"])
    assert send(server, asks("Hi", tools=[]))[0] == 400
    assert send(server, asks("Hi"))[0] == 200


@pytest.mark.parametrize("script", [["one", "two"], Answers(["one", "two"])])
def test_repeats_the_last_answer_where_asked_to(stand_in: StartStandIn, ask: Ask, script: Script) -> None:
    server = stand_in(script, repeat_last=True)
    assert [ask(server, asks("Hi"))["content"] for _ in range(4)] == ["one", "two", "two", "two"]


def test_one_script_serves_two_stand_ins(stand_in: StartStandIn, ask: Ask) -> None:
    script = Answers(["one"])
    assert ask(stand_in(script), asks("Hi")) == ask(stand_in(script), asks("Hi"))


def test_calls_tools_in_parallel(stand_in: StartStandIn, send: Send) -> None:
    server = stand_in(
        [calls(("get_weather", {"city": "Zürich"}), call("add", {"a": 1, "b": 2}), text="I look.")]
    )
    _, answer = send(server, asks("Hi"))
    message = answer["choices"][0]["message"]
    assert message == {
        "role": "assistant",
        "content": "I look.",
        "refusal": None,
        "tool_calls": [
            {
                "id": "call_1",
                "type": "function",
                "function": {"name": "get_weather", "arguments": '{"city":"Zürich"}'},
            },
            {"id": "call_2", "type": "function", "function": {"name": "add", "arguments": '{"a":1,"b":2}'}},
        ],
    }
    assert answer["choices"][0]["finish_reason"] == "tool_calls"


def test_call_ids_are_new_to_the_conversation(stand_in: StartStandIn, ask: Ask) -> None:
    server = stand_in([calls(("add", {}), call("add", id="call_5"), ("add", {}))])
    message = ask(server, asks("Hi", *round_of(call_1="1", call_4="2", call_6="3")))
    assert [one["id"] for one in message["tool_calls"]] == ["call_7", "call_5", "call_8"]


def test_an_id_and_broken_arguments_are_sent_as_written(stand_in: StartStandIn, ask: Ask) -> None:
    server = stand_in([calls(call("add", '{"a": 1', id="call_x"), call("add", "", id="call_x"))])
    message = ask(server, asks("Hi"))
    assert [one["id"] for one in message["tool_calls"]] == ["call_x", "call_x"]
    assert made_calls(message) == [("add", '{"a": 1'), ("add", "")]


def test_a_list_calls_what_it_says_even_if_no_tool_is_announced(stand_in: StartStandIn, ask: Ask) -> None:
    message = ask(stand_in([calls(("launch", {}))]), asks("Hi", tools=None))
    assert made_calls(message) == [("launch", "{}")]


def test_an_answer_carries_usage_and_finish_reason(stand_in: StartStandIn, send: Send) -> None:
    server = stand_in(
        [says("cut", finish_reason="length", usage={"prompt_tokens": 1200, "completion_tokens": 30})]
    )
    _, answer = send(server, asks("Hi"))
    assert answer["choices"][0]["finish_reason"] == "length"
    assert answer["usage"] == {"prompt_tokens": 1200, "completion_tokens": 30, "total_tokens": 1230}


def test_a_mapping_is_the_body_of_the_response(stand_in: StartStandIn, send: Send) -> None:
    assert send(stand_in([{"choices": []}]), asks("Hi")) == (200, {"choices": []})


@pytest.mark.parametrize("body", ["<html>503</html>", b"<html>503</html>"])
def test_an_answer_of_text_is_sent_as_it_is(stand_in: StartStandIn, send: Send, body: str | bytes) -> None:
    server = stand_in([Answer(503, body, {"content-type": "text/html"})])
    assert send(server, asks("Hi")) == (503, "<html>503</html>")


@pytest.mark.parametrize("body", [{"error": "x"}, [1], None])
def test_an_answer_of_anything_else_is_sent_as_json(stand_in: StartStandIn, send: Send, body: object) -> None:
    assert send(stand_in([Answer(418, body)]), asks("Hi")) == (418, body)


# A function


def test_a_function_answers_from_the_request(stand_in: StartStandIn, ask: Ask) -> None:
    server = stand_in(lambda request: says(f"You use {request['model']}."))
    assert ask(server, asks("Hi"))["content"] == "You use m."


def test_tells_the_client_when_a_script_fails(stand_in: StartStandIn, send: Send) -> None:
    status, answer = send(stand_in(lambda request: says(str(request["missing"]))), asks("Hi"))
    assert (status, answer["error"]["message"]) == (500, "The stand-in's script failed: KeyError: 'missing'")
    assert answer["error"]["type"] == "server_error"


def test_tells_the_client_when_an_answer_is_no_json(stand_in: StartStandIn, send: Send) -> None:
    status, answer = send(stand_in([Answer(200, {"when": object()})]), asks("Hi"))
    assert status == 500
    assert answer["error"]["message"].startswith(
        "The stand-in's script failed: JsonError: cannot be written as"
    )


# What is no script


def unchecked(script: Any) -> StandIn:
    return StandIn(script)


@pytest.mark.parametrize(
    ("build", "message"),
    [
        (lambda: unchecked([says("a"), Rule("b", ["c"])]), "a list of answers or a list of rules, not both"),
        (lambda: unchecked("text"), "a list of answers, a list of rules or a function, not str"),
        (lambda: unchecked(7), "a list of answers, a list of rules or a function, not int"),
        (lambda: StandIn([], repeat_last=True), "repeat_last needs at least one answer"),
        (lambda: StandIn([Rule("a", ["b"])], repeat_last=True), "repeat_last is for a list of answers"),
        (lambda: StandIn(Rules([]), repeat_last=True), "repeat_last is for a list of answers"),
        (lambda: Rule("(", ["b"]), r"the rule's regular expression '\(' is wrong"),
        (lambda: Rule("a", []), "needs a list of at least one answer"),
        (lambda: Rule("a", "text"), "needs a list of at least one answer"),
        (lambda: Rule("a", ["{city}"]), r"\{city\} names no group .* write \{\{city\}\} for the text itself"),
        (lambda: Rule("a", [calls(("f", {"x": ["{1}"]}))]), r"\{1\} names no group"),
        (lambda: calls(), r"calls\(\) needs at least one call"),
    ],
)
def test_refuses_what_is_no_script(build: Callable[[], object], message: str) -> None:
    with pytest.raises(ConfigurationError, match=message):
        build()


WEATHER = [
    Rule(
        asked=r"weather in (?P<city>\w+)",
        then=[
            calls(("get_weather", {"city": "{city}"})),
            lambda turn: says(f"{turn['city']}: {turn.results[0]['degrees']} degrees."),
        ],
    ),
    Rule(
        asked=r"add (\d+) and (\d+)",
        then=[calls(("add", {"a": "{1:number}", "b": "{2:number}"})), "{result}"],
    ),
]


def test_the_first_step_answers_the_question(stand_in: StartStandIn, ask: Ask) -> None:
    message = ask(stand_in(WEATHER), asks("What is the WEATHER in Rome?"))
    assert made_calls(message) == [("get_weather", '{"city":"Rome"}')]


def test_the_next_step_answers_the_round(stand_in: StartStandIn, ask: Ask) -> None:
    message = ask(stand_in(WEATHER), asks("Weather in Rome?", *round_of(call_1='{"degrees": 21}')))
    assert message["content"] == "Rome: 21 degrees."


def test_the_last_step_is_for_all_further_rounds(stand_in: StartStandIn, ask: Ask) -> None:
    rounds = [*round_of(a="1"), *round_of(b="2"), *round_of(c="3")]
    assert ask(stand_in(WEATHER), asks("add 1 and 2", *rounds))["content"] == "3"


def test_only_the_newest_question_counts(stand_in: StartStandIn, ask: Ask) -> None:
    server = stand_in(WEATHER)
    history = [*round_of(a='{"degrees": 21}'), {"role": "assistant", "content": "Rome: 21 degrees."}]
    message = ask(server, asks("Weather in Rome?", *history, {"role": "user", "content": "add 4 and 5"}))
    assert made_calls(message) == [("add", '{"a":4,"b":5}')]


def test_a_repeated_request_gets_the_same_answer(stand_in: StartStandIn, ask: Ask) -> None:
    server = stand_in(WEATHER)
    assert ask(server, asks("Weather in Rome?")) == ask(server, asks("Weather in Rome?"))


def test_the_first_matching_rule_wins(stand_in: StartStandIn, ask: Ask) -> None:
    server = stand_in([Rule("order", ["first"]), Rule("order 7", ["second"]), Rule("", ["anything"])])
    assert ask(server, asks("order 7"))["content"] == "first"
    assert ask(server, asks("else"))["content"] == "anything"


def test_reads_a_question_in_parts(stand_in: StartStandIn, ask: Ask) -> None:
    parts = [{"type": "text", "text": "weather in "}, {"type": "text", "text": "Oslo"}]
    assert made_calls(ask(stand_in(WEATHER), asks(parts))) == [("get_weather", '{"city":"Oslo"}')]


def test_says_that_no_rule_matches(stand_in: StartStandIn, ask: Ask) -> None:
    assert ask(stand_in(WEATHER), asks("Tell a joke"))["content"] == (
        "No rule of the stand-in's script matches 'Tell a joke'."
    )


@pytest.mark.parametrize(
    ("settings", "reason"),
    [
        ({"tool_choice": "none"}, "I cannot call get_weather: tool_choice is 'none'."),
        (
            {"tools": None},
            "I cannot call get_weather: the request does not offer it (announced tools: none).",
        ),
        (
            {"tools": [tool("add")]},
            "I cannot call get_weather: the request does not offer it (announced tools: add).",
        ),
        (
            {"tool_choice": {"type": "function", "function": {"name": "add"}}},
            "I cannot call get_weather: the request does not offer it (announced tools: get_weather, add).",
        ),
        (
            {
                "tool_choice": {
                    "type": "allowed_tools",
                    "allowed_tools": {"mode": "auto", "tools": [tool("add")]},
                }
            },
            "I cannot call get_weather: the request does not offer it (announced tools: get_weather, add).",
        ),
    ],
)
def test_calls_only_what_the_request_offers(
    stand_in: StartStandIn, ask: Ask, settings: Body, reason: str
) -> None:
    message = ask(stand_in(WEATHER), asks("weather in Rome", **settings))
    assert message["content"] == reason
    assert "tool_calls" not in message


def test_a_rule_has_its_own_words_for_a_call_it_cannot_make(stand_in: StartStandIn, ask: Ask) -> None:
    rule = Rule("weather", [calls(("get_weather", {}))], otherwise="I have no weather service.")
    message = ask(stand_in([rule]), asks("weather?", tool_choice="none"))
    assert message["content"] == "I have no weather service."


def test_a_step_may_be_any_answer(stand_in: StartStandIn, send: Send) -> None:
    server = stand_in([Rule("limit", [Answer(429, {"error": "slow"})]), Rule("raw", [{"choices": []}])])
    assert send(server, asks("limit")) == (429, {"error": "slow"})
    assert send(server, asks("raw")) == (200, {"choices": []})


# What a turn and a placeholder can see


def fill(stand_in: StartStandIn, ask: Ask, template: str, *results: str, question: str = "ask Rome") -> str:
    rule = Rule(r"ask (?P<city>\w+)( please)?", [template])
    rounds = round_of(**{f"c{number}": text for number, text in enumerate(results)}) if results else []
    content = ask(stand_in([rule]), asks(question, *rounds))["content"]
    assert isinstance(content, str)
    return content


@pytest.mark.parametrize(
    ("template", "text"),
    [
        ("{city} {1} {0}", "Rome Rome ask Rome"),
        ("{result}", '{"degrees":21,"sky":["blue"]}'),
        ("{result.degrees} {results.0.degrees}", "21 21"),
        ("{result.sky.0} and {results.1}", "blue and 1.50"),
        ("{{city}} {{result.x}}", "{city} {result.x}"),
        ('{"a": {"b": 1}} {} { city }', '{"a": {"b": 1}} {} { city }'),
    ],
)
def test_fills_placeholders(stand_in: StartStandIn, ask: Ask, template: str, text: str) -> None:
    assert fill(stand_in, ask, template, '{"degrees": 21, "sky": ["blue"]}', "1.50") == text


def test_what_was_put_in_is_not_searched_again(stand_in: StartStandIn, ask: Ask) -> None:
    assert fill(stand_in, ask, "got {result}", "{city} and {result}") == "got {city} and {result}"


@pytest.mark.parametrize(
    ("template", "placeholder"),
    [
        ("{result.degrees}", "{result.degrees}"),
        ("{results.1}", "{results.1}"),
        ("a {2} b", "{2}"),
        ("{city:number}", "{city:number}"),
    ],
)
def test_says_which_placeholder_has_no_value(
    stand_in: StartStandIn, ask: Ask, template: str, placeholder: str
) -> None:
    assert fill(stand_in, ask, template, "no JSON") == (
        f"The stand-in's rule 'ask (?P<city>\\\\w+)( please)?' needs {placeholder}, "
        "which this conversation does not have."
    )


def test_an_argument_keeps_the_type_of_a_result(stand_in: StartStandIn, ask: Ask) -> None:
    rule = Rule("sum", [calls(("add", {"all": ["{results.0}", "{results.1}", "n={results.0}"], "key": 1}))])
    message = ask(stand_in([rule]), asks("sum", *round_of(a="7", b='{"x": null}')))
    assert made_calls(message) == [("add", '{"all":[7,{"x":null},"n=7"],"key":1}')]


def test_a_value_cannot_break_out_of_the_arguments(stand_in: StartStandIn, ask: Ask) -> None:
    rule = Rule("find (.+)", [calls(("add", {"text": "<{1}>"}))])
    message = ask(stand_in([rule]), asks('find "}, \\ {1}'))
    assert made_calls(message) == [("add", '{"text":"<\\"}, \\\\ {1}>"}')]


def test_arguments_given_as_text_are_not_filled(stand_in: StartStandIn, ask: Ask) -> None:
    rule = Rule("find (.+)", [calls(call("add", '{"text": "{1}"}'))])
    assert made_calls(ask(stand_in([rule]), asks("find it"))) == [("add", '{"text": "{1}"}')]


def test_a_turn_shows_question_step_and_the_newest_results(stand_in: StartStandIn, ask: Ask) -> None:
    seen: list[Turn] = []

    def look(turn: Turn) -> str:
        seen.append(turn)
        return "seen"

    rounds = [*round_of(a="old"), *reversed_results(round_of(b="2.5", c="007", d="[1]"))]
    ask(stand_in([Rule("go (now)?", [look])]), asks("Go on", *rounds))
    turn = seen[0]
    assert (turn.question, turn.step, turn[1]) == ("Go on", 2, "")
    assert turn.results == [2.5, "007", [1]]
    assert turn.request["model"] == "m"


def reversed_results(messages: list[Body]) -> list[Body]:
    return [messages[0], *reversed(messages[1:])]

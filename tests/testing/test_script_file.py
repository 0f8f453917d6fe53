"""A script as a JSON file: what it can say, and the one line that tells what is wrong with it."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from callagain.engine.errors import ConfigurationError
from callagain.testing import Answer, Answers, Rule, Rules, call, calls, faulty, load_script, says
from callagain.testing.plugin import StartStandIn

Send = Callable[..., tuple[int, Any]]


@pytest.fixture
def write(tmp_path: Path) -> Callable[[object], Path]:
    def write(content: object) -> Path:
        path = tmp_path / "script.json"
        path.write_bytes(content if isinstance(content, bytes) else json.dumps(content).encode())
        return path

    return write


Write = Callable[[object], Path]


def test_reads_answers(write: Write) -> None:
    document = {
        "answers": [
            "Hello.",
            {"says": "Cut", "finish_reason": "length", "usage": {"prompt_tokens": 7}},
            {
                "calls": [{"name": "add", "arguments": {"a": 1}, "id": "c7"}, {"name": "ping"}],
                "says": "I look.",
            },
            {"calls": [{"name": "add", "arguments": "{broken"}]},
            {"status": 429, "headers": {"retry-after": "1"}, "body": {"error": "slow"}},
            {"body": "text"},
            {"says": "Yes.", "reasoning": "Why not?"},
            {"calls": [{"name": "ping"}], "reasoning": "Is it there?", "stall_after": 3},
            {"status": 200, "body": "text", "cut_after": 2, "drip": 0.5},
        ],
        "repeat_last": True,
    }
    assert load_script(write(document)) == Answers(
        [
            "Hello.",
            says("Cut", finish_reason="length", usage={"prompt_tokens": 7}),
            calls(call("add", {"a": 1}, id="c7"), call("ping"), text="I look."),
            calls(call("add", "{broken")),
            Answer(429, {"error": "slow"}, {"retry-after": "1"}),
            Answer(200, "text"),
            says("Yes.", reasoning="Why not?"),
            faulty(calls(call("ping"), reasoning="Is it there?"), stall_after=3),
            faulty(Answer(200, "text"), cut_after=2, drip=0.5),
        ],
        repeat_last=True,
    )


def test_reads_rules(write: Write) -> None:
    document = {
        "rules": [
            {
                "asked": r"in (?P<city>\w+)",
                "then": [{"calls": [{"name": "f", "arguments": {"x": "{city}"}}]}, "{result}"],
            },
            {"asked": "", "then": ["Sorry."], "otherwise": "No."},
        ]
    }
    assert load_script(write(document)) == Rules(
        [
            Rule(r"in (?P<city>\w+)", [calls(("f", {"x": "{city}"})), "{result}"]),
            Rule("", ["Sorry."], otherwise="No."),
        ]
    )


def test_a_file_is_served(write: Write, stand_in: StartStandIn, send: Send) -> None:
    path = write({"rules": [{"asked": "I am (\\w+)", "then": ["Hello, {1}."]}]})
    body = {"model": "m", "messages": [{"role": "user", "content": "I am Ada"}]}
    _, answer = send(stand_in(load_script(path)), body)
    assert answer["choices"][0]["message"]["content"] == "Hello, Ada."


WRONG: list[tuple[Any, str]] = [
    (b"{", "is not JSON: Expecting property name"),
    (b'{"answers": [], "answers": []}', "is not JSON: the key 'answers' stands twice in one object"),
    (b"\xff\xfe", "is not UTF-8 text"),
    ([], 'the file must hold an object with the key "answers" or "rules"'),
    ({"rule": []}, 'the file must hold an object with the key "answers" or "rules"'),
    ({"answers": {}}, "answers must be a list"),
    (
        {"answers": [], "repeat": True},
        "the file has the unknown key 'repeat'; known: answers, repeat_last",
    ),
    ({"rules": [], "repeat_last": True}, "the file has the unknown key 'repeat_last'; known: rules"),
    ({"answers": ["a"], "repeat_last": 1}, "repeat_last must be true or false"),
    (
        {"answers": ["a", 7]},
        'answers[1] must be a text or an object with "says", "calls", "status" or "body"',
    ),
    (
        {"answers": [{"say": "a"}]},
        'answers[0] must be a text or an object with "says", "calls", "status"',
    ),
    ({"answers": [{"says": 7}]}, "answers[0].says must be a text"),
    (
        {"answers": [{"says": "a", "status": 200}]},
        "answers[0] has the unknown key 'status'; known: calls,",
    ),
    ({"answers": [{"says": "a", "usage": 7}]}, "answers[0].usage must be an object"),
    ({"answers": [{"calls": []}]}, "answers[0].calls needs at least one call"),
    ({"answers": [{"calls": ["add"]}]}, "answers[0].calls[0] must be an object"),
    ({"answers": [{"calls": [{"arguments": {}}]}]}, "answers[0].calls[0].name must be a text"),
    (
        {"answers": [{"calls": [{"name": "f", "arguments": 7}]}]},
        "answers[0].calls[0].arguments must be an object",
    ),
    ({"answers": [{"says": "a", "reasoning": 7}]}, "answers[0].reasoning must be a text"),
    ({"answers": [{"says": "a", "cut_after": "3"}]}, "answers[0].cut_after must be a whole number of bytes"),
    (
        {"answers": [{"body": 1, "stall_after": 1.5}]},
        "answers[0].stall_after must be a whole number of bytes",
    ),
    ({"answers": [{"body": 1, "drip": "slow"}]}, "answers[0].drip must be a number of seconds"),
    (
        {"answers": [{"says": "a", "cut_after": -1}]},
        "answers[0]: cut_after must be a number of bytes, 0 or more",
    ),
    ({"answers": [{"status": 99}]}, "answers[0].status must be a number from 200 to 599"),
    ({"answers": [{"status": 200, "headers": {"a": 1}}]}, "answers[0].headers.a must be a text"),
    ({"rules": ["a"]}, "rules[0] must be an object"),
    ({"rules": [{"then": ["a"]}]}, "rules[0].asked must be a text"),
    ({"rules": [{"asked": "a"}]}, "rules[0].then must be a list"),
    (
        {"rules": [{"asked": "a", "then": []}]},
        "rules[0]: the rule 'a' needs a list of at least one answer",
    ),
    ({"rules": [{"asked": "(", "then": ["a"]}]}, "rules[0]: the rule's regular expression '(' is wrong"),
    ({"rules": [{"asked": "a", "then": ["{b}"]}]}, "rules[0]: {b} names no group"),
]


@pytest.mark.parametrize(("content", "message"), WRONG)
def test_says_in_one_line_what_is_wrong(write: Write, content: object, message: str) -> None:
    path = write(content)
    with pytest.raises(ConfigurationError) as error:
        load_script(path)
    text = str(error.value)
    assert text.startswith(f"the script {path}")
    assert message in text
    assert "\n" not in text


def test_a_byte_order_mark_is_no_mistake(write: Write) -> None:
    assert load_script(write(b'\xef\xbb\xbf{"answers": ["Hello."]}')) == Answers(["Hello."])


def test_says_when_there_is_no_file(tmp_path: Path) -> None:
    with pytest.raises(ConfigurationError, match=r"cannot read the script .*none\.json: No such file"):
        load_script(tmp_path / "none.json")

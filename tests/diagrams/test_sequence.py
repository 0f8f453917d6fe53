"""The sequence diagram of a run: who said what to whom, in Mermaid and as SVG."""

import html
import re
import xml.etree.ElementTree as ElementTree
from collections.abc import Callable
from typing import Any

import mmdr
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.diagrams.pictures import SVG
from tests.diagrams.runs import look_up, loop_with

from callagain import approve, deny, tool
from callagain.diagrams import Walk, sequence_mermaid, sequence_svg
from callagain.diagrams.mermaid import name_in_a_sequence, text_in_a_sequence
from callagain.diagrams.plain_text import one_line
from callagain.diagrams.text_size import width
from callagain.testing import Answer, StandIn, calls, says

Serve = Callable[..., StandIn]
LOOK = calls(("look_up", {"name": "Ada"}))
PAY = calls(("pay", {"amount": 5}))
DOWN = Answer(503, {"error": {"message": "down"}})
TEXTS = [
    "<script>alert(1)</script>",
    "a; b # c %% d",
    "wrap: it",
    'say "hello": {}',
    "P0->>P1: other",
    "end",
    "$$x^2$$ `code` back\\slash",
    "naïve – 日本 🚀",
    "two\nlines",
    "control \x07 and lone \ud800",
]


def lines(walk: Walk) -> list[str]:
    """The Mermaid text without the participants, their ids replaced by their names."""
    text = sequence_mermaid(walk)
    names = dict(re.findall(r"participant (P\d+) as (.*)", text))
    body = [line.strip() for line in text.splitlines()[1:] if not line.strip().startswith("participant")]
    return [re.sub(r"P\d+\b", lambda found: names[found.group()], line) for line in body]


def in_svg(walk: Walk) -> ElementTree.Element:
    return ElementTree.fromstring(sequence_svg(walk))


def rendered(walk: Walk) -> list[str]:
    svg = mmdr.render(sequence_mermaid(walk)).svg()  # pyright: ignore[reportUnknownMemberType]
    texts = re.findall(r"<text.*?</text>", svg, re.DOTALL)
    return [html.unescape(re.sub(r"<[^>]*>", "", text)) for text in texts]


def run(server: StandIn, message: str = "Go", **settings: Any) -> Walk:
    return loop_with(server, **settings).run(message).walk


def test_says_who_said_what_to_whom(stand_in: Serve) -> None:
    walk = run(stand_in([LOOK, says("She is C-12.")]), "Who is Ada?")
    assert lines(walk) == [
        "caller->>callagain: Who is Ada?",
        "callagain->>LLM endpoint: 1 message, 2 tools",
        "LLM endpoint-->>callagain: calls look_up",
        'callagain->>look_up: {"name":"Ada"}',
        "look_up-->>callagain: Ada: C-12",
        "callagain->>LLM endpoint: 3 messages, 2 tools",
        "LLM endpoint-->>callagain: She is C-12.",
        "callagain-->>caller: She is C-12.",
    ]


def test_calls_of_one_response_run_at_the_same_time(stand_in: Serve) -> None:
    both = calls(("look_up", {"name": "Ada"}), ("look_up", {"name": "Bob"}))
    walk = run(stand_in([both, says("Both.")]))
    assert lines(walk)[3:10] == [
        "par",
        'callagain->>look_up: {"name":"Ada"}',
        "look_up-->>callagain: Ada: C-12",
        "and",
        'callagain->>look_up: {"name":"Bob"}',
        "look_up-->>callagain: Bob: C-12",
        "end",
    ]
    assert len(in_svg(walk).findall(f".//{SVG}g[@class='together']/{SVG}g")) == 4


def test_shows_attempts_that_were_made_again(stand_in: Serve) -> None:
    walk = run(stand_in([DOWN, DOWN, says("At last.")]))
    assert lines(walk)[1:5] == [
        "callagain-xLLM endpoint: 1 message, 2 tools, attempt 1 of 3",
        "callagain-xLLM endpoint: 1 message, 2 tools, attempt 2 of 3",
        "callagain->>LLM endpoint: 1 message, 2 tools",
        "LLM endpoint-->>callagain: At last.",
    ]


def test_shows_what_failed(stand_in: Serve) -> None:
    def break_off() -> str:
        """Fails."""
        raise ValueError("no such person")

    server = stand_in([calls(("break_off", {})), DOWN])
    walk = run(server, tools=[break_off], max_retries=0)
    assert lines(walk)[4] == "break_off--xcallagain: tool exception: ValueError: no such person"
    assert lines(walk)[-2:] == [
        "LLM endpoint--xcallagain: 503: down",
        "callagain--xcaller: failed: provider_unavailable",
    ]


def test_shows_a_call_that_could_not_be_run(stand_in: Serve) -> None:
    walk = run(stand_in([calls(("nothing", {})), says("Oh.")]))
    assert lines(walk)[3] == "Note over callagain: nothing is not called: unknown tool"


def test_shows_what_waits_and_what_was_decided(stand_in: Serve) -> None:
    loop = loop_with(stand_in([PAY, says("Paid."), says("Not paid.")]))
    held = loop.run("Go")
    assert lines(held.walk)[3:] == [
        'Note over callagain,pay: pay {"amount":5} waits, approval required',
        "callagain-->>caller: suspended",
    ]
    call_id = held.pending_calls[0].id
    assert lines(loop.resume(held, decisions={call_id: approve}).walk)[3:7] == [
        "Note over callagain,pay: held: approval required",
        "caller->>callagain: run it",
        'callagain->>pay: {"amount":5}',
        "pay-->>callagain: paid 5",
    ]


def test_a_call_that_was_denied_is_not_made(stand_in: Serve) -> None:
    loop = loop_with(stand_in([PAY, says("Not paid.")]))
    held = loop.run("Go")
    walk = loop.resume(held, decisions={held.pending_calls[0].id: deny("too much")}).walk
    assert lines(walk)[3] == "Note over callagain,pay: held: approval required"
    assert lines(walk)[4].startswith("caller->>callagain: answers for it: ")
    assert "too much" in lines(walk)[4]
    assert not any(line.startswith("callagain->>pay") for line in lines(walk))


def test_a_resumed_run_goes_on_behind_what_it_ended_as(stand_in: Serve) -> None:
    loop = loop_with(stand_in([LOOK, LOOK, says("So.")]), max_iterations=1)
    walk = loop.resume(loop.run("Go"), changes={"max_iterations": 5}).walk
    shown = lines(walk)
    place = shown.index("callagain--xcaller: limit")
    assert shown[place + 1] == "caller->>callagain: resume"
    # The request before the limit is not made again.
    assert sum("LLM endpoint:" in line and "->>" in line for line in shown) == 3


def test_a_long_run_is_shortened_in_the_middle_and_says_so(stand_in: Serve) -> None:
    walk = run(stand_in([LOOK] * 19 + [says("So.")]), max_iterations=50)
    shown = lines(walk)
    assert sum("message" in line for line in shown) == 10
    assert "Note over callagain,LLM endpoint: 10 rounds are left out, 6 to 15 of 20" in shown
    assert "are left out" in "".join(in_svg(walk).itertext())
    assert sum("message" in line for line in sequence_mermaid(walk, rounds=30).splitlines()) == 20
    assert "left out" not in sequence_mermaid(walk, rounds=20)
    assert "19 rounds are left out, 2 to 20 of 20" in sequence_mermaid(walk, rounds=1)


def test_of_many_calls_those_in_the_middle_are_left_out_and_counted(stand_in: Serve) -> None:
    many = calls(*(("look_up", {"name": str(number)}) for number in range(30)))
    shown = lines(run(stand_in([many, says("So.")])))
    assert shown[2] == "LLM endpoint-->>callagain: calls look_up, look_up, look_up and 27 more"
    assert shown.count("and") == 8
    assert "Note over callagain,LLM endpoint: 22 calls are left out, 5 to 26 of 30" in shown


def test_a_long_text_is_shortened_visibly(stand_in: Serve) -> None:
    shown = lines(run(stand_in([says("word " * 1_000)])))
    assert shown[-1].endswith(" word word…")
    assert max(map(len, shown)) < 100


@pytest.mark.parametrize("text", TEXTS)
def test_any_text_is_shown_as_it_is(text: str, stand_in: Serve) -> None:
    @tool
    def echo() -> str:
        """Says it."""
        return text

    walk = run(stand_in([calls(("echo", {})), says(text)]), text, tools=[echo])
    shown = one_line(text)
    assert rendered(walk).count(shown) >= 3
    words = ["".join(each.itertext()) for each in in_svg(walk).iter(f"{SVG}text")]
    assert words.count(shown) >= 3


@settings(max_examples=60)
@given(st.text(max_size=30))
def test_no_text_breaks_out_of_its_place(text: str) -> None:
    said, name = text_in_a_sequence(text), name_in_a_sequence(f"n{text}n")
    mermaid = f"sequenceDiagram\n    participant P0 as {name}\n    P0->>P0: {said}\n    P0->>P0: last\n"
    assert mermaid.count("\n") == 4
    svg = mmdr.render(mermaid).svg()  # pyright: ignore[reportUnknownMemberType]
    assert ">last<" in re.sub(r"</?tspan[^>]*>", "", svg)


def test_in_the_picture_every_text_has_its_room(stand_in: Serve) -> None:
    @tool
    def a_tool_with_a_very_long_name_indeed(text: str) -> str:
        """Says it again."""
        return text

    wide = calls(("a_tool_with_a_very_long_name_indeed", {"text": "x" * 50}), ("look_up", {"name": "y" * 50}))
    server = stand_in([wide, calls(("nothing_that_there_is_" * 2, {})), says("z " * 40)])
    walk = run(server, "Go " * 30, tools=[a_tool_with_a_very_long_name_indeed, look_up])
    root = in_svg(walk)
    _, _, wide_all, high_all = map(float, root.attrib["viewBox"].split())
    (group,) = root.findall(f"./{SVG}g")
    shift = float(re.findall(r"translate\(([-\d.]+),", group.attrib["transform"])[0])
    for each in root.iter(f"{SVG}text"):
        size = 14 if each.get("class") is None else 12
        taken = width(each.text or "", size) * (0.5 if each.get("text-anchor") == "middle" else 1)
        x = float(each.attrib["x"]) + shift
        assert x + taken <= wide_all
        assert x - (taken if each.get("text-anchor") == "middle" else 0) >= 0
        assert 0 < float(each.attrib["y"]) < high_all
    for frame in root.iter(f"{SVG}rect"):
        assert float(frame.attrib["width"]) <= wide_all
        assert frame.get("class") == "paper" or float(frame.attrib["x"]) + shift >= 0
    for message in root.iter(f"{SVG}g"):
        if message.get("class", "").startswith("message") and "data-step" in message.attrib:
            assert int(message.attrib["data-step"]) in [each.step.number for each in walk.steps]

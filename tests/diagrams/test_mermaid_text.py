"""Any text in a chain gives Mermaid that renders; mmdr stands for the readers of it."""

import html
import re

import mmdr
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from callagain.chains import FUNCTION_ROUTING
from callagain.diagrams import flowchart_mermaid, state_diagram_mermaid
from callagain.engine.chain import Chain
from callagain.engine.links import ANY_OPERATION, COMPLETED, FAILED, ON_FAIL, ON_SUCCESS, Link
from callagain.engine.operation import Script
from callagain.engine.table import call_llm_again
from callagain.engine.variables import Variables
from callagain.extensions import with_deadline, with_final_answer
from callagain.operations import TOOL_CALLING_LOOP

TEXTS = [
    'say "hello"',
    "it's",
    "[square] (round) {curly}",
    "a <b>bold</b> tag",
    "a & b",
    "#35; and #quot;",
    "%% no comment",
    "%%{init: {}}%%",
    "a --> b",
    "a|b",
    "a;b",
    "key: value",
    "`code`",
    "back\\slash",
    "$$x^2$$",
    "1. first",
    "1) first",
    "- item",
    "@{shape: circle}",
    "---",
    "style:#fff;",
    "end",
    "subgraph",
    "naïve – 日本 🚀",
    "_private_",
]

# The words that begin a statement, and some that only look like one.
WORDS = [
    *("accdescr", "acctitle", "class", "classdef", "click", "default", "direction", "end", "fork", "href"),
    *("join", "note", "scale", "state", "statediagram", "style", "as", "class_of", "end_x", "x_end", "notes"),
]


class Step(Script):
    def run(self, variables: Variables) -> None: ...


def chain_saying(text: str) -> Chain:
    """A chain that has the text as a name, a title, a question and a guard."""
    asking = type("Asking", (Step,), {"title": text, "question": text})()
    other = f"{text}!"
    guards = {"call_llm_again": call_llm_again, text: call_llm_again}
    links = (
        Link(text, ON_SUCCESS, other, ("call_llm_again", text)),
        Link(text, ON_SUCCESS, text, ("call_llm_again", f"not {text}")),
        Link(text, ON_SUCCESS, COMPLETED, ("not call_llm_again",)),
        Link(other, ON_SUCCESS, COMPLETED),
        Link(ANY_OPERATION, ON_FAIL, FAILED),
    )
    return Chain("own", links, {text: asking, other: Step()}, guards, text)


def shown(svg: str) -> list[str]:
    """The texts of a picture."""
    texts = re.findall(r"<text.*?</text>", svg, re.DOTALL)
    return [html.unescape(re.sub(r"<[^>]*>", "", text)) for text in texts]


def rendered(mermaid: str) -> list[str]:
    return shown(mmdr.render(mermaid).svg())  # pyright: ignore[reportUnknownMemberType]


@pytest.mark.parametrize(
    "chain",
    [TOOL_CALLING_LOOP, FUNCTION_ROUTING, with_final_answer(with_deadline(TOOL_CALLING_LOOP))],
)
def test_the_project_s_chains_render(chain: Chain) -> None:
    assert "in response?" in rendered(flowchart_mermaid(chain))
    assert {*chain.operations, *chain.final_states} <= set(rendered(state_diagram_mermaid(chain)))


@pytest.mark.parametrize("text", TEXTS)
def test_a_flowchart_shows_any_text_as_it_is(text: str) -> None:
    assert text in rendered(flowchart_mermaid(chain_saying(text)))


@pytest.mark.parametrize("text", TEXTS)
def test_a_state_diagram_renders_with_any_text(text: str) -> None:
    assert "completed" in rendered(state_diagram_mermaid(chain_saying(text)))


@pytest.mark.parametrize("word", WORDS)
def test_a_state_may_have_the_name_of_a_word_of_mermaid(word: str) -> None:
    assert word in rendered(state_diagram_mermaid(chain_saying(word)))


def test_a_text_of_several_lines_keeps_them() -> None:
    texts = rendered(flowchart_mermaid(chain_saying("first line\nsecond line")))
    assert {"first line", "second line"} <= set(texts)


@settings(max_examples=60, deadline=None)
@given(st.text(max_size=30))
def test_no_text_breaks_out_of_its_place(text: str) -> None:
    chain = chain_saying(f"begin{text}end")
    flow, states = flowchart_mermaid(chain), state_diagram_mermaid(chain)
    assert flow.count("\n") == 4
    assert "Yes" in rendered(flow)
    assert "completed" in rendered(states)

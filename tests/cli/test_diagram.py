"""`callagain diagram`: the chosen form of the chosen chain."""

from collections.abc import Callable
from typing import Any

import pytest

from callagain.chains import FUNCTION_ROUTING
from callagain.diagrams import flowchart_mermaid, state_diagram_mermaid, transition_table_markdown
from callagain.engine.chain import Chain
from callagain.extensions import (
    with_budget,
    with_compaction,
    with_deadline,
    with_final_answer,
    with_larger_output_limit,
    with_verbatim_results,
)
from callagain.operations import TOOL_CALLING_LOOP

Command = Callable[..., Any]

FORMS: list[tuple[list[str], str]] = [
    ([], flowchart_mermaid(TOOL_CALLING_LOOP)),
    (["--flowchart"], flowchart_mermaid(TOOL_CALLING_LOOP)),
    (["--states"], state_diagram_mermaid(TOOL_CALLING_LOOP)),
    (["--table"], transition_table_markdown(TOOL_CALLING_LOOP)),
    (["--table", "--chain", "function_routing"], transition_table_markdown(FUNCTION_ROUTING)),
]


@pytest.mark.parametrize(("options", "drawn"), FORMS)
def test_prints_the_drawing(command: Command, options: list[str], drawn: str) -> None:
    ended = command("diagram", *options)
    assert (ended.code, ended.out, ended.err) == (0, drawn.rstrip("\n") + "\n", "")


EXTENDED: list[tuple[str, Chain]] = [
    ("budget", with_budget(TOOL_CALLING_LOOP)),
    ("compact_context", with_compaction(TOOL_CALLING_LOOP)),
    ("deadline", with_deadline(TOOL_CALLING_LOOP)),
    ("final_answer", with_final_answer(TOOL_CALLING_LOOP)),
    ("max_tokens_ceiling", with_larger_output_limit(TOOL_CALLING_LOOP)),
    ("verbatim", with_verbatim_results(TOOL_CALLING_LOOP)),
    ("deadline, final_answer", with_deadline(with_final_answer(TOOL_CALLING_LOOP))),
    ("budget,compact_context", with_budget(with_compaction(TOOL_CALLING_LOOP))),
]


@pytest.mark.parametrize(("names", "chain"), EXTENDED)
def test_shows_what_options_add(command: Command, names: str, chain: Chain) -> None:
    out = command("diagram", "--table", "--with", names).out
    assert out.strip() == transition_table_markdown(chain).strip()
    assert out != command("diagram", "--table").out

"""The flowchart: the guide's own graph for the guide's chain, and the same rules for any other chain."""

import re
from dataclasses import dataclass
from typing import ClassVar

from callagain.chains import FUNCTION_ROUTING
from callagain.diagrams import Shape, flowchart, flowchart_mermaid
from callagain.engine.chain import Chain
from callagain.engine.links import ANY_OPERATION, COMPLETED, FAILED, ON_FAIL, ON_SUCCESS, Link
from callagain.engine.operation import Script
from callagain.engine.table import call_llm_again
from callagain.engine.variables import Variables
from callagain.extensions import with_deadline, with_final_answer
from callagain.operations import TOOL_CALLING_LOOP

# From Jitterbit's guide "Implement an LLM tool-calling loop", one edge a line.
GUIDE = """\
flowchart LR
A["Script<br/>Build initial request<br/>(base messages + tools)"] --> B["HTTP v2<br/>LLM call"]
B --> C{"tool_calls<br/>in response?"}
C -->|Yes| D["Script<br/>Extract function<br/>name and ID"]
D --> E["Dispatcher<br/>Run tool<br/>operation"]
E --> F["Script<br/>Append tool result<br/>rebuild request"]
F --> B
C -->|No| G["Script<br/>Extract final<br/>response"]
"""

NODE = r"(\w+)(\[\".*?\"\]|\{\".*?\"\})?"
EDGE = re.compile(rf"{NODE} -->(?:\|(.*?)\|)? {NODE}")


@dataclass(frozen=True)
class Graph:
    """Nodes: id to text with its brackets. Edges: source, label, target."""

    nodes: dict[str, str]
    edges: list[tuple[str, str, str]]


def parsed(mermaid: str) -> Graph:
    heading, *lines = mermaid.splitlines()
    assert heading == "flowchart LR"
    graph = Graph({}, [])
    for line in lines:
        match = EDGE.fullmatch(line.strip())
        assert match is not None, line
        source, source_text, label, target, target_text = match.groups()
        graph.nodes.update({source: source_text} if source_text else {})
        graph.nodes.update({target: target_text} if target_text else {})
        graph.edges.append((source, label or "", target))
    return graph


class Step(Script):
    title = "Take\na step"

    def run(self, variables: Variables) -> None: ...


class Untitled(Script):
    def run(self, variables: Variables) -> None: ...


class Question(Script):
    title = "Look it up"
    question: ClassVar[str] = "Known?"

    def run(self, variables: Variables) -> None: ...


def chain_of(*links: Link, **operations: Script) -> Chain:
    guards = {"call_llm_again": call_llm_again, "urgent": call_llm_again}
    return Chain(
        "own", (*links, Link(ANY_OPERATION, ON_FAIL, FAILED)), operations, guards, next(iter(operations))
    )


def edges(chain: Chain) -> list[tuple[str, str, str]]:
    """(last line of the source, label, last line of the target)"""
    diagram = flowchart(chain)
    texts = {node.id: node.lines[-1] for node in diagram.nodes}
    return [(texts[edge.source], edge.label, texts[edge.target]) for edge in diagram.edges]


def test_draws_the_graph_of_the_guide_node_for_node_edge_for_edge_label_for_label() -> None:
    ours, guide = parsed(flowchart_mermaid(TOOL_CALLING_LOOP)), parsed(GUIDE)
    assert len(guide.nodes) == 7
    assert len(guide.edges) == 7
    assert ours == guide


def test_gives_the_lines_and_the_shape_of_each_node() -> None:
    nodes = {node.id: node for node in flowchart(TOOL_CALLING_LOOP).nodes}
    assert nodes["C"].lines == ("tool_calls", "in response?")
    assert nodes["A"].lines == ("Script", "Build initial request", "(base messages + tools)")
    assert [node.id for node in nodes.values() if node.shape is Shape.DECISION] == ["C"]


def test_a_round_that_does_not_go_back_to_the_model_ends_at_the_dispatcher() -> None:
    assert edges(FUNCTION_ROUTING)[-2:] == [
        ("name and ID", "", "operation"),
        ("in response?", "No", "response"),
    ]


def test_an_extension_shows_its_operation_and_tells_the_ways_after_yes_apart() -> None:
    drawn = edges(with_final_answer(with_deadline(TOOL_CALLING_LOOP)))
    asking = with_final_answer(TOOL_CALLING_LOOP).operations["ask_for_answer"].title.splitlines()[-1]
    assert ("name and ID", "iterations_left", "operation") in drawn
    assert ("name and ID", "not iterations_left and not answer_asked_for", asking) in drawn
    assert (asking, "", "LLM call") in drawn


def test_an_inserted_operation_stands_between_its_neighbours() -> None:
    drawn = edges(TOOL_CALLING_LOOP.insert("redact", Step(), before="append_tool_result"))
    assert ("operation", "", "a step") in drawn
    assert ("a step", "", "rebuild request") in drawn
    assert ("operation", "", "rebuild request") not in drawn


def test_links_to_one_operation_inserted_before_the_llm_call_stay_apart_by_their_sources() -> None:
    drawn = edges(TOOL_CALLING_LOOP.insert("compact", Step(), before="llm_call"))
    assert ("(base messages + tools)", "", "a step") in drawn
    assert ("rebuild request", "", "a step") in drawn
    assert [edge for edge in drawn if edge[2] == "LLM call"] == [("a step", "", "LLM call")]


def test_a_question_that_the_table_does_not_decide_there_is_a_box() -> None:
    chain = TOOL_CALLING_LOOP.insert("note_reply", Step(), after="parse_response")
    assert all(node.shape is Shape.BOX for node in flowchart(chain).nodes)
    assert ("name and ID", "", "a step") in edges(chain)
    assert ("a step", "call_llm_again and iterations_left", "operation") in edges(chain)
    assert ("a step", "not call_llm_again", "response") in edges(chain)


def test_several_links_to_one_operation_are_one_edge() -> None:
    chain = chain_of(
        Link("first", ON_SUCCESS, "second", ("urgent",)),
        Link("first", ON_SUCCESS, "second", ("not urgent",)),
        Link("second", ON_SUCCESS, COMPLETED),
        first=Untitled(),
        second=Step(),
    )
    assert edges(chain) == [("first", "", "a step")]


def test_several_no_ways_say_under_which_guards() -> None:
    chain = chain_of(
        Link("ask", ON_SUCCESS, COMPLETED, ("call_llm_again",)),
        Link("ask", ON_SUCCESS, "now", ("not call_llm_again", "urgent")),
        Link("ask", ON_SUCCESS, "later", ("not call_llm_again", "not urgent")),
        Link("now", ON_SUCCESS, COMPLETED),
        Link("later", ON_SUCCESS, COMPLETED),
        ask=Question(),
        now=Untitled(),
        later=Untitled(),
    )
    assert edges(chain) == [
        ("Known?", "Yes", "Look it up"),
        ("Known?", "No, urgent", "now"),
        ("Known?", "No, not urgent", "later"),
    ]


def test_a_way_that_the_answer_does_not_matter_to_carries_its_guard() -> None:
    chain = chain_of(
        Link("ask", ON_SUCCESS, "now", ("urgent",)),
        Link("ask", ON_SUCCESS, COMPLETED, ("not urgent", "call_llm_again")),
        Link("ask", ON_SUCCESS, COMPLETED, ("not urgent", "not call_llm_again")),
        Link("now", ON_SUCCESS, COMPLETED),
        ask=Question(),
        now=Untitled(),
    )
    assert edges(chain) == [("Known?", "Yes", "Look it up"), ("Known?", "urgent", "now")]


def test_a_general_link_is_not_drawn_for_an_operation_whose_own_links_come_first() -> None:
    chain = chain_of(
        Link("first", ON_SUCCESS, "second"),
        Link("second", ON_SUCCESS, COMPLETED),
        Link(ANY_OPERATION, ON_SUCCESS, "first"),
        first=Untitled(),
        second=Untitled(),
    )
    assert edges(chain) == [("first", "", "second")]


def test_an_operation_that_only_on_fail_leads_to_is_drawn_without_an_arrow() -> None:
    chain = chain_of(
        Link("work", ON_SUCCESS, COMPLETED),
        Link("work", ON_FAIL, "repair"),
        Link("repair", ON_SUCCESS, "work"),
        work=Untitled(),
        repair=Untitled(),
    )
    assert flowchart_mermaid(chain) == ('flowchart LR\n    B["Script<br/>repair"] --> A["Script<br/>work"]\n')


def test_an_only_operation_is_a_chart_of_one_box() -> None:
    chain = chain_of(Link("work", ON_SUCCESS, COMPLETED), work=Untitled())
    assert flowchart_mermaid(chain) == 'flowchart LR\n    A["Script<br/>work"]\n'


def test_letters_go_on_after_z() -> None:
    names = [f"step{number}" for number in range(30)]
    links = [
        Link(name, ON_SUCCESS, after) for name, after in zip(names, [*names[1:], COMPLETED], strict=True)
    ]
    diagram = flowchart(chain_of(*links, **{name: Untitled() for name in names}))
    assert [node.id for node in diagram.nodes][24:] == ["Y", "Z", "A1", "B1", "C1", "D1"]

"""The state diagram and the Markdown table: everything that the table of a chain says."""

import pytest

from callagain.chains import FUNCTION_ROUTING, MULTI_TURN_CHAT, PROMPT_ROUTING, RETRY_CONTROLLER
from callagain.diagrams import Shape, state_diagram, state_diagram_mermaid, transition_table_markdown
from callagain.engine.chain import Chain
from callagain.engine.links import ANY_OPERATION, COMPLETED, FAILED, ON_FAIL, ON_SUCCESS, Link
from callagain.engine.operation import Script
from callagain.engine.variables import Variables
from callagain.extensions import with_deadline, with_final_answer
from callagain.operations import TOOL_CALLING_LOOP


class Step(Script):
    def run(self, variables: Variables) -> None: ...


EXTENDED = with_final_answer(with_deadline(TOOL_CALLING_LOOP))
INSERTED = TOOL_CALLING_LOOP.insert("redact", Step(), before="append_tool_result")


def chain_named(*names: str) -> Chain:
    links = [
        Link(name, ON_SUCCESS, after) for name, after in zip(names, [*names[1:], COMPLETED], strict=True)
    ]
    operations = {name: Step() for name in names}
    return Chain("own", (*links, Link(ANY_OPERATION, ON_FAIL, FAILED)), operations, {}, names[0])


def cells(line: str) -> list[str]:
    return [cell.strip() for cell in line.strip("|").split("|")]


def test_draws_every_state_and_every_link_in_the_order_of_the_table() -> None:
    assert (
        state_diagram_mermaid(TOOL_CALLING_LOOP)
        == """\
stateDiagram-v2
    state "any operation" as any_operation
    [*] --> initialize
    initialize --> llm_call : on_success
    llm_call --> parse_response : on_success
    parse_response --> tool_dispatcher : on_success<br/>[call_llm_again and iterations_left]
    parse_response --> limit : on_success<br/>[call_llm_again and not iterations_left]
    parse_response --> extract_final : on_success<br/>[not call_llm_again]
    tool_dispatcher --> append_tool_result : on_success
    append_tool_result --> llm_call : on_success
    extract_final --> completed : on_success
    any_operation --> failed : on_fail
    completed --> [*]
    limit --> [*]
    failed --> [*]
    classDef general stroke-dasharray: 4
    class any_operation general
"""
    )


@pytest.mark.parametrize(
    "chain",
    [
        TOOL_CALLING_LOOP,
        FUNCTION_ROUTING,
        PROMPT_ROUTING,
        RETRY_CONTROLLER,
        MULTI_TURN_CHAT,
        EXTENDED,
        INSERTED,
    ],
)
def test_leaves_nothing_out(chain: Chain) -> None:
    diagram = state_diagram(chain)
    names = {node.id: " ".join(node.lines) for node in diagram.nodes}
    drawn = [(names[edge.source], edge.label, names[edge.target]) for edge in diagram.edges]
    for link in chain.links:
        label = f"{link.event}\n[{' and '.join(link.when)}]" if link.when else link.event
        assert drawn.count((link.source, label, link.target)) == 1
    assert len(drawn) == len(chain.links) + 1 + len(chain.final_states)
    states = {*chain.operations, *chain.final_states}
    assert {" ".join(n.lines) for n in diagram.nodes if n.shape is Shape.STATE} == states


def test_a_deadline_splits_the_general_link() -> None:
    text = state_diagram_mermaid(with_deadline(TOOL_CALLING_LOOP))
    assert "    any_operation --> limit : on_fail<br/>[deadline_reached]\n" in text
    assert "    any_operation --> failed : on_fail<br/>[not deadline_reached]\n" in text


def test_an_inserted_operation_stands_between_its_neighbours() -> None:
    text = state_diagram_mermaid(INSERTED)
    assert "    tool_dispatcher --> redact : on_success\n" in text
    assert "    redact --> append_tool_result : on_success\n" in text


def test_a_chain_without_general_links_has_no_state_for_them() -> None:
    links = (Link("work", ON_SUCCESS, COMPLETED), Link("work", ON_FAIL, FAILED))
    text = state_diagram_mermaid(Chain("own", links, {"work": Step()}, {}, "work"))
    assert "general" not in text
    assert "    work --> failed : on_fail\n" in text


def test_a_name_that_mermaid_would_read_otherwise_gets_an_id() -> None:
    text = state_diagram_mermaid(chain_named("state", "Ask, then go", "any_operation"))
    assert '    state "state" as State1\n' in text
    assert '    state "Ask, then go" as State2\n' in text
    assert "    State1 --> State2 : on_success\n" in text


def test_two_names_never_share_an_id() -> None:
    diagram = state_diagram(chain_named("any_operation", "two words", "two_words"))
    ids = [node.id for node in diagram.nodes]
    assert len(set(ids)) == len(ids)


def test_the_markdown_table_has_a_row_for_each_link_in_order() -> None:
    heading, ruler, *rows = transition_table_markdown(EXTENDED).splitlines()
    assert cells(heading) == ["source", "event", "when", "target"]
    assert set(ruler) == set("|- ")
    assert [cells(row) for row in rows] == [
        [link.source, link.event, ", ".join(link.when), link.target] for link in EXTENDED.links
    ]


def test_the_markdown_table_escapes_what_would_end_a_cell_or_format_it() -> None:
    table = transition_table_markdown(chain_named("a|b", "__x__", "two\nlines", "<b>", "snake_case"))
    assert [line.split(" | ")[0].strip() for line in table.splitlines()[2:]] == [
        r"| a\|b",
        r"| \_\_x\_\_",
        "| two lines",
        r"| \<b\>",
        "| snake_case",
        "| any operation",
    ]

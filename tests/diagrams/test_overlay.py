"""A run over the picture of its chain: what stands there is what the trace of the run says."""

import re
from collections import Counter
from collections.abc import Callable, Mapping
from typing import Any

import pytest
from tests.diagrams.pictures import Picture, picture
from tests.diagrams.runs import loop_with

from callagain import Result, approve
from callagain.diagrams import (
    Shape,
    Walk,
    flowchart,
    flowchart_mermaid,
    flowchart_svg,
    state_diagram,
    state_diagram_mermaid,
    state_diagram_svg,
    transition_table_markdown,
)
from callagain.diagrams.overlay import duration
from callagain.engine.links import FINAL_STATES
from callagain.engine.run import Run
from callagain.operations import TOOL_CALLING_LOOP
from callagain.testing import Answer, StandIn, calls, says

Serve = Callable[..., StandIn]
Play = Callable[[Serve], Result]

LOOKS = [calls(("look_up", {"name": name})) for name in ("Ada", "Bob", "Cid")]
DOWN = Answer(503, {"error": {"message": "down"}})


def completed(serve: Serve) -> Result:
    return loop_with(
        serve([LOOKS[0], calls(("look_up", {"name": "A"}), ("look_up", {"name": "B"})), says("So.")])
    ).run("Go")


def retried(serve: Serve) -> Result:
    return loop_with(serve([LOOKS[0], DOWN, DOWN, says("At last.")])).run("Go")


def failed(serve: Serve) -> Result:
    return loop_with(serve([LOOKS[0], DOWN]), max_retries=0).run("Go")


def limited(serve: Serve) -> Result:
    return loop_with(serve(LOOKS), max_iterations=2).run("Go")


def resumed_from_the_limit(serve: Serve) -> Result:
    loop = loop_with(serve([*LOOKS, says("So.")]), max_iterations=1)
    return loop.resume(loop.run("Go"), changes={"max_iterations": 5})


def resumed_from_a_failure(serve: Serve) -> Result:
    loop = loop_with(serve([LOOKS[0], DOWN, says("So.")]), max_retries=0)
    return loop.resume(loop.run("Go"))


def suspended(serve: Serve) -> Result:
    return loop_with(serve([LOOKS[0], calls(("pay", {"amount": 5}))])).run("Go")


def decided(serve: Serve) -> Result:
    loop = loop_with(serve([calls(("pay", {"amount": 5})), says("Paid.")]))
    held = loop.run("Go")
    return loop.resume(held, decisions={held.pending_calls[0].id: approve})


def extended(serve: Serve) -> Result:
    server = serve([*LOOKS[:2], says("Enough.")])
    return loop_with(server, max_iterations=1, on_limit="final_answer", deadline=60).run("Go")


RUNS: list[Play] = [
    *(completed, retried, failed, limited, resumed_from_the_limit, resumed_from_a_failure),
    *(suspended, decided, extended),
]


def number(said: str) -> int:
    return int(said.partition("×")[0] or 0)


def states_of(result: Result) -> Mapping[str, int]:
    """How often the run came to each state, by its trace, and where it stands."""
    states = Counter(step.operation for step in result.trace)
    states.update(step.target for step in result.trace if step.target in FINAL_STATES)
    if result.outcome == "suspended":
        states[result.walk.state] += 1
    return states


@pytest.mark.parametrize("play", RUNS, ids=lambda play: play.__name__)
def test_the_state_diagram_counts_what_the_trace_says(play: Play, stand_in: Serve) -> None:
    result = play(stand_in)
    states, walk = states_of(result), result.walk
    drawn = picture(state_diagram_svg(walk))
    for box in drawn.boxes.values():
        if box.state:
            assert number(box.count) == states[box.state], box.state
            assert ("unvisited" in box.classes) == (not states[box.state])
            assert ("current" in box.classes) == (box.state == walk.state)
    went = Counter((step.operation, step.event, step.target) for step in result.trace)
    by_event = Counter[str]()
    for edge, line in zip(state_diagram(walk.chain).edges, drawn.lines, strict=True):
        for link in edge.links:
            assert ("unvisited" in line.classes) == (not number(line.count))
            by_event[link.event] += number(line.count)
            if link.source in walk.chain.operations:
                assert number(line.count) <= went[link.source, link.event, link.target]
    # Every step went by one edge.
    assert sum(by_event.values()) == len(result.trace)
    assert by_event["on_fail"] == sum(step.event == "on_fail" for step in result.trace)


@pytest.mark.parametrize("play", RUNS, ids=lambda play: play.__name__)
def test_the_flowchart_counts_what_the_trace_says(play: Play, stand_in: Serve) -> None:
    result = play(stand_in)
    states, walk = states_of(result), result.walk
    diagram, drawn = flowchart(walk.chain), picture(flowchart_svg(walk))
    decided_on = [
        step for step in result.trace if step.operation == "parse_response" and step.problem is None
    ]
    yes = sum(step.after.call_llm_again for step in decided_on)
    for node in diagram.nodes:
        count = number(drawn.boxes[node.id].count)
        behind = node.shape is Shape.BOX and node.state == "parse_response"
        assert count == (yes if behind else states[node.state])
    for edge, line in zip(diagram.edges, drawn.lines, strict=True):
        if edge.label == "Yes":
            assert number(line.count) == yes
        elif edge.label == "No":
            assert number(line.count) == len(decided_on) - yes


@pytest.mark.parametrize("play", RUNS, ids=lambda play: play.__name__)
def test_every_form_has_the_same_counts(play: Play, stand_in: Serve) -> None:
    walk = play(stand_in).walk
    drawn = picture(state_diagram_svg(walk))
    mermaid, table = state_diagram_mermaid(walk), transition_table_markdown(walk)
    rows = [line.split("|")[5].strip() for line in table.splitlines()[2:] if line.startswith("|")]
    links = [
        line for line, edge in zip(drawn.lines, state_diagram(walk.chain).edges, strict=True) if edge.links
    ]
    assert [number(row) for row in rows] == [number(line.count) for line in links]
    labels = [line for line in mermaid.splitlines() if " : on_" in line]
    assert [re.findall(r"(\d+)×", label) for label in labels] == [[str(number(line.count))] for line in links]
    chart, flow = flowchart_mermaid(walk), picture(flowchart_svg(walk))
    counts = [*(box.count for box in flow.boxes.values()), *(line.count for line in flow.lines)]
    assert Counter(map(int, re.findall(r"(\d+)×", chart))) == Counter(map(number, counts))


def test_says_how_long_each_operation_took(stand_in: Serve) -> None:
    result = completed(stand_in)
    boxes = {box.state: box.count for box in picture(state_diagram_svg(result.walk)).boxes.values()}
    asked = [each.seconds for each in result.walk.steps if each.step.operation == "llm_call"]
    assert boxes["llm_call"] == f"3×, {duration(sum(each or 0 for each in asked))}"
    assert boxes["parse_response"] == "3×"
    table = transition_table_markdown(result.walk).splitlines()
    row = next(line for line in table if line.startswith("| llm_call"))
    assert row.split("|")[6].strip() == boxes["llm_call"].removeprefix("3×, ")


def test_what_a_resumed_run_took_over_from_before_takes_no_time_again(stand_in: Serve) -> None:
    walk = resumed_from_the_limit(stand_in).walk
    asked = {
        id(each.receipt): each.seconds or 0
        for step in walk.steps
        if step.step.operation == "llm_call"
        for each in step.performed
    }
    box = next(box for box in picture(flowchart_svg(walk)).boxes.values() if box.state == "llm_call")
    visits = sum(each.step.operation == "llm_call" for each in walk.steps)
    assert visits > len(asked)
    assert box.count == f"{visits}×, {duration(sum(asked.values()))}"


@pytest.mark.parametrize(
    ("seconds", "said"),
    [
        (0.00031, "0.310 ms"),
        (0.031, "31.0 ms"),
        (0.31, "310 ms"),
        (3.1, "3.10 s"),
        (31, "31.0 s"),
        (310, "310 s"),
    ],
)
def test_a_duration_has_three_figures(seconds: float, said: str) -> None:
    assert duration(seconds) == said


ENDS: list[tuple[Play, str, str]] = [
    (completed, "G", "completed after 12 operations"),
    (limited, "D", "limit after 11 operations"),
    (failed, "B", "failed after 6 operations"),
    (suspended, "E", "suspended in Tool Dispatcher after 7 operations"),
]


@pytest.mark.parametrize(("play", "letter", "said"), ENDS, ids=lambda value: getattr(value, "__name__", None))
def test_marks_where_the_run_stands_or_in_what_it_ended(
    play: Play, letter: str, said: str, stand_in: Serve
) -> None:
    result = play(stand_in)
    drawn = picture(flowchart_svg(result.walk))
    assert [box.id for box in drawn.boxes.values() if "current" in box.classes] == [letter]
    assert f"class {letter} current\n" in flowchart_mermaid(result.walk)
    assert drawn.title == f"Flowchart of tool_calling_loop, run {result.run_id}: {said}"
    assert transition_table_markdown(result.walk).endswith(f"\nrun {result.run_id}: {said}\n")


def test_a_run_that_has_not_begun_stands_before_its_first_operation(stand_in: Serve) -> None:
    walk = Walk.of(Run(TOOL_CALLING_LOOP, completed(stand_in).variables.inputs))
    # The first operation is a script, which needs nothing from outside: it is walked at once.
    assert walk.state == "llm_call"
    drawn: Picture = picture(flowchart_svg(walk))
    assert [box.id for box in drawn.boxes.values() if "current" in box.classes] == ["B"]
    assert drawn.title.endswith("stands in LLM Call after 1 operation")


def test_without_a_run_there_is_no_count() -> None:
    for svg in (flowchart_svg(TOOL_CALLING_LOOP), state_diagram_svg(TOOL_CALLING_LOOP)):
        drawn = picture(svg)
        assert {box.count for box in drawn.boxes.values()} | {line.count for line in drawn.lines} == {""}
        assert "unvisited" not in svg.partition("</style>")[2]


def test_links_that_were_never_taken_are_faint_in_mermaid(stand_in: Serve) -> None:
    result: Any = limited(stand_in)
    assert transition_table_markdown(result.walk).splitlines()[0].split()[-4:] == ["taken", "|", "time", "|"]
    text = flowchart_mermaid(result.walk)
    assert "    linkStyle 6 opacity:0.35\n" in text
    assert "    class G unvisited\n" in text

"""The SVG drawing of any chain: nothing overlaps, every line ends where it should, and any text is safe."""

import itertools
import xml.etree.ElementTree as ElementTree
from typing import ClassVar, Literal

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.diagrams.pictures import Picture, picture

from callagain.chains import FUNCTION_ROUTING, MULTI_TURN_CHAT, PROMPT_ROUTING, RETRY_CONTROLLER
from callagain.diagrams import flowchart, flowchart_svg, state_diagram, state_diagram_svg
from callagain.diagrams.plain_text import one_line
from callagain.diagrams.text_size import width
from callagain.engine.chain import Chain
from callagain.engine.links import ANY_OPERATION, COMPLETED, FAILED, LIMIT, ON_FAIL, ON_SUCCESS, Link
from callagain.engine.operation import Script
from callagain.engine.table import call_llm_again
from callagain.engine.variables import Variables
from callagain.extensions import with_compaction, with_deadline, with_final_answer
from callagain.operations import TOOL_CALLING_LOOP

Direction = Literal["LR", "TB"]
DIRECTIONS: list[Direction] = ["LR", "TB"]
CHAINS = [
    TOOL_CALLING_LOOP,
    FUNCTION_ROUTING,
    PROMPT_ROUTING,
    RETRY_CONTROLLER,
    MULTI_TURN_CHAT,
    with_final_answer(with_deadline(with_compaction(TOOL_CALLING_LOOP))),
]
TEXTS = [
    "<script>alert(1)</script>",
    "a & b",
    "\"double\" and 'single'",
    "control \x00 \x07 \x1b characters",
    "a lone \ud800 surrogate",
    "no \ufffe character",
    "]]> &amp; <!-- -->",
    "naïve – 日本語 🚀 ‮dlrow",
    "",
    "one_word_that_is_very_much_longer_than_any_box_should_ever_be_wide_so_that_it_must_be_broken",
    "many words " * 30,
]


class Step(Script):
    def run(self, variables: Variables) -> None: ...


class Question(Step):
    title = "Take it"
    question: ClassVar[str] = "Shall it\nbe taken?"


@st.composite
def chains(draw: st.DrawFn) -> Chain:
    """Any table: ways on, back, past others, to the operation itself, and several to one."""
    count = draw(st.integers(1, 7))
    names = [f"step_{number}" for number in range(count)]
    links: list[Link] = [Link(ANY_OPERATION, ON_FAIL, FAILED)]
    anywhere = st.sampled_from([*names, COMPLETED, LIMIT])
    for name, after in zip(names, [*names[1:], COMPLETED], strict=True):
        ways = [Link(name, ON_SUCCESS, after, ("urgent",))]
        for answer in ("call_llm_again", "not call_llm_again"):
            ways.append(Link(name, ON_SUCCESS, draw(anywhere), ("not urgent", answer)))
        links += draw(st.permutations(ways))
        if draw(st.booleans()):
            links.append(Link(name, ON_FAIL, draw(st.sampled_from(names))))
    kinds = st.sampled_from([Step, Question])
    guards = {"call_llm_again": call_llm_again, "urgent": call_llm_again}
    return Chain("own", tuple(links), {name: draw(kinds)() for name in names}, guards, names[0])


def pictures(chain: Chain, direction: Direction) -> list[Picture]:
    return [picture(draw(chain, direction=direction)) for draw in (flowchart_svg, state_diagram_svg)]


def check(drawn: Picture, ends: list[tuple[str, str]]) -> None:
    """ends: the ids of the nodes of each edge."""
    boxes = drawn.boxes
    for one, two in itertools.combinations(boxes.values(), 2):
        assert not one.meets(two), (one.id, two.id)
    assert [line.number for line in drawn.lines] == list(range(len(ends)))
    for line, (source, target) in zip(drawn.lines, ends, strict=True):
        assert boxes[source].depth(line.points[0]) == pytest.approx(1, abs=0.02)
        assert boxes[target].depth(line.tip) == pytest.approx(1, abs=0.02)
        for box in boxes.values():
            crossed = min(map(box.depth, line.points))
            assert crossed > (0.97 if box.id in (source, target) else 1), (line.number, box.id)
    labels = [text for text in drawn.texts if text.kind == "label"]
    for label in labels:
        for other in labels:
            assert label is other or not label.meets(other.left, other.right, other.y - 8, other.y)
        for box in boxes.values():
            (x, y), (wide, high) = box.middle, box.half
            assert not label.meets(x - wide, x + wide, y - high, y + high)
    for text in drawn.texts:
        assert text.left >= 0, text
        assert text.right <= drawn.size[0], text
        assert 8 <= text.y <= drawn.size[1] - 2, text


@settings(max_examples=15)
@given(chains(), st.sampled_from(DIRECTIONS))
def test_nothing_overlaps_and_every_line_goes_from_border_to_border(
    chain: Chain, direction: Direction
) -> None:
    for drawn, diagram in zip(
        pictures(chain, direction), (flowchart(chain), state_diagram(chain)), strict=True
    ):
        check(drawn, [(edge.source, edge.target) for edge in diagram.edges])


@pytest.mark.parametrize("direction", DIRECTIONS)
@pytest.mark.parametrize("chain", CHAINS)
def test_the_project_s_chains_are_drawn_whole(chain: Chain, direction: Direction) -> None:
    for drawn, diagram in zip(
        pictures(chain, direction), (flowchart(chain), state_diagram(chain)), strict=True
    ):
        check(drawn, [(edge.source, edge.target) for edge in diagram.edges])
        assert [(box.id, box.state) for box in drawn.boxes.values()] == [
            (node.id, node.state) for node in diagram.nodes
        ]
        for node in diagram.nodes:
            assert node.shape.value in drawn.boxes[node.id].classes
            assert " ".join(drawn.boxes[node.id].texts) == " ".join(node.lines)
        for edge, line in zip(diagram.edges, drawn.lines, strict=True):
            assert " ".join(line.texts) == " ".join(edge.label.split())


def test_the_guide_s_flowchart_is_a_row_with_the_way_back_above_and_the_way_out_below() -> None:
    drawn = picture(flowchart_svg(TOOL_CALLING_LOOP))
    row = [drawn.boxes[letter] for letter in "ABCDEF"]
    assert {box.middle[1] for box in row} == {row[0].middle[1]}
    assert [box.middle[0] for box in row] == sorted(box.middle[0] for box in row)
    assert drawn.boxes["C"].tag == "path"
    out = drawn.boxes["G"]
    assert out.middle[1] - out.half[1] > row[0].middle[1] + row[0].half[1]
    by_ends = dict(
        zip([(e.source, e.target) for e in flowchart(TOOL_CALLING_LOOP).edges], drawn.lines, strict=True)
    )
    for way in ("AB", "BC", "CD", "DE", "EF"):
        assert {y for _, y in by_ends[way[0], way[1]].points} == {row[0].middle[1]}
    back = by_ends["F", "B"]
    assert min(y for _, y in back.points) < min(box.middle[1] - box.half[1] for box in row)
    assert by_ends["C", "D"].texts == ("Yes",)
    assert by_ends["C", "G"].texts == ("No",)
    # It leaves the decision by its corner below.
    assert by_ends["C", "G"].points[0] == pytest.approx(
        (drawn.boxes["C"].middle[0], drawn.boxes["C"].middle[1] + drawn.boxes["C"].half[1]), abs=0.1
    )


def test_from_top_to_bottom_the_row_is_a_column() -> None:
    drawn = picture(flowchart_svg(TOOL_CALLING_LOOP, direction="TB"))
    column = [drawn.boxes[letter].middle for letter in "ABCDEF"]
    assert max(x for x, _ in column) - min(x for x, _ in column) <= 0.2
    assert [y for _, y in column] == sorted(y for _, y in column)


@pytest.mark.parametrize("text", TEXTS)
def test_any_text_is_shown_as_it_is_and_stays_inside(text: str) -> None:
    asking = type("Asking", (Step,), {"title": text, "question": text})()
    name = text or "-"
    links = (
        Link(name, ON_SUCCESS, "other", ("call_llm_again", name)),
        Link(name, ON_SUCCESS, name, ("call_llm_again", f"not {name}")),
        Link(name, ON_SUCCESS, COMPLETED, ("not call_llm_again",)),
        Link("other", ON_SUCCESS, COMPLETED),
        Link(ANY_OPERATION, ON_FAIL, FAILED),
    )
    guards = {"call_llm_again": call_llm_again, name: call_llm_again}
    chain = Chain(name, links, {name: asking, "other": Step()}, guards, name)
    for drawn, diagram in zip(pictures(chain, "LR"), (flowchart(chain), state_diagram(chain)), strict=True):
        check(drawn, [(edge.source, edge.target) for edge in diagram.edges])
        assert drawn.title.endswith(one_line(name))
        for node in diagram.nodes:
            shown = "".join(drawn.boxes[node.id].texts)
            assert shown.replace(" ", "") == one_line(" ".join(node.lines)).replace(" ", "")
            widest = max((width(each, 14) for each in drawn.boxes[node.id].texts), default=0)
            assert widest <= 2 * drawn.boxes[node.id].half[0]


@settings(max_examples=30)
@given(st.text(max_size=40))
def test_no_text_breaks_out_of_its_place(text: str) -> None:
    step = type("Named", (Step,), {"title": f"begin{text}end"})()
    chain = Chain("own", (Link("a", ON_SUCCESS, COMPLETED), Link("a", ON_FAIL, FAILED)), {"a": step}, {}, "a")
    root = ElementTree.fromstring(flowchart_svg(chain))
    assert [each.tag.rpartition("}")[2] for each in root] == ["title", "style", "rect", "g", "g"]


@pytest.mark.parametrize("draw", [flowchart_svg, state_diagram_svg])
def test_the_css_is_light_and_dark_or_one_of_them_or_left_to_the_page(draw: type) -> None:
    both, light, dark = (draw(TOOL_CALLING_LOOP, theme=theme) for theme in ("auto", "light", "dark"))
    assert both.count("prefers-color-scheme: dark") == 1
    assert "--paper: #ffffff" in light
    assert "--paper: #ffffff" not in dark
    assert "prefers-color-scheme" not in light + dark
    bare = draw(TOOL_CALLING_LOOP, style=False)
    assert "<style>" not in bare
    assert 'class="paper"' not in bare
    assert both.partition('<g class="edges">')[2] == bare.partition('<g class="edges">')[2]
    # Colours by classes alone, which a page may want to change.
    assert "fill=" not in both
    assert "style=" not in both


def test_a_chain_of_many_operations_is_drawn_in_a_moment() -> None:
    names = [f"step_{number}" for number in range(150)]
    links = [
        Link(name, ON_SUCCESS, after) for name, after in zip(names, [*names[1:], COMPLETED], strict=True)
    ]
    links.append(Link(ANY_OPERATION, ON_FAIL, FAILED))
    chain = Chain("own", tuple(links), {name: Step() for name in names}, {}, names[0])
    assert len(picture(flowchart_svg(chain)).boxes) == 150

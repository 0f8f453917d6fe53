"""Drawn designs: the shape by nodes and edges, and what the drawing leaves out as guesses."""

from dataclasses import replace

import pytest
from tests.porting.recognition.designs import design

from callagain.porting.design.model import Design, Flow, SourcePlace
from callagain.porting.recognition import (
    PromptBasedRouting,
    Recognition,
    RetryController,
    SingleRoundRouting,
    ToolCallingLoop,
    recognise,
)

GUIDE = """
A Script / Build initial request : B
B HTTP v2 / LLM call : C
C Decision / tool_calls in response? : Yes D, No G
D Script / Extract function name and ID : E
E Dispatcher / Run tool operation : F
F Script / Append tool result : B
G Script / Extract final response :
"""


def drawn(text: str) -> Design:
    """A design of lines such as `C Decision / tool_calls? : Yes D, No G`."""
    flows: list[Flow] = []
    for number, line in enumerate(text.strip().splitlines()):
        node, _, edges = line.partition(" :")
        name, _, label = node.partition(" / ")
        ident, _, kind = name.partition(" ")
        pairs = [edge.strip().rpartition(" ") for edge in edges.split(",") if edge.strip()]
        place = SourcePlace("chart.mmd", f"line {number + 2}")
        flows.append(Flow(ident, kind, label, place, tuple((words, to) for words, _, to in pairs)))
    return replace(design({}), flowchart=tuple(flows))


def guesses_of(recognition: Recognition) -> list[str]:
    return [f"{guess.place}: {guess.text}" for guess in recognition.guesses]


def test_the_guide_s_flowchart_is_the_loop_and_what_it_does_not_say_is_a_guess() -> None:
    found = recognise(drawn(GUIDE))
    assert found.loop == ToolCallingLoop(
        controller=None,
        initialise="Build initial request",
        llm_call="LLM call",
        response_parser="Extract function name and ID",
        tool_dispatcher="Run tool operation",
        dispatcher="Run tool operation",
        append_tool_result="Append tool result",
        append_form=None,
        max_iterations=None,
    )
    assert guesses_of(found) == [
        "chart.mmd: line 4: flowchart node 'C': the flowchart does not say how often the loop goes round; "
        "no limit is assumed",
        "chart.mmd: line 3: flowchart node 'B': the flowchart has no names of tools, no variables "
        "and no texts; the guide's are assumed",
        "chart.mmd: line 7: flowchart node 'F': the flowchart does not say how the messages are built; "
        "nothing is assumed",
    ]


def test_without_a_way_back_it_is_single_round_routing() -> None:
    found = recognise(drawn(GUIDE.replace("Append tool result : B", "Log the result :")))
    assert found.shapes == (
        SingleRoundRouting(
            "Build initial request", "LLM call", "Extract function name and ID", "Run tool operation"
        ),
    )
    assert guesses_of(found) == [
        "chart.mmd: line 3: flowchart node 'B': no way leads back to the LLM Call: it is called once"
    ]


def test_nodes_in_words_of_their_own_are_guesses() -> None:
    text = """
    a Script / Begin : b
    b HTTP v2 / Send : c
    c Decision / Any function calls? : no z, yes d
    d Script / Take it apart : e
    e Operation / Look it up : f
    f Script / Put it in : b
    z Script / End :
    """
    found = recognise(drawn("\n".join(line.strip() for line in text.splitlines())))
    assert found.loop is not None
    assert (found.loop.llm_call, found.loop.response_parser) == ("Send", "Take it apart")
    assert (found.loop.tool_dispatcher, found.loop.append_tool_result) == ("Look it up", "Put it in")
    assert guesses_of(found)[:2] == [
        "chart.mmd: line 3: flowchart node 'b': 'Send' is taken for the LLM Call, "
        "since it leads to the decision",
        "chart.mmd: line 6: flowchart node 'e': 'Look it up' is taken for the dispatcher by its place",
    ]


def test_a_dispatcher_after_a_model_without_a_decision_on_tool_calls_is_prompt_based() -> None:
    text = "A Script / Describe : B\nB OpenAI / Prompt : C\nC Dispatcher / Case on the text :"
    found = recognise(drawn(text))
    assert found.shapes == (PromptBasedRouting("Describe", "Prompt", "Case on the text"),)
    assert len(found.guesses) == 1


@pytest.mark.parametrize(
    ("text", "controller"),
    [
        (
            "A Script / Begin : B\nB Operation / Target : C\nC Decision / success? : Yes D, No B",
            "success?",
        ),
        ("A Script / Begin : B\nB Operation / Target : success D, not success B\nD Script / End :", "Begin"),
    ],
)
def test_a_way_from_a_failure_back_to_what_was_tried_is_a_retry_controller(
    text: str, controller: str
) -> None:
    found = recognise(drawn(text))
    assert found.shapes == (RetryController(controller, "Target", None),)
    assert len(found.guesses) == 1


@pytest.mark.parametrize(
    "text",
    [
        "A Script / One : B\nB Script / Two :",
        "A Script / One : B\nB Decision / big? : Yes A, No C\nC Script / Two :",
        "A Script / One : A",
        "A Decision / tool_calls? : Yes X, No Y",
        "A HTTP v2 / Model : X",
    ],
)
def test_another_flowchart_has_no_shape(text: str) -> None:
    assert recognise(drawn(text)).shapes == ()

"""Designs drawn as Mermaid flowcharts: what is read of a drawing, and the skeleton that comes of it."""

from pathlib import Path

import pytest

from callagain.porting.design import Activity, Design, DesignError, SourcePlace, Step, StepKind, read_design
from callagain.porting.design.readers.mermaid import read_nodes

GUIDE = """flowchart LR A["Script
Build initial request
(base messages + tools)"] --> B["HTTP v2
LLM call"] B --> C{"tool_calls
in response?"} C -->|Yes| D["Script
Extract function
name and ID"] D --> E["Dispatcher
Run tool
operation"] E --> F["Script
Append tool result
rebuild request"] F --> B C -->|No| G["Script
Extract final
response"]
"""


def read(folder: Path, text: str, name: str = "loop.mmd") -> Design:
    (folder / name).write_text(text, encoding="utf-8")
    return read_design(folder / name)


def test_the_guides_flowchart_is_read_as_it_stands(tmp_path: Path) -> None:
    design = read(tmp_path, GUIDE)
    assert [(node.id, node.kind, node.text, node.edges) for node in design.flowchart] == [
        ("A", "Script", "Build initial request (base messages + tools)", (("", "B"),)),
        ("B", "HTTP v2", "LLM call", (("", "C"),)),
        ("C", "Decision", "tool_calls in response?", (("Yes", "D"), ("No", "G"))),
        ("D", "Script", "Extract function name and ID", (("", "E"),)),
        ("E", "Dispatcher", "Run tool operation", (("", "F"),)),
        ("F", "Script", "Append tool result rebuild request", (("", "B"),)),
        ("G", "Script", "Extract final response", ()),
    ]
    assert str(design.flowchart[1].place) == "loop.mmd: line 3"
    assert [(each.name, each.steps[0].kind.value, each.on_success) for each in design.operations] == [
        ("Build initial request (base messages + tools)", "script", "LLM call"),
        ("LLM call", "activity", None),
        ("Extract function name and ID", "script", "Run tool operation"),
        ("Run tool operation", "script", "Append tool result rebuild request"),
        ("Append tool result rebuild request", "script", "LLM call"),
        ("Extract final response", "script", None),
    ]
    assert design.activities == (Activity("LLM call", "HTTP v2", "", "", SourcePlace("loop.mmd", "line 3")),)
    assert [guess.text for guess in design.guesses] == [
        "a flowchart has no texts of scripts; each operation is a stub to be filled in"
    ]


def test_on_success_and_on_fail_are_the_labels_of_edges(tmp_path: Path) -> None:
    drawn = """%%{init: {"theme": "base"}}%%
%% two ways on
graph TD
    A["HTTP v2<br/>LLM Call"] -->|On Success| B["Script<br>Parse"]
    A -- On Fail --> C["Transformation<br>Log"]
    A --> D["Email<br>Tell"]
    B --> E[Somewhere]
"""
    design = read(tmp_path, drawn)
    assert (design.operations[0].on_success, design.operations[0].on_fail) == ("Parse", "Log")
    assert [each.steps[0] for each in design.operations[1:]] == [
        Step(StepKind.SCRIPT, "Parse"),
        Step(StepKind.TRANSFORMATION, "Log"),
        Step(StepKind.EMAIL, "Tell"),
        Step(StepKind.UNKNOWN, "Somewhere"),
    ]
    assert [guess.text for guess in design.guesses][:2] == [
        "the node 'A' has several edges On Success; the operation has no link to 'Tell'",
        "the node 'E' ('Somewhere') has no kind in its first line; its step is unknown",
    ]


@pytest.mark.parametrize(
    ("drawn", "edges"),
    [
        ("A-->B-->C", ["A>B", "B>C"]),
        ("A --> B & C --> D", ["A>B", "A>C", "B>D", "C>D"]),
        (
            "A --- B; B -.-> C; C ==> D; D <--> E; E --o F; F --x A",
            ["A>B", "B>C", "C>D", "D>E", "E>F", "F>A"],
        ),
        ("A -- yes, please --> B", ["A>B: yes, please"]),
        ('A -- "a --> b" --> B', ["A>B: a --> b"]),
        ('A -. maybe .-> B == "no | way" ==> C', ["A>B: maybe", "B>C: no | way"]),
        ("A -->|On Success| B\nA -->|'x'| C", ["A>B: On Success", "A>C: 'x'"]),
        ("A ---->|long| B ~~~ C", ["A>B: long", "B>C"]),
        ("subgraph one [a --> b]\n direction LR\n A --> B\nend\nend-of --> B", ["A>B", "end-of>B"]),
        ("style A fill:#fff\nclassDef x y\nA:::x --> B:::x\nclick A href\nclass A x", ["A>B"]),
        ("A --> B %% not --> this\n%% C --> D\nB --> A", ["A>B", "B>A"]),
        ("styled --> end1 --> class_ --> graph1", ["styled>end1", "end1>class_", "class_>graph1"]),
        ("A-1.b --> größe\nx-->o\no o--o x", ["A-1.b>größe", "x>o", "o>x"]),
    ],
)
def test_edges(drawn: str, edges: list[str]) -> None:
    nodes = read_nodes(f"flowchart TD\n{drawn}", SourcePlace("x"))
    found = [
        f"{node.id}>{target}{': ' if label else ''}{label}" for node in nodes for label, target in node.edges
    ]
    assert sorted(found) == sorted(edges)


@pytest.mark.parametrize(
    ("node", "label", "is_decision"),
    [
        ("A[plain text]", "plain text", False),
        ("A(round)", "round", False),
        ("A([stadium])", "stadium", False),
        ("A[[sub]]", "sub", False),
        ("A[(store)]", "store", False),
        ("A((circle))", "circle", False),
        ("A(((two)))", "two", False),
        ("A>flag]", "flag", False),
        ("A[/in/]", "in", False),
        ("A[/trap\\]", "trap", False),
        ("A{ask?}", "ask?", True),
        ("A{{hexagon}}", "hexagon", False),
        ('A["a ] b --> c"]', "a ] b --> c", False),
        ('A["`**md**`"]', "**md**", False),
        ('A["<b>Script</b><br />say #quot;hi#quot; &amp; #35;1"]', 'Script\nsay "hi" & #1', False),
        ('A["one\\ntwo"]', "one\ntwo", False),
        ('A@{ shape: diamond, label: "ask?" }', "ask?", True),
        ("A", "A", False),
    ],
)
def test_labels_and_shapes(node: str, label: str, is_decision: bool) -> None:
    (found,) = read_nodes(f"graph LR; {node};", SourcePlace("x"))
    assert (found.label, found.is_decision) == (label, is_decision)


@pytest.mark.parametrize(
    ("name", "text", "line"),
    [
        (
            "a.md",
            "# Loop\n\n```mermaid\nsequenceDiagram\n```\n\n~~~ mermaid\nflowchart LR\n  A --> B\n~~~\nend",
            9,
        ),
        ("a.mmd", "---\ntitle: Loop\n---\nflowchart\n\nA --> B", 6),
        ("a.txt", "Some words.\n\nflowchart LR A --> B\n\nMore words (not nodes).", 3),
    ],
)
def test_a_flowchart_is_found_where_it_stands(tmp_path: Path, name: str, text: str, line: int) -> None:
    design = read(tmp_path, text, name)
    assert [node.id for node in design.flowchart] == ["A", "B"]
    assert str(design.flowchart[0].place) == f"{name}: line {line}"


@pytest.mark.parametrize(
    ("drawn", "problem"),
    [
        ("flowchart LR\nA --> ", "line 2: a node or an arrow is expected here, and not 'the end'"),
        ("flowchart LR\nA --> B\n] C", "line 3: a node or an arrow is expected here, and not '] C'"),
        ("flowchart LR\nA[open", "line 2: the label of 'A' is not closed by ]"),
        ('flowchart LR\n\nA["open', "line 3: the label of 'A' has no closing \""),
        ("flowchart LR\nA -- label", "line 2: a node or an arrow is expected here, and not '-- label'"),
        ("flowchart LR\n%% nothing", "the flowchart has no nodes"),
        ("graph LR\n" + "&".join(f"a{n}" for n in range(101)) + "-->" + "&".join(f"b{n}" for n in range(101)),
         "line 2: the flowchart has more than 10,000 edges"),
        ("graph LR\n" + ";".join(f"a{n}" for n in range(2_001)), "line 2: the flowchart has more than 2,000"),
        ("graph LR\n" + "a;" * 150_000, "is larger than 262,144 characters, the most for a flowchart"),
        ("sequenceDiagram\nA->>B: hi", "has no Mermaid flowchart; it begins with `flowchart`, in a .md file"),
    ],
)  # fmt: skip
def test_a_drawing_that_is_none_is_told_with_its_line(tmp_path: Path, drawn: str, problem: str) -> None:
    with pytest.raises(DesignError) as told:
        read(tmp_path, drawn)
    assert str(told.value).startswith(f"{tmp_path}/loop.mmd: ")
    assert problem in str(told.value)

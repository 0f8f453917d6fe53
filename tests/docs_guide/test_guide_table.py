"""docs/jitterbit-to-python.md names every element of the guide, and says of each what the code says.

`python -m tests.docs_guide` writes it anew.
"""

import pytest
from tests.docs_guide.annotations import annotations_in
from tests.docs_guide.page import PAGE, guide_table, rows_of
from tests.docs_guide.table import BLOCK, Element, GuideTable, read_elements

from callagain.engine.run_inputs import Inputs
from callagain.engine.table import TOOL_CALLING_LOOP as LINKS
from callagain.engine.variables import Variables
from callagain.operations import TOOL_CALLING_LOOP

CALL = Element("operation LLM Call", "operation", "part_2", "sends the request")
READ = Element("GetJSONString", "function", "part_2", "reads a value")
COUNT = Element("loop_count", "variable", "part_5", "how many rounds")


@pytest.fixture(scope="module")
def table() -> GuideTable:
    return guide_table()


def table_of(*sources: tuple[str, str], elements: tuple[Element, ...] = (CALL, READ)) -> GuideTable:
    return GuideTable(elements, annotations_in(sources))


def page_of(table: GuideTable, part: str = "part_2") -> str:
    return table.regenerated(f"<!-- elements: {part} -->\n<!-- end -->")


def test_every_element_has_a_place_and_every_docstring_names_elements(table: GuideTable) -> None:
    problems = list(table.problems())
    assert not problems, "\n".join(problems)


def test_the_page_shows_what_the_code_says(table: GuideTable) -> None:
    page = PAGE.read_text("utf-8")
    assert page == table.regenerated(page), "run python -m tests.docs_guide to write the tables anew"


def test_the_page_has_a_table_for_each_part(table: GuideTable) -> None:
    assert [block["part"] for block in BLOCK.finditer(PAGE.read_text("utf-8"))] == table.parts


def test_no_element_is_listed_twice() -> None:
    ids = [element.id for element in read_elements()]
    assert sorted(ids) == sorted(set(ids))


def test_every_variable_that_jitterbit_would_hold_is_listed(table: GuideTable) -> None:
    assert Variables.of(Inputs("run", "gpt-4o", "Hello")).as_jitterbit().keys() <= table.elements.keys()


def test_every_box_of_the_flowchart_is_listed(table: GuideTable) -> None:
    operations = TOOL_CALLING_LOOP.operations.values()
    boxes = [box for each in operations for box in (each.question, each.title) if box]
    nodes = [
        element.id.removeprefix("node ") for element in table.elements.values() if element.kind == "node"
    ]
    assert len(nodes) == len(boxes)
    assert all(any(" ".join(box.split()).startswith(node) for box in boxes) for node in nodes)


def test_an_element_that_no_docstring_names_is_told() -> None:
    table = table_of(("engine/a.py", '"""A.\n\nGuide: GetJSONString.\n"""'))
    assert list(table.problems()) == ["guide_elements.toml: no docstring names 'operation LLM Call'"]


def test_a_departure_alone_is_a_place() -> None:
    said = 'def read():\n  """Reads.\n\n  Departs from the guide in GetJSONString: it is decoded.\n  """'
    table = table_of(("engine/a.py", said), elements=(READ,))
    assert list(table.problems()) == []
    assert "[`read`](../engine/a.py) (Reads); departs: [1](#departure-1) |" in page_of(table)


@pytest.mark.parametrize(
    "said", ["Guide: GetJsonString.", "Departs from the guide in GetJsonString: it is not there."]
)
def test_a_name_that_is_no_element_is_told_with_its_place(said: str) -> None:
    table = table_of(("engine/a.py", f'\nclass Reader:\n  """Reads.\n\n  {said}\n  """'), elements=())
    assert list(table.problems()) == [
        "engine/a.py:2: Reader: there is no element 'GetJsonString' in guide_elements.toml"
    ]


@pytest.mark.parametrize(
    "said",
    [
        "Guide: GetJSONString",
        "Guide: GetJSONString,\n  operation LLM Call.",
        "Guide: GetJSONString.\n  Guide: operation LLM Call.",
        "Guide in GetJSONString.",
        "Departs from the guide: it is decoded.",
    ],
)
def test_what_has_not_the_form_is_told_with_its_place(said: str) -> None:
    table = table_of(("engine/a.py", f'def read():\n  """Reads.\n\n  {said}\n  """'), elements=())
    (told,) = table.problems()
    assert told.startswith("engine/a.py:1: read: write `Guide: ELEMENT, ELEMENT.` once, ")


def test_a_row_of_the_table_is_shown_with_its_guards() -> None:
    said = 'ROWS = ()\n"""The rows.\n\nGuide in parse_response → limit: operation LLM Call.\n"""'
    page = page_of(GuideTable((CALL,), annotations_in([("engine/a.py", said)]), rows_of(LINKS)))
    row = "`parse_response on_success call_llm_again, not iterations_left → limit`"
    assert f"| [`ROWS`](../engine/a.py) (The rows); row {row} |" in page


def test_a_row_that_is_not_in_the_table_is_told_with_its_place() -> None:
    said = '"""The rows.\n\nGuide in parse_response → failed: operation LLM Call.\n"""'
    table = GuideTable((CALL,), annotations_in([("engine/a.py", said)]), rows_of(LINKS))
    assert list(table.problems()) == [
        "engine/a.py:1: a.py: there is no row and no attribute 'parse_response → failed'"
    ]


def test_an_element_that_nothing_stands_for_says_why() -> None:
    agent = Element("HR Agent", "example", "part_2", "a project", nowhere="it is in Jitterbit")
    table = table_of(elements=(agent,))
    assert list(table.problems()) == []
    assert "| HR Agent | example | a project | none: it is in Jitterbit |" in page_of(table)
    table = table_of(("engine/a.py", '"""A.\n\nGuide: HR Agent.\n"""'), elements=(agent,))
    assert list(table.problems()) == [
        "engine/a.py:1: a.py: 'HR Agent' is nowhere, as guide_elements.toml says"
    ]


def test_a_departure_ends_at_the_next_one_or_at_a_blank_line() -> None:
    said = (
        '"""A.\n\nGuide: operation LLM Call.\n'
        "Departs from the guide in operation LLM Call, GetJSONString: the guide\nsends. Here: not.\n"
        'Departs from the guide in GetJSONString: it is decoded.\n\nRaises ValueError.\n"""'
    )
    page = page_of(table_of(("engine/a.py", said)))
    assert '1. <a id="departure-1"></a>**LLM Call, `GetJSONString`.** The guide sends. Here: not. (' in page
    assert "**`GetJSONString`.** It is decoded. ([`a.py`](../engine/a.py))" in page


def test_an_attribute_may_have_a_docstring() -> None:
    said = 'class Reader:\n  depth: int = 3\n  """How deep.\n\n  Guide: GetJSONString.\n  """'
    assert "| [`Reader.depth`](../engine/a.py) (How deep) |" in page_of(
        table_of(("engine/a.py", said), elements=(READ,))
    )


def test_a_variable_is_named_with_the_operations_that_say_they_write_it() -> None:
    variables = "class Variables:\n  loop_count: int = 0"
    dispatcher = (
        'class Dispatcher:\n  """Runs.\n\n  Reads nothing. Writes loop_count (one more)\n  and others.\n  """'
    )
    table = table_of(("operations/a.py", dispatcher), ("engine/variables.py", variables), elements=(COUNT,))
    told = "[`Variables.loop_count`](../engine/variables.py); written by [`Dispatcher`](../operations/a.py) |"
    assert told in page_of(table, "part_5")

"""Project exports of Studio: components by the numbers of their types."""

import json
from collections.abc import Callable
from pathlib import Path

import pytest
from tests.porting.design.exports import operation, script, studio_export, variable

from callagain.porting.design import Design, Language, Step, StepKind, read_design

TOOL = {"name": "find_order", "description": "Finds an order.", "parameters": {"type": "object"}}


Read = Callable[[str], Design]


@pytest.fixture
def read(tmp_path: Path) -> Read:
    def read_text(text: str) -> Design:
        path = tmp_path / "orders.json"
        path.write_text(text, encoding="utf-8")
        return read_design(path)

    return read_text


def guesses(design: Design) -> list[str]:
    return [guess.text for guess in design.guesses]


def test_operations_have_steps_by_name_and_workflows_have_operations(read: Read) -> None:
    invoke = {"type": 333, "id": "invoke", "name": "Invoke", "operationId": "LLM Call"}
    design = read(
        studio_export(
            operation("Controller", "Loop", "invoke"),
            operation("LLM Call", "post", "mapping", "mail", "lost", "odd"),
            script("Loop", '<trans>\nRunOperation("<TAG>operation:LLM Call</TAG>")\n</trans>'),
            invoke,
            {"type": 500, "id": "post", "name": "POST chat"},
            {"type": 700, "id": "mapping", "name": "Mapping"},
            {"type": 1200, "id": "mail", "name": "Tell us"},
            {"type": 777, "id": "odd", "name": "Odd"},
            workflows=[{"id": "w", "name": "Main", "type": 1100, "operations": [{"id": "Controller"}]}],
        )
    )
    assert (design.name, design.form) == ("Orders assistant", "Studio export")
    assert design.workflows[0].operations == ("Controller",)
    assert [each.steps for each in design.operations] == [
        (Step(StepKind.SCRIPT, "Loop"), Step(StepKind.OPERATION, "LLM Call")),
        (
            Step(StepKind.ACTIVITY, "POST chat"),
            Step(StepKind.TRANSFORMATION, "Mapping"),
            Step(StepKind.EMAIL, "Tell us"),
            Step(StepKind.UNKNOWN, "lost"),
            Step(StepKind.UNKNOWN, "Odd"),
        ),
    ]
    assert str(design.operations[1].place) == "orders.json: project.components[1]"
    assert [(each.kind, each.name) for each in design.ignored] == [
        ("transformation", "Mapping"),
        ("email notification", "Tell us"),
        ("component of type 777", "Odd"),
    ]
    assert guesses(design) == [
        "'Odd' is of the unknown type 777, and was ignored",
        "step 'Invoke' of type 333 is taken for Invoke Operation: it has the id of 'LLM Call'",
        "operation 'LLM Call' has a step 'lost', which is not in the export",
        "operation 'LLM Call' has a step 'Odd' of the unknown type 777",
    ]


@pytest.mark.parametrize(
    ("links", "on_success", "on_fail", "reason"),
    [
        ({"_200": "Log Error"}, None, "Log Error", "by the name of the target"),
        ({"_200": "Parse"}, "Parse", None, "since the name of the target says nothing of failures"),
        ({"_100": "Parse", "_200": "Log Error"}, "Parse", "Log Error", "since the other link is decided"),
        ({"_200": "Parse", "_400": "Tell"}, "Parse", "Tell", "since the other link has a smaller code"),
        ({"_200": "Error on Success"}, "Error on Success", None, "says nothing of failures"),
    ],
)
def test_a_code_of_an_outcome_is_guessed_by_the_rule(
    read: Read, links: dict[str, str], on_success: str | None, on_fail: str | None, reason: str
) -> None:
    targets = [operation(name) for name in ("Parse", "Tell", "Log Error", "Error on Success")]
    design = read(studio_export(operation("LLM Call", **links), *targets))
    assert (design.operations[0].on_success, design.operations[0].on_fail) == (on_success, on_fail)
    assert len(guesses(design)) == len(links)
    assert reason in " ".join(guesses(design))


def test_a_code_means_the_same_in_the_whole_export(read: Read) -> None:
    design = read(
        studio_export(
            operation("A", _200="Log Error"),
            operation("B", _200="Tell"),
            operation("Tell"),
            operation("Log Error"),
        )
    )
    assert [each.on_fail for each in design.operations] == ["Log Error", "Tell", None, None]
    assert guesses(design)[1] == (
        "operation 'B' leads to 'Tell' (outcomeType 200): taken for On Fail, by the names to which its code "
        "leads elsewhere"
    )


def test_a_link_to_what_is_no_operation_and_a_second_link_are_left_out(read: Read) -> None:
    first = operation("A", _1="Parse", _2="mail", _3="gone", _4="On Error", _5="Catch All")
    targets = [operation(name) for name in ("Parse", "On Error", "Catch All")]
    design = read(studio_export(first, {"type": 1200, "id": "mail", "name": "Mail"}, *targets))
    assert (design.operations[0].on_success, design.operations[0].on_fail) == ("Parse", "On Error")
    told = guesses(design)
    assert told[0] == (
        "operation 'A' has a link (outcomeType 2) to 'Mail', which is no operation; it was left out"
    )
    assert told[1] == "operation 'A' has a link (outcomeType 3) to what is not in the export; it was left out"
    assert told[-1].endswith(
        "taken for On Fail, by the name of the target; there is one On Fail already, so it was left out"
    )


@pytest.mark.parametrize(
    ("body", "script_type", "language", "text", "guess"),
    [
        ("<trans>\n$a = 1;\n</trans>", 1, Language.JITTERBIT_SCRIPT, "$a = 1;", ""),
        ("<javascript>\r\nvar a;\r\n</javascript>\n", 1, Language.JAVASCRIPT, "var a;", ""),
        ("<TRANS>$a", 1, Language.JITTERBIT_SCRIPT, "$a", ""),
        ("", 1, Language.JITTERBIT_SCRIPT, "", ""),
        (
            "$a",
            1,
            Language.JITTERBIT_SCRIPT,
            "$a",
            "no mark, and scriptType 1; it is taken for jitterbit script",
        ),
        ("var a", 2, Language.JAVASCRIPT, "var a", "no mark, and scriptType 2; it is taken for javascript"),
    ],
)
def test_the_language_of_a_script_is_that_of_its_mark(
    read: Read, body: str, script_type: int, language: Language, text: str, guess: str
) -> None:
    design = read(studio_export(script("S", body, script_type)))
    assert (design.scripts[0].language, design.scripts[0].text) == (language, text)
    assert guesses(design) == ([f"script 'S' has {guess}"] if guess else [])


def test_properties_of_pages_and_groups_become_flat(read: Read) -> None:
    properties = [
        {"name": "entityId", "type": "string", "hidden": True, "defaultValue": 3},
        {
            "name": "page1",
            "type": "pagination",
            "children": [
                {"name": "path", "type": "string", "value": "/v1/chat/completions"},
                {"name": "help", "widgetHint": "hyperlink", "defaultValue": "https://example.org"},
                {"name": "schema", "value": {"fileType": "none"}, "defaultValue": {}},
                {"name": "group", "children": [{"name": "append_file", "defaultValue": False}]},
            ],
        },
        {"name": "page2", "children": [{"name": "path", "value": "other"}, {"name": "none", "value": None}]},
    ]
    connection = {"type": 600, "id": "c", "name": "OpenAI", "adapterId": "12801"}
    activity = {
        "type": 500,
        "id": "a",
        "name": "POST",
        "adapterId": "12801",
        "functionName": "post",
        "polarity": "target",
        "endpoint": {"id": "c", "type": 600},
        "properties": properties,
    }
    (found,) = read(studio_export(activity, connection)).activities
    assert (found.connector, found.function, found.polarity) == ("12801", "post", "target")
    assert found.connection == "OpenAI"
    assert found.properties == {
        "entityId": "3",
        "path": "/v1/chat/completions",
        "schema": '{"fileType":"none"}',
        "append_file": "false",
        "page2.path": "other",
    }


def test_tools_are_read_from_the_variable_that_holds_them(read: Read) -> None:
    tools = [
        {"type": "function", "function": TOOL},
        {"name": "bare", "description": "Bare.", "input_schema": {"type": "object"}},
        {"name": "poor"},
        {"description": "nameless"},
        7,
    ]
    design = read(
        studio_export(
            variable("gpt.registeredTools", json.dumps(tools)),
            variable("toolsJson", "[{"),
            variable("tools", json.dumps([TOOL, {"name": "bare"}])),
            variable("tools_messages", "[]"),
            variable("toolsPath", "/a"),
        )
    )
    assert [(tool.name, tool.description, tool.parameters) for tool in design.tools] == [
        ("find_order", "Finds an order.", {"type": "object"}),
        ("bare", "Bare.", {"type": "object"}),
        ("poor", "", {"type": "object", "properties": {}}),
    ]
    assert guesses(design) == [
        "variable 'gpt.registeredTools', tool 3: 'poor' has no description",
        "variable 'gpt.registeredTools', tool 3: 'poor' has no parameters; it is taken for one without",
        "variable 'gpt.registeredTools', tool 4: has no name, and was left out",
        "variable 'gpt.registeredTools', tool 5: is no object, and was left out",
        "variable 'toolsJson' should hold tools and is no JSON: Expecting property name enclosed in double "
        "quotes at position 2",
        "variable 'tools', tool 2: 'bare' has no description",
        "variable 'tools', tool 2: 'bare' has no parameters; it is taken for one without",
        "tool 'bare' of variable 'tools' is another one in orders.json: project.components[0]; "
        "that one counts",
    ]


def test_global_variables_stand_beside_those_of_the_project(read: Read) -> None:
    names = ("systemPrompt", "tool_call_id", "token_count")
    index = [{"type": 1300, "id": f"g{name}", "name": name, "value": ""} for name in names]
    listed = [{"name": name} for name in ("tool_call_id", "api_key")]
    used = {**script("S", "<trans>1</trans>"), "globalVariables": listed}
    design = read(studio_export(used, variable("systemPrompt", "Be brief."), *index))
    assert [(each.name, each.is_project, each.default) for each in design.variables] == [
        ("systemPrompt", True, "Be brief."),
        ("tool_call_id", False, None),
        ("token_count", False, None),
        ("api_key", False, None),
    ]


def test_two_components_of_one_name_are_both_kept(read: Read) -> None:
    second = {**script("S", "<trans>2</trans>"), "id": "other"}
    design = read(studio_export(script("S", "<trans>1</trans>"), second, operation("A", "other")))
    assert [each.text for each in design.scripts] == ["1", "2"]
    assert guesses(design) == ["2 of kind script have the name 'S'; what names it means the first"]


def test_what_an_export_has_besides_is_listed(read: Read) -> None:
    options = {"enableChunking": True, "AlwaysRunSuccessOperation": 1}
    document = json.loads(studio_export({**operation("A"), "options": options}, "no object", {}))
    document |= {
        "version": 5,
        "apis": [{"name": "Orders API"}],
        "assets": [{"path": "a.xsd"}, {"path": "b.xsd"}],
    }
    design = read(json.dumps(document))
    assert [(each.kind, each.name) for each in design.ignored] == [
        ("component of type -1", "unnamed 2"),
        ("chunking", "A"),
        ("API", "Orders API"),
        ("assets", "2 files"),
    ]
    assert guesses(design) == [
        "the version is 5, not 4; it was read like version 4",
        "this component is no object, and was left out",
        "this component of type none has no name; it is called 'unnamed 2'",
        "'unnamed 2' is of the unknown type -1, and was ignored",
        "operation 'A' always runs its On Success operation; here only after a success",
    ]


def test_a_list_of_components_alone_is_read(read: Read) -> None:
    design = read(json.dumps([variable("a", "1"), variable("b", True)]))
    assert [(each.name, each.default) for each in design.variables] == [("a", "1"), ("b", "true")]
    assert guesses(design) == ["it is an array of components, and no whole export"]

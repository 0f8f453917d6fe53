"""Tools from raw JSON schemas, the guide's toolsJson."""

import json
import subprocess
import sys
from collections.abc import Callable, Mapping
from typing import Any

import pytest

from callagain.connectors.tools import ToolContext, ToolProblem, tool_from_schema, tools_from_json
from callagain.engine.errors import DuplicateToolError, ToolSchemaError
from callagain.engine.json_text import JsonObject

CONTEXT = ToolContext("run-1", "call_a1", "any", "key-1")
PARAMETERS: dict[str, Any] = {
    "type": "object",
    "properties": {
        "order_id": {"type": "string", "minLength": 2},
        "mail": {"type": "string", "format": "email"},
        "kind": {"enum": ["a", "b"]},
        "lines": {"type": "array", "items": {"anyOf": [{"type": "integer"}, {"type": "null"}]}},
    },
    "required": ["order_id"],
    "additionalProperties": False,
}


def entry(name: str = "get_order", **function: Any) -> dict[str, Any]:
    return {"type": "function", "function": {"name": name, "description": "Gets.", **function}}


def get_order(order_id: str, mail: str = "", kind: str = "a", lines: list[int | None] | None = None) -> str:
    return f"{order_id} {mail} {kind} {lines}"


def unannotated(order_id):  # type: ignore[no-untyped-def]  # pyright: ignore
    return order_id  # pyright: ignore


def anything(**values: object) -> object:
    return values


def schema_tool(
    parameters: dict[str, Any], function: Callable[..., object] = anything, **options: Any
) -> Any:
    return tool_from_schema(parameters, function, description="Any.", **options)


def test_announces_each_entry_as_it_was_given() -> None:
    entries = [entry(parameters=PARAMETERS, strict=True), entry("other")]
    made = tools_from_json(json.dumps(entries), {"get_order": get_order, "other": anything})
    assert made[0].announced() == entries[0]
    assert made[1].announced() == entry("other", parameters={"type": "object", "properties": {}})


def test_calls_the_function_of_the_name_with_keyword_arguments() -> None:
    (made,) = tools_from_json([entry(parameters=PARAMETERS)], {"get_order": get_order})
    assert made.bind({"order_id": "48", "lines": [1, None]}, CONTEXT)() == "48  a [1, None]"


def test_one_parameter_for_an_object_gets_the_whole_object() -> None:
    def whole(arguments: JsonObject, context: ToolContext) -> object:
        return [arguments, context.call_id]

    def mapping(arguments: Mapping[str, object]) -> object:
        return arguments

    assert schema_tool(PARAMETERS, whole).bind({"order_id": "48"}, CONTEXT)() == [
        {"order_id": "48"},
        "call_a1",
    ]
    assert schema_tool(PARAMETERS, mapping).bind({"order_id": "48"}, CONTEXT)() == {"order_id": "48"}
    by_option = schema_tool(PARAMETERS, unannotated, pass_object=True)  # pyright: ignore
    assert by_option.bind({"order_id": "48"}, CONTEXT)() == {"order_id": "48"}


def test_a_property_of_the_parameters_name_is_a_keyword_argument_even_if_it_is_an_object() -> None:
    def send(body: dict[str, object]) -> object:
        return body

    schema = {"type": "object", "properties": {"body": {"type": "object"}}, "required": ["body"]}
    assert schema_tool(schema, send).bind({"body": {"a": 1}}, CONTEXT)() == {"a": 1}


def test_names_every_fault_of_the_arguments() -> None:
    made = schema_tool(PARAMETERS, get_order)
    with pytest.raises(ToolProblem) as caught:
        made.bind({"mail": "x", "kind": "c", "lines": [1, "2"], "colour": 1}, CONTEXT)
    assert caught.value.code == "invalid_arguments"
    for clause in (
        "colour: unknown key; known are: order_id, mail, kind, lines",
        'kind: should be one of ["a","b"], got string "c"',
        'lines[1]: should be of type integer or should be of type null, got string "2"',
        'mail: breaks format "email", got string "x"',
        "order_id: required, but missing",
    ):
        assert clause in caught.value.message


def test_a_key_that_neither_schema_nor_function_knows_is_the_models_mistake() -> None:
    def find(term: str) -> str:
        return term

    schema = {"type": "object", "properties": {"term": {"type": "string"}}, "required": ["term"]}
    with pytest.raises(ToolProblem) as caught:
        schema_tool(schema, find).bind({"term": 3, "depth": 1}, CONTEXT)
    assert caught.value.message == (
        "term: should be of type string, got number 3; depth: unknown key; known are: term"
    )


def test_a_function_that_changes_its_arguments_does_not_change_the_call() -> None:
    def empty(arguments: dict[str, Any]) -> None:
        arguments["lines"].clear()

    call: JsonObject = {"order_id": "48", "lines": [1]}
    schema_tool(PARAMETERS, empty).bind(call, CONTEXT)()
    assert call == {"order_id": "48", "lines": [1]}


def test_the_draft_that_the_schema_names_holds() -> None:
    old = {
        "$schema": "http://json-schema.org/draft-04/schema#",
        "type": "object",
        "properties": {"n": {"type": "integer", "minimum": 0, "exclusiveMinimum": True}},
    }
    with pytest.raises(ToolProblem, match="n: breaks minimum 0, got number 0"):
        schema_tool(old).bind({"n": 0}, CONTEXT)
    with pytest.raises(ToolSchemaError, match="exclusiveMinimum: should be of type number"):
        schema_tool({**old, "$schema": "https://json-schema.org/draft/2020-12/schema"})


def test_references_inside_the_schema_are_followed() -> None:
    made = schema_tool(
        {
            "type": "object",
            "properties": {"$ref": {"type": "string"}, "n": {"$ref": "#/$defs/n"}},
            "$defs": {"n": {"type": "integer", "default": {"$ref": "data"}}},
        }
    )
    with pytest.raises(ToolProblem, match="n: should be of type integer"):
        made.bind({"n": "1"}, CONTEXT)


def test_oneof_says_when_more_than_one_form_fits() -> None:
    made = schema_tool(
        {"type": "object", "properties": {"n": {"oneOf": [{"minimum": 0}, {"type": "integer"}]}}}
    )
    with pytest.raises(ToolProblem, match="n: fits more than one of the allowed forms, got number 1"):
        made.bind({"n": 1}, CONTEXT)


@pytest.mark.parametrize(
    ("schema", "message"),
    [
        (
            {"type": "array"},
            'the root must be {"type": "object", "properties": …}, since arguments come by name',
        ),
        (
            {"type": "object", "properties": {"a": {"minLength": -1}}},
            "not a JSON schema: properties.a.minLength: breaks minimum 0, got number -1",
        ),
        (
            {"type": "object", "properties": {"a": {"pattern": "("}}},
            'not a JSON schema: properties.a.pattern: breaks format "regex", got string "("',
        ),
        (
            {"type": "object", "properties": {"a": {"$ref": "https://example.com/a.json"}}},
            "properties.a.$ref: 'https://example.com/a.json' leads out of the schema; put it in $defs",
        ),
        (
            {"type": "object", "properties": {"a": {"$ref": "#/$defs/a"}}},
            "properties.a.$ref: '#/$defs/a' leads nowhere",
        ),
        (
            {"type": "object", "$schema": "https://example.com/mine"},
            "$schema 'https://example.com/mine' is not a draft of JSON Schema that is known here",
        ),
        ({"type": "object", "default": float("nan")}, "the schema cannot be written as JSON: "),
        (
            {"type": "object", "allOf": [{"$ref": "#"}]},
            "allOf[0]: its $ref leads back to itself, and never to a type",
        ),
        (
            {"type": "object", "$defs": {"a": {"$ref": "#/$defs/a"}}},
            "$defs.a: its $ref leads back to itself, and never to a type",
        ),
        (
            {"type": "object", "properties": {"a": {"pattern": "a{99999999999}"}}},
            "not a JSON schema: OverflowError: the repetition number is too large",
        ),
        (
            {"type": "object", "properties": {"a": {"pattern": "^(?=a)(a+)+$"}}},
            "properties.a: matching the pattern '^(?=a)(a+)+$' may take for ever; write it without",
        ),
        (
            {"type": "object", "patternProperties": {"^(a|ab)*$": {}}},
            "the root: matching the pattern '^(a|ab)*$' may take for ever; write it without",
        ),
    ],
)
def test_refuses_a_schema_that_cannot_be_used(schema: dict[str, Any], message: str) -> None:
    with pytest.raises(ToolSchemaError) as caught:
        schema_tool(schema)
    assert str(caught.value).startswith(f"tool anything: parameters: {message}")


def test_refuses_a_function_that_the_schema_can_miss() -> None:
    schema: Any = {"type": "object", "properties": {"a": {}, "b": {}}, "required": ["a"]}

    def too_few(a: str) -> None:
        """Lacks b."""

    def too_many(a: str, b: str) -> None:
        """Needs b."""

    with pytest.raises(
        ToolSchemaError, match="tool too_few: the function has no parameter for the property b"
    ):
        schema_tool(schema, too_few)
    with pytest.raises(
        ToolSchemaError, match="tool too_many: the parameter b has no default, but the schema"
    ):
        schema_tool(schema, too_many)
    with pytest.raises(
        ToolSchemaError, match=r"pass_object=True needs a function with one parameter, .* has 2"
    ):
        schema_tool(schema, too_many, pass_object=True)


@pytest.mark.parametrize("flag", ["pass_object", "strict"])
def test_a_flag_is_true_or_false(flag: str) -> None:
    flags: Any = {flag: "no"}
    with pytest.raises(ToolSchemaError, match=rf"tool anything: {flag}='no' must be True or False$"):
        tool_from_schema({"type": "object"}, anything, description="Forward.", **flags)


NOT_TOOLS_JSON: list[tuple[Any, ...]] = [
    ("[", {}, "toolsJson is not JSON: Expecting value at position 1"),
    ('[{"a":1,"a":2}]', {}, "toolsJson is not JSON: the key 'a' stands twice in one object"),
    ("{}", {}, "toolsJson must be an array of tools, as in the tools field of a request"),
    (
        [{"type": "function", "name": "get_order"}],
        {},
        'toolsJson entry 0 must be {"type": "function", "function": {"name": …, "parameters": …}}',
    ),
    ([{"function": {}}], {}, "toolsJson entry 0 has no name; set function.name to a string"),
    (
        [{"type": "custom", "function": {}}],
        {},
        "toolsJson entry 0 has the type 'custom'; only function tools can be run",
    ),
    ([entry(returns={})], {}, "toolsJson entry 0 has the unknown key 'returns'; remove it"),
    ([entry(description=3)], {}, "toolsJson entry 0 (get_order): description must be a JSON string"),
    (
        [entry("a.b")],
        {},
        "tool 'a.b': a tool's name has 1 to 64 letters, digits, _ and -; set a legal one with name=",
    ),
    (
        [entry()],
        {"get_ordr": anything},
        "toolsJson entry 0: no function is given for get_order; given are: get_ordr",
    ),
    (
        [entry()],
        {"get_order": anything, "more": anything},
        "toolsJson has no entry for the function more; it has: get_order",
    ),
]


@pytest.mark.parametrize(
    ("tools_json", "functions", "message"),
    NOT_TOOLS_JSON,
)
def test_refuses_tools_json_that_does_not_fit(
    tools_json: Any, functions: dict[str, Callable[..., object]], message: str
) -> None:
    with pytest.raises(ToolSchemaError) as caught:
        tools_from_json(tools_json, functions)
    assert str(caught.value) == message


def test_refuses_one_name_for_two_entries() -> None:
    with pytest.raises(DuplicateToolError, match="entry 1: the name get_order stands twice"):
        tools_from_json([entry(), entry()], {"get_order": anything})


def test_a_change_of_the_given_schema_does_not_reach_the_tool() -> None:
    schema: dict[str, Any] = {"type": "object", "properties": {"a": {"type": "integer"}}}
    made = schema_tool(schema)
    schema["properties"]["a"]["type"] = "string"
    assert made.bind({"a": 1}, CONTEXT)() == {"a": 1}


def test_jsonschema_is_imported_for_the_first_schema_and_not_before() -> None:
    code = (
        "import sys; from callagain.connectors.tools import tool, tool_from_schema\n"
        "def f(a: int) -> int:\n    'Doc.'\n    return a\n"
        "tool(f); print('jsonschema' in sys.modules)\n"
        "tool_from_schema({'type': 'object'}, lambda: 1, name='x', description='d')\n"
        "print('jsonschema' in sys.modules)"
    )
    done = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, check=True, env={"PYTHONPATH": "src"}
    )
    assert done.stdout.split() == ["False", "True"]


def test_options_of_single_tools_by_their_names() -> None:
    entries: list[JsonObject] = [
        {"type": "function", "function": {"name": name, "description": "Does it."}}
        for name in ("look", "refund")
    ]
    functions = {"look": lambda: "seen", "refund": lambda: "refunded"}
    look, refund = tools_from_json(
        entries, functions, {"refund": {"requires_approval": True}, "look": {"read_only": True}}
    )
    assert (look.read_only, look.requires_approval, look.description) == (True, False, "Does it.")
    assert (refund.read_only, refund.requires_approval) == (False, True)


def test_options_for_a_tool_that_is_not_there_are_refused() -> None:
    entries: list[JsonObject] = [{"type": "function", "function": {"name": "look", "description": "Looks."}}]
    with pytest.raises(ToolSchemaError) as caught:
        tools_from_json(entries, {"look": lambda: "seen"}, {"lok": {"read_only": True}})
    assert str(caught.value) == "options are given for lok, which toolsJson does not have"

"""What of a server's schemas the SDK gets to see."""

import json
from typing import Any

import pytest

from callagain.mcp.messages import mended
from callagain.mcp.secrets import Secrets

DOUBLED = {f"d{n}": {"allOf": [{"$ref": f"#/$defs/d{n - 1}"}] * 2} for n in range(1, 30)}


def listed(tool: dict[str, Any], *secrets: str) -> dict[str, Any]:
    """The tool as it comes to the SDK."""
    sent = {"jsonrpc": "2.0", "id": 1, "result": {"tools": [{"inputSchema": {"type": "object"}, **tool}]}}
    found: dict[str, Any] = json.loads(mended(json.dumps(sent).encode(), Secrets(secrets)))["result"][
        "tools"
    ][0]
    return found


@pytest.mark.parametrize(
    ("schema", "kept"),
    [
        (
            {"properties": {"x": {"type": "string", "pattern": "a*a*a*a*a*a*b"}}},
            {"properties": {"x": {"type": "string"}}},
        ),
        ({"patternProperties": {"^x": {}}, "additionalProperties": False}, {}),
        ({"$defs": {"d0": {}, **DOUBLED}, "$ref": "#/$defs/d29"}, None),
    ],
)
def test_an_output_schema_holds_nothing_that_may_take_for_ever(
    schema: dict[str, Any], kept: dict[str, Any] | None
) -> None:
    expected = None if kept is None else {"type": "object", **kept}
    assert (
        listed({"name": "work", "outputSchema": {"type": "object", **schema}}).get("outputSchema") == expected
    )


def test_a_secret_is_hidden_in_what_a_tool_says_of_itself() -> None:
    schema = {"type": "object", "properties": {"key": {"type": "string", "default": "sesame-4711"}}}
    tool = listed(
        {"name": "work", "description": "Opens by sesame-4711.", "inputSchema": schema}, "sesame-4711"
    )
    assert "sesame" not in json.dumps(tool)

"""The patterns of schemas: what they match, and that no pattern and no text keeps the program waiting."""

import pytest

from callagain.connectors.tools.json_schema import SchemaValidator
from callagain.connectors.tools.patterns import matches, may_explode
from callagain.engine.errors import ToolSchemaError
from callagain.engine.json_text import Json, JsonObject


@pytest.mark.parametrize(
    ("pattern", "text", "fits"),
    [
        ("^(a+)+$", "a" * 40 + "!", False),
        ("^(a+)+$", "a" * 40, True),
        ("b", "abc", True),
        ("^a$", "a\n", False),
        ("[$]", "$", True),
        (r"\$", "$", True),
        ("^é$", "é\ud83d", False),
        ("[[a]b]", "[b]", True),
        (r"^[^[\]]+$", "a[", False),
        ("^[a&&b]$", "&", True),
        ("a{", "a{", True),
        (r"^(?=.*\d).{3,}$", "ab1", True),
        (r"^(?=.*\d).{3}$", "ab1\n", False),
        (r"^(\w)\1$", "aa", True),
    ],
)
def test_a_pattern_matches_as_it_always_did_and_at_once(pattern: str, text: str, fits: bool) -> None:
    assert matches(pattern, text) is fits


@pytest.mark.parametrize(
    ("pattern", "explodes"),
    [
        ("^(?=x)(a+)+$", True),
        (r"^(?!-)(?:[a-z]+\.)+com$", True),
        ("(a|ab)*(?=x)", True),
        ("(?!x)(?:a(b)?){2,}", True),
        (r"^(?=.*[A-Z])(?=.*\d).{8,}$", False),
        (r"(?!0)(\d{1,3}\.){3}\d", False),
        ("(?!x)[(+)]+(ab){2,}", False),
        ("(?P<a>a+)(?=x)(?i:b)", False),
        ("^(a+)+$", False),
        ("^(?=a)a*a*a*a*b$", True),
        ("^(?=a)(a*a*)(a*a*)b$", True),
        (r"^(?!\.)[\w.]+@[\w-]+\.[a-z]{2,}$", False),
    ],
)
def test_only_what_needs_backtracking_and_repeats_repeats_may_explode(pattern: str, explodes: bool) -> None:
    assert may_explode(pattern) is explodes


def test_a_long_text_is_not_held_against_what_needs_backtracking() -> None:
    assert not matches("^(?=a)a*a*a*b$", "a" * 250)
    assert matches("^(?=a)a*a*a*b$", "a" * 20_000)


@pytest.mark.parametrize("key", ["allOf", "anyOf", "oneOf"])
def test_references_that_double_are_refused(key: str) -> None:
    doubled: dict[str, Json] = {}
    for n in range(1, 30):
        before: Json = {"$ref": f"#/$defs/d{n - 1}"}
        doubled[f"d{n}"] = {key: [before, before]}
    schema: JsonObject = {"type": "object", "$defs": {"d0": {}, **doubled}, "$ref": "#/$defs/d29"}
    with pytest.raises(ToolSchemaError, match="more than 10,000 schemas for one value"):
        SchemaValidator(schema, "tool find: parameters")

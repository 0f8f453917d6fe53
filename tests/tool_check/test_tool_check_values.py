"""Which words of a property's description are values that an enum should list, and which are not."""

from collections.abc import Callable

import pytest

from callagain.engine.json_text import JsonObject
from callagain.tool_check import check_tools

Announce = Callable[..., JsonObject]

LISTED = [
    ("status", "open or closed", "“open”, “closed”"),
    ("status", "Status: open, closed, or pending.", "“open”, “closed”, “pending”"),
    ("ticket", "Ticket status (open or closed)", "“open”, “closed”"),
    ("kind", "Type of ticket (bug/feature)", "“bug”, “feature”"),
    ("direction", "either north or south", "“north”, “south”"),
    ("order", "One of: asc, desc", "“asc”, “desc”"),
    ("colour", "one of red, green, blue and white; red by default", "“red”, “green”, “blue”, “white”"),
    ("colour", "`red` or `green` (the default)", "“red”, “green”"),
    ("reason", "Should be either 'no longer needed' or 'by mistake'.", "“no longer needed”, “by mistake”"),
    ("delimiter", "',' or ';'", "“,”, “;”"),
    ("form", "pdf|html", "“pdf”, “html”"),
    ("level", "Level (1, 2, 3, 4 or 5)", "“1”, “2”, “3”, “4”, …"),
    ("priority", "'High' or 'Low'", "“High”, “Low”"),
]

NOT_LISTED = [
    ("term", "Search term: name or email"),
    ("term", "name or email"),
    ("term", "either name or email"),
    ("state", "State or province"),
    ("order", "one of the customer's orders"),
    ("order", "The order's number, or the customer's"),
    ("repository", "Repository as owner/name"),
    ("date", "Format: YYYY-MM-DD or DD-MM-YYYY"),
    ("colour", "Colour such as 'red' or 'green'"),
    ("colour", "Colour (e.g. 'red' or 'green')"),
    ("colour", "'red', 'green', etc."),
    ("colour", "'red' or 'green' (or any other)"),
    ("colour", "'red' or 'green'..."),
    ("city", "City name ('Paris' or 'Lisbon')"),
    ("ticket", "Ticket id ('T-101' or 'T-102')"),
    ("zone", "Use 'UTC' or 'local' as the zone if none is given"),
    ("filter", "Command, e.g. first|second"),
    ("value", "str|None"),
    ("flag", "true|false"),
    ("mode", "fast, slow or another"),
]


@pytest.mark.parametrize(("name", "description", "values"), LISTED)
def test_values_that_are_listed_are_found(
    announce: Announce, name: str, description: str, values: str
) -> None:
    (found,) = check_tools([announce(properties={name: {"type": "string", "description": description}})])
    assert (found.path, found.code) == (name, "enum-missing")
    assert found.message.startswith(f"the description lists {values}; give them as an enum")


@pytest.mark.parametrize(("name", "description"), NOT_LISTED)
def test_other_words_beside_an_or_are_no_values(announce: Announce, name: str, description: str) -> None:
    found = check_tools([announce(properties={name: {"type": "string", "description": description}})])
    assert "enum-missing" not in [each.code for each in found]


@pytest.mark.parametrize("kind", ["integer", "boolean", "array"])
def test_only_strings_need_an_enum(announce: Announce, kind: str) -> None:
    level = {"type": kind, "description": "1, 2 or 3", "items": {"type": "integer"}}
    assert check_tools([announce(properties={"level": level})]) == []


@pytest.mark.parametrize("letter", ["'", '"', "“", "a", "a ", "a,", "a|", "(", "one of a, "])
def test_a_long_description_is_read_in_no_time(announce: Announce, letter: str) -> None:
    status = {"type": "string", "description": letter * 20_000}
    assert isinstance(check_tools([announce(properties={"status": status})]), list)

"""What a case expects must have the form that its key needs; otherwise one line says so."""

from typing import Any

import pytest
from tests.conformance.case import JsonDict
from tests.conformance.expectations import mismatches
from tests.conformance.observed import Observed
from tests.conformance.sent_bodies import check_sent

SEEN = Observed(raised=TimeoutError())
EXPECT: JsonDict = {"outcome": "raises", "raises": "TimeoutError"}
NAN = float("nan")
MALFORMED: list[tuple[str, Any, str]] = [
    ("outcome", ["completed"], "one of completed, failed, limit, suspended, raises"),
    ("error_kind", 7, "a string, or null"),
    ("error_contains", "", "a list of strings"),
    ("error_contains", [7], "a list of strings"),
    ("raises", None, "the name of a class of exceptions, and none of Exception, BaseException, object"),
    ("final_text", ["Unknown."], "a string, or null"),
    ("partial_text", 7, "a string, or null"),
    ("retry_after", NAN, "a number of seconds from 0, or null"),
    ("loop_count", True, "a whole number from 0"),
    ("requests", 2.0, "a whole number from 0"),
    ("messages_len", "5", "a whole number from 0"),
    ("tool_results", {}, "a list of objects"),
    ("invocations", {}, "a list of objects"),
    ("pending_calls", None, "a list of objects"),
    ("usage", [], "an object of numbers"),
    ("usage", {"prompt_tokens": NAN}, "an object of numbers"),
    ("vars", [], "an object"),
    ("warnings", "", "a list of strings"),
    ("sent", {}, "a list of objects"),
    ("sent", ["absent"], "a list of objects"),
    ("nowhere", "", "a list of strings"),
    ("nowhere", {}, "a list of strings"),
    ("min_seconds", False, "a number of seconds from 0"),
    ("max_seconds", NAN, "a number of seconds from 0"),
    ("max_seconds", float("inf"), "a number of seconds from 0"),
    ("max_seconds", "9", "a number of seconds from 0"),
]


@pytest.mark.parametrize(("key", "value", "form"), MALFORMED)
def test_a_value_of_another_form_is_told_in_one_line(key: str, value: Any, form: str) -> None:
    told = list(mismatches({**EXPECT, key: value}, SEEN))
    assert told == [f"{key}: must be {form}, and is {value!r}"]


@pytest.mark.parametrize(
    ("lie", "problem"),
    [
        ({"request": True}, "request must be a whole number from 1, and is True"),
        ({"request": 1.0}, "request must be a whole number from 1, and is 1.0"),
        ({"request": "1"}, "request must be a whole number from 1, and is '1'"),
        ({"pointer": 1}, 'pointer must be a JSON pointer, which is empty or begins with "/", and is 1'),
        (
            {"pointer": "x"},
            """pointer must be a JSON pointer, which is empty or begins with "/", and is 'x'""",
        ),
        ({"op": ["absent"]}, "op must be one of absent, equals, equals_json, type, matches, same_as, "),
        ({"value": 7}, "value must be left out, and is 7"),
        ({"op": "matches", "value": "("}, "value must be a regular expression, and is '('"),
        ({"op": "type", "value": ["string"]}, "value must be one of null, boolean, integer, "),
        ({"op": "max_length", "value": True}, "value must be a whole number from 0, and is True"),
        ({"op": "same_as", "value": None}, "value must be a JSON pointer, "),
        ({"op": "differs_from", "value": "model"}, "value must be a JSON pointer, "),
    ],
)
def test_an_assertion_of_another_form_is_told(lie: JsonDict, problem: str) -> None:
    assertion = {"request": 1, "pointer": "/nothing", "op": "absent", **lie}
    (told,) = check_sent([{"model": "m"}], [assertion])
    place = " ".join(str(assertion[key]) for key in ("request", "pointer", "op"))
    assert told.startswith(f"{place}: {problem}")

"""The report as JSON, and back."""

import json
from dataclasses import replace

import pytest
from tests.porting.report.reports import ORDERS, harmful_report

from callagain.porting.report import Report, ReportFileError, read_report_json, report_json


@pytest.mark.parametrize("report", [ORDERS, Report("D", "f", "p", {}, ())], ids=["whole", "empty"])
def test_a_report_is_read_back_as_it_was(report: Report) -> None:
    assert read_report_json(report_json(report)) == report


def test_the_json_has_a_version_the_exit_code_and_the_fields_by_their_names() -> None:
    value = json.loads(report_json(ORDERS))
    assert list(value)[:5] == ["version", "exit_code", "design", "form", "package"]
    assert (value["version"], value["exit_code"]) == (1, ORDERS.exit_code)
    assert value["components"][3] == {
        "kind": "script",
        "name": "Notify",
        "place": {"file": "orders.json", "inside": "components[3]"},
        "status": "stub",
        "became": "orders_assistant/stubs.py",
        "notes": ["no SendEmail"],
    }
    assert value["traps"][0]["line"] == 7


def test_the_text_can_be_shown_as_it_is() -> None:
    text = report_json(harmful_report())
    assert text.isascii()
    assert [each for each in text if not (each.isprintable() or each == "\n")] == []


def test_what_is_no_unicode_is_replaced() -> None:
    assert read_report_json(report_json(replace(ORDERS, design="a\ud800b"))).design == "a\ufffdb"


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "this is no report of a port: it is no JSON: Expecting value at position 0"),
        ("[]", "this is no report of a port: it has no version; write one with callagain port"),
        ('{"version": 2}', "this report has the version 2, and 1 is read here; port the design again"),
        ('{"version": 1}', "this is no report of a port: design: Field required"),
        (
            report_json(ORDERS).replace('"stub"', '"done"'),
            "this is no report of a port: components.3.status: Input should be 'converted', "
            "'converted with notes', 'kept as script', 'stub' or 'ignored'",
        ),
    ],
)
def test_another_text_is_refused_with_what_is_wrong(text: str, message: str) -> None:
    with pytest.raises(ReportFileError) as refused:
        read_report_json(text)
    assert str(refused.value) == message


def test_a_field_of_a_later_minor_form_is_passed_over() -> None:
    value = json.loads(report_json(ORDERS))
    assert read_report_json(json.dumps({**value, "more": 1})) == ORDERS

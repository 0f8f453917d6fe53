"""The report as JSON, and back: a stable form with a version, for other programs."""

import json
from collections.abc import Mapping
from typing import Any, cast

from pydantic import TypeAdapter, ValidationError

from callagain.engine.json_text import Json, JsonError, decode, encode
from callagain.porting.report.model import Report

VERSION = 1
"""Raised when a field changes its meaning or goes away; new fields do not raise it."""

_VERSION, _EXIT_CODE = "version", "exit_code"
_REPORT = TypeAdapter(Report)


class ReportFileError(ValueError):
    """A text is no report of a port; the message says why, in one line."""


def report_json(report: Report) -> str:
    """The report as a JSON object, indented, with a line feed at the end.

    Fields are those of `Report`, named alike, with `version` first and `exit_code` second. Control characters
    and marks of direction stand as escapes, so the text can be shown as it is.
    """
    fields: dict[str, Any] = _REPORT.dump_python(report, mode="json")
    whole = {_VERSION: VERSION, _EXIT_CODE: report.exit_code, **fields}
    # encode() replaces what is no Unicode, which a design from a file may hold.
    return json.dumps(json.loads(encode(cast("Json", whole))), indent=2) + "\n"


def read_report_json(text: str) -> Report:
    """The report of a JSON text. Raises ReportFileError for what is none, or is of another version."""
    try:
        value = decode(text)
    except JsonError as error:
        raise ReportFileError(f"this is no report of a port: it is no JSON: {error}") from None
    if not isinstance(value, dict) or _VERSION not in value:
        raise ReportFileError("this is no report of a port: it has no version; write one with callagain port")
    if value[_VERSION] != VERSION:
        raise ReportFileError(
            f"this report has the version {str(value[_VERSION])[:20]}, and {VERSION} is read here; "
            "port the design again"
        )
    fields: Mapping[str, object] = {
        name: each for name, each in value.items() if name not in (_VERSION, _EXIT_CODE)
    }
    try:
        return _REPORT.validate_python(fields)
    except ValidationError as error:
        first = error.errors()[0]
        place = ".".join(map(str, first["loc"])) or "the report"
        raise ReportFileError(f"this is no report of a port: {place}: {first['msg']}") from None

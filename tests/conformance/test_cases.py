"""Every case of the files, by the synchronous driver, the asynchronous one, or both."""

import logging

import pytest
from tests.conformance.case import Case, CaseError
from tests.conformance.expectations import mismatches
from tests.conformance.observing import observe

Log = pytest.LogCaptureFixture
Printed = pytest.CaptureFixture[str]


# A case need not describe its tools.
@pytest.mark.filterwarnings("ignore::callagain.ToolDescriptionWarning")
def test_case(case: Case, asynchronous: bool, caplog: Log, capfd: Printed) -> None:
    if "nowhere" in case.expect:
        caplog.set_level(logging.DEBUG)
    if problems := _problems(case, asynchronous, caplog, capfd):
        pytest.fail("\n".join([case.kind, *problems]), pytrace=False)


def _problems(case: Case, asynchronous: bool, log: Log, printed: Printed) -> list[str]:
    try:
        seen = observe(case, asynchronous=asynchronous)
    except CaseError as error:
        return [f"the case cannot be run: {error}"]
    seen.written = log.text + "".join(printed.readouterr())
    return list(mismatches(case.expect, seen))

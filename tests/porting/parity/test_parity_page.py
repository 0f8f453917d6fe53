"""docs/porting-parity.md: its cases are read, and what it shows is what the command says."""

from pathlib import Path

import pytest
from tests.docs.fences import fences_in
from tests.porting.parity.packages import lying

from callagain.cli import main
from callagain.porting.parity import Status, parity, read_cases

PAGE = Path(__file__).parents[3] / "docs" / "porting-parity.md"


def body(language: str) -> str:
    (found,) = [fence.body for fence in fences_in(PAGE.read_text("utf-8")) if fence.language == language]
    return found


@pytest.fixture
def cases(tmp_path: Path) -> Path:
    file = tmp_path / "cases.json"
    file.write_text(body("json5"), "utf-8")
    return file


def test_the_cases_of_the_page_hold(orders: Path, cases: Path) -> None:
    found = parity(orders, cases=read_cases(cases))
    assert [(case.name, case.status) for case in found] == [
        ("shipped", Status.SAME),
        ("cancel, without a reason", Status.SAME),
    ]


def test_the_difference_of_the_page_is_what_the_command_says(
    orders: Path,
    cases: Path,
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setenv("COLUMNS", "100")
    file, written = "orders_assistant/scripts.py", """',"carrier":"', carrier, '"'"""
    package = lying(orders, tmp_path / "orders", file, written, written.replace("carrier,", '"UPS",'))
    assert main(["parity", str(package), "--cases", str(cases)]) == 1
    assert body("text") in capsys.readouterr().out

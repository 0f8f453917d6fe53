"""`callagain parity`: what it prints, and which exit code it ends with."""

import json
import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from callagain.porting.design import read_design
from callagain.porting.package import port, write_package

Command = Callable[..., Any]
Write = Callable[..., str]

ORDERS = Path(__file__).parents[2] / "examples" / "designs" / "orders"
CASES = [
    {
        "name": "shipped",
        "message": "Where is order 481516?",
        "answers": [
            {"calls": [{"name": "get_order_status", "arguments": {"order_id": "481516"}}]},
            "It is shipped.",
        ],
    }
]


@pytest.fixture(scope="module")
def orders(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("parity") / "orders"
    write_package(port(read_design(ORDERS)), folder)
    return folder


@pytest.fixture
def package(orders: Path, tmp_path: Path) -> Path:
    return Path(shutil.copytree(orders, tmp_path / "orders"))


@pytest.fixture
def cases(write: Write) -> str:
    return write("cases.json", json.dumps(CASES))


def change(package: Path, file: str, old: str, new: str) -> None:
    path = package / "orders_assistant" / file
    path.write_text(path.read_text("utf-8").replace(old, new), "utf-8")


def test_a_package_that_does_the_same_ends_with_0(command: Command, package: Path, cases: str) -> None:
    change(package, "project.py", "PROJECT =", "print('imported')\nPROJECT =")
    ended = command("parity", str(package), "--cases", cases)
    lines = ended.out.splitlines()
    assert ended.code == 0
    assert lines[0] == "same       shipped"
    assert lines[-1] == "1 case: 1 same; 0 differences, 0 more explained by traps"
    assert ended.err == "imported\n"


def test_a_difference_ends_with_1_and_is_shown_at_its_place(
    command: Command, package: Path, cases: str
) -> None:
    change(package, "chain.py", 'MODEL = "gpt-4o"', 'MODEL = "gpt-3"')
    ended = command("parity", str(package), "--cases", cases)
    assert ended.code == 1
    assert ended.out.splitlines()[:4] == [
        "different  shipped",
        "           after request 1: request: model",
        '             design: "gpt-4o"',
        '             python: "gpt-3"',
    ]
    assert ended.out.splitlines()[-1].startswith("1 case: 1 different; 1 difference, ")


def test_json_is_one_document(command: Command, package: Path, cases: str) -> None:
    change(package, "chain.py", 'MODEL = "gpt-4o"', 'MODEL = "gpt-3"')
    ended = command("parity", str(package), "--cases", cases, "--json")
    assert (ended.code, ended.json["holds"]) == (1, False)
    (case,) = ended.json["cases"]
    assert (case["name"], case["status"], case["reason"]) == ("shipped", "different", None)
    assert case["differences"] == [
        {
            "case": "shipped",
            "after": "request 1",
            "variable": "request: model",
            "design": '"gpt-4o"',
            "python": '"gpt-3"',
            "trap": None,
        }
    ]


def test_a_case_that_cannot_be_run_ends_with_1(command: Command, package: Path, write: Write) -> None:
    cases = write("cases.json", json.dumps([{"name": "none", "operation": "Nothing"}]))
    ended = command("parity", str(package), "--cases", cases)
    assert ended.code == 1
    assert ended.out.startswith(
        "not run    none\n           the design cannot be run: the design has no operation"
    )


def test_misuse_ends_with_2_and_one_line(command: Command, tmp_path: Path, package: Path) -> None:
    for arguments in ([str(tmp_path)], [str(package), "--cases", str(tmp_path / "none.json")], []):
        ended = command("parity", *arguments)
        assert (ended.code, ended.out) == (2, "")
        assert ended.err.startswith("callagain: error: ")
        assert ended.err.count("\n") == 1

"""`callagain port`: a design becomes a package, and the report says what to do."""

import json
from pathlib import Path

import pytest
from tests.cli.conftest import Command

DESIGNS = Path(__file__).parents[2] / "examples" / "designs"


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    return tmp_path


def test_a_design_is_ported_and_the_report_comes(command: Command, folder: Path) -> None:
    ended = command("port", str(DESIGNS / "orders"), "-o", "ported")
    assert ended.code == 0
    assert (
        ended.out.splitlines()[0]
        == "Orders Assistant (folder of scripts) became the package orders_assistant."
    )
    assert ended.err == "written: ported; README.md there says how to run it\n"
    assert (folder / "ported" / "orders_assistant" / "chain.py").is_file()


def test_without_a_folder_only_the_report_comes(command: Command, folder: Path) -> None:
    ended = command("port", str(DESIGNS / "orders_studio_export.json"), "--report", "json")
    assert (ended.code, ended.err) == (0, "")
    assert ended.json["package"] == "orders_assistant"
    assert list(folder.iterdir()) == []


def test_what_is_left_to_write_is_in_the_exit_code(command: Command, folder: Path) -> None:
    design = {
        "name": "Nightly",
        "operations": [{"name": "Load", "steps": [{"activity": "Query Orders"}]}],
        "activities": [{"name": "Query Orders", "connector": "salesforce", "function": "query"}],
    }
    (folder / "nightly").mkdir()
    (folder / "nightly" / "design.json").write_text(json.dumps(design))
    ended = command("port", "nightly", "-o", "ported", "--report", "markdown", "--package", "nightly")
    assert ended.code == 1
    assert "Query Orders" in ended.out
    assert "still to be written" in (folder / "ported" / "nightly" / "activities.py").read_text()


@pytest.mark.parametrize(
    ("content", "said"),
    [
        (b"", "design.json: is empty"),
        (b"PK\x03\x04 no archive", "design.json: "),
        (b'{"project": ', "design.json: "),
        (b"\xff\xfe\x00\x01\x02", "design.json: "),
    ],
)
def test_a_file_that_is_no_design_is_refused_in_a_line(
    command: Command, folder: Path, content: bytes, said: str
) -> None:
    (folder / "design.json").write_bytes(content)
    ended = command("port", "design.json", "-o", "ported")
    assert ended.code == 2
    assert ended.err.startswith(f"callagain: error: {said}")
    assert ended.err.count("\n") == 1
    assert [path.name for path in folder.iterdir()] == ["design.json"]


def test_a_design_without_anything_is_refused(command: Command, folder: Path) -> None:
    (folder / "design.json").write_text('{"name": "Nothing", "some": "other file"}')
    ended = command("port", "design.json", "-o", "ported")
    assert (ended.code, ended.err) == (
        2,
        "callagain: error: Nothing: this folder of scripts has no operations, scripts, activities or "
        "flowchart; is it a design?\n",
    )


@pytest.mark.parametrize("name", ["class", "two words", "ünï", "1st", ""])
def test_a_name_that_python_cannot_import_is_refused(command: Command, name: str) -> None:
    ended = command("port", str(DESIGNS / "orders"), "--package", name)
    assert ended.code == 2
    assert ended.err == (
        f"callagain: error: --package {name!r}: Python cannot import that; use letters, digits and _\n"
    )


def test_a_folder_with_other_files_is_left_alone(command: Command, folder: Path) -> None:
    (folder / "mine.txt").write_text("mine")
    ended = command("port", str(DESIGNS / "orders"), "-o", ".")
    assert ended.code == 2
    assert "holds other files; give the path of a new folder by -o" in ended.err

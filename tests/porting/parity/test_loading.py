"""What is no ported package is refused in one line, and nothing of a package is left behind."""

import sys
from pathlib import Path

import pytest
from tests.porting.parity.packages import small

from callagain.porting.parity import Case, ParityError, case_results, parity, read_cases
from callagain.testing import Answer, AnyAnswer, calls

WRITTEN = "give the folder that `callagain port` has written"


def test_nothing_is_left_in_the_interpreter_or_in_the_folder(tmp_path: Path) -> None:
    package = small(tmp_path, {"A": "<trans>1;</trans>"}, code="import small_helper")
    (package / "small_helper.py").write_text("")
    path, modules = list(sys.path), dict(sys.modules)
    running = case_results(package)
    next(running)
    assert "small_design.project" in sys.modules
    running.close()
    assert sys.path == path
    left = set(sys.modules) - set(modules)
    assert not [name for name in left if name.startswith("small_")]
    assert not list(package.rglob("__pycache__"))


def test_a_package_that_is_imported_already_stays_as_it_is(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    package = small(tmp_path, {"A": "<trans>1;</trans>"})
    ours = type(sys)("small_design")
    monkeypatch.setitem(sys.modules, "small_design", ours)
    assert parity(package).holds
    assert sys.modules["small_design"] is ours


@pytest.mark.parametrize(
    ("file", "text", "message"),
    [
        ("pyproject.toml", None, f"{{folder}} is no ported package: it has no pyproject.toml; {WRITTEN}"),
        ("pyproject.toml", "[tool", "{folder}/pyproject.toml is not TOML: "),
        ("pyproject.toml", "[tool]", "{folder}/pyproject.toml names no package in [tool.callagain.port]; "),
        (
            "pyproject.toml",
            '[tool.callagain.port]\npackage = "../small_design"',
            "{folder}/pyproject.toml: '../small_design' cannot be the name of a package; ",
        ),
        (
            "pyproject.toml",
            '[tool.callagain.port]\npackage = "json"',
            "{folder}/pyproject.toml: 'json' cannot be the name of a package; rename it",
        ),
        (
            "small_design/__init__.py",
            None,
            "{folder} has no package small_design, which pyproject.toml names; ",
        ),
        (
            "small_design/project.py",
            "x = 1\nraise ValueError('two\\nlines')",
            "cannot import small_design.project of {folder} (project.py, line 2): ValueError: two lines; ",
        ),
        (
            "small_design/project.py",
            "def (",
            "cannot import small_design.project of {folder} (project.py, line 1): SyntaxError: ",
        ),
        (
            "small_design/project.py",
            "PROJECT = 1",
            "{folder}/small_design/project.py has no PROJECT that is ",
        ),
        (
            "small_design/design/design.json",
            "{",
            "cannot import small_design.project of {folder} (project.py, ",
        ),
        ("small_design/chain.py", "ask = 1", "{folder}/small_design/chain.py has no function ask("),
        (
            "small_design/chain.py",
            "exit('bye')",
            "cannot import small_design.chain of {folder} (chain.py, line 1): ",
        ),
    ],
)
def test_what_is_no_package_is_refused_in_one_line(
    tmp_path: Path, file: str, text: str | None, message: str
) -> None:
    package = small(tmp_path, {"A": "<trans>1;</trans>"})
    if text is None:
        (package / file).unlink()
    else:
        (package / file).write_text(text)
    with pytest.raises(ParityError) as refused:
        parity(package)
    told = str(refused.value)
    assert told.startswith(message.format(folder=package))
    assert "\n" not in told
    assert not [name for name in sys.modules if name.startswith("small_design")]


def test_a_folder_that_is_not_there_is_refused(tmp_path: Path) -> None:
    with pytest.raises(ParityError, match="there is no folder .*nowhere; give the folder"):
        parity(tmp_path / "nowhere")


def test_cases_are_read_with_answers_as_the_stand_in_has_them(tmp_path: Path) -> None:
    file = tmp_path / "cases.json"
    file.write_text(
        """[
        {"name": "one", "message": "", "variables": {"customerName": "Ada", "n": [1]},
         "answers": [{"calls": [{"name": "find", "arguments": {"id": 1}}]}, {"status": 500}, "Done."]},
        {"name": "two", "operation": "Tool - Find"}]"""
    )
    answers: list[AnyAnswer] = [calls(("find", {"id": 1})), Answer(500), "Done."]
    assert read_cases(file) == [
        Case("one", "", answers, {"customerName": "Ada", "n": [1]}),
        Case("two", answers=[], operation="Tool - Find"),
    ]


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("[", "are not JSON: "),
        ("{}", "must be a list with one case at least"),
        ("[1]", ": case 1 must be an object"),
        (
            '[{"name": "a", "message": "", "answer": []}]',
            ": case 1 has the unknown key 'answer'; known: answers, ",
        ),
        ('[{"message": ""}]', ': case 1: "name" must be a text'),
        ('[{"name": "a"}]', ': case 1 (a) needs either "message" or "operation"'),
        ('[{"name": "a", "message": 1}]', ': case 1 (a): "message" must be a text'),
        (
            '[{"name": "a", "message": "", "answers": [{"calls": []}]}]',
            ": case 1 (a): answers[0].calls needs at ",
        ),
        ('[{"name": "a", "message": "", "variables": {"$n": 1}}]', ": case 1 (a): write '$n' without $"),
        ('[{"name": "a", "message": "", "variables": []}]', ": case 1 (a): variables must be an object"),
    ],
)
def test_cases_that_cannot_be_read_are_refused_with_their_place(
    tmp_path: Path, text: str, message: str
) -> None:
    file = tmp_path / "cases.json"
    file.write_text(text)
    with pytest.raises(ParityError) as refused:
        read_cases(file)
    assert str(refused.value).removeprefix(f"the cases {file}").strip().startswith(message.strip())


def test_a_file_of_cases_that_is_not_there_is_refused(tmp_path: Path) -> None:
    with pytest.raises(ParityError, match="cannot read the cases .*: No such file or directory; give a JSON"):
        read_cases(tmp_path / "nothing.json")

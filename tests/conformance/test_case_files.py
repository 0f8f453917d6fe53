"""--cases, and what it says of files that hold no cases."""

import json
import subprocess
import sys
from pathlib import Path

import pytest
from tests.conformance.case import Case, JsonDict, read_cases

HERE = Path(__file__).parent

CASE: JsonDict = {
    "id": "hello",
    "transport": "chat",
    "request": {"model": "m", "messages": [{"role": "user", "content": "Hi"}]},
    "responses": [{"status": 200, "headers": {}, "body": {"choices": [{"message": {"content": "Hello."}}]}}],
    "expect": {"outcome": "completed", "final_text": "Hello.", "requests": 1},
}
WRONG: JsonDict = {**CASE, "id": "wrong", "kind": "a lie", "expect": {**CASE["expect"], "requests": 2}}
UNKNOWN: JsonDict = {**CASE, "id": "unknown", "config": {"colour": "red"}}


def run_pytest(folder: Path, *arguments: str) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-m", "pytest", "-q", "-rN", "-p", "no:cacheprovider", str(HERE), *arguments]
    return subprocess.run(command, cwd=folder, capture_output=True, text=True, timeout=60, check=False)


def write(path: Path, *cases: JsonDict) -> None:
    path.write_text("".join(f"{json.dumps(case)}\n" for case in cases), encoding="utf-8")


def test_runs_the_cases_of_the_files_and_nothing_else(tmp_path: Path) -> None:
    write(tmp_path / "one.jsonl", CASE, {**CASE, "id": "R067"})
    write(tmp_path / "two.jsonl", WRONG, UNKNOWN)
    ended = run_pytest(tmp_path, "--cases", "one.jsonl", "--cases", str(tmp_path / "two.jsonl"))
    assert ended.returncode == 1, ended.stdout + ended.stderr
    lines = ended.stdout.splitlines()
    assert lines[-1].startswith("4 failed, 4 passed, ")
    assert lines.count("requests: expected 2, got 1") == 2
    refused = "the case cannot be run: config.colour is no option of ToolLoop; known are"
    assert sum(line.startswith(refused) for line in lines) == 2


def test_a_file_that_is_not_there_is_one_line(tmp_path: Path) -> None:
    ended = run_pytest(tmp_path, "--cases", "none.jsonl")
    assert ended.returncode == pytest.ExitCode.USAGE_ERROR
    path = tmp_path / "none.jsonl"
    assert ended.stderr.strip() == f"ERROR: --cases: {path} cannot be read: No such file or directory"


def test_a_case_needs_neither_kind_nor_config_nor_tools(tmp_path: Path) -> None:
    write(tmp_path / "cases.jsonl", CASE)
    assert read_cases(tmp_path / "cases.jsonl") == [Case(**CASE, kind="", config={}, tools=[])]


def test_line_separators_within_a_string_part_no_line(tmp_path: Path) -> None:
    said = "one\u2028two"
    text = json.dumps({**CASE, "kind": said}, ensure_ascii=False)
    (tmp_path / "cases.jsonl").write_text(f"\n{text}\r\n\n", "utf-8")
    (case,) = read_cases(tmp_path / "cases.jsonl")
    assert case.kind == said


@pytest.mark.parametrize(
    ("line", "problem"),
    [
        ("{", "not JSON: Expecting property name enclosed in double quotes: line 1 column 2 (char 1)"),
        ("[]", "a case is a JSON object"),
        ('{"id": "a"}', "the case has no transport"),
        (json.dumps({**CASE, "id": 7}), "id must be a string"),
        (json.dumps({**CASE, "expect": []}), "expect must be an object"),
        (json.dumps({**CASE, "responses": ["Hello."]}), "responses must be a list of objects"),
        (json.dumps({**CASE, "tools": {}}), "tools must be a list of objects"),
        ('{"id": "a", "id": "b"}', "the key 'id' stands twice in one object"),
        ('{"id": "a", "expect": {"sent": [{"op": 1, "op": 2}]}}', "the key 'op' stands twice in one object"),
    ],
)
def test_a_line_that_is_no_case_is_named(tmp_path: Path, line: str, problem: str) -> None:
    path = tmp_path / "cases.jsonl"
    path.write_text(f"{json.dumps(CASE)}\n{line}\n")
    with pytest.raises(pytest.UsageError) as raised:
        read_cases(path)
    assert str(raised.value) == f"--cases: {path}:2: {problem}"


@pytest.mark.parametrize(
    ("content", "problem"),
    [(b"\n", "holds no case; it needs one JSON object a line"), (b"\xff", "cannot be read: it is not UTF-8")],
)
def test_a_file_without_cases_is_named(tmp_path: Path, content: bytes, problem: str) -> None:
    path = tmp_path / "cases.jsonl"
    path.write_bytes(content)
    with pytest.raises(pytest.UsageError) as raised:
        read_cases(path)
    assert str(raised.value) == f"--cases: {path} {problem}"

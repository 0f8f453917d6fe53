"""What the command that runs the tests with several Pythons is told."""

import pytest
from tests.packaging.pythons import named_versions


def test_pythons_are_named_by_their_versions() -> None:
    assert named_versions(["3.14", "3.12"]) == ["3.14", "3.12"]
    assert named_versions([]) == []


def test_a_python_that_is_not_known_is_told_with_those_that_are(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as ended:
        named_versions(["3.10"])
    assert ended.value.code == 2
    error = capsys.readouterr().err
    assert "3.10" in error
    assert "3.11" in error


def test_help_runs_nothing(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as ended:
        named_versions(["--help"])
    assert ended.value.code == 0
    assert "VERSION" in capsys.readouterr().out

"""Packages without a chain: every operation by its original scripts and by those in Python."""

from pathlib import Path

import pytest
from tests.porting.parity.packages import small

from callagain.porting.parity import Case, Parity, Status, parity

COUNT = '<trans>$n = $n + 1; WriteToOperationLog("n: " + $n);</trans>'
IN_PYTHON = """
def count(state: State) -> None:
    state["n"] = {value}
    state.write_to_operation_log("n: " + str(state["n"]))
"""
MAPPED = 'python={"Count": count}'


def reasons(found: Parity) -> list[str | None]:
    assert [case.status for case in found.not_run] == [case.status for case in found]
    assert found.differences == ()
    assert not found.holds
    return [case.reason for case in found]


def test_a_script_in_python_that_does_the_same_holds(tmp_path: Path) -> None:
    package = small(
        tmp_path, {"Count": COUNT}, code=IN_PYTHON.format(value="(state['n'] or 0) + 1"), settings=MAPPED
    )
    found = parity(package)
    assert found.holds
    assert [case.name for case in found] == ["operation Run Count"]


def test_a_script_in_python_that_sets_another_value_is_told_once(tmp_path: Path) -> None:
    package = small(tmp_path, {"Count": COUNT}, code=IN_PYTHON.format(value="2"), settings=MAPPED)
    found = parity(package, cases=[Case("three", variables={"n": 2}, operation="Run Count")])
    told = [(each.after, each.variable, each.design, each.python, each.trap) for each in found.differences]
    assert told == [
        ("script Count", "n", "3", "2", None),
        ("script Count", "operation log: [0]", '"n: 3"', '"n: 2"', None),
    ]


def test_a_boolean_is_no_number_and_null_is_not_set(tmp_path: Path) -> None:
    scripts = {"Set": "<trans>$truth = true; $nothing = Null(); $number = 1.0;</trans>"}
    code = "def as_set(state: State) -> None:\n    state['truth'] = 1\n    state['number'] = 1\n"
    found = parity(small(tmp_path, scripts, code=code, settings='python={"Set": as_set}'))
    assert [(each.variable, each.design, each.python) for each in found.differences] == [
        ("truth", "true", "1")
    ]


def test_another_order_of_what_runs_is_told(tmp_path: Path) -> None:
    scripts = {
        "First": '<trans>RunScript("<TAG>script:Second</TAG>");</trans>',
        "Second": "<trans>1;</trans>",
    }
    found = parity(
        small(
            tmp_path, scripts, code="def first(state: State) -> None: ...", settings='python={"First": first}'
        )
    )
    (difference,) = found.differences
    assert (difference.after, difference.variable) == ("the beginning", "what runs next")
    assert (difference.design, difference.python) == ('"script Second"', '"script First"')


def test_a_step_that_is_still_to_be_written_keeps_a_case_from_being_run(tmp_path: Path) -> None:
    manifest = {
        "operations": [{"name": "Read", "steps": [{"activity": "Query"}]}],
        "activities": [{"name": "Query", "connector": "Database", "function": "query"}],
    }
    stub = "def query(body, variables):\n    raise OperationFailed('query is still to be written')\n"
    package = small(
        tmp_path / "stub", {}, code=stub, settings='python={}, activities={"Query": query}', manifest=manifest
    )
    assert reasons(parity(package)) == ["the step Query: query is still to be written"]
    broken = "def query(body, variables):\n    return variables['missing']\n"
    package = small(
        tmp_path / "broken",
        {},
        code=broken,
        settings='python={}, activities={"Query": query}',
        manifest=manifest,
    )
    assert reasons(parity(package)) == ["the step Query raised KeyError: 'missing'"]
    package = small(tmp_path / "nobody", {}, manifest=manifest)
    (reason,) = reasons(parity(package))
    assert reason is not None
    assert reason.startswith("the design cannot be run: Read, step 1: nothing runs the activity 'Query'")


def test_a_secret_that_is_read_and_not_set_keeps_a_case_from_being_run(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    scripts = {"Sign": '<trans>$signed = "sig " + $crm.apiKey;</trans>'}
    manifest = {"variables": [{"name": "crm.apiKey", "secret": True}]}
    code = "def sign(state: State) -> None:\n    state['signed'] = 'sign ' + str(state['crm.apiKey'])\n"
    package = small(tmp_path, scripts, code=code, settings='python={"Sign": sign}', manifest=manifest)
    monkeypatch.delenv("CRM_API_KEY", raising=False)
    assert reasons(parity(package)) == [
        "the script Sign reads the secret $crm.apiKey, which is not set: set CRM_API_KEY"
    ]
    monkeypatch.setenv("CRM_API_KEY", "s3cr3t-value")
    (difference,) = parity(package).differences
    assert (difference.design, difference.python) == ('"sig ***"', '"sign ***"')


def test_a_script_in_python_that_breaks_is_named(tmp_path: Path) -> None:
    package = small(tmp_path, {"Count": COUNT}, code=IN_PYTHON.format(value="1 / 0"), settings=MAPPED)
    assert reasons(parity(package)) == [
        "the script Count in Python raised ZeroDivisionError: division by zero; mend it"
    ]


@pytest.mark.parametrize(
    ("script", "reason"),
    [
        ('<trans>RunOperation("<TAG>operation:Run Loop</TAG>");</trans>', "nest"),
        ('<trans>While(true, RunScript("<TAG>script:Other</TAG>"));</trans>', "2,000 steps"),
        ("<trans>NoSuchFunction();</trans>", "NoSuchFunction"),
        ("<trans>1 +;</trans>", "line 1"),
    ],
    ids=["itself", "endless", "an unknown function", "no script"],
)
def test_a_design_that_cannot_be_run_says_why(tmp_path: Path, script: str, reason: str) -> None:
    package = small(tmp_path, {"Loop": script, "Other": "<trans>1;</trans>"})
    case = Case("loop", operation="Run Loop")
    (told,) = reasons(parity(package, cases=[case]))
    assert told is not None
    assert told.startswith("the design cannot be run: ")
    assert reason in told
    assert "\n" not in told


def test_texts_of_a_design_are_shown_in_one_harmless_line(tmp_path: Path) -> None:
    long = "x" * 500
    scripts = {"Count": f'<trans>$n = "{long}\x1b[31m\u202etxt";</trans>'}
    code = f"def count(state: State) -> None:\n    state['n'] = {long!r} + '\\x07'\n"
    found = parity(small(tmp_path, scripts, code=code, settings=MAPPED))
    (difference,) = found.differences
    for shown in (difference.design, difference.python):
        assert shown.startswith("…xxx")
        assert len(shown) <= 162
        assert shown.isprintable()
    assert "\\u202e" in difference.design


@pytest.mark.parametrize(
    ("design", "python", "shown"),
    [
        ("a b", "a  b", ('"a b"', '"a \\u0020b"')),
        ("a b", "a\u00a0b", ('"a b"', '"a\\u00a0b"')),
        ("a\tb", "a b", ('"a\\tb"', '"a b"')),
        ("\u00e9", "e\u0301", ('"\\xe9"', '"e\\u0301"')),
    ],
    ids=["two spaces", "a space of another kind", "a tab", "letters that look alike"],
)
def test_what_differs_is_seen(tmp_path: Path, design: str, python: str, shown: tuple[str, str]) -> None:
    code = f"def count(state: State) -> None:\n    state['n'] = {python!r}\n"
    package = small(tmp_path, {"Count": f'<trans>$n = "{design}";</trans>'}, code=code, settings=MAPPED)
    (difference,) = parity(package).differences
    assert (difference.design, difference.python) == shown


def test_a_conversation_needs_a_loop(tmp_path: Path) -> None:
    package = small(tmp_path, {"Count": COUNT})
    found = parity(package, cases=[Case("talk", "Hello", ["Hello."]), Case("none", operation="No such")])
    assert [case.status for case in found] == [Status.NOT_RUN] * 2
    assert "give the case an operation" in str(found.cases[0].reason)
    assert "the design has no operation 'No such'" in str(found.cases[1].reason)

"""Values held against those of another interpreter, as they are recorded; see check_against_oracle.py."""

from tests.porting.script.check_against_oracle import SCRIPTS, ask, node_modules, recorded
from tests.porting.script.evaluating import Fails, outcome

from callagain.porting.script import to_text


def test_values_are_those_of_another_interpreter() -> None:
    differing: list[str] = []
    for script, value in recorded()["values"].items():
        found = outcome(script)
        if isinstance(found, Fails):
            same = value["type"] == "error"
        else:
            same = value["text"] == ("null" if found is None else to_text(found))
        if not same:
            differing.append(f"{script}: {found!r} here, {value} there")
    assert differing == []


def test_every_script_that_is_asked_is_recorded() -> None:
    assert list(recorded()["values"]) == list(SCRIPTS)


# Defined only where there is somebody to ask, so that nothing is skipped elsewhere.
if (ORACLE := node_modules()) is not None:

    def test_the_record_says_what_the_other_interpreter_says() -> None:
        assert ORACLE is not None
        assert ask(ORACLE) == recorded()

"""The option --cases, and the cases as parameters of every test that takes a `case`.

pytest tests/conformance                  the project's own cases, and the tests of this folder
pytest tests/conformance --cases FILE     only the cases of this file
"""

import asyncio
import re
from pathlib import Path

import pytest
from tests.conformance.case import Case, read_cases
from tests.conformance.server import CaseServer, Response

from callagain import ToolLoop

HERE = Path(__file__).parent
OWN_CASES = [HERE / "cases.jsonl", HERE / "further.jsonl"]

_HAND_NUMBERED = re.compile("R[0-9]{3}")
_CASES = pytest.StashKey[list[Case]]()


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption(
        "--cases",
        action="append",
        metavar="FILE",
        help="run the conformance cases of this file, and nothing else of tests/conformance",
    )


def pytest_configure(config: pytest.Config) -> None:
    # Here, and not when tests are collected, a UsageError is one line.
    files = [config.invocation_params.dir / file for file in _given_files(config)]
    cases: list[Case] = [case for file in files or OWN_CASES for case in read_cases(file)]
    config.stash[_CASES] = cases


def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    if "case" in metafunc.fixturenames:
        own = not _given_files(metafunc.config)
        cases = metafunc.config.stash[_CASES]
        parameters = [
            _parameter(case, asynchronous)
            for number, case in enumerate(cases)
            for asynchronous in _drivers(case, number, own)
        ]
        metafunc.parametrize(("case", "asynchronous"), parameters)


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """The hook gets the items of all folders."""
    if not _given_files(config):
        return
    others = [item for item in items if HERE in item.path.parents and "case" not in _fixtures(item)]
    items[:] = [item for item in items if item not in others]
    config.hook.pytest_deselected(items=others)


@pytest.fixture(scope="session", autouse=True)
def _first_run() -> None:
    """Whatever the first run of a process loads must not count as time of a case."""
    message = {"role": "assistant", "content": "Hello."}
    answer = Response({"choices": [{"index": 0, "message": message, "finish_reason": "stop"}]})
    with CaseServer(lambda _number, _body: answer) as server:
        loop = ToolLoop(model="m", base_url=server.url)
        loop.run("Hello").raise_for_outcome()
        asyncio.run(loop.arun("Hello")).raise_for_outcome()


def _given_files(config: pytest.Config) -> list[str]:
    """None where pytest met this file only while it collected: then it did not know the option."""
    given: list[str] | None = config.getoption("cases", None)
    return given or []


def _drivers(case: Case, number: int, own: bool) -> tuple[bool, ...]:
    """Both; of the project's hundreds of further cases, each is driven by one of the two, in turn."""
    return (number % 2 == 1,) if own and not _HAND_NUMBERED.fullmatch(case.id) else (False, True)


def _parameter(case: Case, asynchronous: bool) -> object:
    return pytest.param(case, asynchronous, id=f"{'async' if asynchronous else 'sync'}-{case.id}")


def _fixtures(item: pytest.Item) -> list[str]:
    names: list[str] = getattr(item, "fixturenames", [])
    return names

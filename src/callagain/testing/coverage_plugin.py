"""The pytest options that say which links of their tables the chains took in a test session."""

import argparse
from contextlib import ExitStack

import pytest

from callagain.engine.json_text import encode
from callagain.testing.transition_coverage import TransitionCoverage

_WHOLE = (pytest.ExitCode.OK, pytest.ExitCode.TESTS_FAILED, pytest.ExitCode.NO_TESTS_COLLECTED)


def add_options(group: pytest.OptionGroup) -> None:
    group.addoption(
        "--transition-coverage",
        action="store_true",
        help="say how many links of its table each chain took in this session, and which it never took",
    )
    group.addoption(
        "--transition-coverage-min",
        metavar="PERCENT",
        type=_percent,
        help="fail if a chain took a smaller share of its links, or none was seen",
    )
    group.addoption(
        "--transition-coverage-json", metavar="FILE", help="write how often each link was taken to FILE"
    )


def start(config: pytest.Config) -> None:
    """Opens a coverage for the whole session if an option asks for it.

    Raises pytest.UsageError where the runs would be those of other processes.
    """
    names = ("transition_coverage", "transition_coverage_min", "transition_coverage_json")
    # Registered after the options were read, as by a conftest, the plugin has none of its own.
    given = [config.getoption(name, None) for name in names]
    if all(value is None or value is False for value in given):
        return
    if any(config.getoption(name, None) for name in ("numprocesses", "tx")):
        raise pytest.UsageError(
            "transition coverage sees the runs of one process only: leave out -n and --tx, or its options"
        )
    config.pluginmanager.register(_SessionCoverage(config))


class _SessionCoverage:
    def __init__(self, config: pytest.Config) -> None:
        self._config = config
        self._problems: list[str] = []
        opened = ExitStack()
        self._coverage = opened.enter_context(TransitionCoverage())
        config.add_cleanup(opened.close)

    def pytest_sessionfinish(self, session: pytest.Session) -> None:
        # A session that was broken off has not seen what it would have.
        if self._config.getoption("collectonly") or session.exitstatus not in _WHOLE:
            return
        self._problems = [*self._write_json(), *self._too_little()]
        if self._problems and session.exitstatus == pytest.ExitCode.OK:
            session.exitstatus = pytest.ExitCode.TESTS_FAILED

    def pytest_terminal_summary(self, terminalreporter: pytest.TerminalReporter) -> None:
        is_wanted = self._config.getoption("transition_coverage")
        if is_wanted or self._problems:
            terminalreporter.section("transition coverage")
        if is_wanted:
            terminalreporter.write(self._coverage.report())
        for problem in self._problems:
            terminalreporter.line(f"FAILED {problem}", red=True)

    def _write_json(self) -> list[str]:
        file = self._config.getoption("transition_coverage_json")
        if file is None:
            return []
        try:
            path = self._config.invocation_params.dir / file
            path.write_bytes(encode(self._coverage.as_json()) + b"\n")
        except OSError as error:
            return [f"--transition-coverage-json: cannot write {file}: {error.strerror}"]
        return []

    def _too_little(self) -> list[str]:
        least = self._config.getoption("transition_coverage_min")
        if least is None:
            return []
        chains = self._coverage.chains
        wanted = f"--transition-coverage-min is {least:g}%"
        if not chains:
            return [f"no run of a chain was seen; {wanted}"]
        return [f"{one.summary}; {wanted}" for one in chains if one.percent < least]


def _percent(text: str) -> float:
    try:
        percent = float(text)
    except ValueError:
        percent = -1.0
    if not 0 <= percent <= 100:
        raise argparse.ArgumentTypeError(f"must be a number from 0 to 100, not {text!r}")
    return percent

"""Transition coverage: of every run, whatever drives it; what it says; and the options of pytest."""

import asyncio
import json
import threading
from collections.abc import Callable
from typing import Any

import pytest

from callagain import TOOL_CALLING_LOOP, ConfigurationError, IllegalEventError, LiveRun, ToolLoop
from callagain.engine.chain import Chain
from callagain.engine.run import Run
from callagain.testing import Answer, Answers, TransitionCoverage, calls, plugin
from callagain.testing.plugin import StartStandIn

pytest_plugins = ["pytester"]

ASK = calls(("get_order_status", {"order_id": "1"}))
COMPLETED = ["Done."]
ONE_ROUND = [ASK, "Done."]
FAILED = [Answer(400)]


def get_order_status(order_id: str) -> str:
    """Look up the status of an order."""
    return f"{order_id} is shipped"


def loop(stand_in: StartStandIn, script: Any, **options: Any) -> ToolLoop:
    server = stand_in(script)
    return ToolLoop(model="m", base_url=server.base_url, tools=[get_order_status], **options)


def counts(coverage: TransitionCoverage) -> dict[str, int]:
    """Of the only chain, as lines."""
    (chain,) = coverage.chains
    return {str(link): count for link, count in chain.counts.items()}


# What is counted


def test_each_link_that_a_run_takes_is_counted_in_table_order(stand_in: StartStandIn) -> None:
    with TransitionCoverage() as coverage:
        loop(stand_in, ONE_ROUND).run("Go")
    assert list(counts(coverage).items()) == [
        ("initialize --on_success--> llm_call", 1),
        ("llm_call --on_success--> parse_response", 2),
        ("parse_response --on_success--> tool_dispatcher when call_llm_again and iterations_left", 1),
        ("parse_response --on_success--> limit when call_llm_again and not iterations_left", 0),
        ("parse_response --on_success--> extract_final when not call_llm_again", 1),
        ("tool_dispatcher --on_success--> append_tool_result", 1),
        ("append_tool_result --on_success--> llm_call", 1),
        ("extract_final --on_success--> completed", 1),
        ("any operation --on_fail--> failed", 0),
    ]


def test_a_general_link_is_one_link_whichever_operation_takes_it(stand_in: StartStandIn) -> None:
    with TransitionCoverage() as coverage:
        results = [loop(stand_in, [answer]).run("Go") for answer in (Answer(400), Answer(200, {}))]
    assert [result.error and result.error.operation for result in results] == ["llm_call", "parse_response"]
    assert counts(coverage)["any operation --on_fail--> failed"] == 2


def _run(live: LiveRun) -> None:
    live.run()


def _arun(live: LiveRun) -> None:
    asyncio.run(live.arun())


def _step(live: LiveRun) -> None:
    while live.step() is not None:
        pass


def _in_a_thread(live: LiveRun) -> None:
    thread = threading.Thread(target=live.run)
    thread.start()
    thread.join()


@pytest.mark.parametrize("drive", [_run, _arun, _step, _in_a_thread], ids=lambda drive: drive.__name__)
def test_every_way_to_drive_a_run_is_counted(
    stand_in: StartStandIn, drive: Callable[[LiveRun], None]
) -> None:
    with TransitionCoverage() as coverage:
        drive(loop(stand_in, ONE_ROUND).start("Go"))
    assert sum(counts(coverage).values()) == 8


def test_a_run_that_is_folded_from_its_log_moves_too(stand_in: StartStandIn) -> None:
    result = loop(stand_in, ONE_ROUND).run("Go")
    with TransitionCoverage() as coverage:
        folded = Run(TOOL_CALLING_LOOP, result.variables.inputs)
        for entry in result.log:
            folded.apply(entry)
        list(folded.walk())
    assert folded.outcome == "completed"
    assert sum(counts(coverage).values()) == 8


def test_nothing_is_counted_before_it_is_open_and_after_it_is_closed(stand_in: StartStandIn) -> None:
    coverage = TransitionCoverage(TOOL_CALLING_LOOP)
    loop(stand_in, COMPLETED).run("Go")
    with coverage:
        pass
    loop(stand_in, COMPLETED).run("Go")
    assert set(counts(coverage).values()) == {0}


def test_it_can_be_opened_again_and_counts_on(stand_in: StartStandIn) -> None:
    coverage = TransitionCoverage()
    for _ in range(2):
        with coverage:
            loop(stand_in, COMPLETED).run("Go")
    assert counts(coverage)["extract_final --on_success--> completed"] == 2


def test_several_may_be_open_and_end_in_any_order(stand_in: StartStandIn) -> None:
    first, second = TransitionCoverage(), TransitionCoverage()
    first.__enter__()
    loop(stand_in, COMPLETED).run("Go")
    second.__enter__()
    loop(stand_in, COMPLETED).run("Go")
    first.__exit__(None, None, None)
    loop(stand_in, COMPLETED).run("Go")
    second.__exit__(None, None, None)
    assert [counts(one)["extract_final --on_success--> completed"] for one in (first, second)] == [2, 2]


def test_one_that_is_open_cannot_be_opened_twice() -> None:
    with (
        TransitionCoverage() as coverage,
        pytest.raises(ConfigurationError, match="this TransitionCoverage is open; make another one"),
        coverage,
    ):
        pass


def test_the_chain_is_as_it_was_when_it_is_closed_also_by_an_error() -> None:
    before = Chain.next_state
    with pytest.raises(ZeroDivisionError), TransitionCoverage():
        raise ZeroDivisionError
    assert Chain.next_state is before


def test_an_illegal_event_is_raised_as_ever_and_not_counted(stand_in: StartStandIn) -> None:
    variables = loop(stand_in, []).start("Go").variables
    with TransitionCoverage(TOOL_CALLING_LOOP) as coverage, pytest.raises(IllegalEventError):
        TOOL_CALLING_LOOP.next_state("nowhere", "on_success", variables)
    assert set(counts(coverage).values()) == {0}


def test_runs_in_many_threads_at_once_are_all_counted(stand_in: StartStandIn) -> None:
    shared = loop(stand_in, Answers(COMPLETED, repeat_last=True))
    with TransitionCoverage() as coverage:
        threads = [threading.Thread(target=shared.run, args=("Go",)) for _ in range(16)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
    assert counts(coverage)["extract_final --on_success--> completed"] == 16


# Which chain


def test_a_chain_that_an_option_extends_is_another_one_and_is_named_by_what_it_has_besides(
    stand_in: StartStandIn,
) -> None:
    with TransitionCoverage() as coverage:
        loop(stand_in, COMPLETED, deadline=60).run("Go")
        loop(stand_in, COMPLETED).run("Go")
        loop(stand_in, COMPLETED, on_limit="final_answer").run("Go")
        loop(stand_in, COMPLETED).run("Go")
    assert [(chain.label, len(chain.counts)) for chain in coverage.chains] == [
        ("tool_calling_loop with deadline_reached", 10),
        ("tool_calling_loop", 9),
        ("tool_calling_loop with ask_for_answer, answer_asked_for", 12),
    ]
    assert coverage.chains[1].counts[TOOL_CALLING_LOOP.links[0]] == 2


def test_chains_that_have_one_name_and_the_same_operations_are_numbered() -> None:
    turned = TOOL_CALLING_LOOP.replace(links=TOOL_CALLING_LOOP.links[::-1])
    coverage = TransitionCoverage(TOOL_CALLING_LOOP, turned, TOOL_CALLING_LOOP)
    assert [chain.label for chain in coverage.chains] == ["tool_calling_loop", "tool_calling_loop (2)"]


def test_of_two_links_to_one_target_the_one_is_counted_whose_guards_hold(stand_in: StartStandIn) -> None:
    script = [ASK, ASK, "Closing words."]
    with TransitionCoverage() as coverage:
        loop(stand_in, script, on_limit="final_answer", max_iterations=1).run("Go")
    taken = [str(link) for link in coverage.chains[0].taken if link.target == "limit"]
    assert taken == ["extract_final --on_success--> limit when answer_asked_for"]


# What it says


def test_the_report_says_the_share_and_each_link_that_was_never_taken(stand_in: StartStandIn) -> None:
    with TransitionCoverage() as coverage:
        loop(stand_in, ONE_ROUND).run("Go")
    assert coverage.report() == (
        "tool_calling_loop: 7 of 9 links (77%); never taken:\n"
        "    parse_response --on_success--> limit when call_llm_again and not iterations_left\n"
        "    any operation --on_fail--> failed\n"
    )
    with coverage:
        loop(stand_in, FAILED).run("Go")
        loop(stand_in, [ASK], max_iterations=0).run("Go")
    assert coverage.report() == "tool_calling_loop: 9 of 9 links (100%)\n"


def test_the_report_of_no_run_says_so() -> None:
    assert TransitionCoverage().report() == "no run of a chain was seen\n"


def test_the_markdown_is_the_chains_table_with_a_column_more(stand_in: StartStandIn) -> None:
    with TransitionCoverage() as coverage:
        loop(stand_in, ONE_ROUND).run("Go")
    lines = coverage.markdown().splitlines()
    assert lines[:2] == ["### tool_calling_loop", ""]
    cells = [[cell.strip() for cell in line.split("|")[1:-1]] for line in lines[2:]]
    assert cells[0] == ["source", "event", "when", "target", "taken"]
    assert [row[-1] for row in cells[2:]] == ["1", "2", "1", "0", "1", "1", "1", "1", "0"]
    assert len({len(line) for line in lines[2:]}) == 1


def test_the_json_form_holds_every_link_with_its_count(stand_in: StartStandIn) -> None:
    with TransitionCoverage() as coverage:
        loop(stand_in, ONE_ROUND).run("Go")
    (chain,) = json.loads(json.dumps(coverage.as_json()))["chains"]
    links = chain.pop("links")
    assert chain == {"name": "tool_calling_loop", "label": "tool_calling_loop", "taken": 7, "total": 9}
    assert links[3] == {
        "source": "parse_response",
        "event": "on_success",
        "target": "limit",
        "when": ["call_llm_again", "not iterations_left"],
        "count": 0,
    }
    assert [link["count"] for link in links] == [1, 2, 1, 0, 1, 1, 1, 1, 0]


# The options of pytest

RUNS = """
from callagain import ToolLoop
from callagain.testing import StandIn, calls

def look_up(what: str) -> str:
    '''Look something up.'''
    return what

def test_one_round():
    with StandIn([calls(("look_up", {"what": "x"})), "Done."]) as server:
        loop = ToolLoop(model="m", base_url=server.base_url, tools=[look_up])
        assert loop.run("Go").outcome == "completed"
"""
NEVER = [
    "tool_calling_loop: 7 of 9 links (77%); never taken:",
    "    parse_response --on_success--> limit when call_llm_again and not iterations_left",
    "    any operation --on_fail--> failed",
]
TOO_LITTLE = "FAILED tool_calling_loop: 7 of 9 links (77%); --transition-coverage-min is 80%"

RunTests = Callable[..., pytest.RunResult]


@pytest.fixture
def run_tests(pytester: pytest.Pytester) -> RunTests:
    """`run_tests(*options)` runs a session of one test, in which a chain takes 7 of its 9 links."""

    def run_tests(*options: str, tests: str = RUNS) -> pytest.RunResult:
        pytester.makepyfile(tests)
        # Where callagain is installed, its entry point would register the plugin a second time.
        without = ("-p", "no:callagain", "-p", "no:asyncio", "-p", "no:xdist")
        return pytester.runpytest_inprocess(*without, *options, plugins=[plugin])

    return run_tests


def summary(run: pytest.RunResult) -> list[str]:
    """The lines between the section's title and the next one."""
    lines = run.stdout.lines
    titles = [index for index, line in enumerate(lines) if line.startswith("=")]
    start = next(index for index in titles if " transition coverage " in lines[index])
    return [line for line in lines[start + 1 : min(i for i in titles if i > start)] if line]


def test_without_an_option_nothing_is_recorded_and_nothing_is_said(run_tests: RunTests) -> None:
    tests = f"{RUNS}    from callagain.engine.chain import Chain\n    print(Chain.next_state)\n"
    run = run_tests("-s", tests=tests)
    assert run.ret == 0
    assert f"{Chain.next_state}" in run.stdout.str()
    assert "transition coverage" not in run.stdout.str()


def test_the_option_prints_the_report(run_tests: RunTests) -> None:
    run = run_tests("--transition-coverage")
    assert (run.ret, summary(run)) == (0, NEVER)


def test_the_session_closes_its_coverage(run_tests: RunTests) -> None:
    before = Chain.next_state
    run_tests("--transition-coverage")
    assert Chain.next_state is before


def test_a_share_below_the_least_fails_the_session(run_tests: RunTests) -> None:
    run = run_tests("--transition-coverage-min=80")
    assert (run.ret, summary(run)) == (pytest.ExitCode.TESTS_FAILED, [TOO_LITTLE])
    assert "1 passed" in run.stdout.str()


def test_a_share_that_is_enough_does_not(run_tests: RunTests) -> None:
    run = run_tests("--transition-coverage-min", "77.7", "--transition-coverage")
    assert (run.ret, summary(run)) == (0, NEVER)


def test_a_session_without_a_run_fails_if_there_is_a_least(run_tests: RunTests) -> None:
    run = run_tests("--transition-coverage-min=0", tests="def test_nothing(): pass")
    assert (run.ret, summary(run)) == (
        1,
        ["FAILED no run of a chain was seen; --transition-coverage-min is 0%"],
    )


@pytest.mark.parametrize("wrong", ["101", "-1", "many", "nan", "90%"])
def test_a_least_that_is_no_percentage_is_a_usage_error(run_tests: RunTests, wrong: str) -> None:
    run = run_tests(f"--transition-coverage-min={wrong}")
    assert run.ret == pytest.ExitCode.USAGE_ERROR
    told = f"error: argument --transition-coverage-min: must be a number from 0 to 100, not '{wrong}'"
    assert told in run.stderr.str()


def test_only_collected_tests_are_no_reason_to_fail(run_tests: RunTests) -> None:
    assert run_tests("--transition-coverage-min=100", "--collect-only").ret == 0


def test_a_session_that_is_broken_off_is_not_judged(run_tests: RunTests) -> None:
    run = run_tests("--transition-coverage-min=100", tests="nonsense")
    assert run.ret == pytest.ExitCode.INTERRUPTED
    assert "--transition-coverage-min" not in run.stdout.str()


def test_the_json_file_is_written_where_pytest_was_called(
    run_tests: RunTests, pytester: pytest.Pytester
) -> None:
    assert run_tests("--transition-coverage-json=coverage.json").ret == 0
    (chain,) = json.loads((pytester.path / "coverage.json").read_bytes())["chains"]
    assert (chain["name"], chain["taken"], chain["total"]) == ("tool_calling_loop", 7, 9)


def test_a_file_that_cannot_be_written_fails_the_session(run_tests: RunTests) -> None:
    run = run_tests("--transition-coverage-json=missing/coverage.json")
    assert (run.ret, summary(run)) == (
        1,
        ["FAILED --transition-coverage-json: cannot write missing/coverage.json: No such file or directory"],
    )


def test_failing_tests_stay_the_reason_why_the_session_fails(run_tests: RunTests) -> None:
    run = run_tests("--transition-coverage-min=80", tests=f"{RUNS}        assert False")
    assert (run.ret, summary(run)) == (1, [TOO_LITTLE])


def test_runs_of_other_processes_are_not_seen_so_they_are_refused(
    run_tests: RunTests, pytester: pytest.Pytester
) -> None:
    pytester.makeconftest("def pytest_addoption(parser): parser.addoption('-Z', dest='numprocesses')")
    run = run_tests("--transition-coverage", "-Z", "2")
    assert run.ret == pytest.ExitCode.USAGE_ERROR
    assert "sees the runs of one process only: leave out -n and --tx, or its options" in run.stderr.str()

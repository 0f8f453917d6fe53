"""The retry controller: a target runs until it succeeds, or until its attempts are used up."""

import asyncio
import threading
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from callagain import Result, RunCancelledError, ToolLoop, approve
from callagain.chains import RETRY_CONTROLLER
from callagain.cli import main
from callagain.testing import Answer, StandIn, says

Serve = Callable[..., StandIn]

both = pytest.mark.parametrize("by_async", [False, True])


class Target:
    """Fails so many times, and then returns."""

    def __init__(self, failures: int) -> None:
        self.failures = failures
        self.attempts = 0

    def run(self, message: str) -> dict[str, str]:
        self.attempts += 1
        if self.attempts <= self.failures:
            raise ConnectionError(f"attempt {self.attempts} was refused")
        return {"loaded": message}

    async def run_async(self, message: str) -> dict[str, str]:
        await asyncio.sleep(0)
        return self.run(message)


def controller(target: Callable[..., object] | None, **options: Any) -> ToolLoop:
    functions = {} if target is None else {"target": target}
    # No model is asked, and nobody answers there.
    return ToolLoop(
        model="none", base_url="http://127.0.0.1:9/v1", chain=RETRY_CONTROLLER, functions=functions, **options
    )


def ran(loop: ToolLoop, by_async: bool = False) -> Result:
    return asyncio.run(loop.arun("November")) if by_async else loop.run("November")


def guide_variables(result: Result) -> tuple[object, object, object]:
    own = result.variables.own
    return own["maxRetries"], own["attempt"], own["success"]


@both
@pytest.mark.parametrize(("failures", "retries"), [(0, 1), (0, 3), (1, 3), (2, 3)])
def test_it_stops_at_the_first_success(failures: int, retries: int, by_async: bool) -> None:
    target = Target(failures)
    result = ran(controller(target.run, max_iterations=retries), by_async)
    assert (result.outcome, target.attempts) == ("completed", failures + 1)
    assert guide_variables(result) == (retries, failures + 1, True)
    assert result.variables.function_resp == '{"loaded":"November"}'
    rounds = ["run_operation", "get_last_error"] * failures
    assert [step.operation for step in result.trace] == [
        "initialize",
        *rounds,
        "run_operation",
        "take_result",
    ]


@both
@pytest.mark.parametrize("retries", [1, 3])
def test_the_error_of_the_last_attempt_is_raised_after_it(retries: int, by_async: bool) -> None:
    target = Target(9)
    result = ran(controller(target.run, max_iterations=retries), by_async)
    assert target.attempts == retries
    assert guide_variables(result) == (retries, retries, False)
    assert result.error is not None
    attempts = "the only attempt" if retries == 1 else "all 3 attempts"
    assert (result.outcome, result.error.kind, result.error.operation, result.error.message) == (
        "failed",
        "operation_failed",
        "raise_error",
        f"the target failed in {attempts}, the last time with ConnectionError: attempt {retries} was "
        "refused; when the cause is gone, resume the run, or raise max_iterations",
    )
    logged = [note.message for step in result.trace for note in step.notes]
    assert logged[0] == f"attempt 1 of {retries} failed: ConnectionError: attempt 1 was refused"
    assert len(logged) == retries


def test_no_attempt_is_made_where_none_is_allowed() -> None:
    target = Target(0)
    result = ran(controller(target.run, max_iterations=0))
    assert (result.outcome, target.attempts) == ("failed", 0)
    assert result.error is not None
    assert result.error.message == (
        "the target was not run: max_iterations, which is maxRetries here, is 0; give 1 or more"
    )


@both
def test_a_target_may_be_asynchronous(by_async: bool) -> None:
    result = ran(controller(Target(1).run_async), by_async)
    assert guide_variables(result) == (5, 2, True)


@both
def test_another_loop_may_be_the_target(stand_in: Serve, by_async: bool) -> None:
    server = stand_in([Answer(400, "not now"), says("Four invoices.")])
    assistant = ToolLoop(model="m", base_url=server.base_url)

    async def target_async(message: str) -> str | None:
        return (await assistant.arun(message)).raise_for_outcome().final_response

    def target(message: str) -> str | None:
        return assistant.run(message).raise_for_outcome().final_response

    result = ran(controller(target_async if by_async else target), by_async)
    assert (result.variables.function_resp, guide_variables(result)) == ("Four invoices.", (5, 2, True))
    assert str(result.variables.own["last_error"]).startswith("OutcomeError: failed (bad_request): ")


def test_a_target_that_is_missing_is_named() -> None:
    result = ran(controller(None))
    assert result.error is not None
    assert "there is no function 'target'; give it to the loop by functions=" in result.error.message


@pytest.mark.parametrize(("changes", "attempts"), [({}, (2, 2)), ({"max_iterations": 5}, (5, 4))])
@both
def test_a_failed_run_goes_on_with_its_last_attempt(
    changes: dict[str, Any], attempts: tuple[int, int], by_async: bool
) -> None:
    """It is made once more; only with more attempts allowed there are others after it."""
    target = Target(2 if not changes else 4)
    loop = controller(target.run, max_iterations=2)
    failed = ran(loop, by_async).snapshot()
    result = (
        asyncio.run(loop.aresume(failed, changes=changes))
        if by_async
        else loop.resume(failed, changes=changes)
    )
    assert (result.outcome, guide_variables(result)) == ("completed", (*attempts, True))
    loop.replay(result).raise_for_difference()


@both
@pytest.mark.parametrize(
    ("said", "runs", "told"),
    [
        ({"decisions": {"target": approve}}, 2, "again"),
        ({"results": {"target": "it was done"}}, 1, "it was done"),
    ],
    ids=["did not happen", "happened"],
)
def test_an_attempt_that_was_interrupted_is_asked_about(
    said: dict[str, Any], runs: int, told: str, by_async: bool
) -> None:
    released = threading.Event()
    started: list[str] = []

    def target(message: str) -> str:
        started.append(message)
        if len(started) == 1:
            live.cancel()
            released.wait(30)
        return "again"

    loop = controller(target)
    live = loop.start("November")
    with pytest.raises(RunCancelledError):
        asyncio.run(live.arun()) if by_async else live.run()
    released.set()
    waiting = asyncio.run(live.arun()) if by_async else live.run()
    assert waiting.error is not None
    assert (waiting.outcome, waiting.error.kind) == ("suspended", "call_outcome_unknown")
    result = loop.resume(waiting, **said)
    assert (result.outcome, result.variables.function_resp, len(started)) == ("completed", told, runs)
    assert guide_variables(result) == (5, 1, True)


def test_a_run_whose_time_is_over_is_not_tried_again() -> None:
    released = threading.Event()
    started: list[str] = []

    def target(message: str) -> None:
        started.append(message)
        released.wait(30)

    try:
        result = ran(controller(target, deadline=0.3))
    finally:
        released.set()
    assert result.error is not None
    assert (result.outcome, result.error.kind, len(started)) == ("limit", "deadline", 1)


def test_an_attempt_that_takes_too_long_has_failed() -> None:
    released = threading.Event()
    waits = iter([30.0, 0.0])

    def target(message: str) -> str:
        released.wait(next(waits))
        return message

    try:
        result = ran(controller(target, tool_timeout=0.3))
    finally:
        released.set()
    assert (guide_variables(result), result.variables.function_resp) == ((5, 2, True), "November")
    assert result.variables.own["last_error"] == "target gave no result within 0.3 s"


def test_a_kept_run_is_replayed_by_the_command_line_without_its_target(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "runs.db"
    controller(Target(1).run, max_iterations=2, journal=path).run("November", run_id="load")
    assert main(["replay", "load", "--journal", str(path)]) == 0
    shown = capsys.readouterr()
    assert shown.out.endswith("completed after 5 operations; the replay equals what was kept\n")
    assert shown.err == ""

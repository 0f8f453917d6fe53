"""A throttle: as fast as the endpoint allows and no faster, over all runs of a loop, or of several loops."""

import asyncio
import threading
import time
from collections.abc import Callable, MutableMapping
from concurrent.futures import ThreadPoolExecutor
from typing import Any, TypeAlias

import pytest
import structlog

from callagain import (
    CommandDelayed,
    CommandEnded,
    CommandStarted,
    ConfigurationError,
    Event,
    LiveRun,
    Result,
    RunCancelledError,
    Throttle,
    ToolLoop,
    tool,
)
from callagain.connectors.throttle import estimated_tokens
from callagain.testing import Answer, SkippingClock, StandIn, calls, says

# What is measured here is time.
pytestmark = pytest.mark.timed

Run: TypeAlias = Callable[..., Result]
Serve: TypeAlias = Callable[..., StandIn]

# What passes between the moment from which a wait counts and the beginning of the wait.
ROUNDING = 0.1
SOON = 3.0
ON_THE_WAY = 1.0


@pytest.fixture
def clock() -> SkippingClock:
    return SkippingClock()


def loop_for(server: StandIn, *tools: Any, **options: Any) -> ToolLoop:
    return ToolLoop(model="m", base_url=server.base_url, tools=tools, **options)


def hello(_body: object) -> object:
    return says("Hello.")


def test_three_hundred_requests_a_minute_over_many_runs(stand_in: Serve, clock: SkippingClock) -> None:
    times: list[float] = []

    def answer(_body: object) -> object:
        times.append(clock.now())
        return says("Hello.")

    loop = loop_for(stand_in(answer), requests_per_minute=300, clock=clock)
    for _ in range(450):
        assert loop.run("Go").outcome == "completed"
    for number, at in enumerate(times):
        # They went out in turn, but the first, say, took longer to arrive.
        assert sum(at <= other < at + 60 - ON_THE_WAY for other in times[number:]) <= 300
    # A tenth of them may come at once, and the rest as fast as that leaves room for.
    assert times[-1] - times[0] == pytest.approx((450 - 30) * 60 / (300 - 29), rel=0.1)


def _in_threads(loop: ToolLoop, number: int) -> None:
    with ThreadPoolExecutor(15) as pool:
        assert {result.outcome for result in pool.map(loop.run, ["Go"] * number)} == {"completed"}


def _in_tasks(loop: ToolLoop, number: int) -> None:
    async def run_all() -> None:
        results = await asyncio.gather(*[loop.arun("Go") for _ in range(number)])
        assert {result.outcome for result in results} == {"completed"}

    asyncio.run(run_all())


@pytest.mark.parametrize("run_all", [_in_threads, _in_tasks])
def test_runs_at_the_same_time_share_the_throttle(
    stand_in: Serve, run_all: Callable[[ToolLoop, int], None]
) -> None:
    loop = loop_for(stand_in(hello), requests_per_minute=600)
    began = time.monotonic()
    run_all(loop, 75)
    # The first 60 pass at once.
    assert time.monotonic() - began >= (75 - 60) * 60 / (600 - 59)


def test_loops_that_share_a_throttle(run: Run, stand_in: Serve, clock: SkippingClock) -> None:
    throttle = Throttle(requests_per_minute=60)
    loops = [loop_for(stand_in(hello), throttle=throttle, clock=clock) for _ in range(2)]
    for number in range(12):
        assert run(loops[number % 2]).outcome == "completed"
    # Six pass at once, and one each second or so follows.
    assert len(clock.waits) in (5, 6)
    assert 5 * 60 / 55 - SOON < sum(clock.waits) <= 6 * 60 / 55


def test_every_request_of_a_run_counts(run: Run, stand_in: Serve, clock: SkippingClock) -> None:
    @tool
    def ping() -> str:
        """Answers."""
        return "pong"

    failed = Answer(503, {"error": {"message": "overloaded"}})
    server = stand_in([calls(("ping", {})), failed, says("Done.")])
    result = run(loop_for(server, ping, requests_per_minute=1, retry_base_delay=0, clock=clock))
    assert (result.final_response, len(server.requests)) == ("Done.", 3)
    assert 120 - SOON < sum(clock.waits) <= 120


def test_tokens_count_as_the_endpoint_counts_them(run: Run, stand_in: Serve, clock: SkippingClock) -> None:
    server = stand_in([says("Hello.", usage={"total_tokens": 1000}), says("Hello.")])
    loop = loop_for(server, tokens_per_minute=1000, clock=clock)
    run(loop)
    assert clock.waits == []
    run(loop)
    needed = estimated_tokens(server.requests[1].body, None)
    rate = (1000 - 99) / 60
    assert 0 < needed < 100
    assert sum(clock.waits) == pytest.approx((1000 - 100 + needed) / rate, abs=SOON)


def test_tokens_are_reserved_for_all_the_output_that_is_allowed(
    run: Run, stand_in: Serve, clock: SkippingClock
) -> None:
    asked = {"max_tokens": 5000}
    server = stand_in([says("Hello.", usage={"total_tokens": 0}), says("Hello.")])
    loop = loop_for(server, tokens_per_minute=600, request_options=asked, clock=clock)
    run(loop)
    run(loop)
    # More than the throttle ever holds goes out when it is full; and it is, since nothing was used.
    assert sum(clock.waits) <= ROUNDING


def test_a_request_that_failed_has_used_no_tokens(run: Run, stand_in: Serve, clock: SkippingClock) -> None:
    failed = Answer(503, {"error": {"message": "overloaded"}})
    server = stand_in([failed, failed, says("Hello.")])
    asked = {"max_tokens": 5000}
    result = run(
        loop_for(server, tokens_per_minute=600, request_options=asked, retry_base_delay=0, clock=clock)
    )
    assert result.final_response == "Hello."
    assert sum(clock.waits) <= ROUNDING


def test_a_delay_is_an_event_before_the_request_goes_out(stand_in: Serve, clock: SkippingClock) -> None:
    server = stand_in(hello)
    loop = loop_for(server, requests_per_minute=1, clock=clock)
    loop.run("Go")
    seen: list[Event] = []
    for event in loop.start("Go").events():
        if isinstance(event, CommandStarted | CommandDelayed | CommandEnded):
            seen.append(event)
            assert len(server.requests) == (2 if isinstance(event, CommandEnded) else 1)
    started, delayed, ended = seen
    assert isinstance(started, CommandStarted)
    assert isinstance(delayed, CommandDelayed)
    assert isinstance(ended, CommandEnded)
    assert started.key == delayed.key == ended.key
    assert 60 - SOON < delayed.seconds <= 60
    assert delayed.seconds <= ended.seconds


def test_a_delay_is_a_line_of_the_log(run: Run, stand_in: Serve, clock: SkippingClock) -> None:
    lines: list[dict[str, Any]] = []

    def keep(_logger: object, level: str, event: MutableMapping[str, Any]) -> MutableMapping[str, Any]:
        lines.append({**event, "level": level})
        raise structlog.DropEvent

    logger = structlog.wrap_logger(None, processors=[keep])
    loop = loop_for(stand_in(hello), requests_per_minute=1, clock=clock, logger=logger)
    run(loop)
    run(loop, run_id="second")
    (line,) = [line for line in lines if line["event"] == "llm_request_delayed"]
    assert (line["run_id"], line["level"], set(line)) == (
        "second",
        "info",
        {"event", "level", "run_id", "seconds"},
    )
    assert 60 - SOON < line["seconds"] <= 60


class OneAMinute:
    """Two loops that share a throttle of one request a minute, which has just gone out."""

    def __init__(self, server: StandIn, clock: SkippingClock) -> None:
        self.server = server
        self.clock = clock
        throttle = Throttle(requests_per_minute=1)
        self.patient = loop_for(server, throttle=throttle, clock=clock)
        self.hurried = loop_for(server, throttle=throttle, clock=clock, deadline=5)
        # The machine's clock, so that waiting takes its time.
        self.waiting = loop_for(server, throttle=throttle)
        self.patient.run("Go")

    def assert_next_place_is_free(self) -> None:
        """Somebody who comes now waits for one minute, and not for two."""
        assert self.patient.run("Go").outcome == "completed"
        assert 60 - 2 * SOON < sum(self.clock.waits) <= 60
        assert len(self.server.requests) == 2


@pytest.fixture
def one_a_minute(stand_in: Serve, clock: SkippingClock) -> OneAMinute:
    return OneAMinute(stand_in(hello), clock)


def test_a_run_whose_deadline_comes_first_gives_its_place_back(run: Run, one_a_minute: OneAMinute) -> None:
    result = run(one_a_minute.hurried)
    assert result.error is not None
    assert (result.outcome, result.error.kind) == ("limit", "deadline")
    assert result.error.message.startswith("the run's deadline comes before the request may be sent; ")
    assert one_a_minute.clock.waits == []
    one_a_minute.assert_next_place_is_free()


def _cancel(live: LiveRun) -> None:
    threading.Timer(0.05, live.cancel).start()
    with pytest.raises(RunCancelledError):
        live.run()


def _cancel_task(live: LiveRun) -> None:
    async def leave() -> None:
        async with asyncio.timeout(0.05):
            await live.arun()

    with pytest.raises(TimeoutError):
        asyncio.run(leave())


def _leave_at_the_event(live: LiveRun) -> None:
    events = live.events()
    assert any(isinstance(event, CommandDelayed) for event in events)
    events.close()


def _leave_at_the_event_on_a_loop(live: LiveRun) -> None:
    async def leave() -> None:
        events = live.aevents()
        async for event in events:
            if isinstance(event, CommandDelayed):
                break
        await events.aclose()

    asyncio.run(leave())


@pytest.mark.parametrize("leave", [_cancel, _cancel_task, _leave_at_the_event, _leave_at_the_event_on_a_loop])
def test_a_run_that_is_left_gives_its_place_back(
    one_a_minute: OneAMinute, leave: Callable[[LiveRun], None]
) -> None:
    began = time.monotonic()
    live = one_a_minute.waiting.start("Go")
    leave(live)
    assert time.monotonic() - began < 20
    assert live.state == "llm_call"
    one_a_minute.assert_next_place_is_free()


@pytest.mark.parametrize("name", ["requests_per_minute", "tokens_per_minute"])
@pytest.mark.parametrize("value", [0, -1, "300", True, float("nan"), float("inf")])
def test_a_rate_that_cannot_be_kept_is_refused(name: str, value: object) -> None:
    options: dict[str, Any] = {name: value}
    with pytest.raises(ConfigurationError, match=f"{name} must be a number .*, not {value!r}"):
        ToolLoop(model="m", base_url="http://127.0.0.1:9/v1", **options)


def test_one_throttle_at_a_time() -> None:
    options: dict[str, Any] = {"throttle": Throttle(10), "tokens_per_minute": 1000}
    with pytest.raises(ConfigurationError) as caught:
        ToolLoop(model="m", base_url="http://127.0.0.1:9/v1", **options)
    assert str(caught.value) == (
        "give either throttle= or requests_per_minute= and tokens_per_minute=, not both"
    )


def test_a_throttle_is_a_throttle() -> None:
    options: dict[str, Any] = {"throttle": 300}
    with pytest.raises(ConfigurationError, match="throttle must be a Throttle, or None, not 300"):
        ToolLoop(model="m", base_url="http://127.0.0.1:9/v1", **options)

"""What is sent again and what is not, how long is waited before, and that nothing else happens twice."""

import asyncio
import contextlib
import signal
import socket
import threading
import time
from collections.abc import Callable, Generator, MutableMapping
from email.utils import formatdate
from itertools import pairwise
from typing import Any, TypeAlias

import pytest
import structlog

from callagain import (
    AttemptDiscarded,
    CommandEnded,
    CommandStarted,
    ConfigurationError,
    Event,
    LiveRun,
    OperationEnded,
    Result,
    RunCancelledError,
    TextDelta,
    ToolLoop,
    tool,
)
from callagain.connectors.retry import chance_of
from callagain.engine.commands import SendRequest
from callagain.engine.json_text import JsonObject
from callagain.engine.log_entries import Receipt
from callagain.testing import Answer, AnyAnswer, SkippingClock, StandIn, calls, faulty, says

# What is measured here is time.
pytestmark = pytest.mark.timed

Run: TypeAlias = Callable[..., Result]
Drive: TypeAlias = Callable[[LiveRun], Result]
Serve: TypeAlias = Callable[..., StandIn]
# Drives a run, and shows each event to the function.
Watch: TypeAlias = Callable[[LiveRun, Callable[[Event], object]], None]

# Far above what anything takes here, even on a busy machine, and far below LONG.
SOON = 20.0
LONG = 50.0
# What passes between the moment from which a wait counts and the beginning of the wait.
ROUNDING = 0.1
HELLO = says("Hello.")
OVERLOADED = Answer(503, {"error": {"message": "overloaded"}})
ASKS_FOR_LONG = Answer(503, {"error": {"message": "overloaded"}}, {"retry-after": str(LONG)})


def loop_for(server: StandIn, *tools: Any, **options: Any) -> ToolLoop:
    settings: dict[str, Any] = {"retry_base_delay": 0, **options}
    return ToolLoop(model="m", base_url=server.base_url, tools=tools, **settings)


def error_body(**error: Any) -> JsonObject:
    return {"id": None, "choices": None, "error": {"message": "no luck", **error}}


def attempts_in(result: Result) -> list[object]:
    """Of each request, as its receipt counts them."""
    values = [entry.value for entry in result.log if isinstance(entry, Receipt)]
    return [value["attempts"] for value in values if isinstance(value, dict) and "attempts" in value]


def _watch(live: LiveRun, see: Callable[[Event], object]) -> None:
    for event in live.events():
        see(event)


def _watch_async(live: LiveRun, see: Callable[[Event], object]) -> None:
    async def watch() -> None:
        async for event in live.aevents():
            see(event)

    asyncio.run(watch())


@pytest.fixture(params=[_watch, _watch_async], ids=["sync", "async"])
def watch(request: pytest.FixtureRequest) -> Watch:
    chosen: Watch = request.param
    return chosen


# What is sent again.


@pytest.mark.parametrize(
    "failure",
    [
        *[Answer(status, {"error": {"message": "later"}}) for status in (408, 409, 429, 500, 502, 503, 529)],
        Answer(503, "<html>Bad day</html>", {"content-type": "text/html"}),
        Answer(500, ""),
        Answer(200, error_body(code=429)),
        Answer(200, error_body(code="429")),
        Answer(200, error_body(code=503)),
        Answer(200, error_body(code="rate_limit_exceeded")),
        Answer(200, error_body(type="overloaded_error")),
        faulty(says("Never whole."), cut_after=0),
        faulty(says("Never whole."), cut_after=40),
        faulty(Answer(500, {"error": {"message": "later"}}), cut_after=5),
    ],
    ids=lambda failure: str(failure)[:70],
)
def test_what_another_attempt_may_cure_is_sent_again(run: Run, stand_in: Serve, failure: AnyAnswer) -> None:
    server = stand_in([failure, failure, HELLO])
    result = run(loop_for(server))
    assert (result.outcome, result.final_response, result.loop_count) == ("completed", "Hello.", 0)
    assert attempts_in(result) == [3]
    bodies = [request.body for request in server.requests]
    assert bodies == [bodies[0]] * 3


@pytest.mark.parametrize(
    ("failure", "kind"),
    [
        (Answer(401, {"error": {"message": "wrong key"}}), "auth"),
        (Answer(403, {"error": {"message": "not yours"}}), "auth"),
        (Answer(402, {"error": {"message": "pay first"}}), "quota_exceeded"),
        (Answer(429, {"error": {"message": "used up", "code": "insufficient_quota"}}), "quota_exceeded"),
        (Answer(400, {"error": {"message": "temperature is no number"}}), "bad_request"),
        (Answer(404, {"error": {"message": "no such model"}}), "bad_request"),
        (Answer(422, {"error": {"message": "what?"}}), "bad_request"),
        (Answer(400, {"error": {"message": "long", "code": "context_length_exceeded"}}), "context_length"),
        (Answer(200, error_body(code=400)), "bad_request"),
        (Answer(200, error_body(code="insufficient_quota")), "quota_exceeded"),
        (Answer(200, error_body()), "provider_error"),
        (Answer(200, "<html>Log in</html>", {"content-type": "text/html"}), "malformed_response"),
        (says("", finish_reason="content_filter"), "content_filter"),
    ],
    ids=lambda value: str(value)[:70],
)
def test_what_no_attempt_would_cure_is_sent_once(
    run: Run, stand_in: Serve, failure: AnyAnswer, kind: str
) -> None:
    server = stand_in([failure, HELLO])
    result = run(loop_for(server, max_retries=5))
    assert (result.outcome, result.error and result.error.kind) == ("failed", kind)
    assert (attempts_in(result), len(server.requests)) == ([1], 1)


STATUSES = (400, 401, 402, 403, 404, 408, 409, 413, 422, 425, 429, 500, 501, 502, 503, 504, 529)


def test_without_retries_every_status_is_one_request(run: Run, stand_in: Serve) -> None:
    headers = {"x-should-retry": "true", "retry-after": "0"}
    for status in STATUSES:
        server = stand_in([Answer(status, {"error": {"message": "no"}}, headers), HELLO])
        result = run(loop_for(server, max_retries=0))
        assert (result.outcome, len(server.requests)) == ("failed", 1), status


def test_a_server_that_says_what_to_retry_is_not_asked(run: Run, stand_in: Serve) -> None:
    """x-should-retry is for the openai package, the retries of which are off."""
    server = stand_in(
        [
            Answer(503, {"error": {"message": "busy"}}, {"x-should-retry": "false"}),
            Answer(400, {"error": {"message": "no"}}, {"x-should-retry": "true"}),
            HELLO,
        ]
    )
    result = run(loop_for(server))
    assert (result.error and result.error.kind, len(server.requests)) == ("bad_request", 2)


def test_a_server_that_starts_while_it_is_waited_for(watch: Watch, stand_in: Serve) -> None:
    with socket.create_server(("127.0.0.1", 0)) as unused:
        port = unused.getsockname()[1]
    loop = ToolLoop(model="m", base_url=f"http://127.0.0.1:{port}/v1", retry_base_delay=0)
    live = loop.start("Go")
    refused: list[AttemptDiscarded] = []

    def see(event: Event) -> None:
        if isinstance(event, AttemptDiscarded):
            refused.append(event)
            stand_in([HELLO], port=port)

    watch(live, see)
    assert live.result is not None
    assert (live.result.final_response, attempts_in(live.result)) == ("Hello.", [2])
    assert [event.kind for event in refused] == ["provider_unavailable"]
    assert "could not reach http://127.0.0.1" in refused[0].why


def test_an_attempt_that_takes_too_long_is_followed_by_another(run: Run, stand_in: Serve) -> None:
    server = stand_in([faulty(HELLO, stall_after=0), faulty(HELLO, drip=1.0), HELLO])
    began = time.monotonic()
    result = run(loop_for(server, timeout=0.3))
    assert (result.final_response, attempts_in(result)) == ("Hello.", [3])
    assert 0.6 <= time.monotonic() - began < SOON


def test_when_no_attempt_helps_the_last_failure_stands(run: Run, stand_in: Serve) -> None:
    server = stand_in([Answer(500, {"error": {"message": "first"}}), OVERLOADED, OVERLOADED, HELLO])
    result = run(loop_for(server))
    assert result.error is not None
    assert (result.outcome, result.error.kind) == ("failed", "provider_unavailable")
    assert result.error.message == (
        "HTTP 503: overloaded (3 attempts); try again later, or raise max_retries or timeout "
        f"({server.origin})"
    )
    assert (attempts_in(result), len(server.requests)) == ([3], 3)


def test_attempts_that_all_take_too_long_are_counted(run: Run, stand_in: Serve) -> None:
    server = stand_in([faulty(HELLO, stall_after=0)] * 2)
    result = run(loop_for(server, timeout=0.2, max_retries=1))
    assert result.error is not None
    assert result.error.message == (
        "the endpoint gave no whole answer within 0.2 s (2 attempts); "
        "try again later, or raise max_retries or timeout"
    )
    assert attempts_in(result) == [2]


def test_no_tool_runs_again_and_no_round_is_counted(run: Run, stand_in: Serve) -> None:
    charged: list[int] = []

    @tool
    def charge() -> str:
        """Charges the customer."""
        charged.append(1)
        return "charged"

    asking = calls(("charge", {}))
    server = stand_in(
        [OVERLOADED, asking, OVERLOADED, Answer(200, error_body(code=429)), says("Charged once.")]
    )
    result = run(loop_for(server, charge))
    assert (result.final_response, result.loop_count, charged) == ("Charged once.", 1, [1])
    assert attempts_in(result) == [2, 3]
    assert len({request.body for request in server.requests}) == 2


# How long is waited.


@pytest.mark.parametrize(
    ("headers", "seconds"),
    [
        ({"retry-after": "7"}, 7.0),
        ({"retry-after": "0.5"}, 0.5),
        ({"retry-after-ms": "1500"}, 1.5),
        ({"retry-after-ms": "1500", "retry-after": "9"}, 1.5),
        ({"retry-after": "54"}, 54.0),
    ],
)
@pytest.mark.parametrize("status", [429, 503])
def test_the_wait_that_the_endpoint_asks_for_is_kept(
    run: Run, stand_in: Serve, status: int, headers: dict[str, str], seconds: float
) -> None:
    clock = SkippingClock()
    server = stand_in([Answer(status, {"error": {"message": "later"}}, headers), HELLO])
    began = time.monotonic()
    result = run(loop_for(server, clock=clock), run_id="run")
    assert (result.final_response, attempts_in(result)) == ("Hello.", [2])
    # Never less than was asked for, and up to a tenth more, so that clients do not all come back at once.
    assert sum(clock.waits) == pytest.approx(seconds * (1 + chance_of("run:2:0", 1) / 10), abs=ROUNDING)
    assert time.monotonic() - began < SOON


def test_a_date_is_waited_for(run: Run, stand_in: Serve) -> None:
    clock = SkippingClock()
    date = formatdate(clock.date() + 30, usegmt=True)
    server = stand_in([Answer(429, {"error": {"message": "later"}}, {"retry-after": date}), HELLO])
    result = run(loop_for(server, clock=clock))
    assert result.final_response == "Hello."
    # A date has whole seconds, and a busy machine takes some of them.
    assert 30 - SOON < sum(clock.waits) < 33


def test_without_such_a_wish_waits_double_and_differ_from_run_to_run(run: Run, stand_in: Serve) -> None:
    waits: list[list[float]] = []
    for number in range(3):
        clock = SkippingClock()
        loop = loop_for(
            stand_in([OVERLOADED] * 5), clock=clock, max_retries=4, retry_base_delay=2, max_retry_wait=10
        )
        assert run(loop, run_id=f"run-{number}").outcome == "failed"
        for wait, most in zip(clock.waits, [2, 4, 8, 10], strict=True):
            assert most / 2 <= wait + ROUNDING <= most + ROUNDING
        waits.append(clock.waits)
    assert all(first != second for first, second in pairwise(waits))


@pytest.mark.parametrize("seconds", [61, 3600, 198300])
def test_a_wait_longer_than_allowed_fails_at_once(run: Run, stand_in: Serve, seconds: int) -> None:
    clock = SkippingClock()
    server = stand_in([Answer(429, {"error": {"message": "limit"}}, {"retry-after": str(seconds)}), HELLO])
    result = run(loop_for(server, clock=clock, max_retries=3))
    assert result.error is not None
    assert (result.outcome, result.error.kind) == ("failed", "rate_limited")
    assert result.error.retry_after == seconds
    assert f"(the endpoint asks to wait {seconds:g} s)" in result.error.message
    assert (len(server.requests), clock.waits) == (1, [])


def test_a_day_is_waited_for_if_that_is_allowed(run: Run, stand_in: Serve) -> None:
    clock = SkippingClock()
    answer = Answer(429, {"error": {"message": "tomorrow"}}, {"retry-after": "86400"})
    result = run(loop_for(stand_in([answer, HELLO]), clock=clock, max_retry_wait=100_000))
    assert result.final_response == "Hello."
    assert 86_400 <= sum(clock.waits) + ROUNDING <= 95_040


# What is told of it.


def test_discarded_attempts_are_events_in_order(watch: Watch, stand_in: Serve) -> None:
    failures = [Answer(429, {"error": {"message": "slow down"}}, {"retry-after": "3"}), OVERLOADED]
    live = loop_for(stand_in([*failures, HELLO]), clock=SkippingClock(), retry_base_delay=2).start("Go")
    seen: list[Event] = []
    watch(live, seen.append)
    kinds = [type(event) for event in seen[1:6]]
    assert kinds == [CommandStarted, AttemptDiscarded, AttemptDiscarded, CommandEnded, OperationEnded]
    first, second = [event for event in seen if isinstance(event, AttemptDiscarded)]
    assert (first.key, first.attempt, first.kind) == ((2, 0), 1, "rate_limited")
    assert first.why.startswith("HTTP 429: slow down (the endpoint asks to wait 3 s) (http://127.")
    assert 3 <= first.seconds <= 3.3
    assert isinstance(first.command, SendRequest)
    assert (second.attempt, second.kind) == (2, "provider_unavailable")
    assert second.why.startswith("HTTP 503: overloaded (http://127.0.0.1:")
    assert 2 <= second.seconds <= 4


def test_the_pieces_of_a_discarded_attempt_are_void(watch: Watch, stand_in: Serve) -> None:
    text = says("A long answer that breaks off.")
    server = stand_in([faulty(text, cut_after=700), text])
    live = loop_for(server, stream=True).start("Go")
    seen: list[Event] = []
    watch(live, seen.append)
    (at,) = [place for place, event in enumerate(seen) if isinstance(event, AttemptDiscarded)]
    assert any(isinstance(event, TextDelta) for event in seen[:at])
    pieces = [event.text for event in seen[at:] if isinstance(event, TextDelta)]
    assert "".join(pieces) == "A long answer that breaks off."


def test_discarded_attempts_are_lines_of_the_log(run: Run, stand_in: Serve) -> None:
    lines: list[dict[str, Any]] = []

    def keep(_logger: object, level: str, event: MutableMapping[str, Any]) -> MutableMapping[str, Any]:
        lines.append({**event, "level": level})
        raise structlog.DropEvent

    logger = structlog.wrap_logger(None, processors=[keep])
    server = stand_in([OVERLOADED, HELLO])
    run(loop_for(server, logger=logger), run_id="job")
    (line,) = [line for line in lines if line["event"] == "attempt_discarded"]
    assert line == {
        "event": "attempt_discarded",
        "level": "warning",
        "run_id": "job",
        "attempt": 1,
        "kind": "provider_unavailable",
        "seconds": 0.0,
        "text": f"HTTP 503: overloaded ({server.origin})",
    }


# Leaving while it is waited.


def test_cancelling_a_run_that_waits(watch: Watch, drive: Drive, stand_in: Serve) -> None:
    server = stand_in([ASKS_FOR_LONG, HELLO])
    live = loop_for(server).start("Go")

    def see(event: Event) -> None:
        if isinstance(event, AttemptDiscarded):
            threading.Timer(0.05, live.cancel).start()

    began = time.monotonic()
    with pytest.raises(RunCancelledError):
        watch(live, see)
    assert time.monotonic() - began < SOON
    assert (len(server.requests), live.state) == (1, "llm_call")
    # It goes on from there, and counts anew.
    result = drive(live)
    assert (result.final_response, attempts_in(result), len(server.requests)) == ("Hello.", [1], 2)


async def test_cancelling_a_task_that_waits(stand_in: Serve) -> None:
    live = loop_for(stand_in([ASKS_FOR_LONG, HELLO])).start("Go")
    waiting = asyncio.Event()

    async def drive() -> None:
        async for event in live.aevents():
            if isinstance(event, AttemptDiscarded):
                waiting.set()

    task = asyncio.create_task(drive())
    await waiting.wait()
    await asyncio.sleep(0.02)
    task.cancel()
    began = time.monotonic()
    with pytest.raises(asyncio.CancelledError):
        await task
    assert time.monotonic() - began < SOON
    assert asyncio.all_tasks() == {asyncio.current_task()}
    assert (await live.arun()).final_response == "Hello."


def test_ctrl_c_while_a_run_waits(watch: Watch, stand_in: Serve) -> None:
    live = loop_for(stand_in([ASKS_FOR_LONG, HELLO])).start("Go")
    main_thread = threading.main_thread().ident or 0

    def see(event: Event) -> None:
        if isinstance(event, AttemptDiscarded):
            threading.Timer(0.05, signal.pthread_kill, (main_thread, signal.SIGINT)).start()

    # A shell ignores SIGINT for what it starts with &.
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    began = time.monotonic()
    try:
        with pytest.raises(KeyboardInterrupt):
            watch(live, see)
    finally:
        signal.signal(signal.SIGINT, before)
    assert time.monotonic() - began < SOON
    assert live.run().final_response == "Hello."


def test_a_deadline_before_the_next_attempt_ends_the_run_at_once(watch: Watch, stand_in: Serve) -> None:
    server = stand_in([OVERLOADED, ASKS_FOR_LONG, HELLO])
    live = loop_for(server, deadline=LONG / 2).start("Go")
    seen: list[Event] = []
    began = time.monotonic()
    watch(live, seen.append)
    assert time.monotonic() - began < SOON
    result = live.result
    assert result is not None
    assert result.error is not None
    assert (result.outcome, result.error.kind) == ("limit", "deadline")
    assert "comes before the request may be sent again, after provider_unavailable: HTTP 503: overl" in (
        result.error.message
    )
    assert (attempts_in(result), len(server.requests)) == ([2], 2)
    # No attempt follows the last one, so it is not said that one does.
    assert [event.attempt for event in seen if isinstance(event, AttemptDiscarded)] == [1]


def test_a_deadline_that_allows_for_the_wait_is_kept(run: Run, stand_in: Serve) -> None:
    server = stand_in([Answer(503, "", {"retry-after": "20"}), Answer(503, "", {"retry-after": "20"}), HELLO])
    clock = SkippingClock()
    result = run(loop_for(server, deadline=30, clock=clock))
    assert (result.outcome, result.error and result.error.kind) == ("limit", "deadline")
    assert 20 <= sum(clock.waits) + ROUNDING <= 22 + ROUNDING
    assert len(server.requests) == 2


def test_a_run_that_is_stepped_does_its_retries_too(stand_in: Serve) -> None:
    clock = SkippingClock()
    server = stand_in([ASKS_FOR_LONG, HELLO])
    live = loop_for(server, clock=clock).start("Go")
    steps = [step.operation for step in iter(live.step, None) if step]
    assert steps == ["initialize", "llm_call", "parse_response", "extract_final"]
    assert live.result is not None
    assert (live.result.final_response, attempts_in(live.result)) == ("Hello.", [2])
    assert sum(clock.waits) >= LONG - ROUNDING


# Waits cost nothing.


@contextlib.contextmanager
def few_more_threads(most: int) -> Generator[None, None, None]:
    """Besides those of the server, and those that the test starts itself."""

    def count() -> int:
        return sum(thread.name.startswith(("callagain", "asyncio")) for thread in threading.enumerate())

    before = count()
    yield
    assert count() <= before + most


def wait_until(holds: Callable[[], bool]) -> None:
    end = time.monotonic() + 30
    while not holds():
        assert time.monotonic() < end
        time.sleep(0.01)


async def test_runs_that_wait_on_a_loop_hold_no_thread(stand_in: Serve) -> None:
    server = stand_in(lambda _body: ASKS_FOR_LONG)  # pyright: ignore[reportUnknownLambdaType]
    loop = loop_for(server)
    waiting: list[Event] = []

    async def wait() -> None:
        async for event in loop.start("Go").aevents():
            if isinstance(event, AttemptDiscarded):
                waiting.append(event)

    # The import of openai, and looking up a host, use a thread of asyncio's own.
    with few_more_threads(10):
        tasks = [asyncio.create_task(wait()) for _ in range(200)]
        async with asyncio.timeout(30):
            while len(waiting) < len(tasks):
                await asyncio.sleep(0.01)
    for task in tasks:
        task.cancel()
    done, pending = await asyncio.wait(tasks, timeout=SOON)
    assert (len(done), len(pending)) == (200, 0)


def test_runs_that_wait_in_threads_hold_no_other_thread(stand_in: Serve) -> None:
    server = stand_in(lambda _body: ASKS_FOR_LONG)  # pyright: ignore[reportUnknownLambdaType]
    loop = loop_for(server)
    lives = [loop.start("Go") for _ in range(50)]
    waiting: list[Event] = []

    def wait(live: LiveRun) -> None:
        with contextlib.suppress(RunCancelledError):
            for event in live.events():
                if isinstance(event, AttemptDiscarded):
                    waiting.append(event)

    # Workers that have nothing to do are kept for later.
    with few_more_threads(32):
        threads = [threading.Thread(target=wait, args=(live,)) for live in lives]
        for thread in threads:
            thread.start()
        wait_until(lambda: len(waiting) == len(lives))
        time.sleep(0.05)
    for live in lives:
        live.cancel()
    began = time.monotonic()
    for thread in threads:
        thread.join(SOON)
    assert time.monotonic() - began < SOON


@pytest.mark.parametrize("name", ["max_retries", "max_retry_wait", "retry_base_delay"])
@pytest.mark.parametrize("value", [-1, "2", None, True])
def test_a_setting_that_cannot_be_kept_is_refused(name: str, value: object) -> None:
    with pytest.raises(ConfigurationError, match=f"{name} must be .*, not {value!r}"):
        ToolLoop(model="m", base_url="http://127.0.0.1:9/v1", **{name: value})  # type: ignore[arg-type]

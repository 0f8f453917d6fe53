"""Both drivers: tools at the same time, in order, in time, and never in the way of a cancellation."""

import asyncio
import contextlib
import contextvars
import gc
import signal
import threading
import time
import tracemalloc
import weakref
from collections.abc import Callable
from functools import partial
from typing import Any

import pytest

from callagain import (
    LiveRun,
    Result,
    RunCancelledError,
    RunInProgressError,
    ToolContext,
    ToolLoop,
    tool,
)
from callagain.chains import FUNCTION_ROUTING
from callagain.engine.drivers import worker_threads
from callagain.engine.links import Link
from callagain.operations import TOOL_CALLING_LOOP
from callagain.testing import Rule, StandIn, calls, says

# What is measured here is time.
pytestmark = pytest.mark.timed

Run = Callable[..., Result]
Serve = Callable[..., StandIn]


def loop_with(server: StandIn, *tools: Any, **options: Any) -> ToolLoop:
    return ToolLoop(model="m", base_url=server.base_url, tools=tools, **options)


class Gauge:
    """How many are inside at the same time, and the most that ever were."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._now = 0
        self.most = 0

    def __enter__(self) -> None:
        with self._lock:
            self._now += 1
            self.most = max(self.most, self._now)

    def __exit__(self, *_: object) -> None:
        with self._lock:
            self._now -= 1


def test_calls_of_one_response_run_at_the_same_time(run: Run, stand_in: Serve) -> None:
    together = threading.Barrier(3, timeout=10)

    @tool
    def meet(place: str) -> str:
        """Waits for the two others."""
        together.wait()
        return place

    server = stand_in([calls(*[("meet", {"place": place}) for place in "abc"]), says("Met.")])
    result = run(loop_with(server, meet))
    assert [answer.content for answer in result.tool_results] == ["a", "b", "c"]


def test_async_tools_run_at_the_same_time(run: Run, stand_in: Serve) -> None:
    inside: list[str] = []

    @tool
    async def meet(place: str) -> str:
        """Waits for the two others."""
        inside.append(place)
        async with asyncio.timeout(10):
            while len(inside) < 3:
                await asyncio.sleep(0.001)
        return place

    server = stand_in([calls(*[("meet", {"place": place}) for place in "abc"]), says("Met.")])
    result = run(loop_with(server, meet))
    assert [answer.content for answer in result.tool_results] == ["a", "b", "c"]


def test_results_stand_in_the_order_of_the_calls_whatever_finishes_first(run: Run, stand_in: Serve) -> None:
    @tool
    def wait(seconds: float) -> float:
        """Waits."""
        time.sleep(seconds)
        return seconds

    asked = [0.09, 0.0, 0.05]
    server = stand_in([calls(*[("wait", {"seconds": seconds}) for seconds in asked]), says("Done.")])
    result = run(loop_with(server, wait))
    assert [answer.content for answer in result.tool_results] == ["0.09", "0.0", "0.05"]
    sent = server.requests[1].json["messages"]
    ids = [call["id"] for call in sent[1]["tool_calls"]]
    assert [message["tool_call_id"] for message in sent[2:]] == ids


@pytest.mark.parametrize("most", [1, 3])
def test_at_most_max_concurrent_tools_run_at_a_time(run: Run, stand_in: Serve, most: int) -> None:
    gauge = Gauge()

    @tool
    def work(number: int) -> int:
        """Works."""
        with gauge:
            time.sleep(0.02)
        return number

    server = stand_in([calls(*[("work", {"number": number}) for number in range(7)]), says("Done.")])
    result = run(loop_with(server, work, max_concurrent_tools=most))
    assert [answer.content for answer in result.tool_results] == [str(number) for number in range(7)]
    assert gauge.most == most


def test_eight_tools_at_a_time_unless_said_otherwise(run: Run, stand_in: Serve) -> None:
    gauge = Gauge()

    @tool
    def work(number: int) -> int:
        """Works."""
        with gauge:
            time.sleep(0.05)
        return number

    server = stand_in([calls(*[("work", {"number": number}) for number in range(12)]), says("Done.")])
    run(loop_with(server, work))
    assert gauge.most == 8


def test_a_sequential_tool_runs_alone_and_in_its_place(run: Run, stand_in: Serve) -> None:
    happened: list[str] = []

    @tool
    def look(name: str) -> str:
        """Looks."""
        happened.append(f"{name} begins")
        time.sleep(0.03)
        happened.append(f"{name} ends")
        return name

    @tool(sequential=True)
    def book(name: str) -> str:
        """Books."""
        return look(name)

    order = [("look", "a"), ("look", "b"), ("book", "c"), ("look", "d")]
    server = stand_in([calls(*[(name, {"name": place}) for name, place in order]), says("Done.")])
    run(loop_with(server, look, book))
    assert set(happened[:4]) == {"a begins", "a ends", "b begins", "b ends"}
    assert happened[4:] == ["c begins", "c ends", "d begins", "d ends"]


caller: contextvars.ContextVar[str] = contextvars.ContextVar("caller", default="nobody")


def test_tools_see_the_callers_context_variables(run: Run, stand_in: Serve) -> None:
    @tool
    def in_thread() -> str:
        """Says who calls."""
        return f"{caller.get()} {threading.current_thread() is threading.main_thread()}"

    @tool
    async def in_loop() -> str:
        """Says who calls."""
        return caller.get()

    server = stand_in([calls(("in_thread", {}), ("in_loop", {})), says("Done.")])
    token = caller.set("Ada")
    try:
        result = run(loop_with(server, in_thread, in_loop))
    finally:
        caller.reset(token)
    assert [answer.content for answer in result.tool_results] == ["Ada False", "Ada"]


def test_a_tool_may_ask_to_run_in_the_callers_thread(run: Run, stand_in: Serve) -> None:
    @tool(in_caller_thread=True)
    def where() -> bool:
        """Says whether this is the thread of the caller."""
        return threading.current_thread() is threading.main_thread()

    server = stand_in([calls(("where", {})), says("Done.")])
    assert run(loop_with(server, where)).tool_results[0].content == "true"


async def test_the_synchronous_driver_works_where_a_loop_is_running(stand_in: Serve) -> None:
    """As in a notebook: async tools do not run on the caller's loop, which is blocked."""

    @tool
    async def ask() -> str:
        """Asks."""
        await asyncio.sleep(0)
        return "asked"

    server = stand_in([calls(("ask", {})), says("Done.")])
    result = loop_with(server, ask).run("Go")
    assert (result.outcome, result.tool_results[0].content) == ("completed", "asked")


def test_a_tool_that_raises_does_not_stop_its_siblings(run: Run, stand_in: Serve) -> None:
    @tool
    def boom() -> str:
        """Fails."""
        raise ValueError("ticket T-9 is locked")

    @tool
    async def aboom() -> str:
        """Fails."""
        raise KeyError

    @tool
    def slow() -> str:
        """Takes its time."""
        time.sleep(0.05)
        return "fine"

    server = stand_in([calls(("boom", {}), ("slow", {}), ("aboom", {})), says("Partly.")])
    result = run(loop_with(server, boom, slow, aboom))
    assert [(answer.error, answer.content) for answer in result.tool_results] == [
        (
            "tool_exception",
            '{"error":{"code":"tool_exception","message":"ValueError: ticket T-9 is locked"}}',
        ),
        (None, "fine"),
        ("tool_exception", '{"error":{"code":"tool_exception","message":"KeyError"}}'),
    ]
    assert result.outcome == "completed"


def test_a_blocking_tool_is_left_behind_when_its_time_is_over(run: Run, stand_in: Serve) -> None:
    released = threading.Event()
    told: list[bool] = []

    @tool
    def stuck(context: ToolContext) -> str:
        """Hangs until it is let go."""
        released.wait(30)
        told.append(context.cancelled)
        return "too late"

    server = stand_in([calls(("stuck", {})), says("It timed out.")])
    began = time.monotonic()
    result = run(loop_with(server, stuck, tool_timeout=0.1))
    assert time.monotonic() - began < 20
    assert result.tool_results[0].error == "timeout"
    assert "no result within 0.1 s; it may still be running" in result.tool_results[0].content
    assert result.outcome == "completed"
    released.set()
    _eventually(lambda: told == [True])


def test_an_async_tool_is_stopped_when_its_time_is_over(run: Run, stand_in: Serve) -> None:
    stopped: list[str] = []

    @tool(timeout=0.1)
    async def stuck() -> str:
        """Hangs."""
        try:
            await asyncio.sleep(30)
        except asyncio.CancelledError:
            stopped.append("stopped")
            raise
        return "too late"

    server = stand_in([calls(("stuck", {})), says("It timed out.")])
    result = run(loop_with(server, stuck))
    assert "no result within 0.1 s; it was told to stop" in result.tool_results[0].content
    _eventually(lambda: stopped == ["stopped"])


def test_abandoned_threads_take_no_slot(run: Run, stand_in: Serve) -> None:
    released = threading.Event()

    @tool
    def stuck(number: int) -> int:
        """Hangs until it is let go."""
        released.wait(30)
        return number

    @tool(timeout=20)
    def quick() -> str:
        """Answers."""
        return "here"

    many = calls(*[("stuck", {"number": number}) for number in range(4)])
    server = stand_in([many, many, calls(("quick", {})), says("Done.")])
    try:
        result = run(loop_with(server, stuck, quick, tool_timeout=0.05, max_concurrent_tools=2))
    finally:
        released.set()
    assert [answer.error for answer in result.tool_results] == ["timeout"] * 8 + [None]


def test_a_tool_that_cancels_itself_is_a_tool_error(run: Run, stand_in: Serve) -> None:
    @tool
    async def gives_up() -> str:
        """Cancels itself."""
        raise asyncio.CancelledError

    server = stand_in([calls(("gives_up", {})), says("Done.")])
    result = run(loop_with(server, gives_up))
    assert (result.outcome, result.tool_results[0].error) == ("completed", "tool_cancelled")


def test_a_tool_whose_task_is_cancelled_is_a_tool_error_at_once(run: Run, stand_in: Serve) -> None:
    @tool
    async def cancels_its_task() -> str:
        """Cancels the task that it runs in."""
        task = asyncio.current_task()
        assert task is not None
        task.cancel()
        await asyncio.sleep(0)
        return "never"

    @tool
    def raises_cancelled() -> str:
        """Raises what only tasks should."""
        raise asyncio.CancelledError

    server = stand_in([calls(("cancels_its_task", {}), ("raises_cancelled", {})), says("Done.")])
    result = run(loop_with(server, cancels_its_task, raises_cancelled, tool_timeout=None))
    assert [answer.error for answer in result.tool_results] == ["tool_cancelled", "tool_cancelled"]
    assert result.outcome == "completed"


@tool
async def quick() -> str:
    """Answers."""
    await asyncio.sleep(0)
    return "here"


def _answers(stand_in: Serve) -> str:
    server = stand_in([calls(("quick", {})), says("Done.")])
    return loop_with(server, quick, tool_timeout=10).run("Go").tool_results[0].content


def test_an_async_tool_that_exits_leaves_the_run_and_spares_the_others(stand_in: Serve) -> None:
    @tool
    async def leave() -> str:
        """Exits."""
        raise SystemExit(3)

    server = stand_in([calls(("leave", {})), says("never")])
    with pytest.raises(SystemExit):
        loop_with(server, leave).run("Go")
    assert _answers(stand_in) == "here"


def test_an_async_tool_that_blocks_does_not_hold_up_the_next_run(stand_in: Serve) -> None:
    released = threading.Event()

    @tool
    async def blocks() -> str:
        """Blocks its event loop, as no async function should."""
        released.wait(30)
        return "late"

    server = stand_in([calls(("blocks", {})), says("Done.")])
    try:
        result = loop_with(server, blocks, tool_timeout=0.1).run("Go")
        assert result.tool_results[0].error == "timeout"
        assert _answers(stand_in) == "here"
    finally:
        released.set()


def test_an_async_tool_may_run_a_loop_of_its_own(stand_in: Serve) -> None:
    @tool
    async def ask_another() -> str:
        """Asks another loop."""
        return _answers(stand_in)

    server = stand_in([calls(("ask_another", {})), says("Done.")])
    result = loop_with(server, ask_another, tool_timeout=10).run("Go")
    assert result.tool_results[0].content == "here"


def test_system_exit_in_a_tool_leaves_the_run(stand_in: Serve) -> None:
    @tool
    def leave() -> str:
        """Exits."""
        raise SystemExit(3)

    server = stand_in([calls(("leave", {})), says("never")])
    with pytest.raises(SystemExit):
        loop_with(server, leave).run("Go")


def test_a_deadline_ends_the_run_at_its_limit_with_everything_kept(run: Run, stand_in: Serve) -> None:
    released = threading.Event()

    @tool
    def quick() -> str:
        """Answers."""
        return "here"

    @tool
    def stuck() -> str:
        """Hangs until it is let go."""
        released.wait(30)
        return "too late"

    server = stand_in([calls(("quick", {})), calls(("stuck", {})), says("never")])
    began = time.monotonic()
    try:
        result = run(loop_with(server, quick, stuck, deadline=3))
    finally:
        released.set()
    assert time.monotonic() - began < 20
    assert (result.outcome, result.error and result.error.kind) == ("limit", "deadline")
    assert [answer.error for answer in result.tool_results] == [None, "timeout"]
    assert (result.loop_count, len(server.requests), result.final_response) == (2, 2, None)
    assert [message["role"] for message in result.messages] == [
        "user",
        "assistant",
        "tool",
        "assistant",
        "tool",
    ]


def test_a_deadline_gets_through_a_request_that_hangs(run: Run, stand_in: Serve) -> None:
    server = stand_in([says("late")], delay=60)
    began = time.monotonic()
    result = run(loop_with(server, deadline=0.2))
    assert time.monotonic() - began < 20
    assert (result.outcome, result.error and result.error.kind) == ("limit", "deadline")


def test_a_deadline_holds_for_any_chain(run: Run, stand_in: Serve) -> None:
    server = stand_in([says("late")], delay=60)
    result = run(loop_with(server, deadline=0.2, chain=FUNCTION_ROUTING))
    assert (result.outcome, result.error and result.error.kind) == ("limit", "deadline")


def test_a_deadline_ends_a_chain_that_tries_again_for_ever(run: Run, stand_in: Serve) -> None:
    again = Link("llm_call", "on_fail", "llm_call")
    chain = TOOL_CALLING_LOOP.replace(links=(*TOOL_CALLING_LOOP.links, again))
    server = stand_in([says("late")], delay=60)
    result = run(loop_with(server, deadline=0.2, chain=chain))
    assert (result.outcome, result.error and result.error.kind) == ("limit", "deadline")
    assert len(result.trace) < 5


def test_a_request_has_its_time_in_all(run: Run, stand_in: Serve) -> None:
    server = stand_in([says("late")], delay=60)
    began = time.monotonic()
    result = run(loop_with(server, timeout=0.2))
    assert time.monotonic() - began < 20
    assert result.outcome == "failed"
    assert result.error is not None
    assert result.error.kind == "provider_unavailable"
    assert "0.2 s" in result.error.message


async def test_cancelling_the_task_stops_async_tools_and_gets_through_at_once(stand_in: Serve) -> None:
    stopped: list[str] = []

    @tool
    async def stuck() -> str:
        """Hangs."""
        try:
            await asyncio.sleep(30)
        finally:
            stopped.append("stopped")
        return "late"

    server = stand_in([calls(("stuck", {})), says("never")])
    began = time.monotonic()
    with pytest.raises(TimeoutError):
        async with asyncio.timeout(0.3):
            await loop_with(server, stuck).arun("Go")
    assert time.monotonic() - began < 20
    assert stopped == ["stopped"]


async def test_cancelling_the_task_gets_through_a_tool_that_swallows_it(stand_in: Serve) -> None:
    entered = asyncio.Event()

    @tool
    async def stubborn() -> str:
        """Will not be cancelled."""
        entered.set()
        try:
            await asyncio.sleep(30)
        except asyncio.CancelledError:
            return "went on"
        return "late"

    server = stand_in([calls(("stubborn", {})), says("never")])
    task = asyncio.create_task(loop_with(server, stubborn).arun("Go"))
    await entered.wait()
    task.cancel()
    with pytest.raises(asyncio.CancelledError):
        await task
    assert task.cancelled()
    assert len(server.requests) == 1


async def test_cancelling_the_task_does_not_wait_for_a_blocking_tool(stand_in: Serve) -> None:
    released = threading.Event()
    entered = threading.Event()

    @tool
    def stuck() -> str:
        """Hangs until it is let go."""
        entered.set()
        released.wait(30)
        return "late"

    server = stand_in([calls(("stuck", {})), says("never")])
    task = asyncio.create_task(loop_with(server, stuck).arun("Go"))
    while not entered.is_set():
        await asyncio.sleep(0.005)
    task.cancel()
    try:
        with pytest.raises(asyncio.CancelledError):
            async with asyncio.timeout(3):
                await task
    finally:
        released.set()


def test_a_run_can_be_cancelled_from_another_thread(
    drive: Callable[[LiveRun], Result], stand_in: Serve
) -> None:
    released = threading.Event()
    effects: list[str] = []

    @tool
    def stuck() -> str:
        """Hangs until it is let go."""
        effects.append("done")
        live.cancel()
        released.wait(30)
        return "late"

    server = stand_in([calls(("stuck", {})), says("never")])
    live = loop_with(server, stuck).start("Go")
    began = time.monotonic()
    try:
        with pytest.raises(RunCancelledError):
            drive(live)
    finally:
        released.set()
    assert time.monotonic() - began < 20

    result = drive(live)
    assert (result.outcome, result.error and result.error.kind) == ("suspended", "call_outcome_unknown")
    assert [call.name for call in result.pending_calls] == ["stuck"]
    assert effects == ["done"]


def test_a_cancelled_run_repeats_what_is_read_only(
    drive: Callable[[LiveRun], Result], stand_in: Serve
) -> None:
    times: list[int] = []

    @tool(read_only=True)
    def look() -> str:
        """Looks."""
        times.append(1)
        if len(times) == 1:
            live.cancel()
        return "seen"

    server = stand_in([calls(("look", {})), says("Done.")])
    live = loop_with(server, look).start("Go")
    with pytest.raises(RunCancelledError):
        drive(live)
    assert drive(live).final_response == "Done."
    assert len(times) == 2


def test_keyboard_interrupt_gets_through_at_once(stand_in: Serve) -> None:
    released = threading.Event()

    @tool
    def stuck() -> str:
        """Hangs until it is let go."""
        signal.pthread_kill(threading.main_thread().ident or 0, signal.SIGINT)
        released.wait(30)
        return "late"

    server = stand_in([calls(("stuck", {})), says("never")])
    began = time.monotonic()
    # A shell ignores SIGINT for what it starts with &.
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    try:
        with pytest.raises(KeyboardInterrupt):
            loop_with(server, stuck).run("Go")
    finally:
        signal.signal(signal.SIGINT, before)
        released.set()
    assert time.monotonic() - began < 20


ECHO = [Rule("order ([0-9]+)", [calls(("look_up", {"order_id": "{1}"})), says("Order {1} has shipped.")])]


@tool
def look_up(order_id: str) -> str:
    """Looks an order up."""
    return f"{order_id}: shipped"


def assert_own(number: int, result: Result) -> None:
    assert result.final_response == f"Order {number} has shipped."
    assert result.loop_count == 1
    assert [answer.content for answer in result.tool_results] == [f"{number}: shipped"]
    assert f"order {number}" in result.variables.as_jitterbit()["non_tool_messages_json"]  # type: ignore[operator]


def test_one_loop_serves_many_threads(stand_in: Serve) -> None:
    loop = loop_with(stand_in(ECHO), look_up)
    results: dict[int, Result] = {}

    def one(number: int) -> None:
        results[number] = loop.run(f"Where is order {number}?")

    threads = [threading.Thread(target=one, args=(number,)) for number in range(20)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    for number in range(20):
        assert_own(number, results[number])


async def test_one_loop_serves_many_tasks(stand_in: Serve) -> None:
    loop = loop_with(stand_in(ECHO), look_up)
    results = await asyncio.gather(*[loop.arun(f"Where is order {number}?") for number in range(50)])
    for number, result in enumerate(results):
        assert_own(number, result)


def test_one_loop_serves_several_event_loops_one_after_the_other(stand_in: Serve) -> None:
    loop = loop_with(stand_in(ECHO), look_up)
    for number in range(3):
        assert_own(number, asyncio.run(loop.arun(f"Where is order {number}?")))


def test_a_run_has_one_driver_at_a_time(stand_in: Serve) -> None:
    refused: list[Exception] = []

    @tool
    def meddle() -> str:
        """Tries to drive its own run."""
        for attempt in (live.run, live.step):
            try:
                attempt()
            except RunInProgressError as error:
                refused.append(error)
        return "refused"

    server = stand_in([calls(("meddle", {})), says("Done.")])
    live = loop_with(server, meddle).start("Go")
    while live.step() is not None:
        pass
    assert len(refused) == 2
    assert live.result is not None
    assert live.result.final_response == "Done."


def test_finished_runs_leave_nothing_behind(drive: Callable[[LiveRun], Result], stand_in: Serve) -> None:
    loop = loop_with(stand_in([Rule("order", [says("Shipped.")])]), look_up)

    def finished() -> weakref.ref[LiveRun]:
        live = loop.start("Where is order 1?")
        drive(live)
        return weakref.ref(live)

    finished()
    gc.collect()
    gc.disable()
    tracemalloc.start()
    try:
        before, _ = tracemalloc.get_traced_memory()
        assert [finished()() for _ in range(10)] == [None] * 10
        after, _ = tracemalloc.get_traced_memory()
        assert (after - before) / 10 < 20_000
    finally:
        tracemalloc.stop()
        gc.enable()


def test_idle_workers_are_used_again() -> None:
    pool = worker_threads.Workers()
    names: list[str] = []
    for number in range(3):
        done = threading.Event()

        def job(done: threading.Event = done) -> None:
            names.append(threading.current_thread().name)
            done.set()

        pool.submit(job)
        assert done.wait(10)
        _eventually(lambda expected=number: len(names) == expected + 1)  # type: ignore[misc]
        time.sleep(0.01)
    assert len(set(names)) == 1


def test_jobs_that_come_at_once_run_at_the_same_time() -> None:
    pool = worker_threads.Workers()
    for count in (3, 20, 1, 20, 40, 7):
        all_there, left = threading.Barrier(count + 1), threading.Semaphore(0)

        def job(all_there: threading.Barrier = all_there, left: threading.Semaphore = left) -> None:
            all_there.wait(10)
            left.release()

        for _ in range(count):
            pool.submit(job)
        all_there.wait(10)
        for _ in range(count):
            assert left.acquire(timeout=10)


def test_a_job_that_hangs_holds_up_no_other() -> None:
    pool, released = worker_threads.Workers(), threading.Event()

    def hang() -> None:
        released.wait(30)

    for _ in range(50):
        done = threading.Semaphore(0)
        pool.submit(done.release)
        pool.submit(hang)
        for _ in range(3):
            pool.submit(done.release)
        for _ in range(4):
            assert done.acquire(timeout=10)
    released.set()


def test_each_job_of_many_threads_is_done_once() -> None:
    pool, done = worker_threads.Workers(), list[tuple[int, int]]()

    def submit(who: int) -> None:
        for number in range(300):
            pool.submit(lambda number=number: done.append((who, number)))  # type: ignore[misc]
            if number % 50 == who:
                time.sleep(0.001)

    threads = [threading.Thread(target=submit, args=(who,)) for who in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    _eventually(lambda: len(done) == 1_200)
    assert sorted(done) == [(who, number) for who in range(4) for number in range(300)]


def test_jobs_are_done_after_signals_that_came_in_between() -> None:
    pool, interrupted = worker_threads.Workers(), list[int]()

    # As KeyboardInterrupt: an Exception makes CPython's Thread.start forget the thread that it has started.
    class Interrupted(BaseException):
        pass

    def interrupt(number: int, _: object) -> None:
        interrupted.append(number)
        raise Interrupted

    # Apart from the `with`: what interrupts the jump back of a loop, a `with` around it may miss.
    def submit_until_interrupted(turn: int) -> None:
        signal.setitimer(signal.ITIMER_REAL, 0.0001 + turn * 0.000005)
        # One that comes where Python lets no exception through is no more than counted.
        while len(interrupted) <= turn:
            pool.submit(lambda: None)
            time.sleep(0)

    before = signal.signal(signal.SIGALRM, interrupt)
    try:
        for turn in range(100):
            # CPython's Thread.start, when interrupted, may fail with an error of its own locks instead.
            with contextlib.suppress(Interrupted, worker_threads.NoThreadError):
                submit_until_interrupted(turn)
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)
    for _ in range(50):
        done = threading.Event()
        pool.submit(done.set)
        assert done.wait(10)


@pytest.mark.parametrize("idle", [0, 2])
def test_a_thread_that_cannot_be_had_holds_up_no_other_job(
    monkeypatch: pytest.MonkeyPatch, idle: int
) -> None:
    pool, released = worker_threads.Workers(), threading.Event()
    held = [threading.Event() for _ in range(idle)]

    def hold(begun: threading.Event) -> None:
        begun.set()
        released.wait(30)

    for begun in held:
        pool.submit(partial(hold, begun))
        assert begun.wait(10)
    with monkeypatch.context() as patch:

        def refuse(_thread: threading.Thread) -> None:
            raise RuntimeError("can't start new thread")

        patch.setattr(threading.Thread, "start", refuse)
        for _ in range(5):
            with pytest.raises(worker_threads.NoThreadError):
                pool.submit(lambda: None)
    released.set()
    for _ in range(5):
        done = threading.Event()
        pool.submit(done.set)
        assert done.wait(10)


def _eventually(holds: Callable[[], bool]) -> None:
    end = time.monotonic() + 10
    while not holds():
        assert time.monotonic() < end
        time.sleep(0.005)

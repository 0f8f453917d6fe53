"""Connections that are cut, stall or drip at every point of an answer; and runs that are left anywhere."""

import asyncio
import contextlib
import http.client
import json
import re
import signal
import socket
import sys
import threading
import time
import tracemalloc
from collections import Counter
from collections.abc import Awaitable, Callable, Generator, Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from typing import Any, TypeAlias

import pytest

from callagain import (
    ArgumentsDelta,
    CommandEnded,
    CommandStarted,
    LiveRun,
    Result,
    RunCancelledError,
    ToolContext,
    ToolLoop,
    tool,
)
from callagain.engine.commands import CallTool
from callagain.engine.json_text import JsonObject
from callagain.testing import StandIn, calls, says

# What is measured here is time.
pytestmark = pytest.mark.timed

# Far above what anything takes here, even on a busy machine, and far below LONG.
SOON = 20.0
LONG = 60.0
# The timeout of requests that are meant to reach it.
SHORT = 0.25
DRIP_SECONDS = 0.02


def plain(body: JsonObject, *, is_framed: bool = True) -> bytes:
    data = json.dumps(body).encode()
    length = f"content-length: {len(data)}\r\n" if is_framed else ""
    return f"HTTP/1.1 200 OK\r\ncontent-type: application/json\r\n{length}\r\n".encode() + data


def streamed(*events: bytes, is_framed: bool = True) -> bytes:
    coding = b"transfer-encoding: chunked\r\n" if is_framed else b""
    head = b"HTTP/1.1 200 OK\r\ncontent-type: text/event-stream\r\n" + coding + b"\r\n"
    if not is_framed:
        return head + b"".join(events)
    return head + b"".join(b"%x\r\n%s\r\n" % (len(event), event) for event in events) + b"0\r\n\r\n"


def chunk(delta: JsonObject, finish_reason: str | None = None) -> bytes:
    data: JsonObject = {"choices": [{"index": 0, "delta": delta, "finish_reason": finish_reason}]}
    return b"data: %s\n\n" % json.dumps(data).encode()


CALL: JsonObject = {"id": "call_1", "type": "function", "function": {"name": "charge", "arguments": "{}"}}
FINISH = chunk({}, "tool_calls")
END_MARK = b"data: [DONE]\n\n"
CHUNKS = (
    chunk({"role": "assistant", "tool_calls": [{"index": 0, **CALL, "function": {"name": "charge"}}]}),
    chunk({"tool_calls": [{"index": 0, "function": {"arguments": "{"}}]}),
    chunk({"tool_calls": [{"index": 0, "function": {"arguments": "}"}}]}),
    FINISH,
    END_MARK,
)
DONE = plain({"choices": [{"message": {"role": "assistant", "content": "Done."}, "finish_reason": "stop"}]})


@dataclass(frozen=True)
class Kind:
    """An answer that asks for the tool.

    usable_from: how many bytes of it are enough to use it. over_at: with how many nothing more is waited for.
    """

    name: str
    data: bytes
    usable_from: int
    over_at: int

    @property
    def is_stream(self) -> bool:
        return b"event-stream" in self.data

    @property
    def is_framed(self) -> bool:
        """Whether the answer itself says where it ends."""
        return b"content-length" in self.data or b"chunked" in self.data

    @property
    def body_at(self) -> int:
        return self.data.index(b"\r\n\r\n") + 4

    def places(self, *, every: int) -> list[int]:
        """Where lines and events end, the places beside those, and one in so many of all the others."""
        ends = {0, self.usable_from, len(self.data)}
        ends |= {match.end() for match in re.finditer(rb"\r\n|\n\n|\[DONE\]", self.data)}
        chosen = {end + step for end in ends for step in (-1, 0, 1)} | {*range(0, len(self.data), every)}
        return sorted(place for place in chosen if 0 <= place < len(self.data))


def stream_kind(name: str, *, is_framed: bool) -> Kind:
    data = streamed(*CHUNKS, is_framed=is_framed)
    finish = FINISH.rstrip()
    return Kind(name, data, data.index(finish) + len(finish), data.index(END_MARK) + len(END_MARK))


ASKING = plain(
    {
        "choices": [
            {
                "message": {"role": "assistant", "content": None, "tool_calls": [CALL]},
                "finish_reason": "tool_calls",
            }
        ]
    }
)
KINDS = [
    Kind("plain", ASKING, len(ASKING), len(ASKING)),
    stream_kind("chunked stream", is_framed=True),
    stream_kind("stream that ends with its connection", is_framed=False),
]


class Flags(dict[str, threading.Event]):
    """An event for each message, made when a thread first asks for it."""

    def __missing__(self, message: str) -> threading.Event:
        # Of two threads that ask at once, both get the same.
        return self.setdefault(message, threading.Event())


class Server:
    """Answers each run by itself. The first answer to a run breaks off as the run's message says.

    "cut at 17": after 17 bytes the connection is cut. "stall at 17": nothing more comes. "drip at 17": the
    rest comes byte by byte. asked, charged: requests of each run, and its calls of the tool. stalled, left:
    set when a run's first answer has come so far, and when the client has closed the connection.
    """

    def __init__(self, kind: Kind) -> None:
        self.kind = kind
        self.base_url = ""
        self.asked: Counter[str] = Counter()
        self.charged: Counter[str] = Counter()
        self.stalled = Flags()
        self.left = Flags()

    def loop(self, **options: Any) -> ToolLoop:
        @tool
        def charge(context: ToolContext) -> str:
            """Charges the customer."""
            self.charged[context.run_id] += 1
            return "charged"

        settings: dict[str, Any] = {"retry_base_delay": 0, **options}
        return ToolLoop(model="m", base_url=self.base_url, tools=[charge], **settings)

    def serve(self, connection: socket.socket) -> None:
        for body in requests_on(connection):
            messages = json.loads(body)["messages"]
            message = messages[0]["content"]
            self.asked[message] += 1
            if messages[-1]["role"] == "tool":
                connection.sendall(DONE)
            elif self.asked[message] == 1:
                self.break_off(connection, message)
                return
            else:
                connection.sendall(self.kind.data)
                if not self.kind.is_framed:
                    return

    def break_off(self, connection: socket.socket, message: str) -> None:
        how, _, place = message.split()
        connection.sendall(self.kind.data[: int(place)])
        if how == "cut":
            return
        self.stalled[message].set()
        if how == "drip":
            for byte in self.kind.data[int(place) :]:
                if closes(connection, DRIP_SECONDS):
                    break
                connection.sendall(bytes([byte]))
        if closes(connection, LONG):
            self.left[message].set()


def requests_on(connection: socket.socket) -> Iterator[bytes]:
    """The bodies of the requests on a connection, as long as the client sends some."""
    with connection.makefile("rb") as stream:
        while stream.readline():
            yield stream.read(int(http.client.parse_headers(stream)["content-length"]))


def closes(connection: socket.socket, seconds: float) -> bool:
    """Whether the client closes its end within so many seconds."""
    connection.settimeout(seconds)
    try:
        return not connection.recv(1)
    except TimeoutError:
        return False
    except OSError:
        return True


@contextlib.contextmanager
def accepting(serve: Callable[[socket.socket], None]) -> Generator[str, None, None]:
    """The base URL of a server that has each connection served by a thread of its own, and then closed."""

    def serve_one(connection: socket.socket) -> None:
        with connection, contextlib.suppress(OSError):
            serve(connection)

    def accept() -> None:
        with contextlib.suppress(OSError):
            while True:
                connection, _ = listener.accept()
                connections.append(connection)
                threading.Thread(target=serve_one, args=(connection,), daemon=True).start()

    connections: list[socket.socket] = []
    listener = socket.create_server(("127.0.0.1", 0), backlog=128)
    thread = threading.Thread(target=accept, daemon=True)
    thread.start()
    try:
        yield f"http://127.0.0.1:{listener.getsockname()[1]}/v1"
    finally:
        for each in (listener, *connections):
            with contextlib.suppress(OSError):
                each.shutdown(socket.SHUT_RDWR)
        thread.join(10)
        listener.close()


@contextlib.contextmanager
def serving(kind: Kind) -> Generator[Server, None, None]:
    server = Server(kind)
    with accepting(server.serve) as server.base_url:
        yield server


@pytest.fixture(params=KINDS, ids=lambda kind: kind.name)
def server(request: pytest.FixtureRequest) -> Iterator[Server]:
    with serving(request.param) as server:
        yield server


@pytest.fixture(autouse=True)
def no_thread_left() -> Iterator[None]:
    """Soon after a test, no worker is busy any more."""
    yield
    end = time.monotonic() + SOON
    while busy := [thread for thread in threading.enumerate() if is_busy(thread)]:
        assert time.monotonic() < end, busy
        time.sleep(0.01)


def is_busy(thread: threading.Thread) -> bool:
    """Whether it is a worker, and not waiting for its next job."""
    frame = sys._current_frames().get(thread.ident or 0)  # pyright: ignore[reportPrivateUsage]
    return thread.name == "callagain-worker" and frame is not None and frame.f_code.co_name != "_work"


Run: TypeAlias = Callable[..., Result]
RunAll: TypeAlias = Callable[[ToolLoop, list[str]], list[Result]]


def _all_sync(loop: ToolLoop, messages: list[str]) -> list[Result]:
    def one(message: str) -> Result:
        return loop.run(message, run_id=message)

    with ThreadPoolExecutor(16) as pool:
        return list(pool.map(one, messages))


def _all_async(loop: ToolLoop, messages: list[str]) -> list[Result]:
    async def run_all() -> list[Result]:
        slots = asyncio.Semaphore(16)

        async def one(message: str) -> Result:
            async with slots:
                return await loop.arun(message, run_id=message)

        return await asyncio.gather(*map(one, messages))

    return asyncio.run(run_all())


@pytest.fixture(params=[_all_sync, _all_async], ids=["sync", "async"])
def run_all(request: pytest.FixtureRequest) -> RunAll:
    """run_all(loop, messages) -> results, of runs that are under way at the same time."""
    chosen: RunAll = request.param
    return chosen


def test_an_answer_that_is_cut_anywhere_is_asked_for_again(server: Server, run_all: RunAll) -> None:
    places = server.kind.places(every=12)
    results = run_all(server.loop(stream=server.kind.is_stream), [f"cut at {place}" for place in places])
    assert {result.final_response for result in results} == {"Done."}
    assert server.charged == {f"cut at {place}": 1 for place in places}
    assert server.asked == {
        f"cut at {place}": 2 if place >= server.kind.usable_from else 3 for place in places
    }


def test_an_answer_that_stalls_anywhere_is_given_up_in_time(server: Server, run_all: RunAll) -> None:
    places = server.kind.places(every=20)
    loop = server.loop(stream=server.kind.is_stream, timeout=SHORT, max_retries=5)
    results = run_all(loop, [f"stall at {place}" for place in places])
    assert {result.final_response for result in results} == {"Done."}
    assert server.charged == {f"stall at {place}": 1 for place in places}
    for place in places:
        # Where the machine is busy, an answer that did not stall may come too late, too.
        assert server.asked[f"stall at {place}"] >= (2 if place >= server.kind.usable_from else 3)
        assert server.left[f"stall at {place}"].wait(SOON)


def test_an_answer_that_drips_is_given_up_although_something_keeps_coming(
    server: Server, run_all: RunAll
) -> None:
    data = server.kind.data
    places = [0, 9, server.kind.body_at - 1, server.kind.body_at, server.kind.body_at + 20]
    loop = server.loop(stream=server.kind.is_stream, timeout=SHORT, max_retries=5)
    began = time.monotonic()
    results = run_all(loop, [f"drip at {place}" for place in places])
    # Each of them would take that long by itself.
    assert time.monotonic() - began < (len(data) - places[-1]) * DRIP_SECONDS
    assert {result.final_response for result in results} == {"Done."}
    assert server.charged == {f"drip at {place}": 1 for place in places}


# Drives the runs, cancels each when its answer has stalled, and sees it end soon.
Leave: TypeAlias = Callable[[list[LiveRun], Flags], None]


def _cancel_in_threads(lives: list[LiveRun], stalled: Flags) -> None:
    def leave(live: LiveRun) -> None:
        with ThreadPoolExecutor(1) as pool:
            driven = pool.submit(live.run)
            assert stalled[live.run_id].wait(LONG)
            live.cancel()
            assert isinstance(driven.exception(SOON), RunCancelledError)

    with ThreadPoolExecutor(16) as pool:
        assert len(list(pool.map(leave, lives))) == len(lives)


async def _ends_soon(task: asyncio.Task[Result], error: type[BaseException]) -> None:
    await asyncio.wait([task], timeout=SOON)
    with pytest.raises(error):
        task.result()


def _on_a_loop(leave: Callable[[LiveRun, asyncio.Task[Result]], Awaitable[None]]) -> Leave:
    def leave_all(lives: list[LiveRun], stalled: Flags) -> None:
        async def leave_one(live: LiveRun) -> None:
            task = asyncio.create_task(live.arun())
            async with asyncio.timeout(LONG):
                while not stalled[live.run_id].is_set():
                    await asyncio.sleep(0.005)
            await leave(live, task)

        async def main() -> None:
            await asyncio.gather(*map(leave_one, lives))
            assert asyncio.all_tasks() == {asyncio.current_task()}

        asyncio.run(main())

    return leave_all


async def _cancel_run(live: LiveRun, task: asyncio.Task[Result]) -> None:
    live.cancel()
    await _ends_soon(task, RunCancelledError)


async def _cancel_task(_live: LiveRun, task: asyncio.Task[Result]) -> None:
    task.cancel()
    await _ends_soon(task, asyncio.CancelledError)


WAYS_TO_LEAVE: dict[str, Leave] = {
    "run in a thread": _cancel_in_threads,
    "run on a loop": _on_a_loop(_cancel_run),
    "task": _on_a_loop(_cancel_task),
}


@pytest.mark.parametrize("cancelled", WAYS_TO_LEAVE)
def test_a_run_that_stalls_anywhere_can_be_cancelled(server: Server, cancelled: str) -> None:
    places = [place for place in server.kind.places(every=20) if place < server.kind.over_at]
    loop = server.loop(stream=server.kind.is_stream, timeout=LONG)
    lives = [loop.start(message, run_id=message) for message in [f"stall at {place}" for place in places]]
    WAYS_TO_LEAVE[cancelled](lives, server.stalled)
    for place in places:
        # A thread that waits for the head of an answer is left behind until the silence is too long.
        if cancelled != "run in a thread" or place >= server.kind.body_at:
            assert server.left[f"stall at {place}"].wait(SOON), place
    assert server.charged == {}
    for live in lives:
        assert live.run().final_response == "Done."
    assert server.charged == {f"stall at {place}": 1 for place in places}


def test_a_thread_that_is_left_behind_ends_with_the_timeout() -> None:
    with serving(KINDS[0]) as server:
        live = server.loop(timeout=1.0).start("stall at 9", run_id="stall at 9")
        _cancel_in_threads([live], server.stalled)
        assert any(is_busy(thread) for thread in threading.enumerate())
        assert server.left["stall at 9"].wait(SOON)


@pytest.mark.parametrize("part", ["status line", "head", "body"])
def test_ctrl_c_gets_through_wherever_a_run_stalls(server: Server, run: Run, part: str) -> None:
    place = {"status line": 9, "head": server.kind.body_at - 2, "body": server.kind.body_at + 20}[part]
    message = f"stall at {place}"
    main_thread = threading.main_thread().ident or 0
    began: list[float] = []

    def interrupt() -> None:
        server.stalled[message].wait(SOON)
        began.append(time.monotonic())
        signal.pthread_kill(main_thread, signal.SIGINT)

    # A shell ignores SIGINT for what it starts with &.
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    interrupter = threading.Thread(target=interrupt)
    interrupter.start()
    try:
        with pytest.raises(KeyboardInterrupt):
            run(server.loop(stream=server.kind.is_stream, timeout=LONG), message)
    finally:
        interrupter.join()
        signal.signal(signal.SIGINT, before)
    assert time.monotonic() - began[0] < SOON


def _close_events(live: LiveRun) -> None:
    with contextlib.closing(live.events()) as events:
        assert any(isinstance(event, ArgumentsDelta) for event in events)


def _close_async_events(live: LiveRun) -> None:
    async def leave() -> None:
        async with contextlib.aclosing(live.aevents()) as events:
            async for event in events:
                if isinstance(event, ArgumentsDelta):
                    break
        assert asyncio.all_tasks() == {asyncio.current_task()}

    asyncio.run(leave())


@pytest.mark.parametrize("close", [_close_events, _close_async_events], ids=["sync", "async"])
@pytest.mark.parametrize("kind", KINDS[1:], ids=lambda kind: kind.name)
def test_leaving_the_events_of_a_stream_that_stalls_closes_its_connection(
    kind: Kind, close: Callable[[LiveRun], None]
) -> None:
    message = f"stall at {kind.usable_from - len(FINISH)}"
    with serving(kind) as server:
        live = server.loop(stream=True, timeout=LONG).start(message, run_id=message)
        began = time.monotonic()
        close(live)
        assert server.left[message].wait(SOON)
        assert time.monotonic() - began < SOON
        assert server.charged == {}
        assert live.run().final_response == "Done."
        assert server.charged == {message: 1}


def test_a_stream_that_stalls_after_its_end_mark_is_not_waited_for(run_all: RunAll) -> None:
    kind = KINDS[1]
    with serving(kind) as server:
        (result,) = run_all(server.loop(stream=True, timeout=LONG), [f"stall at {kind.over_at}"])
        assert (result.final_response, server.charged.total()) == ("Done.", 1)
        assert server.asked == {f"stall at {kind.over_at}": 2}


@pytest.mark.parametrize("cancelled", WAYS_TO_LEAVE)
def test_cancelling_a_run_closes_its_connection_in_the_body_of_an_error_too(cancelled: str) -> None:
    stalled, left = Flags(), Flags()

    def serve(connection: socket.socket) -> None:
        next(requests_on(connection))
        connection.sendall(b'HTTP/1.1 500 Oops\r\ncontent-length: 100\r\n\r\n{"error"')
        stalled["run"].set()
        if closes(connection, LONG):
            left["run"].set()

    with accepting(serve) as base_url:
        live = ToolLoop(model="m", base_url=base_url, timeout=LONG).start("Go", run_id="run")
        WAYS_TO_LEAVE[cancelled]([live], stalled)
        assert left["run"].wait(SOON)


def test_an_answer_that_came_before_a_silence_holds_no_secret(run: Run) -> None:
    key = "sk-test-SECRET123"

    def serve(connection: socket.socket) -> None:
        next(requests_on(connection))
        answer = streamed(chunk({"content": f"The key is {key}."}), chunk({}, "stop"), is_framed=False)
        connection.sendall(answer)
        closes(connection, LONG)

    with accepting(serve) as base_url:
        result = run(ToolLoop(model="m", base_url=base_url, api_key=key, stream=True, timeout=SHORT))
    assert result.final_response == "The key is ***."


async def test_streams_that_end_leave_their_connection_for_the_next() -> None:
    connections: list[socket.socket] = []

    def serve(connection: socket.socket) -> None:
        connections.append(connection)
        for _ in requests_on(connection):
            head, _, tail = streamed(chunk({"content": "Hello."}), chunk({}, "stop"), END_MARK).partition(
                END_MARK
            )
            # The very end comes a moment after the end mark.
            connection.sendall(head + END_MARK)
            time.sleep(0.005)
            connection.sendall(tail)

    with accepting(serve) as base_url:
        loop = ToolLoop(model="m", base_url=base_url, stream=True)
        for _ in range(3):
            assert (await loop.arun("Go")).final_response == "Hello."
    assert len(connections) == 1


@pytest.mark.parametrize("how", ["closing", "cancelling"])
def test_a_tool_has_not_begun_for_who_leaves_when_it_is_about_to(how: str) -> None:
    with serving(KINDS[0]) as server:
        live = server.loop().start("cut at 9", run_id="run")
        events = live.events()
        for event in events:
            if isinstance(event, CommandStarted) and isinstance(event.command, CallTool):
                break
        if how == "closing":
            events.close()
        else:
            live.cancel()
            with pytest.raises(RunCancelledError):
                next(events)
        assert server.charged == {}
        assert live.run().final_response == "Done."
        assert server.charged == {"run": 1}


def test_what_came_in_time_counts_however_slowly_the_events_are_read(
    stand_in: Callable[..., StandIn],
) -> None:
    @tool
    def quick() -> str:
        """Answers at once."""
        return "quick"

    @tool(in_caller_thread=True)
    def quick_here() -> str:
        """Answers at once."""
        return "quick"

    server = stand_in(
        [calls(("quick", {}), ("quick_here", {}), ("quick", {}), ("quick_here", {})), says("Done.")]
    )
    loop = ToolLoop(model="m", base_url=server.base_url, tools=[quick, quick_here], tool_timeout=0.1)
    live = loop.start("Go")
    for event in live.events():
        if isinstance(event, CommandEnded) and isinstance(event.command, CallTool):
            time.sleep(0.15)
    assert live.result is not None
    assert [answer.content for answer in live.result.tool_results] == ["quick"] * 4


ENDLESS = b"x" * 65_536
CHUNK = b"%x\r\n%s\r\n" % (len(ENDLESS), ENDLESS)
OK = b"HTTP/1.1 200 OK\r\n"
EVENTS = OK + b"content-type: text/event-stream\r\n\r\n"


@pytest.mark.parametrize(
    ("head", "piece", "kind"),
    [
        (OK + b"content-type: application/json\r\n\r\n{", ENDLESS, "malformed_response"),
        (OK + b"content-type: text/plain\r\ntransfer-encoding: chunked\r\n\r\n", CHUNK, "malformed_response"),
        (EVENTS + b"data: ", ENDLESS, "malformed_response"),
        (EVENTS, b": " + ENDLESS + b"\n", "malformed_response"),
        (EVENTS, chunk({"content": ENDLESS.decode()}), "malformed_response"),
        (OK + b"x: ", ENDLESS, "provider_unavailable"),
        (b"HTTP/1.1 500 Oops\r\n\r\n", ENDLESS, "provider_unavailable"),
    ],
    ids=["JSON", "chunks", "line", "comments", "text", "header", "error"],
)
def test_an_answer_without_an_end_takes_bounded_time_and_memory(
    run: Run, head: bytes, piece: bytes, kind: str
) -> None:
    def flood(connection: socket.socket) -> None:
        next(requests_on(connection))
        connection.sendall(head)
        while True:
            connection.sendall(piece)

    with accepting(flood) as base_url:
        loop = ToolLoop(model="m", base_url=base_url, stream=True, timeout=LONG, max_retries=0)
        began = time.monotonic()
        tracemalloc.start()
        try:
            result = run(loop)
            _, most = tracemalloc.get_traced_memory()
        finally:
            tracemalloc.stop()
    assert (result.outcome, result.error and result.error.kind) == ("failed", kind)
    assert time.monotonic() - began < LONG / 2
    assert most < 200 * 1024**2

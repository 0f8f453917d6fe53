"""The events of a run as server-sent events, and the run itself as the last one."""

from collections.abc import AsyncGenerator, Awaitable, Callable

from starlette.datastructures import Headers
from starlette.requests import Request
from starlette.responses import StreamingResponse
from starlette.types import Scope

from callagain.engine.json_text import JsonObject, encode
from callagain.serving.problems import RequestProblem
from callagain.serving.served_run import ServedRun

EVENT_STREAM = "text/event-stream"
_DIGITS = 18


def is_watching(scope: Scope) -> bool:
    """Whether the answer is events, as far as the request tells before it is routed."""
    path: str = scope["path"]
    return path.endswith("/events") or wants_events(Headers(scope=scope))


def wants_events(headers: Headers) -> bool:
    accepted = headers.get("accept", "").split(",")
    return any(each.partition(";")[0].strip().lower() == EVENT_STREAM for each in accepted)


def last_event_id(request: Request) -> int:
    """The number behind which a watcher goes on. Raises RequestProblem for what is no number."""
    given = request.headers.get("last-event-id", "0").strip()
    if not (given.isascii() and given.isdecimal() and len(given) <= _DIGITS):
        raise RequestProblem(400, "Last-Event-ID must be the id of an event of this run, a number")
    return int(given)


def event_response(
    run: ServedRun | None,
    document: Callable[[], Awaitable[JsonObject]],
    *,
    after: int = 0,
    ping_seconds: float,
    headers: dict[str, str],
) -> StreamingResponse:
    """run: None for one that this process has not driven. document: gives the run as it stands at the end."""
    return StreamingResponse(
        _pieces(run, document, after, ping_seconds),
        headers={**headers, "X-Accel-Buffering": "no"},
        media_type=EVENT_STREAM,
    )


async def _pieces(
    run: ServedRun | None,
    document: Callable[[], Awaitable[JsonObject]],
    after: int,
    ping_seconds: float,
) -> AsyncGenerator[bytes, None]:
    if run is not None:
        async for event in run.feed.after(after, ping_seconds):
            yield b": \n\n" if event is None else _piece(event.name, event.data, event.number)
    yield _piece("run", await document())


def _piece(name: str, data: JsonObject, number: int | None = None) -> bytes:
    """JSON has no newline in it, so it is one line of data."""
    head = f"event: {name}\n" if number is None else f"id: {number}\nevent: {name}\n"
    return head.encode() + b"data: " + encode(data) + b"\n\n"

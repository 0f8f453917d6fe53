"""A loop as an ASGI application: runs are begun, looked at, decided about and watched over HTTP."""

import asyncio
import contextlib
import re
from collections.abc import AsyncGenerator
from functools import partial
from typing import cast

from starlette.applications import Starlette
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route
from starlette.types import Receive, Scope, Send

from callagain.engine.errors import ConfigurationError
from callagain.engine.json_text import JsonObject
from callagain.loop import ToolLoop
from callagain.serving.access import Access, checked_token
from callagain.serving.bodies import read_body, validated
from callagain.serving.documents import GOES_ON, RUN_ID_PATTERN, ResumeRequest, RunRequest
from callagain.serving.door import Door
from callagain.serving.limits import ServingLimits
from callagain.serving.openapi import openapi_document
from callagain.serving.prefer import Wait, preferred_wait
from callagain.serving.problems import RequestProblem, answer_problem, json_response
from callagain.serving.served_run import ServedRun
from callagain.serving.served_runs import ServedRuns, unknown_run
from callagain.serving.sse import event_response, last_event_id, wants_events

_DEFAULT_LIMITS = ServingLimits()


def app(loop: ToolLoop, *, token: str | None = None, limits: ServingLimits = _DEFAULT_LIMITS) -> "LoopApp":
    """The ASGI application, for any server, or to be mounted in another application.

    token: what callers give as `Authorization: Bearer TOKEN`; take it from the environment or a file. Without
    one only this machine is answered. Raises ConfigurationError for a token that is too short, and for what
    is no loop.
    """
    return LoopApp(loop, checked_token(token), limits)


class LoopApp:
    """runs: what is under way; `close` it where the application is mounted, and so has no lifespan."""

    def __init__(self, loop: ToolLoop, token: str | None, limits: ServingLimits) -> None:
        if not isinstance(cast("object", loop), ToolLoop):
            raise ConfigurationError(f"what is served is a ToolLoop, not {type(loop).__name__}")
        self.runs = ServedRuns(loop, limits)
        self._limits = limits
        routed = Starlette(
            routes=[
                Route("/runs", self._begin, methods=["POST"]),
                Route("/runs/{run_id}", self._show, methods=["GET"]),
                Route("/runs/{run_id}/resume", self._resume, methods=["POST"]),
                Route("/runs/{run_id}/events", self._watch, methods=["GET"]),
                Route("/openapi.json", self._describe, methods=["GET"]),
                Route("/healthz", self._health, methods=["GET"]),
            ],
            exception_handlers={
                RequestProblem: answer_problem,
                HTTPException: _answer_http_exception,
                Exception: _answer_exception,
            },
            lifespan=self._lifespan,
        )
        routed.router.redirect_slashes = False
        self._has_token = token is not None
        self._door = Door(routed, Access(token), limits)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        await self._door(scope, receive, send)

    @contextlib.asynccontextmanager
    async def _lifespan(self, _: Starlette) -> AsyncGenerator[None, None]:
        yield
        await self.runs.close(0.0)

    async def _begin(self, request: Request) -> Response:
        asked = validated(RunRequest, await read_body(request, self._limits))
        streams, wait = wants_events(request.headers), self._wait_preferred(request)
        run = await self.runs.begin(asked, stream=streams)
        return await self._answer(request, run, wait, streams=streams, after=0)

    async def _resume(self, request: Request) -> Response:
        run_id = _run_id(request)
        asked = validated(ResumeRequest, await read_body(request, self._limits))
        streams, wait = wants_events(request.headers), self._wait_preferred(request)
        known = self.runs.find(run_id)
        after = 0 if known is None else known.feed.count
        run = await self.runs.resume(run_id, asked)
        return await self._answer(request, run, wait, streams=streams, after=after)

    async def _show(self, request: Request) -> Response:
        with_messages = request.query_params.get("messages", "false")
        if with_messages not in ("true", "false"):
            raise RequestProblem(400, "messages must be true or false")
        run_id = _run_id(request)
        return json_response(await self.runs.document(run_id, with_messages=with_messages == "true"))

    async def _watch(self, request: Request) -> Response:
        run_id = _run_id(request)
        after = last_event_id(request)
        await self.runs.document(run_id)
        return self._events(request, run_id, self.runs.find(run_id), after)

    async def _describe(self, _: Request) -> Response:
        return json_response(openapi_document(has_token=self._has_token))

    async def _health(self, _: Request) -> Response:
        if self.runs.is_closing:
            raise RequestProblem(503, "the server is shutting down")
        return json_response({"status": "ok"})

    def _wait_preferred(self, request: Request) -> Wait:
        """Looked at before anything is begun: what is refused has no effect."""
        return preferred_wait(request, self._limits.wait_seconds)

    async def _answer(
        self, request: Request, run: ServedRun, wait: Wait, *, streams: bool, after: int
    ) -> Response:
        """The run when it rests, or as it stands when the time to wait is over; or its events."""
        if streams:
            return self._events(request, run.run_id, run, after)
        with contextlib.suppress(TimeoutError):
            async with asyncio.timeout(wait.seconds):
                await self.runs.settled(run)
        if run.refusal is not None:
            raise run.refusal
        document = await self.runs.document(run.run_id, run)
        if document["status"] == "interrupted":
            raise self._interrupted(run.run_id)
        headers = {**_location(request, run.run_id), **wait.told}
        if document["status"] == "running":
            return json_response(document, 202, {**headers, "Retry-After": str(self._limits.retry_after)})
        return json_response(document, 200, headers)

    def _events(self, request: Request, run_id: str, run: ServedRun | None, after: int) -> Response:
        return event_response(
            run,
            partial(self._last_document, run_id, run),
            after=after,
            ping_seconds=self._limits.ping_seconds,
            headers=_location(request, run_id),
        )

    async def _last_document(self, run_id: str, run: ServedRun | None) -> JsonObject:
        try:
            return await self.runs.document(run_id, run)
        except RequestProblem as problem:
            return {"run_id": run_id, "status": "interrupted", "detail": problem.detail}

    def _interrupted(self, run_id: str) -> RequestProblem:
        if not self.runs.is_closing:
            return RequestProblem(
                500, f"the run was interrupted, and the server's log says why; {GOES_ON}", run_id=run_id
            )
        kept = f"the run is kept: {GOES_ON}" if self.runs.are_kept else "it keeps no runs; ask again"
        return RequestProblem(
            503,
            f"the server is shutting down; {kept}",
            headers={"Retry-After": str(self._limits.retry_after)},
            run_id=run_id,
        )


def _run_id(request: Request) -> str:
    run_id: str = request.path_params["run_id"]
    if re.fullmatch(RUN_ID_PATTERN, run_id) is None:
        raise unknown_run(run_id)
    return run_id


def _location(request: Request, run_id: str) -> dict[str, str]:
    return {"Location": f"{request.scope.get('root_path', '')}/runs/{run_id}"}


async def _answer_http_exception(_: Request, error: Exception) -> Response:
    """What Starlette itself refuses: paths and methods that there are not."""
    assert isinstance(error, HTTPException)
    headers = dict(error.headers or {})
    detail = f"{error.detail}; /openapi.json tells what there is"
    return RequestProblem(error.status_code, detail, headers=headers).response()


async def _answer_exception(_: Request, __: Exception) -> Response:
    """Starlette raises the error once more behind this, for the log."""
    return RequestProblem(500, "an error of the server; its log has it").response()

"""A web service on FastAPI: a question is a POST, and a run that waits for somebody a 202.

    uvicorn web_service:app

Start it behind whatever tells who is asking. `callagain serve` is such a service ready-made, with streams, a
token and limits; this is for applications that have a web service of their own.
"""

import asyncio
import logging
import os
import uuid
from collections.abc import AsyncGenerator, Coroutine
from contextlib import asynccontextmanager
from typing import Annotated, Any

from fastapi import Depends, FastAPI, HTTPException, Request, Response
from pydantic import BaseModel, Field, StringConstraints

from callagain import (
    CallAgainError,
    JournalError,
    Result,
    RunInProgressError,
    ToolLoop,
    approve,
    arun_once,
    deny,
    tool,
)

LOGGER = logging.getLogger("web_service")
RunId = Annotated[str, StringConstraints(pattern="^[a-z0-9-]{1,64}$")]

# What the one who asks can do something about, or can try again; anything else is for us to mend, a 500.
STATUSES = {
    "rate_limited": 503,
    "provider_unavailable": 503,
    "stream_interrupted": 503,
    "deadline": 504,
    "context_length": 422,
    "content_filter": 422,
    "refusal": 422,
}


@tool(requires_approval=True)
async def refund_order(order_id: str, amount: float) -> str:
    """Pay money back for an order.

    Args:
        order_id: six digits, such as 481516
        amount: in US dollars
    """
    return f"{amount:g} dollars of order {order_id} are paid back"


# By this name `callagain runs resume --tools web_service.py` finds them.
TOOLS = [refund_order]


class Question(BaseModel):
    """run_id: of the one who asks. Asked again under the same id, a question is not run twice."""

    message: Annotated[str, Field(min_length=1, max_length=10_000)]
    run_id: RunId = Field(default_factory=lambda: uuid.uuid4().hex)


class WaitingCall(BaseModel):
    id: str
    tool: str
    arguments: dict[str, Any] | None


class Answer(BaseModel):
    run_id: str
    answer: str | None
    waiting: list[WaitingCall]


@asynccontextmanager
async def lifespan(app: FastAPI) -> AsyncGenerator[None, None]:
    """One loop for all requests, made in the process that serves them, and on its event loop."""
    # To stderr, with why a run failed. Uvicorn sets up its own loggers, and no others.
    logging.basicConfig(level=logging.INFO, format="%(asctime)s %(levelname)s %(name)s %(message)s")
    app.state.loop = ToolLoop(
        model=os.environ.get("OPENAI_MODEL", "gpt-4o"),
        tools=TOOLS,
        journal=os.environ.get("JOURNAL", "runs.db"),
        # Whoever waits for a page does not wait longer.
        deadline=60,
        request_options={"temperature": 0.2},
    )
    yield


def loop_of(request: Request) -> ToolLoop:
    loop: ToolLoop = request.app.state.loop
    return loop


app = FastAPI(lifespan=lifespan)
Loop = Annotated[ToolLoop, Depends(loop_of)]


@app.post("/questions")
async def ask(question: Question, request: Request, response: Response, loop: Loop) -> Answer:
    result = await unless_gone(request, arun_once(loop, question.message, run_id=question.run_id))
    return answered(result, response)


@app.post("/runs/{run_id}/decisions")
async def decide(
    run_id: RunId, decisions: dict[str, bool], request: Request, response: Response, loop: Loop
) -> Answer:
    """decisions: by the ids of waiting calls, whether they may be run."""
    return answered(await unless_gone(request, decided(loop, run_id, decisions)), response)


async def decided(loop: ToolLoop, run_id: str, decisions: dict[str, bool]) -> Result:
    assert loop.journal is not None
    # In a thread, since another process may have locked the journal for a while.
    if not await asyncio.to_thread(loop.journal.has, run_id):
        raise HTTPException(404, "there is no such run")
    verdicts = {call_id: approve if may_run else deny() for call_id, may_run in decisions.items()}
    return await loop.aresume(run_id, decisions=verdicts)


async def unless_gone(request: Request, running: Coroutine[Any, Any, Result]) -> Result:
    """What comes of the run. If the client goes away it is cancelled, and stays in the journal."""
    run = asyncio.ensure_future(running)
    gone = asyncio.ensure_future(until_gone(request))
    try:
        await asyncio.wait((run, gone), return_when=asyncio.FIRST_COMPLETED)
        if not run.done():
            raise HTTPException(499, "the client is gone")
        return run.result()
    except RunInProgressError as error:
        raise HTTPException(409, str(error)) from None
    except JournalError as error:
        LOGGER.error("%s", error)
        raise HTTPException(503, "the journal cannot be used") from None
    except CallAgainError as error:
        # A decision about a call that does not wait, or about a run that is completed.
        raise HTTPException(409, str(error)) from None
    finally:
        run.cancel()
        gone.cancel()
        await asyncio.wait((run, gone))


async def until_gone(request: Request) -> None:
    while (await request.receive())["type"] != "http.disconnect":
        pass


def answered(result: Result, response: Response) -> Answer:
    if result.outcome not in ("completed", "suspended"):
        assert result.error is not None
        wait = {} if result.error.retry_after is None else {"Retry-After": f"{result.error.retry_after:.0f}"}
        # The message is for our log, where it is; it may tell of our endpoint.
        raise HTTPException(STATUSES.get(result.error.kind, 500), result.error.kind, headers=wait)
    if result.outcome == "suspended":
        response.status_code = 202
        response.headers["Location"] = f"/runs/{result.run_id}/decisions"
    return Answer(
        run_id=result.run_id,
        answer=result.final_response,
        waiting=[
            WaitingCall(id=call.id, tool=call.name, arguments=call.arguments) for call in result.pending_calls
        ],
    )

"""A queue worker on Dramatiq: a message is a run of the same id, so a retry goes on where the run stands.

    pip install "dramatiq[redis]"
    REDIS_URL=redis://localhost dramatiq queue_worker

A queue gives a message once more after an exception, and when a worker has died; so a task may be begun
several times. The journal sees to it that no tool is. The answer is kept there too, by the id of the message.
"""

import logging
import os
from functools import cache

import dramatiq
from dramatiq.brokers.stub import StubBroker
from dramatiq.middleware import CurrentMessage

from callagain import Result, ToolLoop, approve, deny, run_once, tool

LOGGER = logging.getLogger("queue_worker")
# Another attempt may cure these; for the rest the run stays in the journal until somebody has looked at it.
WORTH_ANOTHER_ATTEMPT = ("rate_limited", "provider_unavailable", "stream_interrupted")
MINUTE = 60_000


def broker_of_environment() -> dramatiq.Broker:
    """Without REDIS_URL it is one in the memory of this process, as tests want it."""
    if url := os.environ.get("REDIS_URL"):
        from dramatiq.brokers.redis import RedisBroker

        return RedisBroker(url=url)  # type: ignore[no-untyped-call]
    LOGGER.warning("REDIS_URL is not set: the queue is in the memory of this process, and no other can send")
    return StubBroker()


broker = broker_of_environment()
broker.add_middleware(CurrentMessage())
dramatiq.set_broker(broker)


@tool
def send_invoice(order_id: str) -> str:
    """Send the invoice of an order once more.

    Args:
        order_id: six digits, such as 481516
    """
    LOGGER.info("the invoice of %s is sent", order_id)
    return "sent"


# By this name `callagain runs resume --tools queue_worker.py` finds them.
TOOLS = [send_invoice]


@cache
def loop() -> ToolLoop:
    """One for all threads of a worker process, made when its first message comes."""
    return ToolLoop(
        model=os.environ.get("OPENAI_MODEL", "gpt-4o"),
        tools=TOOLS,
        journal=os.environ.get("JOURNAL", "runs.db"),
        # The queue waits between two attempts, so that no thread of a worker has to.
        max_retries=0,
        # Earlier than the time limit of the actor, whose exception would come anywhere.
        deadline=300,
        request_options={"temperature": 0.2},
    )


class AnotherAttemptError(Exception):
    """Tells the queue to give the message once more."""


@dramatiq.actor(max_retries=10, min_backoff=MINUTE // 4, max_backoff=30 * MINUTE, time_limit=10 * MINUTE)
def answer(question: str) -> None:
    message = CurrentMessage.get_current_message()
    assert message is not None
    settle(run_once(loop(), question, run_id=message.message_id))


@dramatiq.actor(max_retries=10, min_backoff=MINUTE // 4, max_backoff=30 * MINUTE, time_limit=10 * MINUTE)
def decide(run_id: str, call_id: str, may_run: bool) -> None:
    """Somebody has looked at a call that waits. When the message comes again, the run goes on."""
    result = loop().resume(run_id) if is_to_go_on(run_id) else loop().load(run_id)
    # The decision is not about a call that was begun, and of which nobody knows how it ended.
    if any(call.id == call_id and call.why == "approval_required" for call in result.pending_calls):
        result = loop().resume(run_id, decisions={call_id: approve if may_run else deny()})
    settle(result)


def is_to_go_on(run_id: str) -> bool:
    """Whether the run was left in the middle, or may have more luck by now."""
    journal = loop().journal
    assert journal is not None
    run = journal.written(run_id)
    is_left = run.status in ("running", "interrupted")
    return is_left or (run.status == "failed" and run.kind in WORTH_ANOTHER_ATTEMPT)


def settle(result: Result) -> None:
    """What the queue is told of a run."""
    error = result.error
    if error is None:
        LOGGER.info("%s: completed", result.run_id)
    elif error.kind in WORTH_ANOTHER_ATTEMPT:
        raise AnotherAttemptError(f"{result.run_id}: {error.message}")
    else:
        LOGGER.error("%s: %s, %s", result.run_id, result.outcome, error.message)

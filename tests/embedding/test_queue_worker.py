"""examples/embedding/queue_worker.py, with Dramatiq's own workers on its broker in memory."""

import threading
from collections.abc import Callable, Generator
from pathlib import Path
from typing import Any, TypeAlias

import pytest
from dramatiq import Actor, Message, Worker
from dramatiq.brokers.stub import StubBroker
from examples.embedding import queue_worker
from tests.embedding.conftest import EndpointOf

from callagain import Result, tool
from callagain.testing import Answer, calls, says

SENDS = calls(("send_invoice", {"order_id": "481516"}))
OVERLOADED = Answer(503, {"error": {"message": "try later"}})
SOON: dict[str, Any] = {"min_backoff": 1, "max_backoff": 1}

Work: TypeAlias = Callable[[], None]


@pytest.fixture
def sent(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The orders whose invoices were sent, which takes a moment."""
    sent: list[str] = []

    @tool(requires_approval=lambda arguments: arguments["order_id"] == "815")
    def send_invoice(order_id: str) -> str:
        """Send the invoice of an order once more."""
        sent.append(order_id)
        threading.Event().wait(0.1)
        return "sent"

    monkeypatch.setattr(queue_worker, "TOOLS", [send_invoice])
    return sent


@pytest.fixture(scope="module")
def worker() -> Generator[Worker, None, None]:
    worker = Worker(queue_worker.broker, worker_timeout=50, worker_threads=2)
    worker.start()
    yield worker
    worker.stop()


@pytest.fixture
def work(worker: Worker, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Generator[Work, None, None]:
    """work() waits until the queue is empty, and nothing is to be tried again."""
    monkeypatch.setenv("JOURNAL", str(tmp_path / "runs.db"))
    queue_worker.loop.cache_clear()

    def work() -> None:
        assert isinstance(queue_worker.broker, StubBroker)
        # Exceptions are how the queue is told to try again.
        queue_worker.broker.join("default", fail_fast=False, timeout=20_000)
        worker.join()

    yield work
    queue_worker.loop.cache_clear()


def send(actor: Actor[..., None], *args: object, times: int = 1) -> Message[None]:
    """The message, which is in the queue so many times."""
    message = actor.message_with_options(args=args, **SOON)  # pyright: ignore[reportUnknownMemberType]
    for _ in range(times):
        queue_worker.broker.enqueue(message)  # pyright: ignore[reportUnknownMemberType]
    return message


def run_of(message: Message[None]) -> Result:
    return queue_worker.loop().load(message.message_id)


@pytest.mark.usefixtures("sent")
def test_a_message_is_a_run_of_its_id(endpoint_of: EndpointOf, work: Work) -> None:
    endpoint_of([says("Hello.")])
    message = send(queue_worker.answer, "Hello")
    work()
    assert run_of(message).final_response == "Hello."


def test_a_retry_of_the_queue_goes_on_with_the_run_and_sends_nothing_twice(
    endpoint_of: EndpointOf, work: Work, sent: list[str]
) -> None:
    endpoint = endpoint_of([SENDS, OVERLOADED, OVERLOADED, says("It is on its way.")])
    message = send(queue_worker.answer, "The invoice of 481516, please.")
    work()
    assert run_of(message).final_response == "It is on its way."
    assert (sent, len(endpoint.requests)) == (["481516"], 4)


def test_a_message_that_is_given_twice_at_once_is_one_run(
    endpoint_of: EndpointOf, work: Work, sent: list[str]
) -> None:
    endpoint = endpoint_of([SENDS, says("It is on its way.")])
    message = send(queue_worker.answer, "The invoice of 481516, please.", times=2)
    work()
    assert run_of(message).final_response == "It is on its way."
    assert (sent, len(endpoint.requests)) == (["481516"], 2)


def test_what_another_attempt_does_not_cure_is_not_tried_again(endpoint_of: EndpointOf, work: Work) -> None:
    endpoint = endpoint_of([Answer(401, {"error": {"message": "no such key"}})])
    message = send(queue_worker.answer, "Hello")
    work()
    error = run_of(message).error
    assert error is not None
    assert (error.kind, len(endpoint.requests)) == ("auth", 1)


def test_a_run_that_waits_goes_on_by_a_message_that_decides(
    endpoint_of: EndpointOf, work: Work, sent: list[str]
) -> None:
    endpoint_of([calls(("send_invoice", {"order_id": "815"})), says("It is on its way.")])
    message = send(queue_worker.answer, "The invoice of 815, please.")
    work()
    (call,) = run_of(message).pending_calls
    assert sent == []
    send(queue_worker.decide, message.message_id, call.id, True, times=2)
    work()
    assert (sent, run_of(message).final_response) == (["815"], "It is on its way.")


def test_a_decision_that_comes_again_after_a_failure_goes_on_with_the_run(
    endpoint_of: EndpointOf, work: Work, sent: list[str]
) -> None:
    endpoint_of([calls(("send_invoice", {"order_id": "815"})), OVERLOADED, says("It is on its way.")])
    message = send(queue_worker.answer, "The invoice of 815, please.")
    work()
    (call,) = run_of(message).pending_calls
    send(queue_worker.decide, message.message_id, call.id, True)
    work()
    assert (sent, run_of(message).final_response) == (["815"], "It is on its way.")


@pytest.mark.parametrize("may_be_repeated", [True, False])
def test_a_decision_that_comes_again_after_its_worker_died_runs_only_what_may_be_run_again(
    endpoint_of: EndpointOf, work: Work, monkeypatch: pytest.MonkeyPatch, may_be_repeated: bool
) -> None:
    sent: list[str] = []

    @tool(requires_approval=True, idempotent=may_be_repeated)
    def send_invoice(order_id: str) -> str:
        """Send the invoice of an order once more."""
        sent.append(order_id)
        if len(sent) == 1:
            raise KeyboardInterrupt
        return "sent"

    monkeypatch.setattr(queue_worker, "TOOLS", [send_invoice])
    endpoint_of([calls(("send_invoice", {"order_id": "815"})), says("It is on its way.")])
    message = send(queue_worker.answer, "The invoice of 815, please.")
    work()
    (call,) = run_of(message).pending_calls
    with pytest.raises(KeyboardInterrupt):
        queue_worker.decide.fn(message.message_id, call.id, True)
    send(queue_worker.decide, message.message_id, call.id, True, times=2)
    work()
    error = run_of(message).error
    assert (sent, error and error.kind) == (
        (["815"] * 2, None) if may_be_repeated else (["815"], "call_outcome_unknown")
    )


def test_a_queue_in_memory_says_so(monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture) -> None:
    monkeypatch.delenv("REDIS_URL", raising=False)
    queue_worker.broker_of_environment()
    assert caplog.messages == [
        "REDIS_URL is not set: the queue is in the memory of this process, and no other can send"
    ]

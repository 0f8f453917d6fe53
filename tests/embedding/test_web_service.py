"""examples/embedding/web_service.py, served by uvicorn, and asked over HTTP."""

import asyncio
import http.client
import json
import logging
import socket
import sqlite3
import threading
from collections.abc import Callable, Generator
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path
from typing import Any, TypeAlias

import pytest
import uvicorn
from examples.embedding import web_service
from tests.embedding.conftest import EndpointOf

from callagain import open_journal, tool
from callagain.testing import Answer, Script, calls, says

REFUNDS = calls(("refund_order", {"order_id": "481516", "amount": 20}))


@dataclass(frozen=True, slots=True)
class Service:
    port: int

    def post(self, path: str, body: object) -> tuple[int, dict[str, str], Any]:
        connection = self.begin(path, body)
        try:
            response = connection.getresponse()
            return response.status, dict(response.getheaders()), json.loads(response.read())
        finally:
            connection.close()

    def begin(self, path: str, body: object) -> http.client.HTTPConnection:
        """The request is sent, and the answer not waited for."""
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=20)
        connection.request("POST", path, json.dumps(body), {"Content-Type": "application/json"})
        return connection


Serve: TypeAlias = Callable[[Script], Service]


@pytest.fixture
def serve(
    endpoint_of: EndpointOf, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> Generator[Serve, None, None]:
    monkeypatch.setenv("JOURNAL", str(tmp_path / "runs.db"))
    server = uvicorn.Server(uvicorn.Config(web_service.app, log_level="critical", lifespan="on"))
    threads: list[threading.Thread] = []

    def serve(script: Script) -> Service:
        endpoint_of(script)
        listening = socket.create_server(("127.0.0.1", 0))
        threads.append(threading.Thread(target=server.run, args=([listening],)))
        threads[0].start()
        return Service(listening.getsockname()[1])

    yield serve
    server.should_exit = True
    threads[0].join(20)
    assert not threads[0].is_alive()


def test_a_question_is_answered_and_not_run_twice_under_its_id(serve: Serve) -> None:
    service = serve([says("Hello.")])
    question = {"message": "Hello", "run_id": "greeting"}
    status, _, answer = service.post("/questions", question)
    assert (status, answer) == (200, {"run_id": "greeting", "answer": "Hello.", "waiting": []})
    assert service.post("/questions", question)[2] == answer


def test_a_run_that_waits_is_a_202_and_goes_on_with_a_decision(serve: Serve) -> None:
    service = serve([REFUNDS, says("You get 20 dollars.")])
    status, headers, answer = service.post("/questions", {"message": "Refund 481516", "run_id": "refund-1"})
    (waiting,) = answer["waiting"]
    assert (status, answer["answer"]) == (202, None)
    assert (waiting["tool"], waiting["arguments"]["amount"]) == ("refund_order", 20)

    where = headers["location"]
    assert service.post(where, {"call_none": True})[0] == 409
    status, _, answer = service.post(where, {waiting["id"]: True})
    assert (status, answer["answer"]) == (200, "You get 20 dollars.")
    assert service.post(where, {waiting["id"]: True})[0] == 409
    assert service.post("/runs/no-such-run/decisions", {})[0] == 404
    assert service.post("/runs/No%20id/decisions", {})[0] == 422


def test_a_journal_that_cannot_be_used_is_not_a_run_that_there_is_not(
    serve: Serve, tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    service = serve([REFUNDS])
    assert service.post("/questions", {"message": "Refund 481516", "run_id": "refund-3"})[0] == 202
    with closing(sqlite3.connect(tmp_path / "runs.db")) as connection:
        connection.execute("UPDATE inputs SET inputs = 'damaged'")
        connection.commit()
    status, _, answer = service.post("/runs/refund-3/decisions", {"call_1": True})
    assert (status, answer) == (503, {"detail": "the journal cannot be used"})
    assert "refund-3" in caplog.messages[-1]


def test_why_a_run_failed_is_in_the_log_of_the_program(
    serve: Serve, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    root = logging.getLogger()
    level = root.level
    with monkeypatch.context() as as_in_a_new_process:
        as_in_a_new_process.setattr(root, "handlers", [])
        status, _, answer = serve([Answer(401, {"error": {"message": "no such key"}})]).post(
            "/questions", {"message": "Hello"}
        )
        root.setLevel(level)
    assert (status, answer) == (500, {"detail": "auth"})
    assert "no such key" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("answer", "status"),
    [
        (Answer(429, {"error": {"message": "slow down"}}, {"retry-after": "90"}), 503),
        (Answer(401, {"error": {"message": "no such key"}}), 500),
        (Answer(400, {"error": {"message": "x", "code": "context_length_exceeded"}}), 422),
    ],
)
def test_an_error_is_a_status(serve: Serve, answer: Answer, status: int) -> None:
    got, headers, _ = serve([answer]).post("/questions", {"message": "Hello"})
    assert got == status
    assert headers.get("retry-after") == ("90" if status == 503 else None)


def test_a_client_that_goes_away_cancels_its_run_which_goes_on_when_asked_again(
    serve: Serve, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    begun, cancelled = threading.Event(), threading.Event()

    @tool(idempotent=True)
    async def refund_order(order_id: str, amount: float) -> str:
        """Pay money back for an order."""
        if not begun.is_set():
            begun.set()
            try:
                await asyncio.sleep(20)
            finally:
                cancelled.set()
        return f"{amount} of {order_id}"

    monkeypatch.setattr(web_service, "TOOLS", [refund_order])
    service = serve([REFUNDS, says("You get 20 dollars.")])
    question = {"message": "Refund 481516", "run_id": "refund-2"}
    connection = service.begin("/questions", question)
    assert begun.wait(10)
    connection.close()
    assert cancelled.wait(10)
    assert service.post("/questions", question)[2]["answer"] == "You get 20 dollars."
    assert open_journal(tmp_path / "runs.db").written("refund-2").status == "completed"

"""Runs over HTTP: begun once, waited for, watched, decided about."""

import threading
from pathlib import Path
from typing import Any

import pytest
from pydantic import BaseModel
from starlette.applications import Starlette
from starlette.routing import Mount
from tests.serving.conftest import TOKEN, Serve, Shop, leaving

from callagain import JournalFile, ToolLoop
from callagain.engine.journal.store import StoredRun
from callagain.serving import app, served_runs

KEPT = pytest.mark.parametrize("is_kept", [False, True], ids=["memory", "journal"])


def loop_of(shop: Shop, tmp_path: Path, *, is_kept: bool, **settings: Any) -> ToolLoop:
    return shop.loop(journal=tmp_path / "runs.db" if is_kept else None, **settings)


def test_a_run_is_begun_and_waited_for(serve: Serve, shop: Shop) -> None:
    answered = serve(shop.loop()).ask("POST", "/runs", {"message": "Hello", "run_id": "r:1"})
    assert (answered.status, answered.headers["location"]) == (200, "/runs/r:1")
    assert (answered.headers["cache-control"], answered.headers["content-type"]) == (
        "no-store",
        "application/json",
    )
    document = answered.json
    assert (document["run_id"], document["status"]) == ("r:1", "completed")
    assert (document["final_response"], document["loop_count"]) == ("You said Hello.", 0)
    assert (document["error"], document["pending_calls"], document["messages"]) == (None, [], None)


@KEPT
def test_the_same_id_twice_runs_once(serve: Serve, shop: Shop, tmp_path: Path, is_kept: bool) -> None:
    server = serve(loop_of(shop, tmp_path, is_kept=is_kept))
    request = {"message": "wait", "run_id": "once"}
    answers: list[Any] = []
    threads = [
        threading.Thread(target=lambda: answers.append(server.ask("POST", "/runs", request)))
        for _ in range(4)
    ]
    for thread in threads:
        thread.start()
    assert shop.entered.wait(10)
    shop.opened.set()
    for thread in threads:
        thread.join(10)
    assert {answer.text for answer in answers} == {server.ask("POST", "/runs", request).text}
    assert answers[0].json["final_response"] == "Done: open"
    assert len(shop.endpoint.requests) == 2
    other = server.ask("POST", "/runs", {"message": "Hello", "run_id": "once"})
    assert (other.status, other.json["detail"]) == (
        409,
        "this run id belongs to a run of another message or history; take another id",
    )


APPROVED: Any = {"decisions": {"call_1": "approve"}}
EDITED: Any = {"decisions": {"call_1": {"decision": "edit", "arguments": {"order_id": "8"}}}}
DENIED: Any = {"decisions": {"call_1": {"decision": "deny", "reason": "Ask her first."}}}
DECISIONS: tuple[tuple[bool, Any, list[str], str], ...] = (
    (False, APPROVED, ["7"], "Done: refunded"),
    (True, APPROVED, ["7"], "Done: refunded"),
    (True, EDITED, ["8"], "Done: refunded"),
    (False, DENIED, [], "Ask her first."),
    (True, {"results": {"call_1": {"status": "by hand"}}}, [], "by hand"),
)


@pytest.mark.parametrize(("is_kept", "said", "refunded", "answer"), DECISIONS)
def test_a_call_that_waits_is_decided_about(
    serve: Serve, shop: Shop, tmp_path: Path, is_kept: bool, said: Any, refunded: list[str], answer: str
) -> None:
    server = serve(loop_of(shop, tmp_path, is_kept=is_kept))
    waiting = server.ask("POST", "/runs", {"message": "refund 7", "run_id": "r"}).json
    assert (waiting["status"], shop.refunded) == ("suspended", [])
    assert waiting["error"]["message"] == (
        "waiting for somebody: refund (call_1); decide about pending_calls by POST /runs/{run_id}/resume"
    )
    assert waiting == server.ask("GET", "/runs/r").json
    resumed = server.ask("POST", "/runs/r/resume", said)
    assert (resumed.status, resumed.json["status"], shop.refunded) == (200, "completed", refunded)
    assert answer in resumed.json["final_response"]
    again = server.ask("POST", "/runs/r/resume", said)
    assert (again.status, again.json["detail"]) == (
        409,
        "the run is completed; a new one goes on from its messages, as history",
    )
    assert shop.refunded == refunded


def test_decisions_that_do_not_fit_change_nothing(serve: Serve, shop: Shop) -> None:
    server = serve(shop.loop())
    waiting = server.ask("POST", "/runs", {"message": "refund 7", "run_id": "r"}).json
    for said, told in (
        ({}, "nothing was decided; waiting: call_1"),
        ({"decisions": {"call_9": "approve"}}, "the run r has no call call_9; waiting: call_1"),
        ({"decisions": {"call_1": {"decision": "approve", "digest": "seen"}}}, "made about another call"),
        ({"decisions": {"call_1": {"decision": "edit", "arguments": {"id": 1}}}}, "do not fit"),
    ):
        refused = server.ask("POST", "/runs/r/resume", said)
        assert (refused.status, told in refused.json["detail"]) == (409, True), refused.text
        assert "result." not in refused.text
    seen = {"decision": "approve", "digest": waiting["pending_calls"][0]["digest"]}
    done = server.ask("POST", "/runs/r/resume", {"decisions": {"call_1": seen}}).json
    assert (done["status"], shop.refunded) == ("completed", ["7"])


def test_whoever_does_not_want_to_wait_looks_later(serve: Serve, shop: Shop) -> None:
    server = serve(shop.loop(), wait_seconds=0.1)
    later = server.ask("POST", "/runs", {"message": "wait", "run_id": "r"}, Prefer="respond-async")
    assert (later.status, later.headers["preference-applied"]) == (202, "respond-async")
    assert (later.json["status"], later.headers["location"]) == ("running", "/runs/r")
    assert later.headers["retry-after"] == "5"
    assert server.ask("POST", "/runs", {"message": "wait", "run_id": "r"}).status == 202
    assert server.ask("POST", "/runs/r/resume", {}).json["detail"].startswith("the run is under way")
    shop.opened.set()
    assert server.ask("GET", "/runs/r/events").events[-1][1]["status"] == "completed"
    shown = server.ask("GET", "/runs/r?messages=true").json
    assert [message["role"] for message in shown["messages"]] == ["user", "assistant", "tool", "assistant"]
    goes_on = server.ask("POST", "/runs", {"message": "Thanks", "history": shown["messages"]})
    assert goes_on.json["final_response"] == "You said Thanks."


def test_a_run_is_streamed(serve: Serve, shop: Shop) -> None:
    server = serve(shop.loop())
    answered = server.ask("POST", "/runs", {"message": "refund 7"}, Accept="text/event-stream")
    assert answered.headers["content-type"].startswith("text/event-stream")
    names = [name for name, _ in answered.events]
    assert names[-3:] == ["command_held", "run_ended", "run"]
    run_id = answered.events[-1][1]["run_id"]
    decided = server.ask(
        "POST", f"/runs/{run_id}/resume", {"decisions": {"call_1": "approve"}}, Accept="text/event-stream"
    )
    assert decided.events[0] == (
        "command_started",
        {"command": "call_tool", "name": "refund", "call_id": "call_1", "arguments": {"order_id": "7"}},
    )
    assert "".join(data["text"] for name, data in decided.events if name == "text_delta") == "Done: refunded"
    everything = server.ask("GET", f"/runs/{run_id}/events")
    assert everything.events == answered.events[:-1] + decided.events
    number = len(answered.events) - 1
    rest = server.ask("GET", f"/runs/{run_id}/events", Last_Event_ID=str(number))
    assert rest.events == decided.events
    assert server.ask("GET", f"/runs/{run_id}/events", Last_Event_ID="x").status == 400


def test_a_client_that_goes_away_loses_no_run(serve: Serve, shop: Shop) -> None:
    server = serve(shop.loop())
    for run_id, accept in (("gone", "*/*"), ("watched", "text/event-stream")):
        with leaving(server, {"message": "wait", "run_id": run_id}, accept):
            assert shop.entered.wait(10)
        shop.entered.clear()
    shop.opened.set()
    for run_id in ("gone", "watched"):
        ended = server.ask("GET", f"/runs/{run_id}/events").events[-1][1]
        assert (ended["status"], ended["final_response"]) == ("completed", "Done: open")
    assert len(shop.endpoint.requests) == 4


def test_no_more_runs_than_allowed_at_the_same_time(serve: Serve, shop: Shop) -> None:
    server = serve(shop.loop(), max_runs=1, retry_after=7)
    server.ask("POST", "/runs", {"message": "wait", "run_id": "r"}, Prefer="respond-async")
    refused = server.ask("POST", "/runs", {"message": "Hello"})
    assert (refused.status, refused.headers["retry-after"]) == (503, "7")
    assert refused.json["detail"] == "as many runs are under way as the server takes (1); ask again"
    again = server.ask("POST", "/runs", {"message": "wait", "run_id": "r"}, Prefer="respond-async")
    assert again.status == 202
    shop.opened.set()
    assert server.ask("POST", "/runs", {"message": "wait", "run_id": "r"}).status == 200
    assert server.ask("POST", "/runs", {"message": "Hello"}).status == 200


def test_a_run_at_its_limit_and_a_failed_one_say_why(serve: Serve, shop: Shop) -> None:
    server = serve(shop.loop(max_iterations=0))
    limited = server.ask("POST", "/runs", {"message": "wait", "run_id": "r"})
    assert (limited.status, limited.json["status"], limited.json["error"]["kind"]) == (
        200,
        "limit",
        "max_iterations",
    )
    assert server.ask("POST", "/runs/r/resume", {}).json["detail"] == (
        "the run is at its limit, and cannot go on here; ask whoever runs the server for a higher one, and "
        "begin a run of another id"
    )
    wrong = server.ask("POST", "/runs", {"message": "Hello", "history": [{"role": 7}]}).json["error"]
    assert wrong["message"].endswith("; mend it, or pass `messages` of an earlier run")
    shop.endpoint.close()
    failed = server.ask("POST", "/runs", {"message": "Hello"})
    assert (failed.status, failed.json["status"]) == (200, "failed")
    assert "sk-of-the-endpoint" not in failed.text


class Answer(BaseModel):
    text: str


@pytest.mark.parametrize(
    ("settings", "told"),
    [
        ({"max_iterations": 0}, "which whoever runs the server can raise: callagain runs resume"),
        (
            {"response_format": Answer, "max_output_repairs": 0},
            "which the program that serves it can raise: loop.resume of this run_id, with changes=",
        ),
    ],
    ids=["rounds", "typed"],
)
def test_a_kept_run_at_its_limit_tells_who_can_raise_it(
    serve: Serve, shop: Shop, tmp_path: Path, settings: dict[str, Any], told: str
) -> None:
    server = serve(loop_of(shop, tmp_path, is_kept=True, **settings))
    shop.opened.set()
    assert server.ask("POST", "/runs", {"message": "wait", "run_id": "r"}).json["status"] == "limit"
    refused = server.ask("POST", "/runs/r/resume", {})
    assert (refused.status, refused.json["detail"]) == (409, f"the run is at its limit, {told}")


def test_of_two_servers_of_one_journal_one_drives_a_run_and_both_tell_of_it(
    serve: Serve,
    shop: Shop,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    caplog: pytest.LogCaptureFixture,
) -> None:
    # As each process has one of its own.
    journals = [JournalFile(tmp_path / "runs.db") for _ in range(2)]
    first, second = (serve(shop.loop(journal=journal)) for journal in journals)
    request, other = {"message": "wait", "run_id": "r"}, {"message": "Hello", "run_id": "r"}
    look = served_runs.read_stored

    def look_too_early(journal: JournalFile, run_id: str) -> StoredRun | None:
        """What the second server finds just before the first one begins the run."""
        if journal is not journals[1] or shop.entered.is_set():
            return look(journal, run_id)
        first.ask("POST", "/runs", request, Prefer="respond-async")
        assert shop.entered.wait(10)
        return None

    with monkeypatch.context() as patched:
        patched.setattr(served_runs, "read_stored", look_too_early)
        under_way = second.ask("POST", "/runs", request, Prefer="wait=1")
    assert (under_way.status, under_way.json["status"]) == (202, "running")
    assert under_way.headers["retry-after"] == "5"
    assert second.ask("POST", "/runs", other).status == 409
    assert (
        second.ask("POST", "/runs/r/resume", {}).json["detail"] == "the run is under way; look at it by GET"
    )
    answers: list[Any] = []
    waiting = threading.Thread(target=lambda: answers.append(second.ask("POST", "/runs", request)))
    waiting.start()
    shop.opened.set()
    waiting.join(10)
    assert answers[0].json["final_response"] == "Done: open"
    assert answers[0].text == first.ask("POST", "/runs", request).text
    assert len(shop.endpoint.requests) == 2
    stranger = serve(shop.loop(journal=journals[0], response_format=Answer)).ask("GET", "/runs/r")
    assert (stranger.status, stranger.json["detail"]) == (
        409,
        "the run is not of the loop that is served here; the server's log says why",
    )
    assert [each for each in caplog.records if each.levelname == "ERROR"] == []
    for journal in journals:
        journal.close()


def test_the_oldest_runs_are_forgotten_where_no_journal_keeps_them(serve: Serve, shop: Shop) -> None:
    server = serve(shop.loop(), kept_runs=2)
    for number in range(3):
        server.ask("POST", "/runs", {"message": "Hello", "run_id": f"r{number}"})
    assert [server.ask("GET", f"/runs/r{number}").status for number in range(3)] == [404, 200, 200]


async def test_an_application_is_mounted_in_another_one(shop: Shop) -> None:
    agent = app(shop.loop(), token=TOKEN)
    site = Starlette(routes=[Mount("/agent", app=agent)])
    statuses: list[int] = []
    body = b'{"message": "Hello", "run_id": "r"}'
    headers = [(b"content-type", b"application/json"), (b"content-length", str(len(body)).encode())]

    async def receive() -> Any:
        return {"type": "http.request", "body": body, "more_body": False}

    async def send(message: Any) -> None:
        if message["type"] == "http.response.start":
            statuses.append(message["status"])
            sent_headers.update(message["headers"])

    sent_headers: dict[bytes, bytes] = {}
    scope = {"type": "http", "method": "POST", "query_string": b"", "root_path": "", "headers": headers}
    await site({**scope, "method": "GET", "path": "/agent/healthz"}, receive, send)
    await site({**scope, "path": "/agent/runs"}, receive, send)
    headers.append((b"authorization", f"Bearer {TOKEN}".encode()))
    await site({**scope, "path": "/agent/runs"}, receive, send)
    assert (statuses, sent_headers[b"location"]) == ([200, 401, 200], b"/agent/runs/r")
    await agent.runs.close(0)

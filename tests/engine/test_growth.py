"""What a round costs does not grow with the rounds before it: counted, and not timed."""

import gc
import json
import sys
import tracemalloc
from collections.abc import Callable, Generator
from contextlib import closing, contextmanager
from dataclasses import dataclass, field
from itertools import pairwise
from types import FrameType
from typing import Any

import pytest

from callagain.engine import json_text
from callagain.engine.commands import Command, Key, SendRequest
from callagain.engine.drivers import Performer, Work, drive
from callagain.engine.events import CommandStarted
from callagain.engine.journal.entries_json import entry_as_json
from callagain.engine.journal.steps import kept_step
from callagain.engine.json_text import Json
from callagain.engine.log_entries import Held, Receipt
from callagain.engine.receipts import ToolReceipt
from callagain.engine.request_body import RequestBody
from callagain.engine.run import Run
from callagain.engine.run_inputs import AnnouncedTool, Inputs
from callagain.engine.wire.http_answer import HttpAnswer
from callagain.operations import TOOL_CALLING_LOOP

RESULT = "r" * 1_000


@dataclass
class Scripted:
    """Asks for `rounds` rounds of as many calls as `calls` says, and answers each at once.

    most: the characters of a result that the model gets.
    """

    rounds: int
    calls: int = 1
    result: str = RESULT
    most: int | None = None
    requests: int = field(default=0)

    def begin(self, run: Run, key: Key, command: Command, *, prefer_async: bool) -> Work | Receipt | Held:
        assert (run.outcome, prefer_async) == (None, False)
        if isinstance(command, SendRequest):
            self.requests += 1
            return Receipt(key, self._response())
        return Receipt(key, ToolReceipt(self.result).as_json())

    def _response(self) -> Json:
        message: dict[str, object] = {"role": "assistant", "content": "Done."}
        if self.requests <= self.rounds:
            calls = [self._call(number) for number in range(self.calls)]
            message = {"role": "assistant", "content": None, "tool_calls": calls}
        usage = {"prompt_tokens": 9, "total_tokens": 9}
        body = {"choices": [{"index": 0, "message": message}], "usage": usage}
        return HttpAnswer(200, "application/json", json.dumps(body)).as_json()

    def _call(self, number: int) -> dict[str, object]:
        arguments = json.dumps({"number": self.requests * 1_000 + number})
        function = {"name": "look_up", "arguments": arguments}
        return {"id": f"call_{self.requests}_{number}", "type": "function", "function": function}


def run_of(performer: Scripted) -> Run:
    entry: dict[str, Json] = {
        "type": "function",
        "function": {"name": "look_up", "parameters": {"type": "object", "properties": {}}},
    }
    tool = AnnouncedTool(name="look_up", entry=entry, max_result_chars=performer.most)
    inputs = Inputs("run", "m", "Go", tools=(tool,), max_iterations=performer.rounds)
    return Run(TOOL_CALLING_LOOP, inputs)


def driven(performer: Scripted, at_request: Callable[[int], None] = lambda _: None) -> Run:
    """The run, driven to its end. at_request: told of each request, from 1, before it is made."""
    run = run_of(performer)
    typed: Performer = performer
    with closing(drive(run, typed)) as events:
        for event in events:
            if isinstance(event, CommandStarted) and isinstance(event.command, SendRequest):
                at_request(performer.requests)
    assert (run.outcome, run.variables.loop_count) == ("completed", performer.rounds)
    return run


@contextmanager
def counting_lines() -> Generator[list[int], None, None]:
    """Lines of Python that are executed, those of loops each time."""
    count = [0]

    def note(_frame: FrameType, event: str, _argument: object) -> Any:
        count[0] += event == "line"
        return note

    before = sys.gettrace()
    sys.settrace(note)
    try:
        yield count
    finally:
        sys.settrace(before)


@pytest.mark.parametrize("most", [None, len(RESULT) // 2])
def test_no_round_takes_more_lines_than_the_ones_before(most: int | None) -> None:
    seen: list[int] = []
    with counting_lines() as count:
        driven(Scripted(300, most=most), lambda _: seen.append(count[0]))
    a_round = [later - earlier for earlier, later in pairwise(seen)]
    early, late = a_round[20:60], a_round[-40:]
    assert sum(late) <= 1.01 * sum(early), (early, late)


def test_each_message_is_written_once_and_each_request_joined_once(monkeypatch: pytest.MonkeyPatch) -> None:
    written, joined = [0], [0]
    encoder, join = json_text._ENCODER, RequestBody.join  # pyright: ignore[reportPrivateUsage]

    class Counting(json.JSONEncoder):
        def encode(self, o: object) -> str:
            text = encoder.encode(o)
            written[0] += len(text)
            return text

    def counted(self: RequestBody, messages: list[bytes]) -> bytes:
        joined[0] += 1
        return join(self, messages)

    monkeypatch.setattr(json_text, "_ENCODER", Counting())
    monkeypatch.setattr(RequestBody, "join", counted)
    seen: list[int] = []
    driven(Scripted(200), lambda _: seen.append(written[0]))
    a_round = [later - earlier for earlier, later in pairwise(seen)]
    assert max(a_round[-20:]) <= max(a_round[20:40]) + 8
    assert joined[0] == 201


def test_of_a_request_there_is_one_copy_at_a_time() -> None:
    """Between two requests, no more memory is in use than while the second one is sent, its body included."""
    beyond: list[int] = []

    def note(_request: int) -> None:
        now, most = tracemalloc.get_traced_memory()
        beyond.append(most - now)
        tracemalloc.reset_peak()

    tracemalloc.start()
    try:
        run = driven(Scripted(60, result="r" * 30_000), note)
    finally:
        tracemalloc.stop()
    assert run.variables.request_bytes > 1_800_000
    # A second copy of the last requests would be some 1,800,000.
    assert max(beyond[-5:]) < 300_000


def test_the_length_of_a_request_is_known_without_joining_it() -> None:
    variables = driven(Scripted(3)).variables
    assert variables.request_bytes == len(variables.InAndOut)


def test_memory_grows_with_what_is_new_and_no_request_is_kept() -> None:
    """Were the bodies of the requests kept, the second half of a run would take three times as much."""
    seen: dict[int, int] = {}

    def note(request: int) -> None:
        if request in (10, 110, 210):
            seen[request] = tracemalloc.get_traced_memory()[0]

    tracemalloc.start()
    try:
        driven(Scripted(220), note)
    finally:
        tracemalloc.stop()
    first, second = seen[110] - seen[10], seen[210] - seen[110]
    assert second <= 1.2 * first
    # A result, its message, the response, and what the steps hold.
    assert second / 100 <= 12 * len(RESULT)


def test_a_run_that_has_ended_holds_no_request() -> None:
    run = driven(Scripted(3))
    gc.collect()
    held = [each for each in gc.get_objects() if isinstance(each, SendRequest)]
    assert [each for each in held if each.body.startswith(run.variables.request.opening)] == []


def test_what_is_kept_of_a_round_does_not_grow() -> None:
    run = driven(Scripted(200))
    sizes = [len(json.dumps(entry_as_json(entry))) for entry in run.log]
    half = len(sizes) // 2
    assert sum(sizes[half:]) <= 1.02 * sum(sizes[:half])
    steps = [len(kept_step(step).digest) for step in run.trace]
    half = len(steps) // 2
    assert sum(steps[half:]) <= 1.02 * sum(steps[:half])


def test_steps_are_digested_without_going_through_what_was_there_before() -> None:
    run = driven(Scripted(150))
    seen: list[int] = []
    with counting_lines() as count:
        for step in run.trace:
            before = count[0]
            kept_step(step)
            seen.append(count[0] - before)
    assert sum(seen[-100:]) <= 1.01 * sum(seen[20:120])


def test_a_thousand_rounds() -> None:
    run = driven(Scripted(1_000, result="found"))
    assert len(run.variables.tool_results) == 1_000
    assert len(run.variables.messages) == 2_001


def test_ten_megabytes_of_results() -> None:
    run = driven(Scripted(20, result="x" * 500_000))
    assert sum(len(result.said) for result in run.variables.tool_results) == 10_000_000


def test_a_hundred_calls_of_one_response() -> None:
    run = driven(Scripted(3, calls=100))
    assert [result.id for result in run.variables.tool_results][99:101] == ["call_1_99", "call_2_0"]
    assert len(run.variables.tool_results) == 300

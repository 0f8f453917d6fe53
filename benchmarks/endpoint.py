"""An endpoint for Chat Completions that costs next to nothing: `python -m benchmarks.endpoint`.

It keeps no state: the name of the model says what to answer (`Task.model`), and the messages say how far the
run has come. It prints its port, and answers `GET /cpu` with the CPU seconds that it has used itself. It ends
when its stdin does.
"""

import asyncio
import json
import re
import sys
import time
from importlib import import_module
from importlib.util import find_spec
from typing import cast

from benchmarks.files_limit import raise_files_limit
from benchmarks.task import FINAL, TOOL_NAME, Finish, Task, task_of_model

CALL_ID = re.compile(rb"call_\d{8}")
MODEL = re.compile(rb'"model"\s*:\s*"([^"]+)"')
CONTENT_LENGTH = re.compile(rb"(?i)\r\ncontent-length:\s*(\d+)")
FIRST_ORDER = 481_516

HEAD = b"HTTP/1.1 %b\r\ncontent-type: application/json\r\nx-request-id: req_0\r\ncontent-length: %d\r\n\r\n"


def calls_made(body: bytes, finish: Finish) -> int:
    """How many calls of the tool have been answered, as the messages of the request show."""
    if finish == "call":
        # smolagents sends results as texts of the user, in which the ids are.
        return len(set(CALL_ID.findall(body)))
    return body.count(b'"role":"tool"') + body.count(b'"role": "tool"')


def message(task: Task, finish: Finish, made: int) -> dict[str, object]:
    """The next message of the assistant."""
    calls: list[tuple[str, dict[str, str]]] = []
    if made < task.tool_calls:
        calls = [(TOOL_NAME, {"order_id": f"{FIRST_ORDER + made + n:06}"}) for n in range(task.calls)]
    elif finish == "call":
        calls = [("final_answer", {"answer": FINAL})]
    if not calls:
        return {"role": "assistant", "content": FINAL, "refusal": None, "annotations": []}
    tool_calls = [
        {
            "id": f"call_{made + place:08}",
            "type": "function",
            "function": {"name": name, "arguments": json.dumps(arguments)},
        }
        for place, (name, arguments) in enumerate(calls)
    ]
    return {
        "role": "assistant",
        "content": None,
        "refusal": None,
        "annotations": [],
        "tool_calls": tool_calls,
    }


def completion(model: str, answer: dict[str, object], prompt_tokens: int) -> bytes:
    finish_reason = "tool_calls" if "tool_calls" in answer else "stop"
    body = {
        "id": "chatcmpl-0",
        "object": "chat.completion",
        "created": 1_760_000_000,
        "model": model,
        "choices": [{"index": 0, "message": answer, "logprobs": None, "finish_reason": finish_reason}],
        "usage": {
            "prompt_tokens": prompt_tokens,
            "completion_tokens": 20,
            "total_tokens": prompt_tokens + 20,
            "prompt_tokens_details": {"cached_tokens": 0, "audio_tokens": 0},
            "completion_tokens_details": {"reasoning_tokens": 0, "audio_tokens": 0},
        },
        "service_tier": "default",
        "system_fingerprint": "fp_0",
    }
    return json.dumps(body, separators=(",", ":")).encode()


def respond(head: bytes, body: bytes) -> tuple[bytes, bytes, float]:
    """Status, body, and the seconds to wait before."""
    if head.startswith(b"GET /cpu "):
        return b"200 OK", json.dumps({"cpu": time.process_time()}).encode(), 0.0
    found = MODEL.search(body)
    model = found[1].decode() if found else ""
    known = task_of_model(model)
    if known is None:
        return b"400 Bad Request", b'{"error":{"message":"model= must be the name of a task"}}', 0.0
    task, finish = known
    answer = message(task, finish, calls_made(body, finish))
    return b"200 OK", completion(model, answer, len(body) // 4), task.wait_ms / 1000


class Connection(asyncio.Protocol):
    """One connection that is kept alive; its requests are answered one after the other."""

    def __init__(self) -> None:
        self._received = bytearray()
        self._needed = 0

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        # uvloop's is no asyncio.Transport by name.
        self._transport = cast(asyncio.Transport, transport)

    def data_received(self, data: bytes) -> None:
        self._received += data
        if len(self._received) < self._needed:
            return
        end = self._received.find(b"\r\n\r\n")
        if end < 0:
            return
        head, begin = bytes(self._received[: end + 2]), end + 4
        length = CONTENT_LENGTH.search(head)
        self._needed = begin + (int(length[1]) if length else 0)
        if len(self._received) < self._needed:
            return
        status, answer, seconds = respond(head, bytes(self._received[begin : self._needed]))
        del self._received[: self._needed]
        self._needed = 0
        if seconds:
            asyncio.get_running_loop().call_later(seconds, self._send, status, answer)
        else:
            self._send(status, answer)

    def _send(self, status: bytes, body: bytes) -> None:
        if not self._transport.is_closing():
            self._transport.write(HEAD % (status, len(body)) + body)


async def serve() -> None:
    """Until stdin ends, as it does when the process that started this one is gone."""
    raise_files_limit()
    loop, ended = asyncio.get_running_loop(), asyncio.Event()
    server = await loop.create_server(Connection, "127.0.0.1", 0, backlog=4096)
    loop.add_reader(sys.stdin.fileno(), ended.set)
    print(server.sockets[0].getsockname()[1], flush=True)
    await ended.wait()


def main() -> None:
    """On uvloop where it is installed, which takes half the time."""
    run = import_module("uvloop").run if find_spec("uvloop") else asyncio.run
    run(serve())


if __name__ == "__main__":
    main()

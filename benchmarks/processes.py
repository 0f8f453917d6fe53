"""The processes of a session: one endpoint, and a client for each peer."""

import contextlib
import http.client
import json
import os
import select
import subprocess
import sys
import time
from dataclasses import replace
from pathlib import Path
from types import TracebackType
from typing import Any, Self
from urllib.parse import urlsplit

from benchmarks.client import Order
from benchmarks.measurement import Measured
from benchmarks.places import ROOT

# A peer that takes longer has failed.
LIMIT_SECONDS = 900.0

# No key, proxy or setting of the user's, and nothing that is sent to the maker of a peer.
NOT_PASSED_ON = ("OPENAI_", "AZURE_OPENAI_", "HTTP_PROXY", "HTTPS_PROXY", "ALL_PROXY", "CALLAGAIN_", "PYTHON")
SILENCED = {
    "HAYSTACK_TELEMETRY_ENABLED": "False",
    "HAMILTON_TELEMETRY_ENABLED": "false",
    "BURR_TELEMETRY_ENABLED": "false",
    "LANGSMITH_TRACING": "false",
}


class PeerError(Exception):
    """A peer could not do its work; the message is the reason."""


def environment() -> dict[str, str]:
    passed_on = {
        name: value for name, value in os.environ.items() if not name.upper().startswith(NOT_PASSED_ON)
    }
    return {**passed_on, **SILENCED, "PYTHONPATH": str(ROOT)}


def pin(process: subprocess.Popen[Any], *, last: bool) -> None:
    """Keeps clients on the first processor, and the endpoint on the last, where the system can do so."""
    if hasattr(os, "sched_setaffinity") and len(processors := sorted(os.sched_getaffinity(0))) > 1:
        os.sched_setaffinity(process.pid, {processors[-1 if last else 0]})


class Endpoint:
    """The endpoint, as a context."""

    def __enter__(self) -> Self:
        command = [sys.executable, "-m", "benchmarks.endpoint"]
        self._process = subprocess.Popen(
            command,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            env=environment(),
            start_new_session=True,
        )
        pin(self._process, last=True)
        assert self._process.stdout is not None
        self.base_url = f"http://127.0.0.1:{int(self._process.stdout.readline())}/v1"
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        end(self._process)

    def cpu(self) -> float:
        """Seconds that it has used so far."""
        with contextlib.closing(http.client.HTTPConnection(urlsplit(self.base_url).netloc)) as connection:
            connection.request("GET", "/cpu")
            return float(json.load(connection.getresponse())["cpu"])


class ClientProcess:
    """A process that carries out orders for one peer. Raises PeerError, also where it cannot begin."""

    def __init__(self, python: Path, entry: str, endpoint: Endpoint, folder: Path) -> None:
        self._endpoint = endpoint
        self._errors = folder / f"{entry.replace(':', '-')}.txt"
        with self._errors.open("wb") as errors:
            self._process = subprocess.Popen(
                [str(python), "-m", "benchmarks.client", entry, endpoint.base_url],
                cwd=folder,
                env=environment(),
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=errors,
                # Ctrl-C is for the session, which ends its clients itself.
                start_new_session=True,
            )
        pin(self._process, last=False)
        try:
            self.versions: dict[str, str] = self._next()["versions"]
        except PeerError:
            self.close()
            raise

    def carry_out(self, order: Order) -> Measured:
        assert self._process.stdin is not None
        before, began = self._endpoint.cpu(), time.perf_counter()
        try:
            self._process.stdin.write(f"{order.as_line()}\n".encode())
            self._process.stdin.flush()
        except BrokenPipeError:
            raise PeerError(self._last_words()) from None
        measured = Measured(**self._next())
        busy = (self._endpoint.cpu() - before) / (time.perf_counter() - began)
        return replace(measured, endpoint=round(busy, 4))

    def close(self) -> None:
        end(self._process)

    def _next(self) -> dict[str, Any]:
        assert self._process.stdout is not None
        if not select.select([self._process.stdout], [], [], LIMIT_SECONDS)[0]:
            end(self._process)
            raise PeerError(f"took longer than {LIMIT_SECONDS:.0f} s")
        line = self._process.stdout.readline()
        if not line:
            raise PeerError(self._last_words())
        answer: dict[str, Any] = json.loads(line)
        if "error" in answer:
            raise PeerError(answer["error"])
        return answer

    def _last_words(self) -> str:
        self._process.wait()
        said = last_line(self._errors.read_text(errors="replace"))
        return said or f"ended with status {self._process.returncode}"


def last_line(text: str) -> str:
    """Where a traceback says what has happened."""
    return "".join(text.strip().splitlines()[-1:])


def end(process: subprocess.Popen[Any]) -> None:
    """Ends the process now, and waits until it has."""
    process.kill()
    for stream in (process.stdin, process.stdout):
        if stream is not None:
            with contextlib.suppress(BrokenPipeError):
                stream.close()
    process.wait()

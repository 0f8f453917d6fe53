"""`approver=`: somebody, or something, that is asked about a call at once, so that the run need not stop."""

import asyncio
import contextvars
import inspect
from collections.abc import AsyncGenerator, Awaitable, Callable, Generator
from concurrent.futures import Future, wait
from functools import partial
from typing import TypeAlias

from callagain.connectors.means import ReportException
from callagain.connectors.tool_calls import ToolCalls
from callagain.decisions import Verdict, entries_for
from callagain.engine.commands import CallTool, Key
from callagain.engine.drivers.background_loop import BACKGROUND_LOOP
from callagain.engine.drivers.worker_threads import WORKERS
from callagain.engine.errors import DecisionError
from callagain.engine.events import CommandDecided
from callagain.engine.run import Run
from callagain.pending_calls import PendingCall, held_call

Said: TypeAlias = Verdict | bool
Approver: TypeAlias = Callable[[PendingCall], Said | Awaitable[Said]]

# A signal that arrives just before a wait begins does not interrupt it, and Ctrl-C would have to wait too.
_WAIT_SECONDS = 0.25


class Approval:
    """Asks the approver about every call of a run that waits for approval, once.

    A call stays held if the approver raises, or says what is no verdict: the run is suspended then, and
    whoever gets it decides. report: told of it, with the name of the tool. A question that was broken off by
    a cancellation is asked again by the next drive.
    """

    def __init__(self, run: Run, tool_calls: ToolCalls, approver: Approver, report: ReportException) -> None:
        self._run = run
        self._tool_calls = tool_calls
        self._approver = approver
        self._report = report
        self._asked: set[Key] = set()

    def questions(self) -> list[tuple[Key, CallTool]]:
        """The calls about which nobody was asked yet."""
        return [
            (key, command)
            for key, held in self._run.open.held.items()
            if held.why == "approval_required"
            and key not in self._asked
            and isinstance(command := self._run.open.commands[key], CallTool)
        ]

    def ask(self) -> Generator[CommandDecided, None, None]:
        """Asks about them, one after the other, in the thread of the caller."""
        for key, command in self.questions():
            try:
                said = self._approver(self._call(key, command))
                answer = _awaited(said) if isinstance(said, Awaitable) else said
            except Exception as error:
                self._fail(key, command, error)
            else:
                yield from self._take(key, command, answer)

    async def aask(self) -> AsyncGenerator[CommandDecided, None]:
        """The same on the running event loop; a function that is not async is asked in a thread."""
        for key, command in self.questions():
            try:
                answer = await self._answer(self._call(key, command))
            except Exception as error:
                self._fail(key, command, error)
            else:
                for event in self._take(key, command, answer):
                    yield event

    async def _answer(self, call: PendingCall) -> Said:
        is_async = inspect.iscoroutinefunction(self._approver)
        # What hangs in a thread holds nothing of the run.
        said = self._approver(call) if is_async else await _in_a_thread(partial(self._approver, call))
        return await said if isinstance(said, Awaitable) else said

    def _call(self, key: Key, command: CallTool) -> PendingCall:
        return held_call(self._run, key, command, self._tool_calls)

    def _fail(self, key: Key, command: CallTool, error: Exception) -> None:
        self._asked.add(key)
        self._report(command.name, error)

    def _take(self, key: Key, command: CallTool, said: Said) -> Generator[CommandDecided, None, None]:
        self._asked.add(key)
        try:
            entries = entries_for(self._run, self._tool_calls, {command.call_id: said}, {})
        except DecisionError as error:
            self._report(command.name, error)
            return
        for entry in entries:
            self._run.apply(entry)
            yield CommandDecided(key, command, entry.verdict)


def _awaited(said: Awaitable[Said]) -> Said:
    future = BACKGROUND_LOOP.submit(_guarded(said))
    try:
        while not future.done():
            wait([future], _WAIT_SECONDS)
        answer = future.result()
    finally:
        # Nobody waits for it any more, if the caller was interrupted.
        future.cancel()
    if isinstance(answer, BaseException):
        raise answer
    return answer


async def _guarded(said: Awaitable[Said]) -> Said | BaseException:
    """A SystemExit would end the loop that all async work shares; it is raised in the caller's thread."""
    try:
        return await said
    except (SystemExit, KeyboardInterrupt) as error:
        return error


async def _in_a_thread(ask: Callable[[], Said | Awaitable[Said]]) -> Said | Awaitable[Said]:
    """In one that can be left behind: asyncio.run would wait for asyncio's own, and for whoever is asked."""
    future: Future[Said | Awaitable[Said]] = Future()
    context = contextvars.copy_context()

    def job() -> None:
        try:
            answer = context.run(ask)
        except BaseException as error:
            future.set_exception(error)
        else:
            future.set_result(answer)

    # A question that was broken off is answered all the same, and nobody hears it.
    future.set_running_or_notify_cancel()
    WORKERS.submit(job)
    return await asyncio.wrap_future(future)

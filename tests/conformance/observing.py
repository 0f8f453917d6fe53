"""Runs a case over real HTTP, and keeps what can be seen of it."""

import asyncio
import inspect
import time
from collections.abc import Callable, Mapping
from contextvars import copy_context
from typing import Any

from openai import AsyncOpenAI
from tests.conformance.case import Case, CaseError, JsonDict
from tests.conformance.forms import OBJECT, SECONDS, TEXT, TEXT_OR_LIST
from tests.conformance.json_values import is_object
from tests.conformance.observed import Observed
from tests.conformance.server import CaseServer, in_order
from tests.conformance.tools import CaseTools

from callagain import CallAgainError, LiveRun, Result, ToolLoop
from callagain.connectors.tools.problem import exception_text
from callagain.settings_check import LimitOptions

DEFAULTS: JsonDict = {
    "api_key": "sk-test-conformance",
    "max_iterations": 5,
    "max_retries": 0,
    "profile": "generic",
}
TRANSPORTS: Mapping[str, JsonDict] = {
    "chat": {},
    "tool": {},
    "config": {},
    "chat-stream": {"stream": True},
    "responses": {"api": "responses"},
    "responses-stream": {"api": "responses", "stream": True},
}
# Read here, and not by the loop.
_OWN_KEYS = ("run_deadline_seconds", "deadline_by", "context")

Drive = Callable[[LiveRun], Result]


def observe(case: Case, *, asynchronous: bool) -> Observed:
    """Runs the case. Raises CaseError for what cannot be run; and what the run raises, unless expected.

    What is expected before the run is one of the product's own errors; any other is a fault of the case.
    """
    _refuse_unknown(case)
    drive = _driver(case.config, asynchronous)
    seen = Observed(streams=bool(TRANSPORTS[case.transport].get("stream")))
    context: JsonDict = case.config.get("context", {})
    OBJECT.require("config.context", context)
    with CaseServer(in_order(case.responses)) as server, CaseTools(case.id, context) as tools:
        begun = time.monotonic()
        try:
            settings = loop_settings(case, server.url)
            message, history = message_and_history(case)
            seen.loop = ToolLoop(tools=[tools.make(entry) for entry in case.tools], **settings)
            seen.live = seen.loop.start(message, history=history)
            seen.result = copy_context().run(_in_context, tools, drive, seen.live)
        except CaseError:
            raise
        except BaseException as error:
            if case.expect.get("outcome") != "raises":
                raise
            if seen.live is None and not isinstance(error, CallAgainError):
                raise CaseError(f"the loop cannot be built: {exception_text(error)}") from error
            seen.raised = error
        seen.seconds = time.monotonic() - begun
        seen.requests = list(server.requests)
        seen.invocations = list(tools.invocations)
    return seen


def loop_settings(case: Case, url: str) -> JsonDict:
    """The arguments of ToolLoop, but for the tools. Raises CaseError for a key that is no option of it."""
    known = {*inspect.signature(ToolLoop).parameters, *LimitOptions.__annotations__} - {"limits"}
    options = {name: value for name, value in case.request.items() if name not in _NOT_OPTIONS}
    settings = {**DEFAULTS, **TRANSPORTS[case.transport], "base_url": url, "model": case.request["model"]}
    for name, value in case.config.items():
        if name == "request_options":
            OBJECT.require("config.request_options", value)
            options.update(value)
        elif name in known:
            settings[name] = value
        elif name == "tool_choice":
            options[name] = value
        elif name not in _OWN_KEYS:
            raise CaseError(f"config.{name} is no option of ToolLoop; known are {', '.join(known)}")
    if "run_deadline_seconds" in case.config and "deadline_by" not in case.config:
        settings["deadline"] = case.config["run_deadline_seconds"]
    if "deadline_by" in case.config:
        settings["client"] = _client_made_before(settings.pop("base_url"), settings.pop("api_key"))
    return {**settings, "request_options": options}


def _client_made_before(base_url: str, api_key: str) -> AsyncOpenAI:
    """Making a client reads certificates, which on a busy machine takes longer than the seconds of a case."""
    return AsyncOpenAI(base_url=base_url, api_key=api_key)


_NOT_OPTIONS = ("model", "messages", "input")


def message_and_history(case: Case) -> tuple[Any, list[Any]]:
    """What run() gets: the last message if it is the user's, and what stands before it.

    A run begins with a message of the user. Where the last one is somebody else's, all of them are history,
    and the message is empty.
    """
    key, other = ("input", "messages") if case.transport.startswith("responses") else ("messages", "input")
    if key not in case.request:
        raise CaseError(f"the request has no {key}")
    for unread in (other, "stream"):
        if unread in case.request:
            raise CaseError(f"request.{unread} is not read in a case of the transport {case.transport}")
    given = case.request[key]
    TEXT_OR_LIST.require(f"request.{key}", given)
    if isinstance(given, str):
        return given, []
    *history, last = given or [None]
    if is_object(last) and last.get("role") == "user" and last.keys() <= {"type", "role", "content"}:
        return last.get("content"), history
    return "", list(given)


def _refuse_unknown(case: Case) -> None:
    if case.unknown:
        raise CaseError(f"the case has the unknown key {case.unknown[0]!r}")
    if case.transport not in TRANSPORTS:
        raise CaseError(f"unknown transport {case.transport!r}; known are {', '.join(TRANSPORTS)}")
    if "model" not in case.request:
        raise CaseError("the request has no model")


def _driver(config: JsonDict, asynchronous: bool) -> Drive:
    if "deadline_by" not in config:
        return _drive_async if asynchronous else LiveRun.run
    TEXT.require("config.deadline_by", config["deadline_by"])
    if "asyncio.timeout" not in config["deadline_by"] or "run_deadline_seconds" not in config:
        raise CaseError(f"config.deadline_by {config['deadline_by']!r} is not known, or has no seconds")
    SECONDS.require("config.run_deadline_seconds", config["run_deadline_seconds"])
    return lambda live: asyncio.run(_within(config["run_deadline_seconds"], live))


def _drive_async(live: LiveRun) -> Result:
    return asyncio.run(live.arun())


async def _within(seconds: float, live: LiveRun) -> Result:
    async with asyncio.timeout(seconds):
        return await live.arun()


def _in_context(tools: CaseTools, drive: Drive, live: LiveRun) -> Result:
    tools.enter_context()
    return drive(live)

"""Performs the commands of a run: sends requests, calls tools and functions."""

import inspect
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, replace
from typing import TypeAlias, cast

from callagain.connectors.llm_request import LLMRequest
from callagain.connectors.means import Means
from callagain.connectors.retry import RetryPolicy
from callagain.connectors.stop_watch import StopWatch
from callagain.connectors.throttle import estimated_tokens
from callagain.connectors.tool_calls import ToolCalls
from callagain.connectors.tools import exception_text
from callagain.connectors.tools.results import json_value
from callagain.engine.commands import CallFunction, CallTool, Command, Key, SendRequest
from callagain.engine.drivers import OneAttempt, Tell, Work
from callagain.engine.json_text import Json, decode, encode
from callagain.engine.log_entries import Held, Receipt
from callagain.engine.receipts import FunctionReceipt
from callagain.engine.run import Run
from callagain.engine.spending import ELAPSED_SECONDS
from callagain.engine.wire.output_limit import output_limit

# Takes the secrets out of a text.
Hide: TypeAlias = Callable[[str], str]


@dataclass(frozen=True)
class LoopPerformer:
    """Performs the commands of one run. tool_calls: makes those of tools."""

    means: Means
    tool_calls: ToolCalls
    watch: StopWatch

    def begin(self, run: Run, key: Key, command: Command, *, prefer_async: bool) -> Work | Receipt | Held:
        means = self.means
        match command:
            case SendRequest():
                return self._request(run, key, command, prefer_async=prefer_async)
            case CallTool():
                return self.tool_calls.begin(run, key, command, prefer_async=prefer_async)
            case CallFunction(name=name) if name == ELAPSED_SECONDS:
                return Receipt(key, FunctionReceipt(self.watch.seconds(command.arguments)).as_json())
            case CallFunction():
                function = means.functions.get(command.name)
                if function is None:
                    error = f"there is no function {command.name!r}; give it to the loop by functions="
                    return Receipt(key, FunctionReceipt(error=error).as_json())
                return _FunctionCall(command, function, means.tool_timeout, means.endpoint.hide_secrets)

    def _request(self, run: Run, key: Key, command: SendRequest, *, prefer_async: bool) -> Work:
        means, wire = self.means, run.inputs.wire
        limit = output_limit(run.variables.request.fields, wire.output_limit_fields)
        return LLMRequest(
            means.endpoint,
            command.body,
            is_async=means.endpoint.is_async(prefer_async=prefer_async),
            policy=_within_budget(means.policy, run),
            throttle=means.throttle,
            clock=means.clock,
            tokens=estimated_tokens(command.body, limit),
            name=f"{run.inputs.run_id}:{key[0]}:{key[1]}",
        )


def _within_budget(policy: RetryPolicy, run: Run) -> RetryPolicy:
    """A retry is a request too: no more of them than the budget of the run has left."""
    budget = run.variables.limits.budget_requests
    if budget is None:
        return policy
    left = max(0, budget - run.variables.requests - 1)
    return replace(policy, max_retries=min(policy.max_retries, left))


@dataclass(frozen=True)
class _FunctionCall(OneAttempt):
    command: CallFunction
    function: Callable[..., object]
    timeout: float | None
    hide: Hide
    in_caller_thread: bool = False

    @property
    def is_async(self) -> bool:
        return inspect.iscoroutinefunction(self.function)

    def perform(self, tell: Tell) -> Json:  # noqa: ARG002 - a tool has no pieces
        try:
            return self._receipt_of_value(self.function(**self.command.arguments))
        except Exception as error:
            return self._receipt_of_error(error)

    async def perform_async(self, tell: Tell) -> Json:  # noqa: ARG002
        try:
            value = await cast(Awaitable[object], self.function(**self.command.arguments))
            return self._receipt_of_value(value)
        except Exception as error:
            return self._receipt_of_error(error)

    def abandon(self) -> None:
        """A function is not told."""

    def _receipt_of_value(self, value: object) -> Json:
        hidden = self.hide(encode(json_value(value)).decode())
        return FunctionReceipt(decode(hidden)).as_json()

    def _receipt_of_error(self, error: Exception) -> Json:
        return FunctionReceipt(error=exception_text(error, self.hide)).as_json()

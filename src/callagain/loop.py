"""ToolLoop: the loop as one object, with its settings checked when it is made."""

import uuid
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any, Literal

from callagain.connectors.chat_completions import ChatCompletions
from callagain.connectors.clients import ClientOrFactory
from callagain.connectors.performer import LoopPerformer
from callagain.connectors.tools import Tool, collect_tools
from callagain.engine.chain import Chain
from callagain.engine.errors import ConfigurationError
from callagain.engine.json_text import Json, JsonError, encode
from callagain.engine.links import LIMIT
from callagain.engine.run import Run
from callagain.engine.run_inputs import AnnouncedTool, Inputs
from callagain.engine.wire.profile import GENERIC, Profile
from callagain.extensions import with_deadline, with_final_answer
from callagain.live_run import LiveRun
from callagain.operation_log import LogPayloads, OperationLog, default_logger
from callagain.operations import TOOL_CALLING_LOOP
from callagain.result import Result

_OWN_FIELDS = ("model", "messages", "tools", "stream", "n")


class ToolLoop:
    """Runs the tool-calling loop of Jitterbit's guide: `loop.run("Where is order 481516?")`.

    A loop does not change. Any number of threads and tasks may use it at the same time; runs share nothing.

    model: the model's name; on Azure the name of the deployment.
    tools: functions, or what `@tool`, `Tool.from_model` and `tools_from_json` make.
    system_prompt: the guide's systemPrompt; there may be none.
    max_iterations: rounds of tools at the most; a run makes at most one LLM Call more than that.
    on_limit: "stop" there, or ask once more, for a "final_answer" without tools.
    client, base_url, api_key: which endpoint, see `callagain.connectors.chat_completions`.
    request_options: further fields of every request (temperature, max_tokens, tool_choice, …).
    parallel_tool_calls: False asks the model for one call at a time; every call is answered in any case.
    timeout, tool_timeout: seconds for one request, and for one call of a tool, in all.
    deadline: seconds for a whole run; then its outcome is limit.
    max_concurrent_tools: calls of one response that run at the same time.
    log_payloads: whether the operation log holds InAndOut, arguments and results: "none", "cut" or "full".
    logger: a structlog logger; by default the application's, or logging's "callagain".
    chain: another chain; functions: what its operations may call by CallFunction.

    Raises ConfigurationError, ToolSchemaError, DuplicateToolError, ChainError.
    """

    def __init__(
        self,
        *,
        model: str,
        tools: Iterable[Tool | Callable[..., object]] = (),
        system_prompt: str | None = None,
        max_iterations: int = 5,
        on_limit: Literal["stop", "final_answer"] = "stop",
        client: ClientOrFactory | None = None,
        base_url: str | None = None,
        api_key: str | None = None,
        request_options: Mapping[str, Any] | None = None,
        parallel_tool_calls: bool | None = None,
        timeout: float | None = 60.0,
        tool_timeout: float | None = 60.0,
        deadline: float | None = None,
        max_concurrent_tools: int = 8,
        profile: Profile = GENERIC,
        log_payloads: LogPayloads = "cut",
        logger: Any = None,
        chain: Chain = TOOL_CALLING_LOOP,
        functions: Mapping[str, Callable[..., object]] | None = None,
    ) -> None:
        _check_numbers(max_iterations, max_concurrent_tools, timeout, tool_timeout, deadline)
        if not model:
            raise ConfigurationError("model= must name a model")
        if on_limit not in ("stop", "final_answer"):
            raise ConfigurationError(f'on_limit must be "stop" or "final_answer", not {on_limit!r}')
        if log_payloads not in ("none", "cut", "full"):
            raise ConfigurationError(f'log_payloads must be "none", "cut" or "full", not {log_payloads!r}')
        options = dict(request_options or {})
        if parallel_tool_calls is not None:
            options["parallel_tool_calls"] = parallel_tool_calls
        if on_limit == "final_answer":
            if LIMIT not in chain.final_states:
                raise ConfigurationError(
                    f"chain {chain.name!r} has no limit, so on_limit does not apply to it"
                )
            chain = with_final_answer(chain)
        if deadline is not None:
            chain = with_deadline(chain)
        self.chain = chain
        self.model = model
        self._request_options = _checked_options(options)
        self._tools = collect_tools(tools)
        self._announced = tuple(_announce(tool) for tool in self._tools.values())
        self._system_prompt = system_prompt
        self._max_iterations = max_iterations
        self._profile = profile
        self._timeout = timeout
        self._tool_timeout = tool_timeout
        self._deadline = deadline
        self._max_concurrent_tools = max_concurrent_tools
        self._log_payloads: LogPayloads = log_payloads
        self._logger = logger
        self._functions = dict(functions or {})
        self._endpoint = ChatCompletions(
            model, client=client, base_url=base_url, api_key=api_key, timeout=timeout
        )

    def __repr__(self) -> str:
        return f"ToolLoop(model={self.model!r}, tools={list(self._tools)!r}, chain={self.chain.name!r})"

    def run(self, message: Json, *, history: Sequence[Json] = (), run_id: str | None = None) -> Result:
        """Runs to the outcome, and returns it; `result.outcome` says which it is.

        message: the guide's userMessage, a text or a list of content parts. history: messages of earlier
        turns, such as `result.messages`. run_id: a name of your own, by which logs and tools know the run.
        """
        return self.start(message, history=history, run_id=run_id).run()

    async def arun(self, message: Json, *, history: Sequence[Json] = (), run_id: str | None = None) -> Result:
        """The same on the running event loop."""
        return await self.start(message, history=history, run_id=run_id).arun()

    def start(self, message: Json, *, history: Sequence[Json] = (), run_id: str | None = None) -> LiveRun:
        """A run that has not begun: step it one operation at a time, watch its events, or run it."""
        if not isinstance(message, str | list):
            raise ConfigurationError(
                f"the message must be a text or a list of parts, not {type(message).__name__}"
            )
        try:
            encode(message)
        except JsonError as error:
            raise ConfigurationError(f"the message {error}") from None
        inputs = Inputs(
            run_id=run_id or uuid.uuid4().hex,
            model=self.model,
            user_message=message,
            system_prompt=self._system_prompt,
            history=tuple(history),
            tools=self._announced,
            request_options=self._request_options,
            max_iterations=self._max_iterations,
            profile=self._profile,
        )
        run = Run(self.chain, inputs)
        log = OperationLog(
            run, self._logger or default_logger(), self._log_payloads, self._endpoint.hide_secrets
        )
        performer = LoopPerformer(
            endpoint=self._endpoint,
            tools=self._tools,
            functions=self._functions,
            timeout=self._timeout,
            tool_timeout=self._tool_timeout,
            report_exception=log.tool_exception,
            report_line=log.tool_line,
        )
        return LiveRun(
            run,
            performer,
            log.write,
            max_concurrent_tools=self._max_concurrent_tools,
            deadline=self._deadline,
        )


def _announce(tool: Tool) -> AnnouncedTool:
    return AnnouncedTool(
        name=tool.name,
        entry=tool.announced(),
        sequential=tool.sequential,
        repeatable=tool.read_only or tool.idempotent,
    )


def _checked_options(options: Mapping[str, Any]) -> Mapping[str, Json]:
    for name in _OWN_FIELDS:
        if name in options:
            raise ConfigurationError(f"request_options may not hold {name!r}: the loop sets it itself")
    try:
        encode(options)
    except JsonError as error:
        raise ConfigurationError(f"request_options {error}") from None
    return options


def _check_numbers(
    max_iterations: int,
    max_concurrent_tools: int,
    timeout: float | None,
    tool_timeout: float | None,
    deadline: float | None,
) -> None:
    if not _is_whole(max_iterations) or max_iterations < 0:
        raise ConfigurationError(f"max_iterations must be a whole number, 0 or more, not {max_iterations!r}")
    if not _is_whole(max_concurrent_tools) or max_concurrent_tools < 1:
        raise ConfigurationError(
            f"max_concurrent_tools must be a whole number, 1 or more, not {max_concurrent_tools!r}"
        )
    for name, seconds in (("timeout", timeout), ("tool_timeout", tool_timeout), ("deadline", deadline)):
        if seconds is not None and not seconds > 0:
            raise ConfigurationError(f"{name} must be more than 0 seconds, or None, not {seconds!r}")


def _is_whole(number: object) -> bool:
    return isinstance(number, int) and not isinstance(number, bool)

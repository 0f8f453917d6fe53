"""ToolLoop: the loop as one object, with its settings checked when it is made."""

import uuid
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any

from callagain.connectors.chat_completions import ChatCompletions
from callagain.connectors.clients import ClientOrFactory
from callagain.connectors.performer import LoopPerformer
from callagain.connectors.tools import Tool, collect_tools
from callagain.engine.chain import Chain
from callagain.engine.errors import ConfigurationError
from callagain.engine.json_text import Json
from callagain.engine.links import LIMIT
from callagain.engine.run import Run
from callagain.engine.run_inputs import AnnouncedTool, Inputs
from callagain.engine.wire.profile import GENERIC, Profile
from callagain.extensions import with_deadline, with_final_answer
from callagain.live_run import LiveRun
from callagain.operation_log import LogPayloads, OperationLog, default_logger
from callagain.operations import TOOL_CALLING_LOOP
from callagain.result import Result
from callagain.settings_check import OnLimit, checked, checked_message, checked_request_options


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
    profile: what the endpoint wants otherwise than others, see `callagain.engine.wire.profile`.
    log_payloads: "none", "cut" or "full": what the log holds of InAndOut, arguments, results, errors.
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
        on_limit: OnLimit = "stop",
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
        self.model = checked("model", model)
        self._tools = collect_tools(tools)
        self._announced = tuple(_announce(tool) for tool in self._tools.values())
        self._system_prompt = checked("system_prompt", system_prompt)
        self._max_iterations = checked("max_iterations", max_iterations)
        self._request_options = checked_request_options(request_options, parallel_tool_calls)
        self._timeout = checked("timeout", timeout)
        self._tool_timeout = checked("tool_timeout", tool_timeout)
        self._deadline = checked("deadline", deadline)
        self._max_concurrent_tools = checked("max_concurrent_tools", max_concurrent_tools)
        self._profile = checked("profile", profile)
        self._log_payloads: LogPayloads = checked("log_payloads", log_payloads)
        self._logger = checked("logger", logger)
        given_functions = checked("functions", functions)
        self._functions = dict(given_functions or {})
        self.chain = _extended(checked("chain", chain), checked("on_limit", on_limit), deadline)
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
        inputs = Inputs(
            run_id=checked("run_id", run_id) or uuid.uuid4().hex,
            model=self.model,
            user_message=checked_message(message),
            system_prompt=self._system_prompt,
            history=tuple(checked("history", history)),
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


def _extended(chain: Chain, on_limit: OnLimit, deadline: float | None) -> Chain:
    if on_limit == "final_answer":
        if LIMIT not in chain.final_states:
            raise ConfigurationError(f"chain {chain.name!r} has no limit, so on_limit does not apply to it")
        chain = with_final_answer(chain)
    return chain if deadline is None else with_deadline(chain)


def _announce(tool: Tool) -> AnnouncedTool:
    return AnnouncedTool(
        name=tool.name,
        entry=tool.announced(),
        sequential=tool.sequential,
        repeatable=tool.read_only or tool.idempotent,
    )

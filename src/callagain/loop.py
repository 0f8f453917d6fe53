"""ToolLoop: the loop as one object, with its settings checked when it is made."""

import asyncio
import os
import secrets
import uuid
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import replace
from functools import partial
from typing import Any, Generic, NoReturn, Unpack

from callagain.approval import Approver
from callagain.connectors.clients import ClientOrFactory
from callagain.connectors.endpoint import Endpoint
from callagain.connectors.means import FormatError, Means
from callagain.connectors.throttle import Throttle
from callagain.connectors.tools import ToolLike, collect_tools
from callagain.conversation import Conversation
from callagain.conversation_setup import LoopOfTurns, TurnRules
from callagain.decisions import Decisions, Results
from callagain.engine.chain import Chain
from callagain.engine.drivers import SYSTEM_CLOCK, Clock
from callagain.engine.errors import SnapshotError
from callagain.engine.journal.fingerprint import fingerprint
from callagain.engine.journal.store import JournalFile
from callagain.engine.json_text import Json
from callagain.engine.limits import Limits
from callagain.engine.run import Run
from callagain.engine.run_inputs import Inputs, OnLimit
from callagain.engine.untrusted import UNTRUSTED_NOTICE
from callagain.engine.wire.formats import WIRE_FORMATS, Api
from callagain.engine.wire.profile import ModelFacts, Prices, Profile, Supports
from callagain.live_run import LiveRun
from callagain.live_runs import LiveRuns
from callagain.observers import Observer
from callagain.operation_log import LogPayloads
from callagain.operations import TOOL_CALLING_LOOP
from callagain.output_format import Output, OutputFormat
from callagain.replaying import ReplayedRun, replayed
from callagain.result import Result
from callagain.run_beginning import announced, copied, system_prompt
from callagain.run_stream import RunStream
from callagain.settings_check import (
    LimitOptions,
    OnUnknownTool,
    checked,
    checked_functions,
    checked_limits,
    checked_message,
    checked_policy,
    checked_prices,
    checked_records,
    checked_request_options,
    checked_throttle,
)
from callagain.support import check_support, chosen_profile


class ToolLoop(Generic[Output]):
    """Runs the tool-calling loop of Jitterbit's guide: `loop.run("Where is order 481516?")`.

    A loop does not change. Any number of threads and tasks may use it at the same time; runs share nothing.

    model: the model's name; on Azure the name of the deployment.
    tools: functions, what `@tool`, `Tool.from_model` and `tools_from_json` make, or tools of LangChain and
    LlamaIndex as they are.
    system_prompt: the guide's systemPrompt; there may be none.
    max_iterations: rounds of tools at the most; a run makes at most one LLM Call more than that.
    on_limit: "stop" there, or ask once more, for a "final_answer" without tools.
    client, base_url, api_key: which endpoint, see `callagain.connectors.endpoint`.
    api: "chat_completions" or "responses".
    profile: what the endpoint wants otherwise than others: a name, or a Profile; by default as the base URL
    says. See `callagain.connectors.profiles`.
    request_options: further fields of every request (temperature, max_tokens, tool_choice, …).
    parallel_tool_calls: False asks the model for one call at a time; every call is answered in any case.
    tool_choice_every_round: a forced tool_choice holds for every request, and not for the first alone.
    use_previous_response_id: the Responses API keeps the conversation, and only what is new is sent.
    stream: responses come in pieces; `loop.stream` does so in any case.
    timeout, tool_timeout: seconds for one attempt at a request, and for one call of a tool, in all.
    deadline: seconds for a whole run; then its outcome is limit.
    max_result_chars, max_argument_chars: of a result the model is told no more than that; no string of its
    arguments may be longer, unless the schema says so.
    on_unknown_tool: "tell" the model that there is no such tool, or "fail".
    max_repairs: rounds in a row in which the arguments for one tool do not fit. repeat_limit: the so-manieth
    call of one tool with the same arguments is not run, and ends the run.
    budget_tokens, budget_money, budget_requests, budget_tool_calls, budget_time: what a run may use, in
    tokens, US dollars by `prices`, HTTP requests, calls, seconds; see `callagain.extensions.budget`.
    approve_effects: every call of a tool that is not read_only waits for somebody. approver: who is asked at
    once, sync or async: PendingCall -> approve, deny(reason), edit(arguments). Without one the run is
    suspended.
    return_tool_requests: every call waits for its result, which the caller gives.
    untrusted_notice: the sentence of the system prompt about delimited data, if a tool is untrusted.
    response_format: a pydantic model, a dataclass or a TypedDict that the answer has to fit; it is
    `result.output` then. An answer that does not fit is asked for again, max_output_repairs times (2).
    compact_context: from so many tokens on (True: half of the context window) old results are shortened, or
    go through summarizer: (name, arguments, result) -> text.
    snapshot_key: signs snapshots; one that is not signed by it is refused.
    journal: the file that keeps every run, or what `open_journal` gave; runs of it are resumed by their ids.
    record_failures: a folder for runs that end failed: RUN_ID.json is what `result.export()` gives.
    max_retries, max_retry_wait, retry_base_delay: how often a request is sent again when another attempt may
    cure what happened, the longest wait before, and the first one; see `callagain.connectors.retry`.
    requests_per_minute, tokens_per_minute: no faster than that, over all runs of this loop; or throttle: one
    that several loops share.
    max_tokens_ceiling: calls that the output limit cut off are asked for again, with up to so many tokens.
    accept_truncated: an answer that the output limit cut off completes the run, with a warning.
    repair_history: a history that cannot be sent is mended, with a warning for each message.
    max_concurrent_tools: calls of one response that run at the same time.
    error_formatter: (exception, usual words) -> the words that the model is told.
    log_payloads: "none", "cut" or "full": what the log holds of InAndOut, arguments, results, errors.
    logger: a structlog logger; by default the application's, or logging's "callagain".
    observers: told of every run; see `callagain.observers`.
    chain: another chain; functions: what its operations may call by CallFunction.
    clock: by default the machine's; a test's own lets waits pass in no time.

    Raises ConfigurationError, ToolSchemaError, DuplicateToolError, ChainError.

    Guide: systemPrompt, toolsJson, model, parallel_tool_calls, maxIterations, tip on the limit.
    """

    def __init__(
        self,
        *,
        model: str,
        tools: Iterable[ToolLike] = (),
        system_prompt: str | None = None,
        max_iterations: int = 5,
        on_limit: OnLimit = "stop",
        client: ClientOrFactory | None = None,
        base_url: str | None = None,
        api_key: str | None = None,
        api: Api = "chat_completions",
        profile: Profile | str | None = None,
        request_options: Mapping[str, Any] | None = None,
        parallel_tool_calls: bool | None = None,
        tool_choice_every_round: bool = False,
        use_previous_response_id: bool = False,
        stream: bool = False,
        timeout: float | None = 60.0,
        tool_timeout: float | None = 60.0,
        max_retries: int = 2,
        max_retry_wait: float = 60.0,
        retry_base_delay: float = 0.5,
        requests_per_minute: float | None = None,
        tokens_per_minute: float | None = None,
        throttle: Throttle | None = None,
        max_result_chars: int | None = 50_000,
        max_argument_chars: int | None = 20_000,
        on_unknown_tool: OnUnknownTool = "tell",
        response_format: type[Output] | None = None,
        prices: Prices | Mapping[str, Prices] | None = None,
        approve_effects: bool = False,
        approver: Approver | None = None,
        return_tool_requests: bool = False,
        untrusted_notice: str = UNTRUSTED_NOTICE,
        compact_context: bool | int = False,
        summarizer: Callable[..., object] | None = None,
        snapshot_key: str | bytes | None = None,
        journal: JournalFile | str | os.PathLike[str] | None = None,
        record_failures: str | os.PathLike[str] | None = None,
        accept_truncated: bool = False,
        repair_history: bool = False,
        max_concurrent_tools: int = 8,
        error_formatter: FormatError | None = None,
        log_payloads: LogPayloads = "cut",
        logger: Any = None,
        observers: Sequence[Observer] = (),
        chain: Chain = TOOL_CALLING_LOOP,
        functions: Mapping[str, Callable[..., object]] | None = None,
        clock: Clock = SYSTEM_CLOCK,
        **limits: Unpack[LimitOptions],
    ) -> None:
        self.model, timeout = checked("model", model), checked("timeout", timeout)
        wire, self._notice = WIRE_FORMATS[checked("api", api)], checked("untrusted_notice", untrusted_notice)
        endpoint = Endpoint(wire, model, client=client, base_url=base_url, api_key=api_key, timeout=timeout)
        self.profile = chosen_profile(checked("profile", profile), endpoint)
        output = None if response_format is None else OutputFormat.of(response_format)
        sent_schema = output.request_field() if output and self.supports.json_schema else None
        self._means = Means(
            endpoint=endpoint,
            policy=checked_policy(max_retries, max_retry_wait, retry_base_delay),
            throttle=checked_throttle(throttle, requests_per_minute, tokens_per_minute),
            clock=checked("clock", clock),
            tools=collect_tools(tools),
            functions=checked_functions(functions, summarizer),
            tool_timeout=checked("tool_timeout", tool_timeout),
            max_argument_chars=checked("max_argument_chars", max_argument_chars),
            approve_effects=checked("approve_effects", approve_effects),
            format_error=checked("error_formatter", error_formatter),
        )
        self._inputs = replace(
            Inputs("", model, ""),
            system_prompt=checked("system_prompt", system_prompt),
            tools=announced(self._means.tools, checked("max_result_chars", max_result_chars)),
            request_options=checked_request_options(
                request_options, parallel_tool_calls, api, use_previous_response_id, sent_schema
            ),
            output_schema=output and output.schema,
            max_iterations=checked("max_iterations", max_iterations),
            on_limit=checked("on_limit", on_limit),
            limits=checked_limits(limits, compact_context, self.facts),
            summarize=summarizer is not None,
            prices=checked_prices(prices, model, limits.get("budget_money")),
            approve_effects=approve_effects,
            return_tool_requests=checked("return_tool_requests", return_tool_requests),
            fail_on_unknown_tool=checked("on_unknown_tool", on_unknown_tool) == "fail",
            profile=self.profile,
            api=api,
            stream=checked("stream", stream),
            tool_choice_every_round=checked("tool_choice_every_round", tool_choice_every_round),
            use_previous_response_id=use_previous_response_id,
            accept_truncated=checked("accept_truncated", accept_truncated),
            repair_history=checked("repair_history", repair_history),
        )
        records = checked_records(journal, snapshot_key, record_failures)
        log: tuple[Any, LogPayloads] = logger, log_payloads
        self._runs = LiveRuns[Output](
            self._means, self._inputs, chain, approver, records, max_concurrent_tools, log, output, observers
        )
        self.chain = self._runs.chain_for(self._inputs)
        check_support(self._inputs, self.supports)

    def __repr__(self) -> str:
        tools = list(self._means.tools)
        return f"ToolLoop(model={self.model!r}, tools={tools!r}, chain={self.chain.name!r})"

    def __reduce__(self) -> NoReturn:
        """Asked for where a loop is sent to a process that was spawned."""
        raise TypeError(
            "a ToolLoop cannot be pickled or copied, for its connections and tools belong to this process; "
            "make it in the process that uses it"
        )

    @property
    def system_prompt(self) -> str | None:
        return self._inputs.system_prompt

    @property
    def supports(self) -> Supports:
        """What the endpoint and the model take, as far as the profile knows."""
        supports = self.profile.supports
        return replace(
            supports,
            tools=supports.tools and self.facts.tools is not False,
            json_schema=supports.json_schema and self.facts.json_schema is not False,
        )

    @property
    def facts(self) -> ModelFacts:
        """What the profile knows of the model: context window, largest response, prices."""
        return self.profile.facts(self.model)

    @property
    def approver(self) -> Approver | None:
        return self._runs.approver

    @property
    def journal(self) -> JournalFile | None:
        return self._runs.records.journal

    @property
    def fingerprint(self) -> str:
        """What a kept run is held against: it goes on by a loop of the same chain and the same tools."""
        return fingerprint(self.chain, self._inputs)

    def run(
        self, message: Json, *, history: Sequence[Json] = (), run_id: str | None = None
    ) -> Result[Output]:
        """Runs to the outcome, and returns it; `result.outcome` says which it is.

        message: the guide's userMessage, a text or a list of content parts. history: messages of earlier
        turns, such as `result.messages`. run_id: a name of your own, by which logs and tools know the run.

        Guide: run of the controller, userMessage.
        """
        return self.start(message, history=history, run_id=run_id).run()

    async def arun(
        self, message: Json, *, history: Sequence[Json] = (), run_id: str | None = None
    ) -> Result[Output]:
        """The same on the running event loop."""
        return await self.start(message, history=history, run_id=run_id).arun()

    def stream(
        self, message: Json, *, history: Sequence[Json] = (), run_id: str | None = None
    ) -> RunStream[Output]:
        """A run whose responses come in pieces: `for event in loop.stream(…)`, or `async for`."""
        return RunStream(self.start(message, history=history, run_id=run_id, stream=True))

    def start(
        self,
        message: Json,
        *,
        history: Sequence[Json] = (),
        run_id: str | None = None,
        stream: bool | None = None,
    ) -> LiveRun[Output]:
        """A run that has not begun: step it one operation at a time, watch its events, or run it."""
        earlier = copied(checked("history", history))
        inputs = replace(
            self._inputs,
            run_id=checked("run_id", run_id) or uuid.uuid4().hex,
            seed=secrets.token_hex(16),
            system_prompt=system_prompt(
                self._inputs, earlier, self._notice, is_schema_sent=self.supports.json_schema
            ),
            user_message=checked_message(message),
            history=earlier,
            stream=self._inputs.stream if stream is None else checked("stream", stream),
        )
        return self._runs.live(Run(self.chain, inputs))

    def resume(
        self,
        run: Result[object] | str | bytes,
        *,
        decisions: Decisions | None = None,
        results: Results | None = None,
        changes: Mapping[str, Json] | None = None,
    ) -> Result[Output]:
        """Goes on with a run that is suspended, failed, at a limit, or was left; once, and to its outcome.

        run: a result, or the snapshot of one. decisions: by the id of a call, `approve`, `deny(reason)` or
        `edit(arguments)`. results: by the id of a call, what a tool would have returned, or an exception.
        changes: new limits, by the names of this loop's settings, as {"max_iterations": 10}; with these a run
        at its limit goes on, and runs the calls first that are open. What the run began with wins over the
        settings of this loop.
        Where this may be interrupted, as by a task that is cancelled, take `reopen`, whose `snapshot()` tells
        where the run stands by then, or a journal.
        Raises SnapshotError, DecisionError, ConfigurationError, JournalError; then nothing has happened.
        """
        self._means.endpoint.prepare()
        return self.reopen(run, decisions=decisions, results=results, changes=changes).run()

    async def aresume(
        self,
        run: Result[object] | str | bytes,
        *,
        decisions: Decisions | None = None,
        results: Results | None = None,
        changes: Mapping[str, Json] | None = None,
    ) -> Result[Output]:
        """The same on the running event loop."""
        await self._means.endpoint.aprepare()
        # The journal may be locked by another process for a while.
        reopen = partial(self.reopen, decisions=decisions, results=results, changes=changes)
        live = reopen(run) if self.journal is None else await asyncio.to_thread(reopen, run)
        return await live.arun()

    def reopen(
        self,
        run: Result[object] | str | bytes,
        *,
        decisions: Decisions | None = None,
        results: Results | None = None,
        changes: Mapping[str, Json] | None = None,
        kept_elsewhere: bool = False,
    ) -> LiveRun[Output]:
        """The run, ready to go on: to be stepped, watched or run.

        kept_elsewhere: something outside sees to it that one alone goes on with the run, as DBOS does; then
        neither the journal nor the approver of this loop has to do with it.
        """
        live = self._runs.taken_up(run, kept_elsewhere=kept_elsewhere)
        live.resume(decisions=decisions, results=results, changes=changes)
        return live

    def load(self, run: Result[object] | str | bytes) -> Result[Output]:
        """The result that a snapshot holds, or a run of the journal: to see which of its calls wait.

        Raises SnapshotError, JournalError.
        """
        live = self._runs.taken_up(run, kept_elsewhere=True)
        if live.result is None:
            raise SnapshotError(f"the run {live.run_id} has not come to an outcome; go on with it")
        return live.result

    def replay(self, run: Result[object] | str | bytes, *, until: int | None = None) -> ReplayedRun:
        """The run once more, without network and tools: of a result, a snapshot, or an id in the journal.

        until: stops behind the step of this number. `difference` tells the first place where it does not do
        what the run did. Raises SnapshotError, JournalError.
        """
        return replayed(self._runs.content(run), self._runs.chain_for, until)

    def conversation(
        self, conversation_id: str | None = None, **options: Unpack[TurnRules]
    ) -> Conversation[Output]:
        """Turns that follow one another, each told what was said before; `Conversation` has the options."""
        loop = LoopOfTurns(self, self._limited, self._inputs, self._means.tools, self.journal)
        return Conversation(loop, conversation_id, options)

    def _limited(self, limits: Limits) -> "ToolLoop[Output]":
        limited = object.__new__(type(self))
        limited.__dict__.update(self.__dict__)
        limited._inputs = replace(self._inputs, limits=limits)
        limited.chain = self._runs.chain_for(limited._inputs)
        return limited

"""The spans of one drive of a run: invoke_agent around all of it, and one for each operation."""

from types import TracebackType
from typing import cast

from opentelemetry.context import Context, get_current
from opentelemetry.trace import Link, Span, SpanKind, set_span_in_context

from callagain.engine.commands import CallFunction, CallTool, Command, Key, SendRequest
from callagain.engine.drivers import Work
from callagain.engine.events import CommandDelayed, CommandHeld, Event, OperationEnded, RunEnded
from callagain.engine.json_text import Json, decode
from callagain.engine.log_entries import Held, Receipt
from callagain.engine.run import Outcome, Run
from callagain.observers import ObservedRun
from callagain.telemetry import content
from callagain.telemetry import conventions as names
from callagain.telemetry.command_spans import CommandSpan, RequestSpan, ToolSpan
from callagain.telemetry.exchanges import Attribute, Attributes, request_attributes, server
from callagain.telemetry.quietly import quietly
from callagain.telemetry.recorder import Recorder, Words, now, seconds
from callagain.telemetry.traceparents import links_to, traceparent

LEFT = "left"


class DriveSpans:
    """Entered when the drive begins, and left when it ends, for whatever reason."""

    def __init__(self, observed: ObservedRun, recorder: Recorder) -> None:
        self._run = observed.run
        self._recorder = recorder
        self._words = Words(recorder.content, observed.hide_secrets)
        inputs = observed.run.inputs
        self._endpoint: Attributes = {
            names.PROVIDER_NAME: names.PROVIDERS.get(inputs.profile.name, inputs.profile.name),
            names.REQUEST_MODEL: inputs.model,
        }
        self._server = server(observed.base_url)
        self._agent: Attributes = {}
        if recorder.agent_name is not None:
            self._agent[names.AGENT_NAME] = recorder.agent_name
        self._span: Span | None = None
        self._context = Context()
        self._began = self._last_end = 0
        self._usage = observed.run.variables.usage
        self._operation: Span | None = None
        self._commands: dict[Key, CommandSpan] = {}
        self._requests = self._tool_calls = 0
        self._outcome: Outcome | None = None

    def __enter__(self) -> None:
        self._begin()

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._end(None if kind is None or kind is GeneratorExit else kind.__name__)

    @quietly
    def _begin(self) -> None:
        run, recorder = self._run, self._recorder
        outside = get_current()
        self._began = self._last_end = now()
        self._span = recorder.tracer.start_span(
            _named(names.INVOKE_AGENT, recorder.agent_name),
            outside,
            attributes={
                names.OPERATION_NAME: names.INVOKE_AGENT,
                **self._agent,
                **self._endpoint,
                names.RUN_ID: run.inputs.run_id,
                names.CHAIN: run.chain.name,
            },
            links=self._links() or (),
            start_time=self._began,
        )
        self._context = set_span_in_context(self._span, outside)
        if recorder.content:
            self._record_question(self._span)

    @quietly
    def _links(self) -> list[Link]:
        """To the span of the drive before; what cannot be read costs the link alone."""
        return links_to(self._recorder.traceparents.get(self._run.inputs.run_id))

    @quietly
    def event(self, event: Event) -> None:
        """What happened, as far as a span has to say it."""
        match event:
            case OperationEnded():
                self._operation_ended(event)
            case CommandDelayed(key=key) if key in self._commands:
                self._commands[key].delayed(event.seconds)
            case CommandHeld(command=CallTool() as call):
                self._add_event(names.CALL_HELD, call, {names.WAITS_FOR: event.why})
            case RunEnded():
                self._outcome = event.outcome
            case _:
                pass

    @quietly
    def decided(self, call: CallTool, verdict: str) -> None:
        """Somebody decided about a call that waited."""
        self._add_event(names.CALL_DECIDED, call, {names.VERDICT: verdict})

    @quietly
    def command_begun(
        self, run: Run, key: Key, command: Command, begun: Work | Receipt | Held
    ) -> CommandSpan | None:
        """The span of the command; None for one that waits, and for an answer that nobody had to give."""
        if self._span is None or isinstance(begun, Held):
            return None
        match command:
            case SendRequest() if not isinstance(begun, Receipt):
                span: CommandSpan = self._request(run, command)
            case CallTool():
                span = self._tool_call(run, command)
            case CallFunction() if not isinstance(begun, Receipt):
                began = now()
                span = CommandSpan(
                    self._start(run, f"function {command.name}", {names.FUNCTION: command.name}, began),
                    began,
                    self._words,
                )
            case _:
                return None
        if isinstance(begun, Receipt):
            # A call with arguments that do not fit, which nothing performs.
            span.settled(begun.value)
        else:
            self._commands[key] = span
        return span

    def _request(self, run: Run, command: SendRequest) -> RequestSpan:
        self._requests += 1
        began, fields = now(), run.variables.request.fields
        measured: Attributes = {names.OPERATION_NAME: names.CHAT, **self._endpoint, **self._server}
        if isinstance(model := fields.get("model"), str):
            measured[names.REQUEST_MODEL] = model
        span = self._start(
            run,
            f"{names.CHAT} {measured[names.REQUEST_MODEL]}",
            {**measured, **request_attributes(fields)},
            began,
            SpanKind.CLIENT,
        )
        if self._recorder.content and span.is_recording():
            self._record_request(span, command)
        wire, instruments = run.inputs.wire, self._recorder.instruments
        streams = fields.get("stream") is True
        return RequestSpan(span, began, self._words, instruments, measured, wire.error_in, streams=streams)

    def _tool_call(self, run: Run, command: CallTool) -> ToolSpan:
        self._tool_calls += 1
        began = now()
        measured: Attributes = {
            names.OPERATION_NAME: names.EXECUTE_TOOL,
            names.TOOL_NAME: command.name,
            names.TOOL_TYPE: "function",
        }
        attributes = {**measured, names.TOOL_CALL_ID: command.call_id}
        if (description := _description(run, command.name)) is not None:
            attributes[names.TOOL_DESCRIPTION] = description
        span = self._start(run, _named(names.EXECUTE_TOOL, command.name), attributes, began)
        instruments = self._recorder.instruments
        return ToolSpan(span, began, self._words, instruments, command, {**measured, **self._agent})

    def _start(
        self,
        run: Run,
        name: str,
        attributes: dict[str, Attribute],
        began: int,
        kind: SpanKind = SpanKind.INTERNAL,
    ) -> Span:
        """The span of a command, within that of the operation that asked for it."""
        context = self._context
        if self._recorder.operations:
            context = set_span_in_context(self._operation_span(run.state), context)
        return self._recorder.tracer.start_span(name, context, kind, attributes=attributes, start_time=began)

    def _operation_span(self, name: str) -> Span:
        """Of the operation under way. It began when the one before had ended."""
        if self._operation is None:
            attributes: Attributes = {names.OPERATION: name}
            self._operation = self._recorder.tracer.start_span(
                f"operation {name}", self._context, attributes=attributes, start_time=self._last_end
            )
        return self._operation

    def _operation_ended(self, event: OperationEnded) -> None:
        step, ended = event.step, now()
        self._commands.clear()
        if self._recorder.operations and self._span is not None:
            span = self._operation_span(step.operation)
            self._operation = None
            span.set_attributes(
                {
                    names.OPERATION_EVENT: step.event,
                    names.OPERATION_NEXT: step.target,
                    names.LOOP_COUNT: step.after.loop_count,
                }
            )
            for note in step.notes:
                if note.code is not None:
                    span.add_event(names.WARNING, {names.WARNING_CODE: note.code})
            if step.problem is not None:
                self._words.fail(span, step.problem.kind, step.problem.message)
            span.end(ended)
        self._last_end = ended

    def _add_event(self, name: str, call: CallTool, attributes: Attributes) -> None:
        if self._span is not None:
            told = {names.TOOL_NAME: call.name, names.TOOL_CALL_ID: call.call_id, **attributes}
            self._span.add_event(name, told)

    def _record_question(self, span: Span) -> None:
        inputs = self._run.inputs
        if inputs.system_prompt:
            prompt: Json = [{"type": "text", "content": inputs.system_prompt}]
            self._words.record(span, names.SYSTEM_INSTRUCTIONS, prompt)
        self._words.record(span, names.INPUT_MESSAGES, [content.message("user", inputs.user_message)])
        tools = cast("list[Json]", [tool.entry for tool in inputs.tools])
        self._words.record(span, names.TOOL_DEFINITIONS, content.tool_definitions(tools))

    @quietly
    def _record_request(self, span: Span, command: SendRequest) -> None:
        body = decode(command.body.decode())
        asked = body if isinstance(body, dict) else {}
        self._words.record(span, names.SYSTEM_INSTRUCTIONS, content.system_instructions(asked))
        self._words.record(span, names.INPUT_MESSAGES, content.input_messages(asked))
        self._words.record(span, names.TOOL_DEFINITIONS, content.tool_definitions(asked.get("tools")))

    @quietly
    def _end(self, raised: str | None) -> None:
        for command in self._commands.values():
            command.left(raised or LEFT)
        self._commands.clear()
        ended = now()
        if self._operation is not None:
            self._operation.end(ended)
            self._operation = None
        if (span := self._span) is None:
            return
        self._span = None
        try:
            self._measure(span, seconds(self._began, ended), self._record_outcome(span, raised))
        finally:
            span.end(ended)
        self._remember(span)

    def _measure(self, span: Span, seconds_taken: float, error_type: str | None) -> None:
        measured: Attributes = {names.OPERATION_NAME: names.INVOKE_AGENT, **self._agent, **self._endpoint}
        instruments, context = self._recorder.instruments, set_span_in_context(span)
        instruments.requests_of_a_run.record(self._requests, measured, context)
        instruments.tool_calls_of_a_run.record(self._tool_calls, measured, context)
        if error_type is not None:
            measured[names.ERROR_TYPE] = error_type
        instruments.run_duration.record(seconds_taken, measured, context)

    def _record_outcome(self, span: Span, raised: str | None) -> str | None:
        """What the drive came to; the type of its error, if it is one."""
        variables, outcome = self._run.variables, self._outcome
        used = variables.usage - self._usage
        span.set_attributes(
            {
                names.OUTCOME: outcome or LEFT,
                names.LOOP_COUNT: variables.loop_count,
                names.USAGE_INPUT: used.prompt_tokens,
                names.USAGE_OUTPUT: used.completion_tokens,
            }
        )
        if raised is not None:
            self._words.fail(span, raised)
            return raised
        if outcome == "suspended":
            span.set_attribute(names.WAITS_FOR, next(iter(self._run.open.held.values())).why)
        problem = self._run.problem
        if outcome in ("failed", "limit") and problem is not None:
            self._words.fail(span, problem.kind, problem.message)
            return problem.kind
        if variables.final_response is not None:
            said: Json = [content.message("assistant", variables.final_response)]
            self._words.record(span, names.OUTPUT_MESSAGES, said)
        return None

    def _remember(self, span: Span) -> None:
        """A run that may go on is linked with this span then."""
        run_id, traceparents = self._run.inputs.run_id, self._recorder.traceparents
        if self._outcome == "completed":
            traceparents.pop(run_id, None)
        elif (known := traceparent(span.get_span_context())) is not None:
            traceparents[run_id] = known


def _named(operation: str, name: str | None) -> str:
    return operation if name is None else f"{operation} {name}"


def _description(run: Run, name: str) -> str | None:
    """As it is announced: beside the name, or within `function`."""
    tool = run.inputs.tool(name)
    entry = tool.entry if tool is not None else {}
    function = entry.get("function")
    described = (function if isinstance(function, dict) else entry).get("description")
    return described if isinstance(described, str) and described else None

"""The variables of a run: Jitterbit's global variables, by the guide's names, as one typed object.

Inside they are Python values. `as_jitterbit` gives them exactly as the guide holds them, as strings,
booleans and numbers; `assign_jitterbit` is its inverse, since the guide's scripts assign InAndOut and
tools_messages whole.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field, fields, replace
from operator import attrgetter
from typing import Any, TypeAlias

from callagain.engine.growing_sequence import CountedSequence, GrowingSequence
from callagain.engine.json_text import Json, JsonError, JsonObject, decode, encode, to_utf8
from callagain.engine.limits import Limits
from callagain.engine.problem import Problem
from callagain.engine.receipts import ToolResult
from callagain.engine.request_body import RequestBody
from callagain.engine.run_inputs import Inputs
from callagain.engine.wire.http_answer import HttpAnswer
from callagain.engine.wire.reply import Call, Note, Reply
from callagain.engine.wire.tool_names import resolve_name
from callagain.engine.wire.usage import Usage

JitterbitValue: TypeAlias = str | bool | int


@dataclass(slots=True)
class Variables:
    """Operations read and write these. A value is replaced, never changed in place.

    inputs: what the run began with.
    max_iterations: the guide's maxIterations. limits: the others; limit_reached: the one that was.
    request: InAndOut without its messages. non_tool_messages: the base messages, as they stand in it.
    tools_messages: one fragment of InAndOut for each finished round: the assistant message and its results.
    response, reply: the last response as received, and as read. tools_resp: the body of the last response
    that held calls.
    tool_calls: all calls of the last response; the four scalars below it are the guide's, and hold its
    first call. function_resps: the answers to all of them.
    used_call_ids: of the calls in the history.
    own: values of inserted operations, JSON only, by the name of the operation.
    failed_rounds: of a tool, the rounds in a row in which the arguments of its calls did not fit.
    call_digests: one for each call that was answered, the same for the same call. answered_ids: their ids.
    open_digests: the calls of the last response, and a digest of each; empty for those that do not count as
    repeated. faults: of results that were cut and arguments that were wrong, for the warnings about them.
    requests: HTTP requests, retries included. tool_results, usage: of the whole run; estimated_usage: of the
    responses of which the endpoint did not say what it counts.
    problem: why the operation before failed, for the links of On Fail (Jitterbit's GetLastError).
    notes: the lines that the current operation wrote to the log.

    Guide: global variables.
    Guide in non_tool_messages: non_tool_messages_json.
    Guide in response: $jitterbit.response.
    Guide in max_iterations: maxIterations.
    Departs from the guide in global variables: in the guide any script sets any of them, for all others. Here
    they belong to one run, and an operation works on a copy: runs share nothing, and what each operation
    changed can be looked at.
    """

    inputs: Inputs
    max_iterations: int
    limits: Limits
    request: RequestBody
    non_tool_messages: bytes = b""
    tools_messages: GrowingSequence[bytes] = field(default_factory=GrowingSequence[bytes])
    assigned_request: bytes | None = None
    response: HttpAnswer | None = None
    reply: Reply | None = None
    tools_resp: str = ""
    call_llm_again: bool = False
    loop_count: int = 0
    tool_calls: tuple[Call, ...] = ()
    tool_call_id: str = ""
    function_name: str = ""
    function_arguments: str = ""
    function_resp: str = ""
    function_resps: tuple[str, ...] = ()
    final_response: str | None = None
    used_call_ids: frozenset[str] = frozenset()
    limit_reached: Problem | None = None
    failed_rounds: Mapping[str, int] = field(default_factory=dict[str, int])
    call_digests: CountedSequence[str] = field(default_factory=CountedSequence[str])
    answered_ids: CountedSequence[str] = field(default_factory=CountedSequence[str])
    open_digests: tuple[tuple[Call, ...], tuple[str, ...]] = ((), ())
    faults: CountedSequence[tuple[str, ...]] = field(default_factory=CountedSequence[tuple[str, ...]])
    requests: int = 0
    own: dict[str, Json] = field(default_factory=dict[str, Json])
    tool_results: GrowingSequence[ToolResult] = field(default_factory=GrowingSequence[ToolResult])
    usage: Usage = field(default_factory=Usage)
    estimated_usage: Usage = field(default_factory=Usage)
    problem: Problem | None = None
    notes: tuple[Note, ...] = ()

    @classmethod
    def of(cls, inputs: Inputs) -> "Variables":
        field = inputs.wire.messages_field
        empty = RequestBody.around_messages({field: []}, field)
        return cls(inputs=inputs, max_iterations=inputs.max_iterations, limits=inputs.limits, request=empty)

    def copy(self, notes: tuple[Note, ...] = ()) -> "Variables":
        """The copy that the next operation works on. Notes are an operation's own."""
        copied = Variables(*_VALUES(self))
        copied.own = dict(self.own)
        copied.notes = notes
        return copied

    @property
    def InAndOut(self) -> bytes:
        """The request body, as it is sent."""
        if self.assigned_request is not None:
            return self.assigned_request
        fragments = [self.non_tool_messages] if self.non_tool_messages else []
        return self.request.join([*fragments, *self.tools_messages])

    @property
    def request_bytes(self) -> int:
        """The length of InAndOut, without joining it."""
        if self.assigned_request is not None:
            return len(self.assigned_request)
        fragments = [self.non_tool_messages] if self.non_tool_messages else []
        return self.request.length([*fragments, *self.tools_messages])

    @property
    def open_calls(self) -> tuple[Call, ...]:
        """The calls of the last response that held some, while they have no answers."""
        return () if self.function_resps else self.tool_calls

    @property
    def messages(self) -> list[JsonObject]:
        """The conversation as it can be sent on: the base messages and all finished rounds."""
        fragments = [self.non_tool_messages] if self.non_tool_messages else []
        value = decode(_array([*fragments, *self.tools_messages]))
        return [item for item in value if isinstance(item, dict)] if isinstance(value, list) else []

    def write_to_operation_log(self, message: str) -> None:
        """A line in the operation log, under this operation.

        Guide: WriteToOperationLog.
        """
        self.notes = (*self.notes, Note(message))

    def warn(self, code: str, message: str) -> None:
        """A warning: a line in the operation log, and in `result.warnings`."""
        self.notes = (*self.notes, Note(message, code))

    def as_jitterbit(self) -> dict[str, JitterbitValue]:
        """Every variable of the guide, by its name there, as Jitterbit holds it. Absent texts are empty.

        Guide: logging of tools_messages.
        """
        inputs = self.inputs
        user_message = inputs.user_message
        return {
            "systemPrompt": inputs.system_prompt or "",
            "userMessage": user_message if isinstance(user_message, str) else encode(user_message).decode(),
            "toolsJson": encode([tool.entry for tool in inputs.tools]).decode(),
            "maxIterations": self.max_iterations,
            "InAndOut": self.InAndOut.decode() if self._is_built else "",
            "non_tool_messages_json": _array([self.non_tool_messages]) if self._is_built else "",
            "tools_messages": _array(list(self.tools_messages)) if len(self.tools_messages) else "",
            "tools_resp": self.tools_resp,
            "call_llm_again": self.call_llm_again,
            "loop_count": self.loop_count,
            "tool_call_id": self.tool_call_id,
            "function_name": self.function_name,
            "function_arguments": self.function_arguments,
            "function_resp": self.function_resp,
            "final_response": self.final_response or "",
        }

    @property
    def _is_built(self) -> bool:
        """Whether there is a request: there is none before Part 1."""
        return (
            self.assigned_request is not None or bool(self.non_tool_messages) or len(self.request.fields) > 1
        )

    def assign_jitterbit(self, name: str, value: JitterbitValue) -> None:
        """Assigns a variable by the guide's name, in the guide's form.

        An assigned InAndOut is sent as it stands, until Append Tool Result rebuilds it; other messages that
        are assigned stand in the next request. The names of one call stand for the first call of the
        response, which is then dispatched and answered as they say; an assigned tools_resp stands for the
        assistant message that goes back, and not for its calls.
        Raises ValueError for an unknown name, a value of another type, or a text that is not the JSON that
        this variable holds.
        """
        if name in _TEXTS and isinstance(value, str):
            self._assign_text(name, value)
        elif name == "call_llm_again" and isinstance(value, bool):
            self.call_llm_again = value
        elif name in _NUMBERS and isinstance(value, int) and not isinstance(value, bool):
            setattr(self, _NUMBERS[name], value)
        elif name == "InAndOut" and isinstance(value, str):
            fields = _object(name, value)
            fields.setdefault(self.request.messages_field, [])
            self.request = RequestBody.around_messages(fields, self.request.messages_field)
            self.assigned_request = to_utf8(value)
        elif name == "tools_messages" and isinstance(value, str):
            rounds = _members(name, value) if value else b""
            self.tools_messages = GrowingSequence(rounds) if rounds else GrowingSequence()
        elif name == "non_tool_messages_json" and isinstance(value, str):
            self.non_tool_messages = _members(name, value)
        elif name in _CONSTANTS:
            raise ValueError(f"{name} is set when the run begins, and stays as it is")
        else:
            raise ValueError(f"there is no variable {name!r} that can hold a {type(value).__name__}")

    def _assign_text(self, name: str, value: str) -> None:
        if name == "function_resp" and self.function_resps:
            self.function_resps = (value, *self.function_resps[1:])
        elif name in _OF_A_CALL and self.tool_calls:
            first, *others = self.tool_calls
            if first.error is not None and first.error.error == "unknown_tool":
                first = replace(first, error=None)
            changed = replace(first, **_changes_of_a_call(name, value))
            announced = [tool.name for tool in self.inputs.tools]
            self.tool_calls = (resolve_name(changed, announced)[0], *others)
        elif name == "tools_resp" and self.reply is not None and value:
            self.reply = replace(self.reply, message=self._message_in(name, value))
        setattr(self, name, value)

    def _message_in(self, name: str, text: str) -> JsonObject:
        message = self.inputs.wire.message_in(_object(name, text))
        if message is None:
            raise ValueError(f"{name} must hold a response")
        return message


_VALUES = attrgetter(*(each.name for each in fields(Variables)))
_OF_A_CALL = {"tool_call_id": "id", "function_name": "name", "function_arguments": "arguments_text"}
_TEXTS = (
    "tools_resp",
    "tool_call_id",
    "function_name",
    "function_arguments",
    "function_resp",
    "final_response",
)
_NUMBERS = {"loop_count": "loop_count", "maxIterations": "max_iterations"}
_CONSTANTS = ("systemPrompt", "userMessage", "toolsJson")


def _changes_of_a_call(name: str, value: str) -> dict[str, Any]:
    if name != "function_arguments":
        return {_OF_A_CALL[name]: value}
    return {"arguments_text": value, "arguments": _object(name, value), "error": None}


def _array(fragments: list[bytes]) -> str:
    return f"[{b','.join(fragments).decode()}]"


def _decoded(name: str, text: str, kind: str) -> Json:
    try:
        return decode(text)
    except JsonError as error:
        raise ValueError(f"{name} must be a JSON {kind}: {error}") from None


def _object(name: str, text: str) -> JsonObject:
    value = _decoded(name, text, "object")
    if not isinstance(value, dict):
        raise ValueError(f"{name} must be a JSON object, got {text[:40]}")
    return value


def _members(name: str, text: str) -> bytes:
    if not isinstance(_decoded(name, text, "array"), list):
        raise ValueError(f"{name} must be a JSON array, got {text[:40]}")
    return to_utf8(text.strip()[1:-1].strip())

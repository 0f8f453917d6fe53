"""What somebody says about a call that waits: approve, deny, other arguments, or its result."""

import copy
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from types import EllipsisType
from typing import Literal, TypeAlias, cast

from callagain.connectors.tool_calls import ToolCalls
from callagain.connectors.tools import ToolProblem
from callagain.engine.commands import CallFunction, CallTool, Key
from callagain.engine.errors import DecisionError
from callagain.engine.json_text import Json, JsonError, JsonObject, decode, encode
from callagain.engine.log_entries import Decision
from callagain.engine.receipts import FunctionReceipt, ToolReceipt
from callagain.engine.run import Run
from callagain.pending_calls import PendingCall, call_binding

Decisions: TypeAlias = Mapping[str, "Verdict | bool"]
Results: TypeAlias = Mapping[str, object] | Iterable[tuple[str, object]]
_REASON = "the call was denied"
_NO_RESULTS = "results must map the ids of calls to values, or be pairs of both"


@dataclass(frozen=True, slots=True)
class Verdict:
    """Made by `approve`, `deny` and `edit`. digest: of the call that was seen, if the verdict names it."""

    says: Literal["approve", "deny", "edit"]
    reason: str = ""
    arguments: JsonObject | None = None
    digest: str | None = None

    def __call__(self, about: "PendingCall | str | EllipsisType" = ...) -> "Verdict":
        """The same about one call alone: a PendingCall, or the `digest` of one that was shown to somebody.

        The verdict is refused for every other call, even of the same id; without one it is about any. Raises
        DecisionError for what is neither, as a digest that got lost.
        """
        if about is ...:
            return self
        digest = cast("object", about.digest if isinstance(about, PendingCall) else about)
        if not isinstance(digest, str) or not digest:
            raise DecisionError("a verdict about one call needs the call, or its digest")
        return replace(self, digest=digest)


approve = Verdict("approve")
"""The call is run. `approve`, `approve()` and `approve(call)` are verdicts."""


def deny(reason: str = _REASON, about: PendingCall | str | None = None) -> Verdict:
    """The call is not run; the model is told the reason, as the tool error `denied`."""
    verdict = Verdict("deny", reason=reason)
    return verdict if about is None else verdict(about)


def edit(arguments: JsonObject, about: PendingCall | str | None = None) -> Verdict:
    """The call is run with these arguments in place of the model's."""
    verdict = Verdict("edit", arguments=copy.deepcopy(arguments))
    return verdict if about is None else verdict(about)


def entries_for(
    run: Run, tool_calls: ToolCalls, verdicts: Mapping[str, Verdict | bool], results: Results
) -> list[Decision]:
    """The log entries for verdicts and results, by the ids of calls. Nothing has changed yet.

    Raises DecisionError for an id that does not wait or comes twice, for a call that waits for a result and
    gets none, for a verdict about another call, and for arguments or a result that cannot be used.
    """
    held = {_id_of(run, key): key for key in run.open.held}
    given = _given(verdicts, results)
    for call_id in given:
        if call_id not in held:
            raise DecisionError(f"{_not_waiting(run, call_id)}; {_waiting(held)}")
    requested = [call_id for call_id, key in held.items() if run.open.held[key].why == "tool_requests"]
    missing = [call_id for call_id in requested if call_id not in given]
    if missing:
        raise DecisionError(
            f"no result for {', '.join(missing)}; give one for every call that waits, in "
            "results={id: value} or, to let the loop run it, decisions={id: approve}"
        )
    if not given:
        raise DecisionError(f"nothing was decided; {_waiting(held)}")
    return [_entry(run, held[call_id], tool_calls, said) for call_id, said in given.items()]


@dataclass(frozen=True, slots=True)
class _Value:
    value: object


def _given(verdicts: object, results: object) -> dict[str, Verdict | _Value]:
    if not isinstance(verdicts, Mapping):
        raise DecisionError("decisions must map the ids of calls to approve, deny(reason) or edit(arguments)")
    given: dict[str, Verdict | _Value] = {}
    for call_id, verdict in cast("Mapping[str, object]", verdicts).items():
        if isinstance(verdict, bool):
            verdict = approve if verdict else deny()
        elif verdict is deny:
            verdict = deny()
        if not isinstance(verdict, Verdict):
            raise DecisionError(
                f"the decision about {call_id} must be approve, deny(reason) or edit(arguments), not "
                f"{type(verdict).__name__}; a result goes into results="
            )
        reason = cast("object", verdict.reason)
        if not isinstance(reason, str):
            raise DecisionError(
                f"the reason for denying {call_id} must be a text, not {type(reason).__name__}"
            )
        given[call_id] = verdict
    for call_id, value in _pairs(results):
        if call_id in given:
            raise DecisionError(f"{call_id} was decided twice; say one thing about each call")
        given[call_id] = _Value(value)
    return given


def _pairs(results: object) -> list[tuple[str, object]]:
    pairs = cast("Mapping[str, object]", results).items() if isinstance(results, Mapping) else results
    try:
        given = [(call_id, value) for call_id, value in cast("Iterable[tuple[str, object]]", pairs)]
    except (TypeError, ValueError):
        raise DecisionError(_NO_RESULTS) from None
    if not all(isinstance(cast("object", call_id), str) for call_id, _ in given):
        raise DecisionError(_NO_RESULTS)
    return given


def _entry(run: Run, key: Key, tool_calls: ToolCalls, said: Verdict | _Value) -> Decision:
    command = run.open.commands[key]
    digest = command.digest
    if isinstance(command, CallFunction):
        return _about_function(key, command, said)
    assert isinstance(command, CallTool)
    if isinstance(said, _Value):
        return Decision(key, digest, "answer", _receipt(tool_calls, command, said.value))
    if said.digest is not None and said.digest != call_binding(run, key, command):
        raise DecisionError(
            f"the decision about {command.call_id} was made about another call: the run, the step, the "
            f"position, the name, the arguments or the schema of {command.name} differs; look at "
            "result.pending_calls, and decide anew"
        )
    if said.says == "deny":
        reason = tool_calls.means.endpoint.hide_secrets(said.reason or _REASON)
        return Decision(key, digest, "answer", ToolReceipt.of_error("denied", reason).as_json())
    if said.says == "edit":
        return Decision(key, digest, "edit", _edited(run, key, tool_calls, command, said.arguments))
    return Decision(key, digest, "release")


def _about_function(key: Key, command: CallFunction, said: Verdict | _Value) -> Decision:
    if isinstance(said, _Value):
        try:
            value = decode(encode(said.value).decode())
        except JsonError as error:
            raise DecisionError(f"the result of {command.name} {error}") from None
        return Decision(key, command.digest, "answer", FunctionReceipt(value).as_json())
    if said.says != "approve":
        raise DecisionError(f"the function {command.name} can be approved, or get its result in results=")
    return Decision(key, command.digest, "release")


def _receipt(tool_calls: ToolCalls, command: CallTool, value: object) -> Json:
    receipts = tool_calls.receipts(command.name)
    if isinstance(value, Exception):
        return receipts.of_error(value)
    try:
        return receipts.of_value(value)
    except ToolProblem as problem:
        raise DecisionError(
            f"the result of {command.name} ({command.call_id}) cannot be used: {problem.message}"
        ) from None


def _edited(run: Run, key: Key, tool_calls: ToolCalls, command: CallTool, arguments: object) -> JsonObject:
    try:
        value = decode(encode(arguments).decode())
    except JsonError as error:
        raise DecisionError(f"the new arguments of {command.name} are no JSON: {error}") from None
    if not isinstance(value, dict):
        raise DecisionError(f"the new arguments of {command.name} must be a JSON object, as in edit({{…}})")
    try:
        tool_calls.bound(run, key, replace(command, arguments=value)).validated()
    except ToolProblem as problem:
        raise DecisionError(f"the new arguments of {command.name} do not fit: {problem.message}") from None
    return value


def _id_of(run: Run, key: Key) -> str:
    command = run.open.commands[key]
    return command.call_id if isinstance(command, CallTool) else getattr(command, "name", "")


def _not_waiting(run: Run, call_id: str) -> str:
    answered = {result.id for result in run.variables.tool_results}
    open_ids = {call.id for call in run.variables.open_calls}
    if call_id in answered or call_id in open_ids:
        return f"the call {call_id} does not wait for a decision any more: it was decided or answered already"
    return f"the run {run.inputs.run_id} has no call {call_id}"


def _waiting(held: Mapping[str, Key]) -> str:
    return f"waiting: {', '.join(held)}" if held else "no call waits for a decision"

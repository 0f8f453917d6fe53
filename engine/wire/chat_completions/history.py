"""The messages that a caller brings from earlier turns: whole, or refused before anything is sent.

Chat Completions wants every tool call answered by one tool message, directly after the message that made
the calls: https://platform.openai.com/docs/guides/function-calling
"""

from collections.abc import Sequence

from callagain.engine.error_kinds import advised
from callagain.engine.errors import Failure
from callagain.engine.json_text import Json, JsonError, JsonObject, decode, encode
from callagain.engine.receipts import ToolReceipt
from callagain.engine.wire.arguments import read_arguments
from callagain.engine.wire.call_ids import generated_id, usable_id
from callagain.engine.wire.profile import Profile
from callagain.engine.wire.reply import Note

_ROLES = ("system", "developer", "user", "assistant", "tool")
_SAYS_SOMETHING = ("content", "refusal", "audio", "function_call")

NOT_EXECUTED = ToolReceipt.of_error("not_executed", "this call was never executed")


def base_messages(
    system_prompt: str | None, earlier: Sequence[Json], user_message: Json, profile: Profile, *, repair: bool
) -> tuple[list[JsonObject], list[Note]]:
    """The conversation before the first request, and what was mended in it."""
    history = _History(profile, repair)
    for index, message in enumerate(earlier):
        history.take(index, message)
    history.end(len(earlier) - 1)
    messages = history.messages
    if system_prompt is not None:
        if messages and messages[0]["role"] in ("system", "developer"):
            messages = messages[1:]
        system: JsonObject = {"role": "system", "content": system_prompt}
        messages = [system, *messages]
    return [*messages, {"role": "user", "content": user_message}], history.notes


class _History:
    """Takes the messages in their order. The caller's own are not changed.

    _open: the calls without an answer as yet, each with the id that it is sent by.
    """

    def __init__(self, profile: Profile, repair: bool) -> None:
        self.messages: list[JsonObject] = []
        self.notes: list[Note] = []
        self._profile = profile
        self._repair = repair
        self._open: dict[str, str] = {}
        self._taken: set[str] = set()

    def take(self, index: int, received: Json) -> None:
        try:
            # Whoever changes a message later does not change the run.
            message = decode(encode(received).decode())
        except JsonError as error:
            raise _invalid(index, str(error)) from None
        if not isinstance(message, dict) or message.get("role") not in _ROLES:
            raise _invalid(index, f"is no message with a role of {', '.join(_ROLES)}")
        if message["role"] == "tool":
            self._take_answer(index, message)
            return
        if self._open:
            self._answer_open_calls(index, f"comes before the answer to tool call {self._first_open!r}")
        if not message.get("tool_calls"):
            message.pop("tool_calls", None)
            self._take_saying(index, message)
        elif message["role"] == "assistant":
            self.messages.append({**message, "tool_calls": self._calls(index, message["tool_calls"])})
        else:
            raise _invalid(index, f"has tool_calls, which a message of role {message['role']} cannot have")

    def end(self, last: int) -> None:
        """The history is over; no call may be open now."""
        if self._open:
            what = f"ends the history before the answer to tool call {self._first_open!r}"
            self._answer_open_calls(last, what)

    @property
    def _first_open(self) -> str:
        return next(iter(self._open))

    def _take_saying(self, index: int, message: JsonObject) -> None:
        if any(message.get(name) is not None for name in _SAYS_SOMETHING):
            self.messages.append(message)
        else:
            self._mend(index, "says nothing: it has neither content nor tool_calls", "it was left out")

    def _take_answer(self, index: int, message: JsonObject) -> None:
        call_id = message.get("tool_call_id")
        if isinstance(call_id, str) and call_id in self._open:
            self.messages.append({**message, "tool_call_id": self._open.pop(call_id)})
        else:
            self._mend(index, f"answers tool call {call_id!r}, which is not open there", "it was left out")

    def _answer_open_calls(self, index: int, what: str) -> None:
        for call_id, sent_id in self._open.items():
            self._mend(index, what, f"call {call_id!r} was answered with not_executed")
            answer: JsonObject = {"role": "tool", "tool_call_id": sent_id, "content": NOT_EXECUTED.content}
            self.messages.append(answer)
        self._open = {}

    def _calls(self, index: int, calls: Json) -> list[Json]:
        entries = [call for call in calls if isinstance(call, dict)] if isinstance(calls, list) else []
        ids = [call_id for call in entries if isinstance(call_id := call.get("id"), str) and call_id]
        if not isinstance(calls, list) or len(ids) != len(calls) or len(set(ids)) != len(ids):
            raise _invalid(index, "has tool_calls that are no list of calls with an id of its own each")
        self._open = {call_id: self._sent_id(index, call_id) for call_id in ids}
        return [self._call(index, call, call_id) for call, call_id in zip(entries, ids, strict=True)]

    def _call(self, index: int, call: JsonObject, call_id: str) -> JsonObject:
        call = {**call, "id": self._open[call_id]}
        if isinstance(function := call.get("function"), dict):
            call.setdefault("type", "function")
            received = function.get("arguments")
            text = read_arguments(received).text
            if text != received:
                call["function"] = {**function, "arguments": text}
                what = f"the arguments of call {call_id!r} in message {index} of the history"
                self.notes.append(Note(f"{what} were sent as {text[:100]}", "arguments_repaired"))
        return call

    def _sent_id(self, index: int, call_id: str) -> str:
        """The id itself, unless the endpoint refuses it, or an earlier call has it."""
        sent = usable_id(call_id, self._taken, self._profile)
        if sent is None:
            sent = generated_id(call_id, self._taken)
            what = f"the call id {call_id!r} in message {index} of the history was replaced by {sent}"
            self.notes.append(Note(what, "call_id_replaced"))
        self._taken.add(sent)
        return sent

    def _mend(self, index: int, what: str, how: str) -> None:
        if not self._repair:
            told = f"message {index} of the history {what}"
            raise Failure("invalid_history", advised("invalid_history", told))
        self.notes.append(Note(f"message {index} of the history {what}; {how}", "history_repaired"))


def _invalid(index: int, what: str) -> Failure:
    """Nobody could know how to mend it."""
    told = f"message {index} of the history {what.rstrip('.')}"
    return Failure("invalid_history", f"{told}; mend it, or pass result.messages of an earlier run")

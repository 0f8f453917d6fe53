"""The messages that a caller brings from earlier turns: whole, or refused before anything is sent.

Chat Completions wants every tool call answered by one tool message, directly after the message that made
the calls: https://platform.openai.com/docs/guides/function-calling
"""

from collections.abc import Sequence
from dataclasses import dataclass

from callagain.engine.json_text import Json, JsonError, JsonObject, decode, encode
from callagain.engine.wire.chat_completions.reply import is_of_another_type
from callagain.engine.wire.history_mending import NOT_EXECUTED, HistoryMending, invalid
from callagain.engine.wire.profile import Profile
from callagain.engine.wire.reply import Note

_ROLES = ("system", "developer", "user", "assistant", "tool")
_SAYS_SOMETHING = ("content", "refusal", "audio", "function_call")


def base_messages(
    system_prompt: str | None, earlier: Sequence[Json], user_message: Json, profile: Profile, *, repair: bool
) -> tuple[list[JsonObject], list[Note]]:
    """The conversation before the first request, and what was mended in it.

    Guide: systemMsg, userMsg.
    Departs from the guide in systemMsg: the guide always sends one. Here a loop need not have a system
    prompt, and then sends none; the messages of earlier turns stand between the two.
    """
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


@dataclass(slots=True)
class _OpenCall:
    """A call that waits for its answer: the id it came with, and the one it is sent by; later its answer,
    and where in the history that stands."""

    received: Json
    sent: str
    answer: JsonObject | None = None
    place: int | None = None


class _History(HistoryMending):
    """Takes the messages in their order. The caller's own are not changed."""

    def __init__(self, profile: Profile, repair: bool) -> None:
        super().__init__(profile, repair)
        self.messages: list[JsonObject] = []
        self._open: list[_OpenCall] = []

    def take(self, index: int, received: Json) -> None:
        try:
            # Whoever changes a message later does not change the run.
            copied = decode(encode(received).decode())
        except JsonError as error:
            raise invalid(index, str(error)) from None
        if not isinstance(copied, dict) or copied.get("role") not in _ROLES:
            hint = ", but an item of the Responses API" if _is_typed(copied) else ""
            raise invalid(index, f"is no message with a role of {', '.join(_ROLES)}{hint}")
        # As in the rounds of the loop: some endpoints refuse fields that are null.
        message: JsonObject = {
            name: value for name, value in copied.items() if value is not None and value != []
        }
        if message["role"] == "tool":
            self._take_answer(index, {**message, "content": copied.get("content")})
            return
        if not isinstance(message.get("content", ""), str | list):
            raise invalid(index, "has content that is neither a text nor a list of parts")
        self._close_round(index, "comes before the answer to")
        if "tool_calls" not in message:
            self._take_saying(index, message)
        elif message["role"] == "assistant":
            calls = self._calls(index, message["tool_calls"])
            self.messages.append({"role": "assistant", "content": None, **message, "tool_calls": calls})
        else:
            raise invalid(index, f"has tool_calls, which a message of role {message['role']} cannot have")

    def end(self, last: int) -> None:
        """The history is over; no call may be open now."""
        self._close_round(last, "ends the history before the answer to")

    def _take_saying(self, index: int, message: JsonObject) -> None:
        if any(name in message for name in _SAYS_SOMETHING):
            self.messages.append(message)
        else:
            self.mend(index, "says nothing: it has neither content nor tool_calls", "it was left out")

    def _take_answer(self, index: int, message: JsonObject) -> None:
        call_id = message.get("tool_call_id")
        waiting = [call for call in self._open if call.answer is None]
        call = next((call for call in waiting if call.received == call_id), None)
        if call is None:
            self.mend(index, f"answers tool call {call_id!r}, which is not open there", "it was left out")
            return
        content = message["content"]
        if not isinstance(content, str | list):
            content = encode(content).decode()
            what = f"the content of message {index} of the history"
            self.notes.append(Note(f"{what} was sent as JSON: {content[:100]}", "content_encoded"))
        call.answer, call.place = {**message, "tool_call_id": call.sent, "content": content}, index
        if len(waiting) == 1:
            self._close_round(index, "")

    def _close_round(self, index: int, what: str) -> None:
        places = [call.place for call in self._open if call.place is not None]
        if places != sorted(places):
            told = f"the answers in messages {min(places)} to {max(places)} of the history"
            self.notes.append(Note(f"{told} were put in the order of their calls", "history_reordered"))
        for call in self._open:
            if call.answer is None:
                how = f"call {call.received!r} was answered with not_executed"
                self.mend(index, f"{what} tool call {call.received!r}", how)
                call.answer = {"role": "tool", "tool_call_id": call.sent, "content": NOT_EXECUTED.content}
            self.messages.append(call.answer)
        self._open = []

    def _calls(self, index: int, calls: Json) -> list[Json]:
        if not isinstance(calls, list) or not all(isinstance(call, dict) for call in calls):
            raise invalid(index, "has tool_calls that are no list of calls")
        entries = [call for call in calls if isinstance(call, dict)]
        return [self._call(index, position, call) for position, call in enumerate(entries)]

    def _call(self, index: int, position: int, received: JsonObject) -> JsonObject:
        call_id = received.get("id")
        call = {**received, "id": self.sent_id(index, call_id, f"{index}:{position}:{call_id}")}
        self._open.append(_OpenCall(call_id, str(call["id"])))
        function = call.get("function")
        if not isinstance(function, dict) and not is_of_another_type(call):
            raise invalid(index, f"has a tool call {call_id!r} without a function")
        if isinstance(function, dict):
            call.setdefault("type", "function")
            arguments = self.sent_arguments(index, call_id, function.get("arguments"))
            call["function"] = {**function, "arguments": arguments}
        return call


def _is_typed(message: Json) -> bool:
    return isinstance(message, dict) and "type" in message

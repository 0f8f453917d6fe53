"""The messages that a caller brings from earlier turns: whole, or refused before anything is sent.

The API wants every call answered by one output with its `call_id`:
https://platform.openai.com/docs/guides/function-calling. Between a call and its output may stand what the
model itself put out, and other outputs; nothing that is said to the model.
"""

from collections.abc import Sequence

from callagain.engine.json_text import Json, JsonError, JsonObject, decode, encode
from callagain.engine.wire.history_mending import NOT_EXECUTED, HistoryMending, invalid
from callagain.engine.wire.profile import Profile
from callagain.engine.wire.reply import Note
from callagain.engine.wire.responses.chat_forms import as_items, input_content
from callagain.engine.wire.responses.items import (
    CALL_ID_CHARS,
    FUNCTION_CALL,
    OUTPUT_OF_CALL,
    is_call,
    is_id,
    type_of,
)

_SAID_TO_THE_MODEL = ("system", "developer", "user")
_ROLES = (*_SAID_TO_THE_MODEL, "assistant", "tool")


def base_messages(
    system_prompt: str | None, earlier: Sequence[Json], user_message: Json, profile: Profile, *, repair: bool
) -> tuple[list[JsonObject], list[Note]]:
    """The conversation before the first request, and what was mended in it.

    earlier: items of this API, messages of Chat Completions, or both.
    """
    history = _History(profile, repair)
    for index, message in enumerate(earlier):
        history.take(index, message)
    history.end(len(earlier) - 1)
    items = history.items
    if system_prompt is not None:
        if items and items[0].get("role") in ("system", "developer"):
            items = items[1:]
        system: JsonObject = {"role": "system", "content": system_prompt}
        items = [system, *items]
    return [*items, {"role": "user", "content": input_content(user_message)}], history.notes


class _History(HistoryMending):
    """Takes the messages in their order. The caller's own are not changed.

    _open: the calls without an answer as yet, each with the type that it has to have, and the id that it is
    sent by.
    """

    def __init__(self, profile: Profile, repair: bool) -> None:
        super().__init__(profile, repair)
        self.items: list[JsonObject] = []
        self._open: dict[str, tuple[str, str]] = {}

    def take(self, index: int, received: Json) -> None:
        try:
            # Whoever changes a message later does not change the run.
            message = decode(encode(received).decode())
        except JsonError as error:
            raise invalid(index, str(error)) from None
        for item in as_items(_of_a_known_kind(index, message)):
            if is_call(item):
                self._take_call(index, item)
            elif type_of(item) in OUTPUT_OF_CALL.values():
                self._take_output(index, item)
            else:
                self._take_other(index, item)

    def end(self, last: int) -> None:
        """The history is over; no call may be open now."""
        self._answer_open_calls(last, "ends the history")

    def _take_call(self, index: int, item: JsonObject) -> None:
        call_id = item.get("call_id")
        if not is_id(call_id):
            self.mend(index, "has a tool call without an id", "it was left out")
        elif call_id in self._open:
            self.mend(index, f"has a second tool call {call_id!r}", "it was left out")
        else:
            kind = str(type_of(item))
            sent_id = self.sent_id(index, call_id, call_id, CALL_ID_CHARS)
            self._open[call_id] = OUTPUT_OF_CALL[kind], sent_id
            sent: JsonObject = {**item, "call_id": sent_id}
            if kind == FUNCTION_CALL:
                sent["arguments"] = self.sent_arguments(index, call_id, item.get("arguments"))
            self.items.append(sent)

    def _take_output(self, index: int, item: JsonObject) -> None:
        call_id = item.get("call_id")
        if is_id(call_id) and call_id in self._open:
            output_type, sent_id = self._open.pop(call_id)
            output = item.get("output")
            if not isinstance(output, str | list):
                output = encode(output).decode()
                what = f"the output in message {index} of the history"
                self.notes.append(Note(f"{what} was sent as JSON: {output[:100]}", "content_encoded"))
            self.items.append({**item, "type": output_type, "call_id": sent_id, "output": output})
        else:
            self.mend(index, f"answers tool call {call_id!r}, which is not open there", "it was left out")

    def _take_other(self, index: int, item: JsonObject) -> None:
        if item.get("role") in _SAID_TO_THE_MODEL:
            self._answer_open_calls(index, "comes")
        if type_of(item) == "message" and item.get("content") is None:
            self.mend(index, "says nothing: it has neither content nor tool_calls", "it was left out")
        else:
            self.items.append(item)

    def _answer_open_calls(self, index: int, verb: str) -> None:
        for call_id, (output_type, sent_id) in self._open.items():
            what = f"{verb} before the answer to tool call {call_id!r}"
            self.mend(index, what, f"call {call_id!r} was answered with not_executed")
            answer: JsonObject = {"type": output_type, "call_id": sent_id}
            self.items.append({**answer, "output": NOT_EXECUTED.content})
        self._open = {}


def _of_a_known_kind(index: int, message: Json) -> JsonObject:
    if isinstance(message, dict):
        role, kind = message.get("role"), type_of(message)
        if message.get("tool_calls") and role != "assistant":
            raise invalid(index, f"has tool_calls, which a message of role {role} cannot have")
        if role in _ROLES or kind not in (None, "message"):
            return message
    raise invalid(index, f"is no item with a type, and no message with a role of {', '.join(_ROLES)}")

"""What an API's shapes have to offer to the operations, so that these need not know which API it is."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Protocol

from callagain.engine.json_text import Json, JsonObject
from callagain.engine.wire.deltas import Delta
from callagain.engine.wire.http_answer import HttpAnswer
from callagain.engine.wire.profile import Profile
from callagain.engine.wire.reply import Call, Note, Reply


class Assembly(Protocol):
    """Puts the events of one streamed response together again."""

    def take(self, event: str, data: JsonObject) -> list[Delta]:
        """Takes the data of one event (`event` is its name, mostly empty), and gives the pieces in it."""
        ...

    @property
    def is_complete(self) -> bool:
        """The endpoint has said that the response is whole. What comes after that can only be the usage."""
        ...

    @property
    def is_ended_by_mark(self) -> bool:
        """Whether `[DONE]` says that the response is whole, too."""
        ...

    @property
    def failure(self) -> JsonObject | None:
        """The error body that came in the middle of the stream, if one did."""
        ...

    def body(self) -> JsonObject:
        """The response as it would have come without streaming."""
        ...


class FirstFields(Protocol):
    def __call__(
        self,
        model: str,
        tools: Sequence[JsonObject],
        options: Mapping[str, Json],
        profile: Profile,
        *,
        stream: bool,
    ) -> JsonObject:
        """The fields of every request, in their order; the conversation is an empty list among them.

        tools: entries as Chat Completions has them (`{"type": "function", "function": {…}}`), the guide's
        toolsJson. options: further fields, which win over the defaults.
        """
        ...


class BaseMessages(Protocol):
    def __call__(
        self,
        system_prompt: str | None,
        earlier: Sequence[Json],
        user_message: Json,
        profile: Profile,
        *,
        repair: bool,
    ) -> tuple[list[JsonObject], list[Note]]:
        """The conversation before the first request, and a warning for everything that was mended.

        earlier: the messages of earlier turns; a system prompt takes the place of a system message at their
        beginning. The caller's own messages are not changed. Raises Failure("invalid_history"), which names
        index and id. repair: what is broken is mended instead.
        """
        ...


@dataclass(frozen=True, slots=True)
class WireFormat:
    """One API, as pure functions.

    name: as in `api=`. path: after the base URL; is_of_a_deployment: on Azure's older URLs it stands below
    the deployment. messages_field: where the conversation stands in a request. output_limit_fields: the
    fields that limit the tokens of a response.

    read: (answer, profile, seed of generated call ids) -> the reply in a successful answer. Raises Failure
    where nothing can be read; a reply that must not be used says so in its `problem`.
    error_in: (body) -> the error that a body with a status of success tells of in place of a response.
    message_in: (body) -> what of a response goes back into the conversation: the reply's `message`.
    write: (message, calls, answers, profile) -> a round as it stands in a request: what the model said, then
    one answer for each call, in order.
    answers_in: (round) -> its answers that are texts, by the ids of their calls, in order. with_answers:
    (round, answers by the ids of their calls) -> the round with these in place of its own; all else stays.
    continuation: (fields, message, calls, answers, whether it is wanted) -> the next request, where the
    endpoint itself keeps the conversation; None where it has to be sent whole.
    without_tools: (fields) -> the fields of a request that forbids further tool calls.
    call_ids: (body) -> the ids of the calls in a response. answered_ids: (body) -> those that the answers in
    a request carry. assembly: () -> puts one streamed response together.
    """

    name: str
    path: str
    is_of_a_deployment: bool
    messages_field: str
    output_limit_fields: tuple[str, ...]
    first_fields: FirstFields
    base_messages: BaseMessages
    read: Callable[[HttpAnswer, Profile, str], Reply]
    error_in: Callable[[Json], JsonObject | None]
    message_in: Callable[[Json], JsonObject | None]
    write: Callable[[JsonObject, Sequence[Call], Sequence[str], Profile], bytes]
    answers_in: Callable[[bytes], dict[str, str]]
    with_answers: Callable[[bytes, Mapping[str, str]], bytes]
    continuation: Callable[[JsonObject, JsonObject, Sequence[Call], Sequence[str], bool], bytes | None]
    without_tools: Callable[[JsonObject], JsonObject]
    call_ids: Callable[[Json], list[str]]
    answered_ids: Callable[[Json], list[str]]
    assembly: Callable[[], Assembly]

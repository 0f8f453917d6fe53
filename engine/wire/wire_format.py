"""What an API's shapes have to offer to the operations, so that these need not know which API it is."""

from collections.abc import Mapping, Sequence
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
    def failure(self) -> JsonObject | None:
        """The error body that came in the middle of the stream, if one did."""
        ...

    def body(self) -> JsonObject:
        """The response as it would have come without streaming."""
        ...


class WireFormat(Protocol):
    """One API. Everything here is pure.

    name: as in `api=`. path: after the base URL; is_of_a_deployment: on Azure's older URLs it stands below
    the deployment. messages_field: where the conversation stands in a request. output_limit_fields: the
    fields that limit the tokens of a response.
    """

    @property
    def name(self) -> str: ...

    @property
    def path(self) -> str: ...

    @property
    def is_of_a_deployment(self) -> bool: ...

    @property
    def messages_field(self) -> str: ...

    @property
    def output_limit_fields(self) -> tuple[str, ...]: ...

    def first_fields(
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

    def base_messages(
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
        beginning. The caller's own messages are not changed. Raises Failure("invalid_history"), which names index and id.
        repair: what is broken is mended instead.
        """
        ...

    def error_in(self, body: Json) -> JsonObject | None:
        """The error that a body with status 200 tells of in place of a response."""
        ...

    def read(self, answer: HttpAnswer, profile: Profile, seed: str) -> Reply:
        """The reply in a successful answer. `seed` is what generated call ids derive from.

        Raises Failure where nothing can be read; a reply that must not be used says so in its `problem`.
        """
        ...

    def message_in(self, body: Json) -> JsonObject | None:
        """What of a response goes back into the conversation: the reply's `message`."""
        ...

    def write(
        self, message: JsonObject, calls: Sequence[Call], answers: Sequence[str], profile: Profile
    ) -> bytes:
        """A round as it stands in a request: what the model said, then one answer for each call, in order."""
        ...

    def continuation(
        self, fields: JsonObject, message: JsonObject, calls: Sequence[Call], answers: Sequence[str]
    ) -> bytes | None:
        """The next request, if the endpoint keeps the conversation; None if it has to be sent whole."""
        ...

    def without_tools(self, fields: JsonObject) -> JsonObject:
        """The fields of a request that forbids further tool calls."""
        ...

    def call_ids(self, body: Json) -> list[str]:
        """The ids of the calls in a response, as received."""
        ...

    def answered_ids(self, body: Json) -> list[str]:
        """The ids that the answers in a request carry."""
        ...

    def assembly(self) -> Assembly:
        """For one streamed response."""
        ...

"""The Responses API: https://platform.openai.com/docs/api-reference/responses"""

from collections.abc import Mapping, Sequence

from callagain.engine.json_text import Json, JsonObject
from callagain.engine.wire.http_answer import HttpAnswer
from callagain.engine.wire.profile import Profile
from callagain.engine.wire.reply import Call, Note, Reply
from callagain.engine.wire.responses import history, items, reply, request
from callagain.engine.wire.responses.stream import ResponseAssembly
from callagain.engine.wire.wire_format import Assembly


class Responses:
    """A conversation of typed items; what each member is, `WireFormat` says."""

    name = "responses"
    path = "/responses"
    is_of_a_deployment = False
    messages_field = "input"
    output_limit_fields = ("max_output_tokens",)

    def first_fields(
        self,
        model: str,
        tools: Sequence[JsonObject],
        options: Mapping[str, Json],
        profile: Profile,
        *,
        stream: bool,
    ) -> JsonObject:
        return request.first_fields(model, tools, options, profile, stream=stream)

    def base_messages(
        self,
        system_prompt: str | None,
        earlier: Sequence[Json],
        user_message: Json,
        profile: Profile,
        *,
        repair: bool,
    ) -> tuple[list[JsonObject], list[Note]]:
        return history.base_messages(system_prompt, earlier, user_message, profile, repair=repair)

    def error_in(self, body: Json) -> JsonObject | None:
        return reply.error_in(body)

    def read(self, answer: HttpAnswer, profile: Profile, seed: str) -> Reply:
        return reply.read(answer, profile, seed)

    def message_in(self, body: Json) -> JsonObject | None:
        return reply.message_in(body)

    def write(
        self, message: JsonObject, calls: Sequence[Call], answers: Sequence[str], profile: Profile
    ) -> bytes:
        return request.write(message, calls, answers, profile)

    def continuation(
        self, fields: JsonObject, message: JsonObject, calls: Sequence[Call], answers: Sequence[str]
    ) -> bytes | None:
        return request.continuation(fields, message, calls, answers)

    def without_tools(self, fields: JsonObject) -> JsonObject:
        return request.without_tools(fields)

    def call_ids(self, body: Json) -> list[str]:
        return items.ids_of(items.items_in(body, "output"), items.OUTPUT_OF_CALL)

    def answered_ids(self, body: Json) -> list[str]:
        return items.ids_of(items.items_in(body, "input"), items.OUTPUT_OF_CALL.values())

    def assembly(self) -> Assembly:
        return ResponseAssembly()


RESPONSES = Responses()

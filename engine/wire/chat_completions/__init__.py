"""Chat Completions: https://platform.openai.com/docs/api-reference/chat"""

from collections.abc import Mapping, Sequence

from callagain.engine.json_text import Json, JsonObject
from callagain.engine.wire.chat_completions import history, reply, request
from callagain.engine.wire.chat_completions.stream import ChatAssembly
from callagain.engine.wire.http_answer import HttpAnswer
from callagain.engine.wire.profile import Profile
from callagain.engine.wire.reply import Call, Note, Reply
from callagain.engine.wire.wire_format import Assembly


class ChatCompletions:
    """The wire format of the guide; what each member is, `WireFormat` says."""

    name = "chat_completions"
    path = "/chat/completions"
    is_of_a_deployment = True
    messages_field = "messages"
    output_limit_fields = ("max_tokens", "max_completion_tokens")

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
        self,
        fields: JsonObject,  # noqa: ARG002 - WireFormat's signature
        message: JsonObject,  # noqa: ARG002
        calls: Sequence[Call],  # noqa: ARG002
        answers: Sequence[str],  # noqa: ARG002
    ) -> bytes | None:
        """None: this API keeps no conversation."""
        return None

    def without_tools(self, fields: JsonObject) -> JsonObject:
        return request.without_tools(fields)

    def call_ids(self, body: Json) -> list[str]:
        return reply.call_ids(body)

    def answered_ids(self, body: Json) -> list[str]:
        return request.answered_ids(body)

    def assembly(self) -> Assembly:
        return ChatAssembly()


CHAT_COMPLETIONS = ChatCompletions()

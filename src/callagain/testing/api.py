"""The two APIs that the stand-in speaks, as the endpoint sees them."""

from typing import Protocol

from callagain.engine.json_text import JsonObject
from callagain.testing.answers import ModelAnswer
from callagain.testing.chat_completions import completion
from callagain.testing.chat_stream import chat_stream
from callagain.testing.refusal import Refusal
from callagain.testing.refusals import refuse
from callagain.testing.response_memory import ResponseMemory
from callagain.testing.response_stream import response_stream
from callagain.testing.responses import response
from callagain.testing.responses_as_chat import as_chat
from callagain.testing.responses_refusals import refuse_responses


class Api(Protocol):
    """`body` is always the body of a request, as it came."""

    def refuse(self, body: JsonObject) -> Refusal | None:
        """The first reason for which the API would not accept this body."""
        ...

    def as_chat(self, body: JsonObject) -> JsonObject:
        """The whole conversation as a request of Chat Completions."""
        ...

    def whole(self, answer: ModelAnswer, body: JsonObject, number: int, size: int) -> dict[str, object]:
        """The body of the response. number: of the request, from 1. size: of its body, in bytes."""
        ...

    def remember(self, whole: JsonObject, body: JsonObject) -> None:
        """Keeps what later requests may refer to."""
        ...

    def stream(self, whole: JsonObject, body: JsonObject) -> list[bytes] | None:
        """The body of a response as server-sent events; None if it has no such form."""
        ...


class ChatCompletionsApi:
    """Keeps nothing: each request brings its whole conversation."""

    def refuse(self, body: JsonObject) -> Refusal | None:
        return refuse(body)

    def as_chat(self, body: JsonObject) -> JsonObject:
        return body

    def whole(self, answer: ModelAnswer, body: JsonObject, number: int, size: int) -> dict[str, object]:
        return completion(answer, body, number=number, request_size=size)

    def remember(self, whole: JsonObject, body: JsonObject) -> None:
        pass

    def stream(self, whole: JsonObject, body: JsonObject) -> list[bytes] | None:
        return chat_stream(whole, body)


class ResponsesApi:
    """Keeps the responses that it gave, for previous_response_id and for the check of what comes back."""

    def __init__(self) -> None:
        self._memory = ResponseMemory()

    def refuse(self, body: JsonObject) -> Refusal | None:
        return refuse_responses(body, self._memory)

    def as_chat(self, body: JsonObject) -> JsonObject:
        return as_chat(body, self._memory.conversation(body))

    def whole(self, answer: ModelAnswer, body: JsonObject, number: int, size: int) -> dict[str, object]:
        return response(answer, body, self.as_chat(body), number=number, request_size=size)

    def remember(self, whole: JsonObject, body: JsonObject) -> None:
        self._memory.remember(whole, body)

    def stream(self, whole: JsonObject, body: JsonObject) -> list[bytes] | None:  # noqa: ARG002 - of the protocol
        return response_stream(whole)

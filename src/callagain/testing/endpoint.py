"""What the stand-in answers to a request: paths, keys, refusals, and what the script says."""

import re
from dataclasses import replace
from urllib.parse import parse_qs, unquote, urlsplit

from callagain.engine.json_text import JsonError, JsonObject, decode, encode
from callagain.testing.answers import Answer, AnyAnswer, Faulty, ModelAnswer, says
from callagain.testing.api import Api, ChatCompletionsApi, ResponsesApi
from callagain.testing.chat_completions import CREATED
from callagain.testing.http_messages import HttpRequest, HttpResponse
from callagain.testing.refusal import NOT_A_JSON_OBJECT, Refusal
from callagain.testing.script import Responder
from callagain.testing.server_sent_events import CONTENT_TYPE

_CHAT = re.compile(r"/(?:v1|openai/v1|openai/deployments/(?P<deployment>[^/]+))/chat/completions")
_RESPONSES = re.compile(r"/(?:v1|openai/v1)/responses")
_MODELS = re.compile(r"/(?:v1|openai/v1)/models")
_PATHS = (
    "POST /v1/chat/completions, POST /openai/v1/chat/completions, "
    "POST /openai/deployments/<name>/chat/completions?api-version=<date>, "
    "POST /v1/responses, POST /openai/v1/responses, "
    "GET /v1/models, GET /openai/v1/models"
)
_NO_KEY = Refusal(
    "You didn't provide an API key. You need to provide your API key in an Authorization header using Bearer "
    "auth (i.e. Authorization: Bearer YOUR_KEY), or in an api-key header. The stand-in accepts any key.",
    status=401,
)
_MODEL_LIST: dict[str, object] = {
    "object": "list",
    "data": [{"id": "stand-in", "object": "model", "created": CREATED, "owned_by": "callagain"}],
}


class Endpoint:
    """Answers requests; it knows no connections and no clock.

    event_delay: seconds between the events of a streamed answer.
    """

    def __init__(self, script: Responder, *, event_delay: float) -> None:
        self._script = script
        self._event_delay = event_delay
        self._chat: Api = ChatCompletionsApi()
        self._responses: Api = ResponsesApi()

    def respond(self, request: HttpRequest, number: int) -> HttpResponse:
        """number: of this request among those that the stand-in got, from 1."""
        response = self._respond(request, number)
        return replace(response, headers={"x-request-id": f"req-stand-in-{number}", **response.headers})

    def _respond(self, request: HttpRequest, number: int) -> HttpResponse:
        url = urlsplit(request.target)
        chat = _CHAT.fullmatch(url.path)
        responses = _RESPONSES.fullmatch(url.path)
        if not (chat or responses or _MODELS.fullmatch(url.path)):
            return _refusal(_unknown_path(request, status=404))
        if request.method != ("POST" if chat or responses else "GET"):
            return _refusal(_unknown_path(request, status=405))
        if not _has_key(request):
            return _refusal(_NO_KEY)
        if responses:
            return self._ask(self._responses, request.body, None, number)
        if not chat:
            return _plain(Answer(body=_MODEL_LIST))
        deployment = chat["deployment"] and unquote(chat["deployment"])
        if deployment and "api-version" not in parse_qs(url.query):
            message = "Resource not found: a deployment's path needs ?api-version=<date>."
            return _refusal(Refusal(message, code="404", status=404))
        return self._ask(self._chat, request.body, deployment, number)

    def _ask(self, api: Api, content: bytes, deployment: str | None, number: int) -> HttpResponse:
        try:
            body = decode(content.decode())
        except (JsonError, UnicodeDecodeError):
            return _refusal(NOT_A_JSON_OBJECT)
        if not isinstance(body, dict):
            return _refusal(NOT_A_JSON_OBJECT)
        if deployment:
            body.setdefault("model", deployment)
        if (refusal := api.refuse(body)) is not None:
            return _refusal(refusal)
        try:
            return self._tell(api, self._script(body, api.as_chat(body)), body, number, len(content))
        except Exception as error:
            # The script is a test's code, and this thread nobody watches: the client is who must hear of it.
            message = f"The stand-in's script failed: {type(error).__name__}: {error}"
            return _refusal(Refusal(message, code="script_failed", status=500, type="server_error"))

    def _tell(self, api: Api, answer: AnyAnswer, body: JsonObject, number: int, size: int) -> HttpResponse:
        """The answer in the form of this API, streamed if the request wants it so."""
        if isinstance(answer, Faulty):
            return replace(self._tell(api, answer.answer, body, number, size), fault=answer.fault)
        if isinstance(answer, Answer):
            return _plain(answer)
        if isinstance(answer, str):
            answer = says(answer)
        if isinstance(answer, ModelAnswer):
            answer = api.whole(answer, body, number, size)
        content = encode(dict(answer))
        whole = _read(content)
        if whole is not None:
            api.remember(whole, body)
            events = api.stream(whole, body) if body.get("stream") else None
            if events is not None:
                headers = {"content-type": CONTENT_TYPE, "cache-control": "no-cache"}
                return HttpResponse(200, headers, events, self._event_delay)
        return HttpResponse(200, {"content-type": "application/json"}, content)


def _read(content: bytes) -> JsonObject | None:
    """None for JSON that is nested too deeply to be read: it can be sent, but not streamed."""
    try:
        whole = decode(content.decode())
    except JsonError:
        return None
    return whole if isinstance(whole, dict) else None


def _plain(answer: Answer) -> HttpResponse:
    """The answer as it stands. Raises JsonError for a body that is no JSON."""
    text = isinstance(answer.body, str | bytes)
    headers = {"content-type": "text/plain; charset=utf-8" if text else "application/json"}
    headers.update((name.lower(), value) for name, value in answer.headers.items())
    return HttpResponse(answer.status, headers, _content(answer.body), fault=answer.fault)


def _content(body: object) -> bytes:
    if isinstance(body, bytes):
        return body
    return body.encode() if isinstance(body, str) else encode(body)


def _refusal(refusal: Refusal) -> HttpResponse:
    return _plain(Answer(refusal.status, refusal.body))


def _unknown_path(request: HttpRequest, *, status: int) -> Refusal:
    path = urlsplit(request.target).path
    what = "Invalid URL" if status == 404 else "Invalid method for URL"
    return Refusal(f"{what} ({request.method} {path}). The stand-in has: {_PATHS}.", status=status)


def _has_key(request: HttpRequest) -> bool:
    scheme, _, key = request.headers.get("authorization", "").partition(" ")
    return bool(scheme.lower() == "bearer" and key.strip()) or bool(
        request.headers.get("api-key", "").strip()
    )

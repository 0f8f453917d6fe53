"""The stand-in endpoint: a real HTTP server that speaks Chat Completions and answers from a script."""

import contextlib
import re
import threading
from collections.abc import Callable
from dataclasses import dataclass
from types import TracebackType
from typing import TYPE_CHECKING, Any, Self
from urllib.parse import parse_qs, unquote, urlsplit

from callagain.engine.errors import ConfigurationError
from callagain.engine.json_text import JsonError, JsonObject, decode, encode
from callagain.testing.answers import Answer, AnyAnswer, ModelAnswer, says
from callagain.testing.chat_completions import CREATED, completion
from callagain.testing.http_messages import HttpRequest, HttpResponse
from callagain.testing.refusal import NOT_A_JSON_OBJECT, Refusal
from callagain.testing.refusals import refuse
from callagain.testing.script import Script, responder

if TYPE_CHECKING:
    from callagain.testing.http_server import LoopbackServer

_CHAT = re.compile(r"/(?:v1|openai/v1|openai/deployments/(?P<deployment>[^/]+))/chat/completions")
_MODELS = re.compile(r"/(?:v1|openai/v1)/models")
_PATHS = (
    "POST /v1/chat/completions, POST /openai/v1/chat/completions, "
    "POST /openai/deployments/<name>/chat/completions?api-version=<date>, "
    "GET /v1/models, GET /openai/v1/models"
)
_NO_KEY = Refusal(
    "You didn't provide an API key. You need to provide your API key in an Authorization header using Bearer "
    "auth (i.e. Authorization: Bearer YOUR_KEY), or in an api-key header. The stand-in accepts any key.",
    status=401,
)


@dataclass(slots=True)
class ReceivedRequest:
    """A request as it arrived. headers: names in lower case. status: what was answered, None until then."""

    method: str
    path: str
    headers: dict[str, str]
    body: bytes
    status: int | None = None

    # Any, so that a test can write request.json["messages"][0]["role"].
    @property
    def json(self) -> Any:
        """The body, parsed. Raises JsonError (a ValueError) if it is not JSON."""
        return decode(self.body.decode("utf-8", "replace"))


class StandIn:
    """Stands in for an LLM endpoint, on the loopback interface, from `start` to `close` or in a `with` block.

    script: a list of answers, a list of `Rule`, or a function from the request body to an answer.
    port: 0 takes a free one. delay: seconds before each answer. repeat_last: the last of a list of answers is
    given again when the list is used up, which is status 500 otherwise.

    Requests that the real API refuses are refused (`callagain.testing.refusals`) and use up no answer.
    `requests` holds all that came, in order of arrival. Any key is accepted, none is not.
    Raises ConfigurationError for what is no script, and at the start for a port that cannot be used.
    """

    def __init__(
        self,
        script: Script,
        *,
        host: str = "127.0.0.1",
        port: int = 0,
        delay: float = 0.0,
        repeat_last: bool = False,
    ) -> None:
        self._answer = responder(script, repeat_last=repeat_last)
        self._host = host
        self._port = port
        self._delay = delay
        self._server: LoopbackServer | None = None
        self._closed = threading.Event()
        self._lock = threading.Lock()
        self._requests: list[ReceivedRequest] = []

    @property
    def requests(self) -> list[ReceivedRequest]:
        """The requests so far, those that were refused included."""
        with self._lock:
            return list(self._requests)

    @property
    def origin(self) -> str:
        """`http://127.0.0.1:PORT`: the azure_endpoint of a client for Azure."""
        if self._server is None:
            raise ConfigurationError("the stand-in is not started: call start(), or use it in a with block")
        return f"http://{self._host}:{self._server.port}"

    @property
    def base_url(self) -> str:
        """`http://127.0.0.1:PORT/v1`: the base_url of a client for OpenAI."""
        return f"{self.origin}/v1"

    def start(self) -> Self:
        """Serves from now on, in threads of its own."""
        if self._server is not None:
            raise ConfigurationError("the stand-in was started before: build another one")
        # Imported late: every pytest run imports the plugin, and http.server would add half to its cost.
        from callagain.testing.http_server import LoopbackServer

        try:
            self._server = LoopbackServer(self._respond, self._host, self._port)
        except (OSError, OverflowError) as error:
            where = f"{self._host}:{self._port}"
            raise ConfigurationError(f"cannot serve on {where}: {error}; port 0 takes a free one") from None
        return self

    def close(self) -> None:
        """Ends at once, open connections and delayed answers included. A second call does nothing."""
        self._closed.set()
        if self._server is not None:
            self._server.close()

    def wait(self) -> None:
        """Blocks until `close` is called from another thread."""
        self._closed.wait()

    def __enter__(self) -> Self:
        return self.start()

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, traceback: TracebackType | None
    ) -> None:
        self.close()

    def _respond(self, request: HttpRequest) -> HttpResponse:
        received = ReceivedRequest(request.method, request.target, dict(request.headers), request.body)
        with self._lock:
            self._requests.append(received)
            number = len(self._requests)
        answer = self._handle(request, number)
        if self._closed.wait(self._delay):
            raise ConnectionAbortedError("the stand-in was closed before it could answer")
        received.status = answer.status
        return _http_response(answer, number)

    def _handle(self, request: HttpRequest, number: int) -> Answer:
        url = urlsplit(request.target)
        chat = _CHAT.fullmatch(url.path)
        models = _MODELS.fullmatch(url.path)
        if not (chat or models):
            return _refusal(_unknown_path(request, status=404))
        if request.method != ("POST" if chat else "GET"):
            return _refusal(_unknown_path(request, status=405))
        if not _has_key(request):
            return _refusal(_NO_KEY)
        if not chat:
            return Answer(body=_MODEL_LIST)
        deployment = chat["deployment"] and unquote(chat["deployment"])
        if deployment and "api-version" not in parse_qs(url.query):
            message = "Resource not found: a deployment's path needs ?api-version=<date>."
            return _refusal(Refusal(message, code="404", status=404))
        return self._chat(request.body, deployment, number)

    def _chat(self, body: bytes, deployment: str | None, number: int) -> Answer:
        try:
            request = decode(body.decode())
        except (JsonError, UnicodeDecodeError):
            return _refusal(NOT_A_JSON_OBJECT)
        if not isinstance(request, dict):
            return _refusal(NOT_A_JSON_OBJECT)
        if deployment:
            request.setdefault("model", deployment)
        if (refusal := refuse(request)) is not None:
            return _refusal(refusal)
        try:
            answer = self._answer(request)
            return _sendable(_as_http(answer, request, number=number, request_size=len(body)))
        except Exception as error:
            # The script is a test's code, and this thread nobody watches: the client is who must hear of it.
            message = f"The stand-in's script failed: {type(error).__name__}: {error}"
            return _refusal(Refusal(message, code="script_failed", status=500, type="server_error"))


def serve(script: Script, host: str, port: int, *, started: Callable[[StandIn], None]) -> None:
    """Serves until Ctrl-C. started: called once with the running stand-in, whose base_url is then known."""
    with contextlib.suppress(KeyboardInterrupt), StandIn(script, host=host, port=port) as stand_in:
        started(stand_in)
        stand_in.wait()


_MODEL_LIST: dict[str, object] = {
    "object": "list",
    "data": [{"id": "stand-in", "object": "model", "created": CREATED, "owned_by": "callagain"}],
}


def _as_http(answer: AnyAnswer, request: JsonObject, *, number: int, request_size: int) -> Answer:
    if isinstance(answer, str):
        answer = says(answer)
    if isinstance(answer, ModelAnswer):
        return Answer(body=completion(answer, request, number=number, request_size=request_size))
    if isinstance(answer, Answer):
        return answer
    return Answer(body=dict(answer))


def _sendable(answer: Answer) -> Answer:
    """The answer itself. Raises JsonError for a body that is no JSON, while the script can be blamed."""
    _body_bytes(answer.body)
    return answer


def _http_response(answer: Answer, number: int) -> HttpResponse:
    text = isinstance(answer.body, str | bytes)
    headers = {
        "content-type": "text/plain; charset=utf-8" if text else "application/json",
        "x-request-id": f"req-stand-in-{number}",
    }
    headers.update((name.lower(), value) for name, value in answer.headers.items())
    return HttpResponse(answer.status, headers, _body_bytes(answer.body))


def _body_bytes(body: object) -> bytes:
    if isinstance(body, bytes):
        return body
    return body.encode() if isinstance(body, str) else encode(body)


def _refusal(refusal: Refusal) -> Answer:
    return Answer(refusal.status, refusal.body)


def _unknown_path(request: HttpRequest, *, status: int) -> Refusal:
    path = urlsplit(request.target).path
    what = "Invalid URL" if status == 404 else "Invalid method for URL"
    return Refusal(f"{what} ({request.method} {path}). The stand-in has: {_PATHS}.", status=status)


def _has_key(request: HttpRequest) -> bool:
    scheme, _, key = request.headers.get("authorization", "").partition(" ")
    return bool(scheme.lower() == "bearer" and key.strip()) or bool(
        request.headers.get("api-key", "").strip()
    )

"""The stand-in endpoint: a real HTTP server that speaks OpenAI's two APIs and answers from a script."""

import contextlib
import threading
from collections.abc import Callable
from dataclasses import dataclass, field
from types import TracebackType
from typing import TYPE_CHECKING, Any, Self

from callagain.engine.errors import ConfigurationError
from callagain.engine.json_text import decode
from callagain.testing.endpoint import Endpoint
from callagain.testing.http_messages import Client, HttpRequest, HttpResponse
from callagain.testing.script import Script, responder

if TYPE_CHECKING:
    from callagain.testing.http_server import LoopbackServer


@dataclass(slots=True)
class ReceivedRequest:
    """A request as it arrived.

    headers: names in lower case. status: what was answered, or was to be answered to a client that closed
    early; None until then.
    """

    method: str
    path: str
    headers: dict[str, str]
    body: bytes
    client: Client = field(repr=False, compare=False)
    status: int | None = None

    @property
    def closed_early(self) -> bool:
        """The client closed the connection before the whole answer was sent.

        Known soon after it happens: while the stand-in waits (a delay, a stall, a drip) at once, otherwise
        when it sends the next part of the answer.
        """
        return self.client.closed_early

    # Any, so that a test can write request.json["messages"][0]["role"].
    @property
    def json(self) -> Any:
        """The body, parsed. Raises JsonError (a ValueError) if it is not JSON."""
        return decode(self.body.decode("utf-8", "replace"))


class StandIn:
    """Stands in for an LLM endpoint, on the loopback interface, from `start` to `close` or in a `with` block.

    script: a list of answers, a list of `Rule`, or a function from the request body to an answer.
    port: 0 takes a free one. delay: seconds before each answer. event_delay: seconds between the events of a
    streamed one. repeat_last: the last of a list of answers is given again when the list is used up, which is
    status 500 otherwise.

    Requests that the real API refuses are refused (`callagain.testing.refusals`, `.responses_refusals`) and
    use up no answer.
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
        event_delay: float = 0.0,
        repeat_last: bool = False,
    ) -> None:
        self._endpoint = Endpoint(responder(script, repeat_last=repeat_last), event_delay=event_delay)
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
    def open_connections(self) -> int:
        """The connections that are open now: those that wait for an answer, and those that are kept alive."""
        return 0 if self._server is None else self._server.open_connections

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
        received = ReceivedRequest(
            request.method, request.target, dict(request.headers), request.body, request.client
        )
        with self._lock:
            self._requests.append(received)
            number = len(self._requests)
        response = self._endpoint.respond(request, number)
        is_waiting = request.client.waits(self._delay)
        received.status = response.status
        if not is_waiting:
            raise ConnectionAbortedError("the connection was closed before the answer was due")
        return response


def serve(script: Script, host: str, port: int, *, started: Callable[[StandIn], None]) -> None:
    """Serves until Ctrl-C. started: called once with the running stand-in, whose base_url is then known."""
    with contextlib.suppress(KeyboardInterrupt), StandIn(script, host=host, port=port) as stand_in:
        started(stand_in)
        stand_in.wait()

"""One HTTP request and its answer, read as it comes, so that it can be ended at any point."""

import asyncio
import contextlib
import socket
import threading
from collections.abc import AsyncIterator, Callable
from dataclasses import replace
from typing import TYPE_CHECKING, cast

from callagain.connectors.connection_errors import without_secrets
from callagain.connectors.endpoint import Endpoint
from callagain.connectors.hidden_pieces import HiddenPieces
from callagain.connectors.retry_after import retry_after_seconds
from callagain.engine.drivers import Tell
from callagain.engine.wire.answer_reader import AnswerReader
from callagain.engine.wire.http_answer import HttpAnswer

if TYPE_CHECKING:
    import httpx2
    from openai import AsyncOpenAI, OpenAI

    from callagain.connectors.clients import Client

Date = Callable[[], float]

# How long the end of an answer is waited for when nothing more of it is needed.
READ_ON_SECONDS = 0.05


class Exchange:
    """Sends one body once. What an endpoint or a network does is in the answer, and is never raised.

    date: the Unix time, for a Retry-After that is a date.
    """

    def __init__(self, endpoint: Endpoint, body: bytes, date: Date) -> None:
        self._endpoint = endpoint
        self._body = body
        self._date = date
        self._reader: AnswerReader | None = None
        self._response: httpx2.Response | None = None
        self._is_closed = False
        self._pieces = HiddenPieces(endpoint)
        # The driver may ask for the answer while another thread reads.
        self._lock = threading.Lock()

    def send(self, tell: Tell) -> HttpAnswer:
        """Sends the body, and waits for the answer; tells of each piece of it."""
        client = self._endpoint.clients.sync()
        if self._is_closed:
            # Making the client took too long; nobody waits for an answer any more.
            return HttpAnswer.missing("provider_unavailable", "the request was given up before it was sent")
        try:
            response = self._post(client)
        except Exception as error:
            return self._answer_of_error(error, client)
        broke = None
        with contextlib.closing(response):
            reader = self._open(response, client)
            try:
                for data in response.iter_bytes():
                    self._take(reader, data, tell)
                    if reader.is_over:
                        break
            except Exception as error:
                broke = self._endpoint.why_no_answer(error, client)
        self._tell_rest(tell)
        return self._answer(reader, response, broke)

    async def send_async(self, tell: Tell) -> HttpAnswer:
        """The same, awaited."""
        client = await self._endpoint.clients.of_loop()
        try:
            response = await self._post_async(client)
        except Exception as error:
            return self._answer_of_error(error, client)
        broke = None
        async with contextlib.aclosing(response):
            reader = self._open(response, client)
            pieces = response.aiter_bytes()
            try:
                async for data in pieces:
                    self._take(reader, data, tell)
                    if reader.is_over:
                        break
                if reader.is_complete:
                    await _read_on(pieces)
            except Exception as error:
                broke = self._endpoint.why_no_answer(error, client)
        self._tell_rest(tell)
        return self._answer(reader, response, broke)

    def answer_so_far(self) -> HttpAnswer | None:
        """The answer, if it is whole although the connection has not ended."""
        reader, response = self._reader, self._response
        if reader is None or response is None:
            return None
        with self._lock:
            return self._answer(reader, response) if reader.is_complete else None

    def close(self) -> None:
        """Ends a request that a thread waits for; what is awaited is cancelled instead.

        A connection cannot be closed under the thread that reads from it, but it can be shut down. Before the
        headers of an answer are there, nobody knows the connection: it ends when it has been silent for the
        timeout, or when they come.
        """
        self._is_closed = True
        # A response that is closed has given its connection back, and another request may have it now.
        if (response := self._response) is None or response.is_closed:
            return
        stream = response.extensions.get("network_stream")
        connection = None if stream is None else stream.get_extra_info("socket")
        if isinstance(connection, socket.socket):
            with contextlib.suppress(OSError):
                connection.shutdown(socket.SHUT_RDWR)

    def _post(self, client: "OpenAI") -> "httpx2.Response":
        copied = self._endpoint.clients.copied_requests(client)
        if copied is not None and copied.are_known:
            return copied.send(self._body)
        import httpx2
        from openai import Stream

        from callagain.connectors.response_hook import shown_to

        with shown_to(self._look):
            sent = client.post(
                self._endpoint.path(client),
                cast_to=httpx2.Response,
                content=self._body,
                options=self._endpoint.options(),
                stream=True,
                stream_cls=Stream[object],
            )
        response = cast(httpx2.Response, sent)
        if copied is not None:
            copied.learn(response.request)
        return response

    async def _post_async(self, client: "AsyncOpenAI") -> "httpx2.Response":
        copied = self._endpoint.clients.copied_requests(client)
        if copied is not None and copied.are_known:
            return await copied.send_async(self._body)
        import httpx2
        from openai import AsyncStream

        from callagain.connectors.response_hook import shown_to

        with shown_to(self._look):
            sent = await client.post(
                self._endpoint.path(client),
                cast_to=httpx2.Response,
                content=self._body,
                options=self._endpoint.options(),
                stream=True,
                stream_cls=AsyncStream[object],
            )
        response = cast(httpx2.Response, sent)
        if copied is not None:
            copied.learn(response.request)
        return response

    def _look(self, response: "httpx2.Response") -> None:
        """Takes note of a response, the body of which has not been read."""
        self._response = response
        if self._is_closed:
            self.close()

    def _open(self, response: "httpx2.Response", client: "Client") -> AnswerReader:
        self._look(response)
        self._endpoint.keep_key_of(client)
        content_type = response.headers.get("content-type", "")
        self._reader = AnswerReader(response.status_code, content_type, self._endpoint.wire.assembly())
        return self._reader

    def _take(self, reader: AnswerReader, data: bytes, tell: Tell) -> None:
        with self._lock:
            deltas = reader.take(data)
        for delta in self._pieces.take(deltas):
            tell(delta)
        if reader.is_complete:
            self._tell_rest(tell)

    def _tell_rest(self, tell: Tell) -> None:
        for delta in self._pieces.rest():
            tell(delta)

    def _answer_of_error(self, error: Exception, client: "Client") -> HttpAnswer:
        from openai import APIStatusError

        if isinstance(error, APIStatusError):
            reader = self._open(error.response, client)
            reader.take(error.response.content)
            return self._answer(reader, error.response)
        why = self._endpoint.why_no_answer(error, client)
        return HttpAnswer.missing("provider_unavailable", why)

    def _answer(
        self, reader: AnswerReader, response: "httpx2.Response", broke: str | None = None
    ) -> HttpAnswer:
        answer = reader.answer(broke)
        return replace(
            answer,
            body=self._endpoint.hide_secrets(answer.body),
            retry_after=retry_after_seconds(response.headers, self._date()),
            endpoint=without_secrets(str(response.url)),
        )


async def _read_on(pieces: AsyncIterator[bytes]) -> None:
    """To the end, if it comes soon: a connection that has been read to its end can be used again."""
    with contextlib.suppress(TimeoutError):
        async with asyncio.timeout(READ_ON_SECONDS):
            async for _ in pieces:
                pass

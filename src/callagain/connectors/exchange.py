"""One HTTP request and its answer, read as it comes, so that it can be ended at any point."""

import contextlib
import socket
from collections.abc import Callable
from dataclasses import replace
from typing import TYPE_CHECKING

from callagain.connectors.endpoint import Endpoint
from callagain.connectors.retry_after import retry_after_seconds
from callagain.engine.drivers import Tell
from callagain.engine.wire.answer_reader import AnswerReader
from callagain.engine.wire.http_answer import HttpAnswer

if TYPE_CHECKING:
    import httpx2

    from callagain.connectors.clients import Client

Date = Callable[[], float]


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
        self._closed = False

    def send(self, tell: Tell) -> HttpAnswer:
        """Sends the body, and waits for the answer; tells of each piece of it."""
        import httpx2
        from openai import Stream

        client = self._endpoint.clients.sync()
        try:
            response = client.post(
                self._endpoint.path(client),
                cast_to=httpx2.Response,
                content=self._body,
                options=self._endpoint.options(),
                stream=True,
                stream_cls=Stream[object],
            )
        except Exception as error:
            return self._answer_of_error(error, client)
        assert isinstance(response, httpx2.Response)
        broke = None
        with contextlib.closing(response):
            reader = self._open(response)
            try:
                for data in response.iter_bytes():
                    self._take(reader, data, tell)
                    if reader.is_over:
                        break
            except Exception as error:
                broke = self._endpoint.why_no_answer(error, client)
        return self._answer(response, reader, client, broke)

    async def send_async(self, tell: Tell) -> HttpAnswer:
        """The same, awaited."""
        client = await self._endpoint.clients.of_loop()
        import httpx2
        from openai import AsyncStream

        try:
            response = await client.post(
                self._endpoint.path(client),
                cast_to=httpx2.Response,
                content=self._body,
                options=self._endpoint.options(),
                stream=True,
                stream_cls=AsyncStream[object],
            )
        except Exception as error:
            return self._answer_of_error(error, client)
        assert isinstance(response, httpx2.Response)
        broke = None
        async with contextlib.aclosing(response):
            reader = self._open(response)
            try:
                async for data in response.aiter_bytes():
                    self._take(reader, data, tell)
                    if reader.is_over:
                        break
            except Exception as error:
                broke = self._endpoint.why_no_answer(error, client)
        return self._answer(response, reader, client, broke)

    def answer_so_far(self) -> HttpAnswer | None:
        """The answer, if it is whole although the connection has not ended."""
        reader = self._reader
        return reader.answer() if reader is not None and reader.is_complete else None

    def close(self) -> None:
        """Ends a request that a thread waits for; what is awaited is cancelled instead.

        A connection cannot be closed under the thread that reads from it, but it can be shut down.
        """
        self._closed = True
        response = self._response
        stream = None if response is None else response.extensions.get("network_stream")
        connection = None if stream is None else stream.get_extra_info("socket")
        if isinstance(connection, socket.socket):
            with contextlib.suppress(OSError):
                connection.shutdown(socket.SHUT_RDWR)

    def _open(self, response: "httpx2.Response") -> AnswerReader:
        self._response = response
        if self._closed:
            self.close()
        content_type = response.headers.get("content-type", "")
        self._reader = AnswerReader(response.status_code, content_type, self._endpoint.wire.assembly())
        return self._reader

    def _take(self, reader: AnswerReader, data: bytes, tell: Tell) -> None:
        for delta in reader.take(data):
            tell(delta)

    def _answer_of_error(self, error: Exception, client: "Client") -> HttpAnswer:
        from openai import APIStatusError

        if isinstance(error, APIStatusError):
            reader = self._open(error.response)
            reader.take(error.response.content)
            return self._answer(error.response, reader, client, None)
        why = self._endpoint.why_no_answer(error, client)
        return HttpAnswer.missing("provider_unavailable", why)

    def _answer(
        self, response: "httpx2.Response", reader: AnswerReader, client: "Client", broke: str | None
    ) -> HttpAnswer:
        self._endpoint.keep_key_of(client)
        answer = reader.answer(broke)
        return replace(
            answer,
            body=self._endpoint.hide_secrets(answer.body),
            retry_after=retry_after_seconds(response.headers, self._date()),
        )

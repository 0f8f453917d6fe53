"""Shows an exchange its response when the headers are there, and bounds how much of an error is read.

The client of the openai package reads the body of an error to its end before it gives the response away.
Without this, a body that never ends would fill the memory, and a thread that reads one could not be stopped.
"""

from collections.abc import Callable, Generator
from contextlib import contextmanager
from contextvars import ContextVar
from weakref import WeakMethod

import httpx2
from openai import AsyncOpenAI, OpenAI

from callagain.engine.wire.answer_reader import MAX_ERROR_BYTES

Look = Callable[[httpx2.Response], None]

# asyncio keeps the context in which a connection was made for as long as the connection; what looks is not to
# live as long.
_look: ContextVar["WeakMethod[Look] | None"] = ContextVar("look", default=None)


@contextmanager
def shown_to(look: Look) -> Generator[None, None, None]:
    """Each response to a request that is sent in this block is shown, and redirections too.

    look: a method, of an object that is held meanwhile.
    """
    token = _look.set(WeakMethod(look))
    try:
        yield
    finally:
        _look.reset(token)


def install(client: OpenAI | AsyncOpenAI) -> None:
    """Has the client show its responses; what is sent outside of `shown_to` is left as it is.

    Not a client that was given an `http_client` of httpx, the predecessor of httpx2.
    """
    # The package offers no other way to the HTTP client of a client that was given.
    http_client: object = client._client  # pyright: ignore[reportPrivateUsage]
    if isinstance(http_client, httpx2.Client) and _show not in http_client.event_hooks["response"]:
        http_client.event_hooks["response"].append(_show)
    if isinstance(http_client, httpx2.AsyncClient) and _ashow not in http_client.event_hooks["response"]:
        http_client.event_hooks["response"].append(_ashow)


def _looking() -> Look | None:
    reference = _look.get()
    return None if reference is None else reference()


def _show(response: httpx2.Response) -> None:
    if (look := _looking()) is None:
        return
    look(response)
    if not response.is_success:
        assert isinstance(response.stream, httpx2.SyncByteStream)
        body = bytearray()
        for data in response.stream:
            body += data
            if len(body) > MAX_ERROR_BYTES:
                break
        response.stream.close()
        response.stream = httpx2.ByteStream(bytes(body))


async def _ashow(response: httpx2.Response) -> None:
    if (look := _looking()) is None:
        return
    look(response)
    if not response.is_success:
        assert isinstance(response.stream, httpx2.AsyncByteStream)
        body = bytearray()
        async for data in response.stream:
            body += data
            if len(body) > MAX_ERROR_BYTES:
                break
        await response.stream.aclose()
        response.stream = httpx2.ByteStream(bytes(body))

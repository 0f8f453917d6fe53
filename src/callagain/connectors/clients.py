"""Clients of the openai package: one for threads, and one for each event loop."""

import asyncio
import threading
import weakref
from collections.abc import Callable
from typing import TYPE_CHECKING, TypeAlias, Union

from callagain.connectors.client_lifetime import lend
from callagain.connectors.credentials import Credentials
from callagain.engine.errors import ConfigurationError

if TYPE_CHECKING:
    from openai import AsyncOpenAI, OpenAI

Client: TypeAlias = Union["OpenAI", "AsyncOpenAI"]
ClientOrFactory: TypeAlias = Client | Callable[[], Client]


class Clients:
    """Makes the clients when they are first needed, which is also when `openai` is imported.

    An asynchronous client belongs to the event loop in which it was first used, so each loop has its own.
    What is made here is closed when nobody needs it any more; a client that was given is never closed.
    """

    def __init__(self, given: ClientOrFactory | None, credentials: Credentials | None) -> None:
        if given is not None and not callable(given) and not hasattr(given, "chat"):
            raise ConfigurationError(
                "client= must be a client of the openai package, or a function that makes one, not "
                f"{type(given).__name__}"
            )
        self._given = given
        self._credentials = credentials
        self._sync: Client | None = None
        self._lock = threading.Lock()
        self._of_loops: weakref.WeakKeyDictionary[asyncio.AbstractEventLoop, AsyncOpenAI] = (
            weakref.WeakKeyDictionary()
        )

    def is_async(self, *, prefer_async: bool) -> bool:
        """Whether requests are to be awaited: as the client that was given is, or else as the driver is."""
        if self._given is None:
            return prefer_async
        from openai import AsyncOpenAI

        return isinstance(self._first(), AsyncOpenAI)

    def sync(self) -> "OpenAI":
        """The client for threads."""
        from openai import OpenAI

        client = self._first()
        assert isinstance(client, OpenAI)
        return client

    async def of_loop(self) -> "AsyncOpenAI":
        """The client for the running event loop."""
        from openai import AsyncOpenAI

        if isinstance(self._given, AsyncOpenAI):
            return self._given
        loop = asyncio.get_running_loop()
        if loop not in self._of_loops:
            self._of_loops[loop] = await lend(self, self._make_async())
        return self._of_loops[loop]

    def _first(self) -> Client:
        with self._lock:
            if self._sync is None:
                self._sync = self._made()
            return self._sync

    def _made(self) -> Client:
        if callable(self._given):
            return self._given()
        if self._given is not None:
            return self._given
        assert self._credentials is not None
        client = self._credentials.sync_client()
        # Its connections are closed when the loop is dropped, and not when the garbage is collected.
        weakref.finalize(self, client.close)
        return client

    def _make_async(self) -> "AsyncOpenAI":
        from openai import AsyncOpenAI

        if callable(self._given):
            client = self._given()
            assert isinstance(client, AsyncOpenAI)
            return client
        assert self._credentials is not None
        return self._credentials.async_client()

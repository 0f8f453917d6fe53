"""Clients of the openai package: one for threads, and one for each event loop."""

import asyncio
import os
import threading
import weakref
from collections.abc import Callable
from importlib import import_module
from typing import TYPE_CHECKING, TypeAlias, Union

from callagain.connectors.client_lifetime import lend
from callagain.connectors.connection_errors import why_no_client
from callagain.connectors.credentials import Credentials, fits_a_header
from callagain.engine.errors import ConfigurationError

if TYPE_CHECKING:
    from openai import AsyncOpenAI, OpenAI

    from callagain.connectors.copied_requests import CopiedRequests

Client: TypeAlias = Union["OpenAI", "AsyncOpenAI"]
ClientOrFactory: TypeAlias = Client | Callable[[], Client]

OLDEST_OPENAI = 3
WHAT_A_CLIENT_IS = "client= must be a client of the openai package, or a function that makes one"
TWO_KINDS = "the function given as client= makes OpenAI and AsyncOpenAI by turns; let it make one kind"


class Clients:
    """Makes the clients when they are first needed, which is also when `openai` is imported.

    An asynchronous client belongs to the event loop in which it was first used, so each loop has its own.
    What is made here is closed when nobody needs it any more; a client that was given is never closed.

    Raises ConfigurationError for what is no client, and later where none can be made.
    """

    def __init__(self, given: ClientOrFactory | None, credentials: Credentials | None) -> None:
        self._given = given
        self._given_client = None if given is None or callable(given) else _prepared(given, "not")
        self._credentials = credentials
        self._first: Client | None = None
        self._process: int | None = None
        self._lock = threading.Lock()
        self._copied: weakref.WeakKeyDictionary[Client, CopiedRequests] = weakref.WeakKeyDictionary()
        self._of_loops: weakref.WeakKeyDictionary[asyncio.AbstractEventLoop, AsyncOpenAI] = (
            weakref.WeakKeyDictionary()
        )

    def is_async(self, *, prefer_async: bool) -> bool:
        """Whether requests are to be awaited: as the client that was given is, or else as the driver is."""
        if self._given is None:
            return prefer_async
        from openai import AsyncOpenAI

        return isinstance(self._given_or_first(), AsyncOpenAI)

    def sync(self) -> "OpenAI":
        """The client for threads."""
        from openai import OpenAI

        client = self._given_or_first()
        if not isinstance(client, OpenAI):
            raise ConfigurationError(TWO_KINDS)
        return client

    async def of_loop(self) -> "AsyncOpenAI":
        """The client for the running event loop."""
        loop = asyncio.get_running_loop()
        if loop not in self._of_loops:
            # The import takes about a second, in which the event loop has other things to do.
            await asyncio.to_thread(import_module, "openai")
        from openai import AsyncOpenAI

        if isinstance(self._given_client, AsyncOpenAI):
            self._refuse_after_fork()
            return self._given_client
        if loop not in self._of_loops:
            client = self._make(asynchronous=True)
            if not isinstance(client, AsyncOpenAI):
                raise ConfigurationError(TWO_KINDS)
            self._forget_closed_loops()
            self._of_loops[loop] = await lend(self, client)
        return self._of_loops[loop]

    def _forget_closed_loops(self) -> None:
        """A client on aiohttp holds its loop, which would never be gone by itself then."""
        # Other threads may be at it with loops of their own.
        for reference in self._of_loops.keyrefs():
            if (loop := reference()) is not None and loop.is_closed():
                self._of_loops.pop(loop, None)

    def _given_or_first(self) -> Client:
        if self._given_client is not None:
            self._refuse_after_fork()
            return self._given_client
        with self._lock:
            # Connections do not survive a fork: parent and child would read each other's answers.
            if self._first is None or self._process != os.getpid():
                self._first, self._process = self._make(asynchronous=False), os.getpid()
            return self._first

    def _refuse_after_fork(self) -> None:
        if self._process is None:
            self._process = os.getpid()
        elif self._process != os.getpid():
            raise ConfigurationError(
                "the client of client= was used before this process was forked, and its connections belong "
                "to the parent; give a function that makes a client"
            )

    def copied_requests(self, client: Client) -> "CopiedRequests | None":
        """For a client that was made here; one that was given may have its own way with every request."""
        return self._copied.get(client)

    def _make(self, *, asynchronous: bool) -> Client:
        from openai import OpenAI

        _refuse_older_package()
        try:
            client = self._given() if callable(self._given) else self._new(asynchronous=asynchronous)
        except Exception as error:
            raise ConfigurationError(why_no_client(error, given=callable(self._given))) from error
        _prepared(client, "not one that makes")
        if isinstance(client, OpenAI):
            # Its connections are closed when the loop is dropped, and not when the garbage is collected.
            weakref.finalize(self, client.close)
        return client

    def _new(self, *, asynchronous: bool) -> Client:
        from callagain.connectors.copied_requests import CopiedRequests

        assert self._credentials is not None
        made = self._credentials.async_client() if asynchronous else self._credentials.client()
        client, http_client = made
        has_own_cookie = any(name.lower() == "cookie" for name in client.default_headers)
        self._copied[client] = CopiedRequests(http_client, has_own_cookie=has_own_cookie)
        return client


def _refuse_older_package() -> None:
    """Another package may have brought an openai that callagain cannot read the answers of."""
    from openai import __version__

    if int(__version__.partition(".")[0]) < OLDEST_OPENAI:
        raise ConfigurationError(
            f"openai {__version__} is installed, and callagain needs version {OLDEST_OPENAI}, which another "
            f"package has replaced: pip install 'openai>={OLDEST_OPENAI},<{OLDEST_OPENAI + 1}'"
        )


def _prepared(client: Client, is_not: str) -> Client:
    """The client, checked and with its hook."""
    from openai import AsyncOpenAI, OpenAI

    from callagain.connectors.response_hook import install

    if not isinstance(client, OpenAI | AsyncOpenAI):  # pyright: ignore[reportUnnecessaryIsInstance]
        raise ConfigurationError(f"{WHAT_A_CLIENT_IS}, {is_not} {type(client).__name__}")
    if not fits_a_header(client.api_key):
        raise ConfigurationError(
            "the key of client= holds a line break or another character that cannot be sent; strip it"
        )
    install(client)
    return client

"""Closes an asynchronous client in time: with its owner, or else with its event loop.

A client can only be closed by its own loop. When its owner is dropped, the loop is asked to do so soon; a
loop that ends before that closes it together with its asynchronous generators, as asyncio.run() does.
Without this, connections stay open until the garbage is collected, with a ResourceWarning each.
"""

import asyncio
import contextlib
import itertools
import weakref
from collections.abc import AsyncGenerator
from typing import TYPE_CHECKING, TypeAlias

if TYPE_CHECKING:
    from openai import AsyncOpenAI

Lifetime: TypeAlias = AsyncGenerator["AsyncOpenAI", None]

# Held here, and not by the owner: what is garbage already is not closed by a loop at its end.
_open: dict[int, Lifetime] = {}
_of_owners: "dict[int, weakref.finalize[..., object]]" = {}
_closing: set[asyncio.Task[None]] = set()
_numbers = itertools.count()


async def lend(owner: object, client: "AsyncOpenAI") -> "AsyncOpenAI":
    """The client, which lives as long as its owner and the running event loop do."""
    number = next(_numbers)
    _open[number] = _lifetime(number, client)
    loop = weakref.ref(asyncio.get_running_loop())
    _of_owners[number] = weakref.finalize(owner, _close_soon, number, client, loop)
    _of_owners[number].atexit = False
    return await anext(_open[number])


async def _lifetime(number: int, client: "AsyncOpenAI") -> Lifetime:
    try:
        yield client
    finally:
        _open.pop(number, None)
        # It would hold the client for as long as the owner lives.
        _of_owners.pop(number).detach()
        if not client.is_closed():
            await client.close()


def _close_soon(
    number: int, client: "AsyncOpenAI", loop_reference: "weakref.ref[asyncio.AbstractEventLoop]"
) -> None:
    loop, lifetime = loop_reference(), _open.get(number)
    if loop is not None and lifetime is not None:
        # A loop that is closed has closed the client.
        with contextlib.suppress(RuntimeError):
            loop.call_soon_threadsafe(_start_closing, lifetime, client)


def _start_closing(lifetime: Lifetime, client: "AsyncOpenAI") -> None:
    task = asyncio.get_running_loop().create_task(_close(lifetime, client))
    _closing.add(task)
    task.add_done_callback(_closing.discard)


async def _close(lifetime: Lifetime, client: "AsyncOpenAI") -> None:
    # At its end, the loop may be closing the generator at the same time, which only one of the two may do:
    # the client is closed first, so that there is nothing left to wait for in it.
    await client.close()
    with contextlib.suppress(RuntimeError):
        await lifetime.aclose()

"""How a response leaves: in one write, in chunks, byte by byte or in part, and whether the client waits."""

import socket
import threading
import time
from collections.abc import Iterator, Sequence

from callagain.testing.http_messages import HttpResponse

_LAST_CHUNK = b"0\r\n\r\n"


class Delivery:
    """The answer to one request, on its way to the client that waits at the other end of the connection.

    closing: set before the server closes the connection itself, which is not the client's doing.
    """

    def __init__(self, connection: socket.socket, closing: threading.Event) -> None:
        self._connection = connection
        self._closing = closing
        self.closed_early = False

    def waits(self, seconds: float) -> bool:
        """Returns after so many seconds, or at once with False when the client or the server closes."""
        return self._is_open_after(max(0.0, seconds))

    def stall(self) -> None:
        """Sends nothing until the client or the server closes."""
        self._is_open_after(None)

    def write(self, content: bytes, drip: float | None = None) -> None:
        """Sends the bytes, with `drip` one by one, each after so many seconds.

        Raises OSError if the client has gone.
        """
        for piece in [content] if drip is None else [bytes([byte]) for byte in content]:
            if not self._is_open_after(drip or 0.0):
                raise ConnectionAbortedError("the connection was closed before the answer was sent")
            try:
                self._connection.sendall(piece)
            except OSError:
                self._note_closing()
                raise

    def _is_open_after(self, seconds: float | None) -> bool:
        """Waits so long for the end of the connection; None waits for it without end.

        The end is read from the connection, where a client sends nothing while it waits for its answer.
        """
        started = time.monotonic()
        self._connection.settimeout(seconds)
        try:
            early_bytes = self._connection.recv(1, socket.MSG_PEEK)
        except (TimeoutError, BlockingIOError):
            return True
        except OSError:
            early_bytes = b""
        finally:
            self._connection.settimeout(None)
        if not early_bytes:
            self._note_closing()
            return False
        # The next request is there already, and behind it nothing can be seen of the client.
        rest = None if seconds is None else max(0.0, seconds - (time.monotonic() - started))
        return not self._closing.wait(rest)

    def _note_closing(self) -> None:
        if not self._closing.is_set():
            self.closed_early = True


def reaches_fault(response: HttpResponse) -> bool:
    """The response is cut or stalls: its body is as long as the fault needs it to be."""
    size = len(response.body) if isinstance(response.body, bytes) else sum(map(len, response.body))
    return response.fault.ends_after is not None and response.fault.ends_after <= size


def writes(head: bytes, response: HttpResponse, *, chunked: bool) -> Iterator[bytes]:
    """The head and what is sent of the body, in the parts that are written one after the other.

    Header and body leave in one write where they can: in two, the client's delayed acknowledgement would add
    some 40 ms to every call.
    """
    end = response.fault.ends_after if reaches_fault(response) else None
    if isinstance(response.body, bytes):
        yield head + response.body[:end]
        return
    yield head
    pieces = list(_first_bytes(response.body, end))
    for number, piece in enumerate(pieces, start=1):
        last = _LAST_CHUNK if end is None and number == len(pieces) else b""
        yield b"%x\r\n%b\r\n%b" % (len(piece), piece, last) if chunked else piece


def _first_bytes(pieces: Sequence[bytes], end: int | None) -> Iterator[bytes]:
    """The pieces, none of them empty, as far as the first `end` bytes go."""
    sent = 0
    for piece in pieces:
        part = piece if end is None else piece[: max(0, end - sent)]
        sent += len(part)
        if part:
            yield part

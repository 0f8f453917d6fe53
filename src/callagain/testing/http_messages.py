"""What passes between the server and the API it serves."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Protocol


class Client(Protocol):
    """Whoever waits for the answer to one request."""

    @property
    def closed_early(self) -> bool:
        """The client closed the connection before it had the whole answer."""
        ...

    def waits(self, seconds: float) -> bool:
        """Returns after so many seconds, or at once with False when the client or the server closes."""
        ...


@dataclass(frozen=True, slots=True)
class HttpRequest:
    """target: path and query as sent. headers: names in lower case."""

    method: str
    target: str
    headers: Mapping[str, str]
    body: bytes
    client: Client


@dataclass(frozen=True, slots=True)
class Fault:
    """What goes wrong while a response is sent; `callagain.testing.faulty` says what the fields mean."""

    cut_after: int | None = None
    stall_after: int | None = None
    drip: float | None = None

    @property
    def ends_after(self) -> int | None:
        """The bytes of the body that are sent; None for all of them."""
        return self.stall_after if self.cut_after is None else self.cut_after


@dataclass(frozen=True, slots=True)
class HttpResponse:
    """headers: names in lower case. The server adds content-length unless it is given.

    body: bytes, or pieces that are sent in chunks, each by a write of its own. piece_delay: seconds between
    two pieces.
    """

    status: int
    headers: Mapping[str, str]
    body: bytes | Sequence[bytes]
    piece_delay: float = 0.0
    fault: Fault = Fault()

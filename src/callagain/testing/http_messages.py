"""What passes between the server and the API it serves."""

from collections.abc import Mapping
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class HttpRequest:
    """target: path and query as sent. headers: names in lower case."""

    method: str
    target: str
    headers: Mapping[str, str]
    body: bytes


@dataclass(frozen=True, slots=True)
class HttpResponse:
    """headers: names in lower case. The server adds content-length unless it is given."""

    status: int
    headers: Mapping[str, str]
    body: bytes

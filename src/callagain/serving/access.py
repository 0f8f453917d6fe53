"""Who may ask: whoever has the token, or, where there is none, whoever is on this machine."""

import hashlib
import hmac
import ipaddress

from starlette.datastructures import Headers
from starlette.types import Scope

from callagain.engine.errors import ConfigurationError
from callagain.serving.problems import RequestProblem

LEAST_CHARACTERS = 16
# What is told to anybody, so that whoever watches over the server needs no token.
OPEN_PATHS = ("/healthz",)


def checked_token(token: object) -> str | None:
    """The token without white space around it. Raises ConfigurationError, which does not tell the token."""
    if token is None:
        return None
    text = token.strip() if isinstance(token, str) else ""
    if len(text) < LEAST_CHARACTERS or not text.isascii() or not text.isprintable() or " " in text:
        raise ConfigurationError(
            f"the token must be {LEAST_CHARACTERS} or more ASCII characters without spaces, as "
            "`openssl rand -hex 32` prints"
        )
    return text


class Access:
    """token: None for a server of this machine alone."""

    def __init__(self, token: str | None) -> None:
        self._digest = None if token is None else hashlib.sha256(token.encode()).digest()

    def check(self, scope: Scope) -> None:
        """Raises RequestProblem for whoever may not ask."""
        if self._digest is None:
            _check_local(scope)
        elif not is_open(scope) and not self._is_right(Headers(scope=scope)):
            raise RequestProblem(
                401,
                "give the token of this server: Authorization: Bearer TOKEN",
                headers={"WWW-Authenticate": "Bearer"},
            )

    def _is_right(self, headers: Headers) -> bool:
        """Takes as long for every token: digests are of one length."""
        assert self._digest is not None
        given = headers.getlist("authorization")
        scheme, _, token = (given[0] if len(given) == 1 else "").partition(" ")
        digest = hashlib.sha256(token.strip().encode()).digest()
        return hmac.compare_digest(digest, self._digest) and scheme.lower() == "bearer"


def is_open(scope: Scope) -> bool:
    """Whether anybody is told this, at any time. Where the application is mounted, root_path is before it."""
    path: str = scope["path"]
    return path.removeprefix(scope.get("root_path", "")) in OPEN_PATHS


def _check_local(scope: Scope) -> None:
    """A page in somebody's browser may ask a server on the loopback interface too, by a name of its own."""
    client = scope.get("client")
    if client is None or not is_loopback(client[0]):
        raise RequestProblem(403, "this server has no token, and so answers its own machine alone")
    hosts = Headers(scope=scope).getlist("host")
    if len(hosts) != 1 or not is_loopback(_name_in(hosts[0])):
        raise RequestProblem(403, "this server has no token, and is asked as localhost or 127.0.0.1 alone")


def is_loopback(host: str) -> bool:
    """Whether a name or an address is that of the machine itself."""
    if host.lower() == "localhost":
        return True
    try:
        address = ipaddress.ip_address(host)
    except ValueError:
        return False
    mapped = address.ipv4_mapped if isinstance(address, ipaddress.IPv6Address) else None
    return (mapped or address).is_loopback


def _name_in(host: str) -> str:
    """Of a Host header: without the port, and without the brackets of IPv6."""
    if host.startswith("["):
        return host[1:].partition("]")[0]
    return host.partition(":")[0]

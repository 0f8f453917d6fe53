"""Why a request got no answer, in one line that says what to do."""

import os
from ipaddress import ip_address
from typing import TypeGuard
from urllib.parse import urlsplit

# What the environment says about every client that is made.
_PROXIES = ("HTTP_PROXY", "HTTPS_PROXY", "ALL_PROXY", "NO_PROXY")
_CERTIFICATES = ("SSL_CERT_FILE", "SSL_CERT_DIR")


def in_words(error: BaseException) -> str:
    """The class and the text of an error in one line; the class alone if it has no text."""
    text = " ".join(str(error).split()).rstrip(".")
    return f"{type(error).__name__}: {text}" if text else type(error).__name__


def why_no_client(error: BaseException, *, given: bool) -> str:
    """A client could not be made. given: by the caller's own function."""
    variables = _CERTIFICATES if isinstance(error, OSError) else _PROXIES
    suspects = ["the function given as client="] if given else []
    suspects += sorted(name for name in os.environ if name.upper() in variables)
    check = f"; check {', '.join(suspects)}" if suspects else ""
    return f"the client cannot be made: {in_words(error)}{check}"


def why_no_answer(error: Exception, base_url: str, timeout: float | None) -> str:
    """What the client raised for a request: no connection, silence, a connection that broke, or else."""
    endpoint = without_secrets(base_url)
    cause = error.__cause__ if error.__cause__ and _is_a(error, "APIConnectionError") else error
    words = in_words(cause)
    if _has_broken_off(cause.__cause__):
        # httpx's transport of aiohttp calls it a connection that could not be made in time.
        return f"the connection to {endpoint} broke: {in_words(cause.__cause__)}"
    if _is_a(cause, "ConnectError", "ConnectTimeout"):
        return f"could not reach {endpoint}: {words}; check the base URL, and that the server is running"
    if _is_a(cause, "APITimeoutError", "TimeoutException"):
        return f"{endpoint} was silent" + ("" if timeout is None else f" for {timeout:g} s")
    if _is_a(cause, "LocalProtocolError", "UnsupportedProtocol"):
        return f"the request to {endpoint} could not be sent: {words}; check the key and the client"
    if _is_a(cause, "TransportError", "DecodingError"):
        return f"the connection to {endpoint} broke: {words}"
    return f"the request to {endpoint} failed: {words}"


def proxy_advice(base_url: str) -> str | None:
    """For an endpoint on this machine: what to do if requests to it go through a proxy."""
    from urllib.request import getproxies, proxy_bypass

    parts = urlsplit(base_url)
    host = parts.hostname or ""
    if not _is_loopback(host) or proxy_bypass(host):
        return None
    proxies = getproxies()
    names = [f"{scheme.upper()}_PROXY" for scheme in (parts.scheme, "all") if proxies.get(scheme)]
    return f"a proxy is set ({', '.join(names)}): add {host} to NO_PROXY" if names else None


def without_secrets(url: str) -> str:
    """Scheme, host and port: a password or a key can stand in all the rest."""
    parts = urlsplit(url)
    return f"{parts.scheme}://{parts.netloc.rpartition('@')[2]}"


def _is_loopback(host: str) -> bool:
    try:
        return ip_address(host).is_loopback
    except ValueError:
        return host == "localhost"


def _has_broken_off(origin: BaseException | None) -> TypeGuard[BaseException]:
    """What aiohttp raised for a connection that had been there."""
    if origin is None or _is_a(origin, "ClientConnectorError"):
        return False
    return _is_a(origin, "ServerDisconnectedError", "ClientOSError")


def _is_a(error: BaseException, *names: str) -> bool:
    """By name, since a client of the openai package is built on httpx2 or on httpx."""
    return any(kind.__name__ in names for kind in type(error).__mro__)

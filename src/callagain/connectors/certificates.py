"""The certificates by which servers are trusted, read once in a process."""

import os
from functools import lru_cache
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import ssl


def shared_ssl_context() -> "ssl.SSLContext":
    """Of SSL_CERT_FILE, SSL_CERT_DIR, or the system's; each client would read them anew, in 20 to 40 ms.

    Certificates that change on the disk are seen by the next process. Raises OSError for what cannot be read.
    """
    return _context_of(os.environ.get("SSL_CERT_FILE"), os.environ.get("SSL_CERT_DIR"))


@lru_cache(maxsize=4)
def _context_of(_cert_file: str | None, _cert_dir: str | None) -> "ssl.SSLContext":
    import httpx2

    return httpx2.create_ssl_context()

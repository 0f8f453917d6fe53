"""The certificates by which servers are trusted are read once in a process."""

import ssl
from pathlib import Path

import pytest

from callagain.connectors.certificates import shared_ssl_context


def test_clients_share_what_was_read() -> None:
    context = shared_ssl_context()
    assert shared_ssl_context() is context
    # Of a server that shows no such certificate, or another name, nothing is taken.
    assert (context.verify_mode, context.check_hostname) == (ssl.CERT_REQUIRED, True)


def test_another_file_of_certificates_is_read(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    of_the_system = shared_ssl_context()
    only = tmp_path / "only.pem"
    authority = ssl.create_default_context().get_ca_certs(binary_form=True)[0]
    only.write_text(ssl.DER_cert_to_PEM_cert(authority), encoding="ascii")
    with monkeypatch.context() as patched:
        patched.setenv("SSL_CERT_FILE", str(only))
        assert shared_ssl_context().get_ca_certs(binary_form=True) == [authority]
    assert shared_ssl_context() is of_the_system


def test_a_file_that_is_missing_is_an_error_each_time(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SSL_CERT_FILE", "/nonexistent.pem")
    for _ in range(2):
        with pytest.raises(FileNotFoundError):
            shared_ssl_context()

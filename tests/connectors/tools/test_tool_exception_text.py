"""What a model is told about an exception of a tool."""

import traceback
from pathlib import Path

import pytest

from callagain.connectors.tools import exception_text


class Mute(Exception):
    def __str__(self) -> str:
        raise RuntimeError("no words")


@pytest.mark.parametrize(
    ("error", "text"),
    [
        (ValueError("ticket T-9 is locked"), "ValueError: ticket T-9 is locked"),
        (AssertionError(), "AssertionError"),
        (ValueError("  "), "ValueError"),
        (KeyError("x"), "KeyError: 'x'"),
        (Mute(), "Mute"),
        (ValueError("a\ud800"), "ValueError: a�"),
        (
            FileNotFoundError(2, "No such file", "/home/me/secret/orders.csv"),
            "FileNotFoundError: [Errno 2] No such file: 'orders.csv'",
        ),
        (ValueError(r"cannot read C:\Users\me\orders.csv"), "ValueError: cannot read orders.csv"),
        (ValueError("see file:///var/log/app.log now"), "ValueError: see (path) now"),
        (ValueError("in /var/log/"), "ValueError: in (path)"),
        (
            ValueError("GET https://example.com/a/b?c=d gave text/html on 1/2/2026"),
            "ValueError: GET https://example.com/a/b?c=d gave text/html on 1/2/2026",
        ),
        (RuntimeError("x" * 900), "RuntimeError: " + "x" * 485 + "…"),
    ],
)
def test_says_class_and_text_without_paths(error: BaseException, text: str) -> None:
    assert exception_text(error) == text
    assert len(exception_text(error)) <= 500


def test_a_traceback_in_the_text_is_taken_out() -> None:
    inner = ""
    try:
        Path("/nowhere/at/all").read_text(encoding="utf-8")
    except FileNotFoundError:
        inner = traceback.format_exc()
    text = exception_text(RuntimeError(f"child failed\n{inner}"))
    assert text == (
        "RuntimeError: child failed\nFileNotFoundError: [Errno 2] No such file or directory: 'all'"
    )

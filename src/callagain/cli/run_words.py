"""How a run stands, and when: the words and the colours of `callagain runs`."""

from collections.abc import Callable, Mapping

from callagain.cli.terminal import Style

# Those of callagain.engine.journal.store, which the parser does without.
STATUSES = ("running", "interrupted", "suspended", "limit", "failed", "completed")

_WAITS = {
    "approval_required": "waits for approval",
    "tool_requests": "waits for its result",
    "call_outcome_unknown": "waits: nobody knows whether it took effect",
}


def coloured_status(status: str, style: Style) -> str:
    """status: with blanks behind it, if a column has them."""
    colours: Mapping[str, Callable[[str], str]] = {"completed": style.good, "failed": style.bad}
    return colours.get(status.rstrip(), style.bold)(status)


def why(kind: str | None, pid: int | None) -> str:
    """Why a run did not complete, or which process drives it."""
    return f"process {pid}" if pid is not None else kind or ""


def date_and_time(text: str) -> str:
    """2026-01-31T12:00:00.000Z as 2026-01-31 12:00:00."""
    return text[:19].replace("T", " ")


def waits(kind: str) -> str:
    """Why a call waits, by the error kind of the run that waits for it."""
    return _WAITS.get(kind, f"waits: {kind}")

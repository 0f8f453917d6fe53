"""The spans of runs that may go on, by the ids of the runs, in the form of the header `traceparent`.

Source: https://www.w3.org/TR/trace-context/#traceparent-header.
"""

import re
from collections import OrderedDict

from opentelemetry.trace import Link, SpanContext, TraceFlags

# The oldest are forgotten: as many of them are some megabytes.
MOST = 10_000

_FORM = re.compile(r"00-([0-9a-f]{32})-([0-9a-f]{16})-([0-9a-f]{2})")


class RecentTraceparents(OrderedDict[str, str]):
    """Of the runs of this process."""

    def __setitem__(self, run_id: str, traceparent: str) -> None:
        super().__setitem__(run_id, traceparent)
        if len(self) > MOST:
            self.popitem(last=False)


def traceparent(span: SpanContext) -> str | None:
    """None for a span that nothing records."""
    if not span.is_valid:
        return None
    return f"00-{span.trace_id:032x}-{span.span_id:016x}-{int(span.trace_flags):02x}"


def links_to(traceparent: str | None) -> list[Link]:
    """A link to this span; none for what names no span."""
    found = _FORM.fullmatch(traceparent or "")
    if found is None:
        return []
    trace_id, span_id, flags = (int(part, 16) for part in found.groups())
    return [Link(SpanContext(trace_id, span_id, is_remote=True, trace_flags=TraceFlags(flags)))]

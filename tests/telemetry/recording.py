"""What a Telemetry recorded: the SDK's own exporter and reader, both in memory, and ways to look at it."""

from collections.abc import Mapping
from typing import Any

from opentelemetry.sdk.metrics import MeterProvider
from opentelemetry.sdk.metrics.export import InMemoryMetricReader
from opentelemetry.sdk.trace import ReadableSpan, TracerProvider
from opentelemetry.sdk.trace.export import SimpleSpanProcessor
from opentelemetry.sdk.trace.export.in_memory_span_exporter import InMemorySpanExporter
from opentelemetry.trace import Tracer

from callagain.telemetry import Telemetry


class Recording:
    """Providers of its own, so that nothing global is set."""

    def __init__(self) -> None:
        self._exporter = InMemorySpanExporter()
        self._tracers = TracerProvider()
        self._tracers.add_span_processor(SimpleSpanProcessor(self._exporter))
        self._reader = InMemoryMetricReader()
        self._meters = MeterProvider([self._reader])
        self.tracer: Tracer = self._tracers.get_tracer("test")

    def telemetry(self, **options: Any) -> Telemetry:
        return Telemetry(tracer_provider=self._tracers, meter_provider=self._meters, **options)

    @property
    def spans(self) -> list[ReadableSpan]:
        """All that have ended, in the order in which they began."""
        return sorted(self._exporter.get_finished_spans(), key=lambda span: span.start_time or 0)

    def named(self, name: str) -> list[ReadableSpan]:
        return [span for span in self.spans if span.name == name]

    def only(self, name: str) -> ReadableSpan:
        (span,) = self.named(name)
        return span

    def tree(self) -> str:
        """A line for each span, indented below its parent."""
        lines: list[str] = []

        def add(parent: int | None, depth: int) -> None:
            for span in self.spans:
                if (span.parent.span_id if span.parent else None) == parent:
                    lines.append("  " * depth + span.name)
                    add(id_of(span), depth + 1)

        add(None, 0)
        return "\n".join(lines)

    def words(self) -> str:
        """Everything that left the process, as one text."""
        return "\n".join(span.to_json() for span in self.spans)

    def metrics(self) -> dict[str, tuple[str, list[tuple[dict[str, Any], float]]]]:
        """By name: the unit, and the attributes of each series with its total (of a histogram, its sum)."""
        data = self._reader.get_metrics_data()
        found: dict[str, tuple[str, list[tuple[dict[str, Any], float]]]] = {}
        for resource in data.resource_metrics if data is not None else ():
            for metric in resource.scope_metrics[0].metrics:
                points: list[tuple[dict[str, Any], float]] = [
                    (dict(point.attributes or {}), getattr(point, "sum", getattr(point, "value", 0)))
                    for point in metric.data.data_points
                ]
                found[metric.name] = (metric.unit or "", points)
        return found


def id_of(span: ReadableSpan) -> int:
    assert span.context is not None
    found: int = span.context.span_id
    return found


def attributes(span: ReadableSpan, *names: str) -> Mapping[str, Any]:
    """All of them, or those of these names that it has."""
    found = dict(span.attributes or {})
    return {name: found[name] for name in names if name in found} if names else found


def failed(span: ReadableSpan) -> tuple[str, str | None, str | None]:
    """The status, error.type, and the description of the status."""
    kind = attributes(span).get("error.type")
    return span.status.status_code.name, kind, span.status.description


def events(span: ReadableSpan) -> list[tuple[str, dict[str, Any]]]:
    return [(event.name, dict(event.attributes or {})) for event in span.events]

"""Telemetry: the observer that records the runs of a loop."""

from collections.abc import MutableMapping
from typing import TYPE_CHECKING, cast

from callagain.engine.errors import ConfigurationError
from callagain.observers import Observation, ObservedRun

if TYPE_CHECKING:
    from opentelemetry.metrics import MeterProvider
    from opentelemetry.trace import TracerProvider

SCOPE = "callagain"


class Telemetry:
    """Records the runs of all loops that have it among their observers; any number of them, in any threads.

    tracer_provider, meter_provider: by default those that the application has set for OpenTelemetry; if it
    has set none, nothing is recorded.
    agent_name: what the loop is called: gen_ai.agent.name.
    content: what was said is recorded too: messages, arguments, results, the tools, the words of errors. The
    loop's own credentials are taken out of it, and nothing else is.
    operations: False leaves out the spans of operations; requests and tools stand in that of the run then.
    traceparents: where the spans of runs that may go on are kept, by run id; a mapping of texts to texts that
    outlives the process lets a run be linked that another process goes on with. By default the last 10,000 of
    this Telemetry.

    Raises ConfigurationError without opentelemetry-api, and for settings of another type.
    """

    def __init__(
        self,
        *,
        tracer_provider: "TracerProvider | None" = None,
        meter_provider: "MeterProvider | None" = None,
        agent_name: str | None = None,
        content: bool = False,
        operations: bool = True,
        traceparents: MutableMapping[str, str] | None = None,
    ) -> None:
        _check_provider("tracer_provider", tracer_provider, "get_tracer")
        _check_provider("meter_provider", meter_provider, "get_meter")
        _check("agent_name", agent_name, agent_name is None or _is_name(agent_name), "a name, or None")
        _check("content", content, isinstance(cast("object", content), bool), "True or False")
        _check("operations", operations, isinstance(cast("object", operations), bool), "True or False")
        _check(
            "traceparents",
            traceparents,
            isinstance(cast("object", traceparents), MutableMapping | None),
            "a mapping that can be written to, or None",
        )
        try:
            from opentelemetry import metrics, trace
        except ImportError:
            raise ConfigurationError(
                "telemetry needs opentelemetry-api; install it with pip install 'callagain[otel]'"
            ) from None
        from callagain.telemetry.instruments import Instruments
        from callagain.telemetry.recorder import Recorder
        from callagain.telemetry.traceparents import RecentTraceparents

        self._recorder = Recorder(
            tracer=trace.get_tracer(SCOPE, tracer_provider=tracer_provider),
            instruments=Instruments(metrics.get_meter(SCOPE, meter_provider=meter_provider)),
            agent_name=agent_name,
            content=content,
            operations=operations,
            traceparents=RecentTraceparents() if traceparents is None else traceparents,
        )

    def observe(self, observed: ObservedRun) -> Observation:
        """See `callagain.observers.Observer`."""
        from callagain.telemetry.run_spans import RunSpans

        return RunSpans(observed, self._recorder)


def _check_provider(name: str, provider: object, method: str) -> None:
    fits = provider is None or callable(getattr(provider, method, None))
    _check(name, provider, fits, f"a provider of OpenTelemetry, with {method}(), or None")


def _check(name: str, value: object, fits: bool, words: str) -> None:
    if not fits:
        raise ConfigurationError(f"{name} must be {words}, not {type(value).__name__}")


def _is_name(value: object) -> bool:
    return isinstance(value, str) and bool(value.strip())

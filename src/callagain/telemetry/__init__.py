"""OpenTelemetry: a span for each run, operation, request and call of a tool, and their metrics.

    loop = ToolLoop(model="gpt-4o", tools=[get_order_status], observers=[Telemetry()])

The names are those of OpenTelemetry's semantic conventions for generative AI, version `CONVENTIONS`. Needs
the extra: pip install 'callagain[otel]'. Without it `Telemetry()` raises ConfigurationError.
"""

from callagain.telemetry.conventions import CONVENTIONS
from callagain.telemetry.telemetry import Telemetry

__all__ = ["CONVENTIONS", "Telemetry"]

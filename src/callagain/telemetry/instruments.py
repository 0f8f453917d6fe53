"""The metrics, made once for each Telemetry, with the units and buckets of the conventions."""

from collections.abc import Sequence

from opentelemetry.metrics import Counter, Histogram, Meter

from callagain.telemetry import conventions as names

_SECONDS = tuple(0.01 * 2**power for power in range(14))
_SECONDS_OF_A_RUN = tuple(0.1 * 2**power for power in range(13))
_TOKENS = tuple(4**power for power in range(14))
_CALLS = tuple(2**power for power in range(8))


class Instruments:
    """What is measured. Durations are in seconds, and those of their spans."""

    def __init__(self, meter: Meter) -> None:
        self._meter = meter
        self.request_duration = self._histogram(
            names.INFERENCE_DURATION, "s", "Of a request, with all its attempts.", _SECONDS
        )
        self.time_to_first_chunk = self._histogram(
            names.TIME_TO_FIRST_CHUNK, "s", "From a streamed request to its first piece.", _SECONDS
        )
        self.input_tokens = self._counter(names.INPUT_TOKENS, "Of prompts, cached ones included.")
        self.output_tokens = self._counter(names.OUTPUT_TOKENS, "Of responses, reasoning included.")
        self.input_tokens_of_a_request = self._histogram(
            names.OPERATION_INPUT_TOKENS, "{token}", "Of the prompt of one request.", _TOKENS
        )
        self.output_tokens_of_a_request = self._histogram(
            names.OPERATION_OUTPUT_TOKENS, "{token}", "Of the response to one request.", _TOKENS
        )
        self.run_duration = self._histogram(names.INVOKE_AGENT_DURATION, "s", "Of a run.", _SECONDS_OF_A_RUN)
        self.requests_of_a_run = self._histogram(
            names.INVOKE_AGENT_INFERENCE_CALLS, "{inference_call}", "Requests of a run.", _CALLS
        )
        self.tool_calls_of_a_run = self._histogram(
            names.INVOKE_AGENT_TOOL_CALLS, "{tool_call}", "Calls of tools of a run.", _CALLS
        )
        self.tool_duration = self._histogram(
            names.EXECUTE_TOOL_DURATION, "s", "Of one call of a tool.", _SECONDS
        )

    def _counter(self, name: str, description: str) -> Counter:
        return self._meter.create_counter(name, "{token}", description)

    def _histogram(self, name: str, unit: str, description: str, buckets: Sequence[float]) -> Histogram:
        return self._meter.create_histogram(
            name, unit, description, explicit_bucket_boundaries_advisory=buckets
        )

"""`observers=`: who is told of every run, and what a run is without any."""

from collections.abc import Callable, Generator
from contextlib import contextmanager
from typing import Any

import pytest

from callagain import TOOL_CALLING_LOOP, ConfigurationError, Event, Result, RunEnded, ToolLoop
from callagain.engine.drivers import Performer
from callagain.engine.log_entries import Held
from callagain.engine.run import Run
from callagain.engine.run_inputs import Inputs
from callagain.observers import Observations, ObservedRun
from callagain.telemetry import Telemetry
from callagain.testing import StandIn, says

RunLoop = Callable[..., Result]
Serve = Callable[..., StandIn]


class Notes:
    """An observer that writes down what it is told; it is its own observation."""

    def __init__(self, notes: list[str], name: str, fails_at: type[Event] | None = None) -> None:
        self.notes = notes
        self.name = name
        self.fails_at = fails_at

    def observe(self, observed: ObservedRun) -> "Notes":
        self.notes.append(f"{self.name} observes {observed.run.inputs.run_id}")
        return self

    def around(self, performer: Performer) -> Performer:
        return performer

    @contextmanager
    def driving(self) -> Generator[None, None, None]:
        self.notes.append(f"{self.name} begins")
        try:
            yield
        except BaseException as error:
            self.notes.append(f"{self.name} sees {type(error).__name__}")
            raise
        finally:
            self.notes.append(f"{self.name} ends")

    def event(self, event: Event) -> None:
        self.notes.append(type(event).__name__)
        if self.fails_at is not None and isinstance(event, self.fails_at):
            self.fails_at = None
            raise LookupError("a bug of the observer")


def test_observers_are_told_of_a_run_in_their_order(run: RunLoop, stand_in: Serve) -> None:
    notes: list[str] = []
    observers = [Notes(notes, "one"), Notes(notes, "two")]
    loop = ToolLoop(model="m", base_url=stand_in([says("Hello.")]).base_url, observers=observers)
    run(loop, run_id="r1")
    assert notes[:4] == ["one observes r1", "two observes r1", "one begins", "two begins"]
    told = ["OperationEnded", "CommandStarted", "CommandEnded", *["OperationEnded"] * 3, "RunEnded"]
    assert notes[4:] == [each for event in told for each in (event, event)] + ["two ends", "one ends"]


def test_what_an_observer_raises_ends_the_drive_and_the_run_can_go_on(stand_in: Serve) -> None:
    notes: list[str] = []
    loop = ToolLoop(
        model="m",
        base_url=stand_in([says("Hello.")]).base_url,
        observers=[Notes(notes, "one", fails_at=RunEnded)],
    )
    live = loop.start("Go")
    with pytest.raises(LookupError, match="a bug of the observer"):
        live.run()
    assert notes[-2:] == ["one sees LookupError", "one ends"]
    assert live.run().final_response == "Hello."


def test_without_observers_nothing_stands_between_a_run_and_its_driver() -> None:
    class Nobody:
        def begin(self, *_: object, **__: object) -> Held:
            return Held((1, 0), "approval_required")

    def write_log(_: Event) -> None:
        pass

    nobody = Nobody()
    none = Observations((), ObservedRun(Run(TOOL_CALLING_LOOP, Inputs("r1", "m", "Go")), str, None))
    assert none.around(nobody) is nobody
    assert none.telling(write_log) is write_log
    assert none.driving() is none.driving()


@pytest.mark.parametrize(
    ("make", "message"),
    [
        (
            lambda: ToolLoop(model="m", base_url="http://m/v1", observers=[object()]),  # type: ignore[list-item]
            "observers must be a list of observers, such as [Telemetry()], not list",
        ),
        (
            lambda: ToolLoop(model="m", base_url="http://m/v1", observers=[Telemetry]),  # type: ignore[list-item]
            "observers must be a list of observers, such as [Telemetry()], not list",
        ),
        (
            lambda: ToolLoop(model="m", base_url="http://m/v1", observers=Telemetry()),  # type: ignore[arg-type]
            "observers must be a list of observers, such as [Telemetry()], not Telemetry",
        ),
        (lambda: Telemetry(agent_name=" "), "agent_name must be a name, or None, not str"),
        (lambda: _telemetry(content="yes"), "content must be True or False, not str"),
        (lambda: _telemetry(operations=None), "operations must be True or False, not NoneType"),
        (
            lambda: _telemetry(tracer_provider="otlp"),
            "tracer_provider must be a provider of OpenTelemetry, with get_tracer(), or None, not str",
        ),
        (
            lambda: _telemetry(meter_provider=1),
            "meter_provider must be a provider of OpenTelemetry, with get_meter(), or None, not int",
        ),
        (
            lambda: _telemetry(traceparents=[]),
            "traceparents must be a mapping that can be written to, or None, not list",
        ),
    ],
)
def test_a_wrong_setting_is_told_in_one_line(make: Callable[[], object], message: str) -> None:
    with pytest.raises(ConfigurationError) as caught:
        make()
    assert str(caught.value) == message


def _telemetry(**options: Any) -> Telemetry:
    return Telemetry(**options)

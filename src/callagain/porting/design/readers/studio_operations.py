"""The operations of a Studio export: their steps, their links, and options that are not ported."""

from collections.abc import Mapping

from callagain.engine.json_text import JsonObject
from callagain.porting.design.gathering import LOOKED_UP, Gathered
from callagain.porting.design.model import Operation, Step, StepKind
from callagain.porting.design.readers.json_values import object_of, objects_of, text_of
from callagain.porting.design.readers.studio_components import (
    ACTIVITY,
    EMAIL,
    OPERATION,
    SCRIPT,
    TRANSFORMATION,
    Component,
    Components,
    id_of,
)
from callagain.porting.design.readers.studio_outcomes import Outcome, decide, meaning_of_codes
from callagain.porting.design.readers.studio_properties import flat_properties

_STEP_KINDS = {
    OPERATION: StepKind.OPERATION,
    SCRIPT: StepKind.SCRIPT,
    ACTIVITY: StepKind.ACTIVITY,
    TRANSFORMATION: StepKind.TRANSFORMATION,
    EMAIL: StepKind.EMAIL,
}


def read_operations(components: Components, found: Gathered) -> None:
    """Puts the operations of an export among what was found."""
    operations = components.of_kind(OPERATION)
    outcomes = {component.place: _outcomes(component, components, found) for component in operations}
    codes = meaning_of_codes(outcomes.values())
    for component in operations:
        steps = tuple(
            _step(reference, component, components, found)
            for reference in objects_of(component.value.get("steps"))
        )
        on_success, on_fail = _links(component, outcomes[component.place], codes, found)
        found.operations.append(Operation(component.name, steps, component.place, on_success, on_fail))
        _tell_of_options(component, found)


def _outcomes(component: Component, components: Components, found: Gathered) -> list[Outcome]:
    outcomes: list[Outcome] = []
    for value in objects_of(component.value.get("outcomes")):
        code = text_of(value.get("outcomeType")) or "none"
        target = components.get(value.get("operationId"))
        if target is None or target.kind != OPERATION:
            what = f"{target.name!r}, which is no operation" if target else "what is not in the export"
            text = f"operation {component.name!r} has a link (outcomeType {code}) to {what}; it was left out"
            found.guess(text, component.place)
        else:
            outcomes.append(Outcome(code, target.name))
    return outcomes


def _links(
    component: Component, outcomes: list[Outcome], codes: Mapping[str, bool], found: Gathered
) -> tuple[str | None, str | None]:
    """On Success and On Fail. Every one is a guess, and a second one of a kind is left out."""
    links: dict[bool, str] = {}
    for decided in decide(outcomes, codes):
        link = "On Fail" if decided.is_fail else "On Success"
        text = (
            f"operation {component.name!r} leads to {decided.outcome.target!r} (outcomeType "
            f"{decided.outcome.code}): taken for {link}, {decided.reason}"
        )
        if links.setdefault(decided.is_fail, decided.outcome.target) != decided.outcome.target:
            text += f"; there is one {link} already, so it was left out"
        found.guess(text, component.place)
    return links.get(False), links.get(True)


def _step(reference: JsonObject, operation: Component, components: Components, found: Gathered) -> Step:
    component = components.get(reference)
    if component is None:
        name = text_of(reference.get("name")) or id_of(reference) or "unnamed"
        kinds = {str(number): kind for number, kind in _STEP_KINDS.items()}
        kind = kinds.get(text_of(reference.get("type")), StepKind.UNKNOWN)
        if kind not in LOOKED_UP:
            text = f"operation {operation.name!r} has a step {name!r}, which is not in the export"
            found.guess(text, operation.place)
        return Step(kind, name)
    if component.kind in _STEP_KINDS:
        return Step(_STEP_KINDS[component.kind], component.name)
    invoked = invoked_operation(component, components)
    if invoked is not None:
        text = f"step {component.name!r} of type {component.kind} is taken for Invoke Operation"
        found.guess(f"{text}: it has the id of {invoked.name!r}", component.place)
        return Step(StepKind.OPERATION, invoked.name)
    text = f"operation {operation.name!r} has a step {component.name!r} of the unknown type {component.kind}"
    found.guess(text, operation.place)
    return Step(StepKind.UNKNOWN, component.name)


def invoked_operation(component: Component, components: Components) -> Component | None:
    """The operation that a component of an unknown type names, as the Invoke Operation tool has to."""
    value = component.value
    flat = flat_properties(value.get("properties")).values
    for key in ("operationId", "targetOperationId", "operation"):
        target = components.get(value.get(key)) or components.get(flat.get(key))
        if target is not None and target.kind == OPERATION:
            return target
    return None


def _tell_of_options(component: Component, found: Gathered) -> None:
    options = object_of(component.value.get("options"))
    if options.get("enableChunking") is True:
        found.ignore("chunking", component.name, component.place, "the operation runs in one piece")
    if text_of(options.get("AlwaysRunSuccessOperation")) in ("1", "true"):
        text = f"operation {component.name!r} always runs its On Success operation; here only after a success"
        found.guess(text, component.place)
    if any(options.get(key) for key in ("schedule", "scheduleId", "schedule_id")):
        found.ignore(
            "schedule", component.name, component.place, "what starts the run is outside of the port"
        )

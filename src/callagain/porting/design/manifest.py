"""The text of `design.json`. What is empty is left out, and what the name of a variable says already."""

import json
from collections.abc import Iterable

from callagain.engine.json_text import valid_unicode
from callagain.porting.design.model import Design, Operation, Variable
from callagain.porting.design.secrets import is_reference, is_secret_name

Entry = dict[str, object]


def manifest_text(design: Design, files: Iterable[str]) -> str:
    """files: of the scripts, in their order, as paths from the folder."""
    manifest = _filled(
        name=design.name,
        workflows=[_filled(name=each.name, operations=list(each.operations)) for each in design.workflows],
        operations=[_operation(each) for each in design.operations],
    )
    # Even without any: else a reader would take every file below the folder for one.
    manifest["scripts"] = [
        {"name": script.name, "file": file, "language": script.language.value}
        for script, file in zip(design.scripts, files, strict=True)
    ]
    manifest |= _filled(
        activities=[
            _filled(
                name=each.name,
                connector=each.connector,
                function=each.function,
                polarity=each.polarity,
                connection=each.connection,
                properties=dict(each.properties),
                secrets=list(each.secrets),
            )
            for each in design.activities
        ],
        connections=[
            _filled(
                name=each.name,
                connector=each.connector,
                properties=dict(each.properties),
                secrets=list(each.secrets),
            )
            for each in design.connections
        ],
        variables=[_variable(each) for each in design.variables],
        tools=[
            {"name": each.name, "description": each.description, "parameters": dict(each.parameters)}
            for each in design.tools
        ],
        flowchart=[
            _filled(
                id=each.id,
                kind=each.kind,
                text=each.text,
                edges=[_filled(label=label, to=target) for label, target in each.edges],
            )
            for each in design.flowchart
        ],
    )
    return valid_unicode(json.dumps(manifest, ensure_ascii=False, indent=2, allow_nan=False)) + "\n"


def _operation(operation: Operation) -> Entry:
    return _filled(
        name=operation.name,
        steps=[{step.kind.value: step.name} for step in operation.steps],
        on_success=operation.on_success,
        on_fail=operation.on_fail,
    )


def _variable(variable: Variable) -> Entry:
    """secret is written where the name alone would say otherwise, and project where it is false."""
    entry: Entry = {"name": variable.name}
    if variable.default is not None and not variable.is_secret:
        entry["default"] = variable.default
    by_name = is_secret_name(variable.name) and not is_reference(variable.default or "")
    if variable.is_secret or by_name:
        entry["secret"] = variable.is_secret
    if not variable.is_project:
        entry["project"] = False
    return entry


def _filled(**values: object) -> Entry:
    return {key: value for key, value in values.items() if value not in (None, "", [], {})}

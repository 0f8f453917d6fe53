"""A project of Design Studio: a `.jpk` file, which is a ZIP archive of XML files.

    <project>/project.xml             the entities by type, with their GUIDs and names
    <project>/Data/<Type>/<guid>.xml  Operation, Script, Source, Target, ProjectVariable and others

Encrypted values are left out; their names are kept.
"""

from pathlib import Path

from callagain.porting.design.gathering import LOOKED_UP, Gathered
from callagain.porting.design.model import (
    Activity,
    Connection,
    Design,
    Language,
    Operation,
    Step,
    StepKind,
)
from callagain.porting.design.properties import without_secrets
from callagain.porting.design.readers.archives import Archive
from callagain.porting.design.readers.jpk_entities import PROJECT, Entity, Project, read_project
from callagain.porting.design.readers.jpk_references import resolve

FORM = "Design Studio project"

_POLARITIES = {"Source": "source", "Target": "target"}
_STEP_KINDS = {
    "Operation": StepKind.OPERATION,
    "Script": StepKind.SCRIPT,
    "Transformation": StepKind.TRANSFORMATION,
    "XsltTransform": StepKind.TRANSFORMATION,
    "EmailMessage": StepKind.EMAIL,
}
_STEP_ELEMENTS = {
    "OPERATION": StepKind.OPERATION,
    "SCRIPT": StepKind.SCRIPT,
    "TRANSFORMATION": StepKind.TRANSFORMATION,
    "SOURCE": StepKind.ACTIVITY,
    "TARGET": StepKind.ACTIVITY,
    "WEBSERVICECALL": StepKind.ACTIVITY,
}
_WHY_IGNORED = {
    "ApiEntity": "what starts the run is outside of the port",
    "Document": "belongs to a transformation",
    "EmailMessage": "sending mail is not ported",
    "Schedule": "what starts the run is outside of the port",
    "Transformation": "mappings between schemas are not ported; write it as a function",
    "XsltTransform": "mappings between schemas are not ported; write it as a function",
}
_VALUES = ("default_value", "defaultValue", "default", "value")
_MOST_REFERENCES_TOLD = 10


def read_jpk(path: Path) -> Design:
    """The design of a project. Raises DesignError."""
    with Archive(path) as archive:
        files = [name for name in archive.names if name == PROJECT or name.endswith(f"/{PROJECT}")]
        if not files:
            problem = f"is a ZIP archive without {PROJECT}, and so no .jpk file; give what is in it"
            raise archive.error(problem)
        files.sort(key=lambda name: (name.count("/"), name))
        project = read_project(archive, files[0])
        found = Gathered(project.name or path.stem, FORM, archive.place(files[0]))
        for other in files[1:]:
            found.guess(
                f"the archive has a second project, {other!r}, which was ignored", archive.place(other)
            )
    names = {guid: entity.name for guid, entity in project.entities.items()}
    for entity in project.entities.values():
        _read(entity, project, names, found)
    return found.design()


def _read(entity: Entity, project: Project, names: dict[str, str], found: Gathered) -> None:
    if not entity.is_read and entity.type in ("Script", "Operation"):
        text = f"{entity.type.lower()} {entity.name!r} is listed in {PROJECT}, and its file is not there"
        found.guess(text, entity.place)
    if entity.type == "Operation":
        _read_operation(entity, project, found)
    elif entity.type == "Script":
        _read_script(entity, names, found)
    elif entity.type == "ProjectVariable":
        value = next((entity.items[key] for key in _VALUES if key in entity.items), None)
        secret = any(key in entity.secrets for key in _VALUES) or entity.items.get("hidevalue") == "true"
        found.add_variable(entity.name, value, entity.place, is_secret=secret or None)
    elif entity.is_connection:
        properties, secrets = without_secrets(entity.items)
        found.connections.append(
            Connection(entity.name, entity.type, entity.place, properties, (*entity.secrets, *secrets))
        )
    elif entity.is_activity and entity.is_read:
        _read_activity(entity, project, found)
    else:
        _ignore(entity, found)


def _ignore(entity: Entity, found: Gathered) -> None:
    unknown = "its file is not there" if entity.is_activity else "the type is not known"
    why = _WHY_IGNORED.get(entity.type, unknown)
    found.ignore(entity.type or "entity", entity.name, entity.place, why)
    if entity.type not in _WHY_IGNORED:
        found.guess(f"{entity.name!r} of the type {entity.type!r} was ignored: {why}", entity.place)


def _read_operation(entity: Entity, project: Project, found: Gathered) -> None:
    steps = tuple(_step(element, guid, entity, project, found) for element, guid in entity.steps)
    found.operations.append(
        Operation(
            entity.name,
            steps,
            entity.place,
            _linked(entity, "success_operation_id", project, found),
            _linked(entity, "failure_operation_id", project, found),
        )
    )


def _step(element: str, guid: str, operation: Entity, project: Project, found: Gathered) -> Step:
    entity = project.get(guid)
    if entity is None:
        kind = _STEP_ELEMENTS.get(element.upper(), StepKind.UNKNOWN)
        if kind not in LOOKED_UP:
            text = f"operation {operation.name!r} has a step {element} {guid!r}, which is not in the project"
            found.guess(text, operation.place)
        return Step(kind, guid or element)
    if entity.type in _STEP_KINDS:
        return Step(_STEP_KINDS[entity.type], entity.name)
    return Step(StepKind.ACTIVITY if entity.is_activity else StepKind.UNKNOWN, entity.name)


def _linked(entity: Entity, key: str, project: Project, found: Gathered) -> str | None:
    guid = entity.items.get(key, "").strip().removeprefix("op.")
    if not guid:
        return None
    target = project.get(guid)
    if target is None or target.type != "Operation":
        text = f"operation {entity.name!r} has a {key} {guid!r}, which is no operation of the project"
        found.guess(f"{text}; it was left out", entity.place)
        return None
    return target.name


def _read_script(entity: Entity, names: dict[str, str], found: Gathered) -> None:
    resolved = resolve(entity.script, names)
    tags = [f"{reference} is {tag}" for reference, tag in resolved.references.items() if tag]
    if tags:
        shown = ", ".join(tags[:_MOST_REFERENCES_TOLD])
        more = f" and {len(tags) - _MOST_REFERENCES_TOLD} more" if len(tags) > _MOST_REFERENCES_TOLD else ""
        found.guess(f"script {entity.name!r}: references became names: {shown}{more}", entity.place)
    for reference, tag in resolved.references.items():
        if tag is None:
            text = f"script {entity.name!r} has a reference {reference}, which names nothing here; it stays"
            found.guess(text, entity.place)
    found.add_script(entity.name, resolved.text, entity.place, Language.JITTERBIT_SCRIPT)


def _read_activity(entity: Entity, project: Project, found: Gathered) -> None:
    targets = map(project.get, entity.items.values())
    properties, secrets = without_secrets(entity.items)
    connection = next((target.name for target in targets if target and target.is_connection), "")
    found.activities.append(
        Activity(
            entity.name,
            entity.items.get("type") or entity.type,
            entity.function,
            _POLARITIES.get(entity.type, "neutral"),
            entity.place,
            connection,
            properties,
            (*entity.secrets, *secrets),
        )
    )

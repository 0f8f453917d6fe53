"""A project export of Studio: JSON, version 4, components by the numbers of their types.

    {"version": 4, "apis": [], "assets": [],
     "project": {"name": "...", "workflows": [{"name": "...", "operations": [{"id": "..."}]}],
                 "components": [{"type": 200, "id": "...", "name": "...", "steps": [], "outcomes": []}]}}

No page describes the format; this reads what exports have, and reports what it does not know.
"""

from collections.abc import Callable
from pathlib import PurePath

from callagain.engine.json_text import Json, JsonObject
from callagain.porting.design.errors import DesignError
from callagain.porting.design.gathering import Gathered
from callagain.porting.design.model import (
    Activity,
    Connection,
    Design,
    Language,
    SourcePlace,
    Workflow,
)
from callagain.porting.design.readers.json_values import first_text, object_of, objects_of, text_of
from callagain.porting.design.readers.studio_components import (
    ACTIVITY,
    CONNECTION,
    EMAIL,
    GLOBAL,
    OPERATION,
    SCHEMA,
    SCRIPT,
    TRANSFORMATION,
    VARIABLE,
    WORKFLOW,
    Component,
    Components,
    id_of,
    read_components,
)
from callagain.porting.design.readers.studio_operations import invoked_operation, read_operations
from callagain.porting.design.readers.studio_properties import flat_properties
from callagain.porting.design.script_texts import is_marked

FORM = "Studio export"
VERSION = 4

_IGNORED = {
    TRANSFORMATION: ("transformation", "mappings between schemas are not ported; write it as a function"),
    SCHEMA: ("schema document", "belongs to a transformation or an activity"),
    EMAIL: ("email notification", "sending mail is not ported"),
}
_JITTERBIT_SCRIPT = "1"


def is_studio_export(value: Json) -> bool:
    """Whether a JSON document is an export of a project, or an array of the components of one."""
    if isinstance(value, dict):
        return isinstance(object_of(value.get("project")).get("components"), list)
    items = objects_of(value)
    return bool(items) and all(isinstance(item.get("type"), int) and "id" in item for item in items)


def read_studio_export(value: Json, path: PurePath) -> Design:
    """The design of an export. Raises DesignError if it is none."""
    if not is_studio_export(value):
        problem = "is no Studio export: it has no project.components; export the project from Studio anew"
        raise DesignError(SourcePlace(str(path)), problem)
    document = object_of(value)
    project = object_of(document.get("project"))
    place = SourcePlace(path.name)
    found = Gathered(text_of(project.get("name")) or path.stem, FORM, place)
    if not document:
        found.guess("it is an array of components, and no whole export", place)
    elif document.get("version") != VERSION:
        version = text_of(document.get("version")) or "none"
        found.guess(f"the version is {version}, not {VERSION}; it was read like version {VERSION}", place)
    listed, inside = (project.get("components"), "project.components") if document else (value, "")
    components = read_components(listed, path.name, inside, found)
    _read_workflows(project, components, path.name, found)
    for component in components.all:
        _READERS.get(component.kind, _read_other)(component, components, found)
    _read_globals_of_scripts(components, found)
    read_operations(components, found)
    _tell_of_the_rest(document, found)
    return found.design()


def _read_workflows(project: JsonObject, components: Components, file: str, found: Gathered) -> None:
    listed = [
        (value, SourcePlace(file, f"project.workflows[{position}]"))
        for position, value in enumerate(objects_of(project.get("workflows")))
    ]
    ids = {text_of(value.get("id")) for value, _ in listed}
    listed += [(each.value, each.place) for each in components.of_kind(WORKFLOW) if each.id not in ids]
    for value, place in listed:
        name = text_of(value.get("name")) or "unnamed workflow"
        operations: list[str] = []
        for reference in objects_of(value.get("operations")):
            target = components.name_of(reference)
            if target:
                operations.append(target)
            else:
                text = f"workflow {name!r} has an operation {id_of(reference)!r}, which is not in the export"
                found.guess(text, place)
        found.workflows.append(Workflow(name, tuple(operations), place))


def _read_script(component: Component, _: Components, found: Gathered) -> None:
    body = first_text(component.value, ("scriptBody", "scriptBodyCleansed"))
    kind = text_of(component.value.get("scriptType"))
    language = Language.JITTERBIT_SCRIPT if kind in ("", _JITTERBIT_SCRIPT) else Language.JAVASCRIPT
    if body.strip() and not is_marked(body):
        text = f"script {component.name!r} has no mark, and scriptType {kind or 'none'}"
        found.guess(f"{text}; it is taken for {language}", component.place)
    found.add_script(component.name, body, component.place, language)


def _read_activity(component: Component, components: Components, found: Gathered) -> None:
    value = component.value
    flat = flat_properties(value.get("properties"))
    reference = value.get("endpoint")
    connection = components.name_of(reference)
    if id_of(reference) and not connection:
        text = f"activity {component.name!r} has an endpoint that is not in the export"
        found.guess(text, component.place)
    found.activities.append(
        Activity(
            component.name,
            text_of(value.get("adapterId")),
            text_of(value.get("functionName")),
            text_of(value.get("polarity")),
            component.place,
            connection,
            flat.values,
            tuple(dict.fromkeys(flat.secrets)),
        )
    )


def _read_connection(component: Component, _: Components, found: Gathered) -> None:
    flat = flat_properties(component.value.get("properties"))
    found.connections.append(
        Connection(
            component.name,
            text_of(component.value.get("adapterId")),
            component.place,
            flat.values,
            tuple(dict.fromkeys([*flat.secrets, *flat.blanks])),
        )
    )


def _read_variable(component: Component, _: Components, found: Gathered) -> None:
    value = component.value
    hidden = value.get("hidevalue") is True or value.get("hideValue") is True
    default = first_text(value, ("defaultValue", "value"))
    found.add_variable(component.name, default, component.place, is_secret=hidden or None)


def _read_global(component: Component, components: Components, found: Gathered) -> None:
    """The index of global variables; a project variable that scripts use may stand in it once more."""
    if components.has(VARIABLE, component.name):
        return
    default = text_of(component.value.get("value")) or None
    found.add_variable(
        component.name,
        default,
        component.place,
        is_project=False,
        # Without a value there is none to enter, whatever the name.
        is_secret=None if default else False,
    )


def _read_globals_of_scripts(components: Components, found: Gathered) -> None:
    """Each script lists its global variables; an export need not have them as components too."""
    known = {variable.name for variable in found.variables}
    for component in components.of_kind(SCRIPT):
        for value in objects_of(component.value.get("globalVariables")):
            name = text_of(value.get("name"))
            if name and name not in known:
                known.add(name)
                found.add_variable(name, None, component.place, is_project=False, is_secret=False)


def _read_nothing(_component: Component, _components: Components, _found: Gathered) -> None:
    """Operations and workflows are read apart from the others, since they name them."""


def _read_other(component: Component, components: Components, found: Gathered) -> None:
    if component.kind in _IGNORED:
        found.ignore(
            _IGNORED[component.kind][0], component.name, component.place, _IGNORED[component.kind][1]
        )
    elif invoked_operation(component, components) is None:
        why = "the type is not known"
        found.ignore(f"component of type {component.kind}", component.name, component.place, why)
        text = f"{component.name!r} is of the unknown type {component.kind}, and was ignored"
        found.guess(text, component.place)


_READERS: dict[int, Callable[[Component, Components, Gathered], None]] = {
    OPERATION: _read_nothing,
    WORKFLOW: _read_nothing,
    SCRIPT: _read_script,
    ACTIVITY: _read_activity,
    CONNECTION: _read_connection,
    VARIABLE: _read_variable,
    GLOBAL: _read_global,
}


def _tell_of_the_rest(document: JsonObject, found: Gathered) -> None:
    for position, api in enumerate(objects_of(document.get("apis"))):
        name = first_text(api, ("name", "apiName", "id")) or f"unnamed {position}"
        place = SourcePlace(found.place.file, f"apis[{position}]")
        found.ignore("API", name, place, "what starts the run is outside of the port")
    assets = objects_of(document.get("assets"))
    if assets:
        place = SourcePlace(found.place.file, "assets")
        found.ignore("assets", f"{len(assets)} files", place, "schema files belong to transformations")

"""A folder of scripts, with a manifest `design.json` or without.

    {"name": "Orders assistant",
     "operations": [{"name": "LLM Call", "steps": [{"activity": "Chat Completions"}],
                     "on_success": "Parse Response"}],
     "scripts": [{"name": "Initialize", "file": "scripts/initialize.jb"}],
     "variables": [{"name": "toolsJson", "default": "[]"}]}

Everything but the name of a thing may be left out. Without `scripts` each `.jb` and `.js` file below the
folder is a script by the name of the file. Without a manifest that is all that is known, as of a folder that
an extractor of scripts wrote.
"""

from pathlib import Path

from callagain.porting.design.errors import DesignError
from callagain.porting.design.gathering import Gathered
from callagain.porting.design.model import (
    Activity,
    Connection,
    Design,
    Flow,
    Language,
    Operation,
    SourcePlace,
    Step,
    StepKind,
    ToolSchema,
    Workflow,
)
from callagain.porting.design.properties import without_secrets
from callagain.porting.design.readers.found_files import inside, script_files
from callagain.porting.design.readers.json_values import read_json
from callagain.porting.design.readers.limits import MAX_JSON_BYTES, MAX_SCRIPT_BYTES
from callagain.porting.design.readers.manifest_form import MANIFEST, STEP_KEYS, ManifestObject
from callagain.porting.design.readers.texts import read_text
from callagain.porting.design.tool_schemas import NO_PARAMETERS

FORM = "folder of scripts"


def read_script_folder(folder: Path) -> Design:
    """The design in a folder. Raises DesignError."""
    if (folder / MANIFEST).exists():
        return _read_manifest(folder)
    files = script_files(folder)
    if not files:
        project = " Is it an unpacked project? Then give the .jpk file." if _is_project(folder) else ""
        problem = f"has no {MANIFEST} and no .jb or .js file.{project}"
        raise DesignError(SourcePlace(str(folder)), problem)
    name = folder.resolve().name
    found = Gathered(name, FORM, SourcePlace(name))
    for file in files:
        _add_file(found, folder, file, file.stem)
    text = f"there is no {MANIFEST}: which operations run the scripts, and in which order, is not known"
    found.guess(text, found.place)
    return found.design()


def _is_project(folder: Path) -> bool:
    return any(folder.glob("project.xml")) or any(folder.glob("*/project.xml"))


def _read_manifest(folder: Path) -> Design:
    path = inside(folder, folder / MANIFEST)
    value = read_json(read_text(path, MAX_JSON_BYTES), SourcePlace(str(path)))
    if not isinstance(value, dict):
        raise DesignError(SourcePlace(str(path)), 'must be an object: {"name": "...", "operations": [...]}')
    manifest = ManifestObject(value, str(path))
    found = Gathered(manifest.text("name", folder.resolve().name), FORM, SourcePlace(MANIFEST))
    manifest.tell_unknown_keys("design", found)
    _read_scripts(manifest, folder, found)
    _read_operations(manifest, found)
    _read_endpoints(manifest, found)
    for item in manifest.objects("variables", "variable", found):
        found.add_variable(
            item.text("name"),
            item.text_or_json("default"),
            _place(item),
            is_project=item.flag("project") is not False,
            is_secret=item.flag("secret"),
        )
    for item in manifest.objects("tools", "tool", found):
        given = item.value.get("parameters") is not None
        parameters = item.object("parameters") if given else NO_PARAMETERS
        found.tools.append(
            ToolSchema(item.text("name"), item.text("description", ""), parameters, _place(item))
        )
    _read_flowchart(manifest, found)
    return found.design()


def _place(item: ManifestObject) -> SourcePlace:
    return SourcePlace(MANIFEST, item.inside)


def _read_operations(manifest: ManifestObject, found: Gathered) -> None:
    for item in manifest.objects("workflows", "workflow", found):
        found.workflows.append(Workflow(item.text("name"), item.texts("operations"), _place(item)))
    for item in manifest.objects("operations", "operation", found):
        found.operations.append(
            Operation(
                item.text("name"),
                tuple(_step(step) for step in item.objects("steps", "step", found)),
                _place(item),
                item.optional_text("on_success"),
                item.optional_text("on_fail"),
            )
        )


def _step(item: ManifestObject) -> Step:
    """A step is an object of one key, which is its kind: `{"script": "Append Tool Result"}`."""
    if len(item.value) != 1 or (kind := next(iter(item.value))) not in STEP_KEYS:
        raise item.error(f"must have one key, which says what it is: {', '.join(STEP_KEYS)}")
    return Step(StepKind(kind), item.text(kind))


def _read_endpoints(manifest: ManifestObject, found: Gathered) -> None:
    for item in manifest.objects("activities", "activity", found):
        properties, secrets = without_secrets(item.properties())
        found.activities.append(
            Activity(
                item.text("name"),
                item.text("connector", ""),
                item.text("function", ""),
                item.text("polarity", ""),
                _place(item),
                item.text("connection", ""),
                properties,
                tuple(dict.fromkeys([*item.texts("secrets"), *secrets])),
            )
        )
    for item in manifest.objects("connections", "connection", found):
        properties, secrets = without_secrets(item.properties())
        names = tuple(dict.fromkeys([*item.texts("secrets"), *secrets]))
        found.connections.append(
            Connection(item.text("name"), item.text("connector", ""), _place(item), properties, names)
        )


def _read_scripts(manifest: ManifestObject, folder: Path, found: Gathered) -> None:
    files = script_files(folder)
    if manifest.value.get("scripts") is None:
        for file in files:
            _add_file(found, folder, file, file.stem)
        return
    listed: set[Path] = set()
    for item in manifest.objects("scripts", "script", found):
        name = item.text("name")
        file = _file_of_script(item, name, folder, files)
        listed.add(file.resolve())
        _add_file(found, folder, file, name, _language(item))
    for file in files:
        if file.resolve() not in listed:
            place = SourcePlace(file.relative_to(folder).as_posix())
            found.ignore("script file", file.name, place, f"the scripts of {MANIFEST} do not name it")


def _file_of_script(item: ManifestObject, name: str, folder: Path, files: list[Path]) -> Path:
    file = item.optional_text("file")
    if file is None:
        same = [each for each in files if each.stem == name]
        if len(same) != 1:
            problem = f"{len(same) or 'no'} files below the folder are named {name!r}; say which one"
            raise item.error(problem, "file")
        return same[0]
    if "\0" in file or "\\" in file:
        raise item.error("must be a path with / between its parts, inside of the folder", "file")
    try:
        path = inside(folder, folder / file)
    except DesignError:
        raise item.error(f"{file!r} is not inside of the folder; put the script there", "file") from None
    if not path.is_file():
        raise item.error(f"there is no file {file!r} below the folder", "file")
    return path


def _language(item: ManifestObject) -> Language | None:
    language = item.optional_text("language")
    if language is None:
        return None
    try:
        return Language(language.lower())
    except ValueError:
        known = " or ".join(f"{each.value!r}" for each in Language)
        raise item.error(f"must be {known}", "language") from None


def _add_file(found: Gathered, folder: Path, file: Path, name: str, language: Language | None = None) -> None:
    place = SourcePlace(file.relative_to(folder).as_posix())
    by_ending = Language.JAVASCRIPT if file.suffix.lower() == ".js" else Language.JITTERBIT_SCRIPT
    found.add_script(name, read_text(file, MAX_SCRIPT_BYTES), place, language or by_ending)
    if language is not None and found.scripts[-1].language is not language:
        found.guess(f"script {name!r} is {found.scripts[-1].language} by its mark, not {language}", place)


def _read_flowchart(manifest: ManifestObject, found: Gathered) -> None:
    for item in manifest.objects("flowchart", "node", found):
        edges = item.objects("edges", "edge", found)
        found.flowchart.append(
            Flow(
                item.text("id"),
                item.text("kind", ""),
                item.text("text", ""),
                _place(item),
                tuple((edge.text("label", ""), edge.text("to")) for edge in edges),
            )
        )

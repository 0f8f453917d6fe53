"""What a design has, what its scripts call that is not here, and the tags that lead nowhere."""

from collections import Counter
from collections.abc import Iterator, Mapping

from callagain.porting.design.model import Design, Language, StepKind
from callagain.porting.recognition.model import Recognition
from callagain.porting.report.javascript_text import JavaScriptText
from callagain.porting.report.model import UnknownFunction, UnresolvedTag
from callagain.porting.report.reading import Reading, read_design
from callagain.porting.report.script_tree import ScriptTree, text_of
from callagain.porting.script import Place, Tag, read_tag, unknown_calls

# Kinds of tags, and the kinds of components that they may name.
_ENDPOINTS = ("source", "target", "salesforce", "endpoint", "connection")
_OF_JAVASCRIPT = ("GetVar", "SetVar")
_SHOWN = 120


def inventory(design: Design) -> dict[str, int]:
    """How many components of each kind a design has; a kind that it has none of is not there."""
    languages = Counter(script.language for script in design.scripts)
    project = sum(variable.is_project for variable in design.variables)
    counted = {
        "workflows": len(design.workflows),
        "operations": len(design.operations),
        "Jitterbit scripts": languages[Language.JITTERBIT_SCRIPT],
        "JavaScript scripts": languages[Language.JAVASCRIPT],
        "activities": len(design.activities),
        "connections": len(design.connections),
        "project variables": project,
        "global variables": len(design.variables) - project,
        "tools": len(design.tools),
        "flowchart nodes": len(design.flowchart),
    }
    counted |= {f"other: {kind}": number for kind, number in Counter(_kinds_ignored(design)).items()}
    return {kind: number for kind, number in counted.items() if number}


def unknown_functions(design: Design) -> tuple[UnknownFunction, ...]:
    """The functions that scripts call and the interpreter does not have, by name; capitals do not count.

    Of JavaScript those of the object `Jitterbit` that reach files and databases.
    """
    reading = _read(design)
    spelled: dict[str, str] = {}
    scripts: dict[str, list[str]] = {}
    for tree in reading.trees:
        for call in unknown_calls(tree.tree):
            name = spelled.setdefault(call.name.lower(), call.name)
            scripts.setdefault(name, []).append(tree.name)
    for script in reading.javascripts:
        for match in script.find(r"(?<![\w$.])Jitterbit\s*\.\s*(\w+)\s*\("):
            if match[1] not in _OF_JAVASCRIPT:
                scripts.setdefault(f"Jitterbit.{match[1]}", []).append(script.name)
    return tuple(
        UnknownFunction(name, tuple(dict.fromkeys(scripts[name])), len(scripts[name]))
        for name in sorted(scripts, key=str.lower)
    )


def unresolved_tags(design: Design) -> tuple[UnresolvedTag, ...]:
    """The tags in scripts that name nothing of the design, in the order of the scripts.

    Operations, scripts and activities are known by name, e-mails and plugins where the export lists them as
    components. A tag of an endpoint names its connection by the last part of its path. References of a .jpk
    by GUID (`op.` and so on) are resolved if a component has the GUID as its name or in its place.
    """
    reading = _read(design)
    known = _known(design)
    found = [_unresolved(tree.name, each, known, design) for tree in reading.trees for each in _texts(tree)]
    for script in reading.javascripts:
        found += [_unresolved(script.name, each, known, design) for each in _javascript_texts(script)]
    return tuple(each for each in found if each is not None)


def _read(design: Design) -> Reading:
    return read_design(design, Recognition())


def _kinds_ignored(design: Design) -> Iterator[str]:
    return (each.kind for each in design.ignored)


def _texts(tree: ScriptTree) -> Iterator[tuple[str, Place]]:
    for node in tree.nodes:
        if (text := text_of(node)) is not None:
            yield text, node.place


def _javascript_texts(script: JavaScriptText) -> Iterator[tuple[str, Place]]:
    return ((text, script.place(position)) for position, text in script.strings)


def _unresolved(
    script: str, text: tuple[str, Place], known: Mapping[str, set[str]], design: Design
) -> UnresolvedTag | None:
    written, place = text
    tag = read_tag(written)
    if tag is None or _is_known(tag, known, design):
        return None
    shown = written.strip()
    return UnresolvedTag(
        shown if len(shown) <= _SHOWN else f"{shown[:_SHOWN]}…", script, place.line, place.column
    )


def _known(design: Design) -> dict[str, set[str]]:
    """The names of what tags may name, by the kind of the tag."""
    steps = [step for operation in design.operations for step in operation.steps]
    connections = {connection.name for connection in design.connections}
    known = {
        "operation": {operation.name for operation in design.operations},
        "script": {script.name for script in design.scripts},
        "activity": {activity.name for activity in design.activities},
        "email": {step.name for step in steps if step.kind is StepKind.EMAIL},
        **{kind: connections | {activity.name for activity in design.activities} for kind in _ENDPOINTS},
    }
    for each in design.ignored:
        kind = each.kind.lower().replace("-", "").split(" ")[0]
        known.setdefault(kind, set()).add(each.name)
    return known


def _is_known(tag: Tag, known: Mapping[str, set[str]], design: Design) -> bool:
    names = known.get(tag.kind, set())
    last = tag.name.rpartition("/")[2]
    if tag.name in names or (tag.kind in ("activity", *_ENDPOINTS) and last in names):
        return True
    return _is_guid(tag) and any(tag.name in place for place in _places(design))


def _is_guid(tag: Tag) -> bool:
    return len(tag.name) == 36 and tag.name.count("-") == 4


def _places(design: Design) -> Iterator[str]:
    yield from (str(each.place) for each in design.operations)
    yield from (str(each.place) for each in design.scripts)
    yield from (str(each.place) for each in design.activities)
    yield from (str(each.place) for each in design.connections)
    yield from (str(each.place) for each in design.ignored)

"""Designs in the shapes in which Jitterbit exports them, made small for the tests."""

import json
import zipfile
from collections.abc import Iterable, Mapping
from pathlib import Path
from xml.sax.saxutils import escape, quoteattr

Json = Mapping[str, object]


def studio_export(*components: object, **more: object) -> str:
    """An export of version 4; more: of the project, such as `workflows`."""
    project = {"name": "Orders assistant", "components": list(components), **more}
    return json.dumps({"apis": [], "assets": [], "project": project, "version": 4})


def operation(name: str, *steps: str, **links: str) -> Json:
    """steps: the ids of components. links: `_200="Log Error"`, a code and the id of an operation."""
    outcomes = [{"outcomeType": int(code[1:]), "operationId": target} for code, target in links.items()]
    return {
        "type": 200,
        "id": name,
        "name": name,
        "operationType": 3,
        "steps": [{"id": step} for step in steps],
        "outcomes": outcomes,
        "checksum": "1",
        "requiresDeploy": True,
    }


def script(name: str, body: str, script_type: int = 1) -> Json:
    return {"type": 400, "id": name, "name": name, "scriptBody": body, "scriptType": script_type}


def variable(name: str, value: object, **more: object) -> Json:
    return {"type": 1000, "id": name, "name": name, "defaultValue": value, "hidevalue": False, **more}


def guid(number: int) -> str:
    return f"{number:08x}-1111-4222-8333-444444444444"


def entity(kind: str, number: int, name: str, inside: str = "", **items: str) -> tuple[str, str]:
    """The path of an entity in a .jpk file, and its document. A value that begins with $00 is encrypted."""
    properties = ""
    for key, value in items.items():
        encrypted = 'enc="true"' if value.startswith("$00") else ""
        properties += f'<Item key="{key}" value={quoteattr(value)} {encrypted}/>'
    header = f'<Header ID="{guid(number)}" Name={quoteattr(name)}/>'
    document = f'<Entity type="{kind}">{header}<Properties>{properties}</Properties>{inside}</Entity>'
    return f"Recipe/Data/{kind}/{guid(number)}.xml", document


def konga(text: str) -> str:
    return f'<konga.string name="script">{escape(text)}</konga.string>'


def pipeline(*steps: tuple[str, int]) -> str:
    elements = "".join(f'<{kind} activityId="1" contentId="{guid(number)}"/>' for kind, number in steps)
    return f'<Pipeline opType="Script"><Activities>{elements}</Activities></Pipeline>'


def write_jpk(path: Path, entities: Iterable[tuple[str, str]], *listed: tuple[str, int, str]) -> Path:
    """A .jpk file. listed: what project.xml lists besides, as type, number and name."""
    kinds = "".join(
        f'<EntityType name="{kind}"><Folder entityId="f" name="a folder">'
        f'<Entity entityId="{guid(number)}" name={quoteattr(name)}/></Folder></EntityType>'
        for kind, number, name in listed
    )
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("Recipe/project.xml", f'<Project projectId="1" name="Recipe">{kinds}</Project>')
        for name, document in entities:
            archive.writestr(name, document)
    return path

"""The entities of a Design Studio project: what project.xml lists, and what Data/<Type>/<guid>.xml holds."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import PurePosixPath

from callagain.porting.design.model import SourcePlace
from callagain.porting.design.readers.archives import Archive
from callagain.porting.design.readers.xml_documents import Element, read_xml
from callagain.porting.design.secrets import has_secret_form, is_reference, is_secret_name

PROJECT = "project.xml"

# The ends of the names of types: SalesforceConnector, WebServiceCall, NetSuiteUpsert, JMSPoll.
_CONNECTIONS = ("Endpoint", "Connector")
_ACTIVITIES = (
    "Source", "Target", "Call", "Query", "Create", "Upsert", "Update", "Delete", "GetList", "Function",
    "Acknowledge", "Browse", "Listen", "Poll", "SendOrPublish",
)  # fmt: skip
# Of these the name is enough; some are large.
_NOT_READ = {
    "ApiEntity", "Document", "EmailMessage", "Folder", "Plugin", "Schedule", "Transformation",
    "XsltTransform",
}  # fmt: skip


@dataclass(slots=True)
class Entity:
    """An entity by its GUID. items: its properties, without secrets, whose names stand in `secrets`.

    is_read: whether its document is in the archive, and was read. function: the type that the document says,
    where it is another. steps: of an operation, as (element, GUID). script: of a script, its whole text.
    """

    guid: str
    type: str
    name: str
    place: SourcePlace
    is_read: bool = False
    function: str = ""
    items: dict[str, str] = field(default_factory=dict[str, str])
    secrets: list[str] = field(default_factory=list[str])
    steps: list[tuple[str, str]] = field(default_factory=list[tuple[str, str]])
    script: str = ""

    @property
    def is_connection(self) -> bool:
        return self.type.endswith(_CONNECTIONS)

    @property
    def is_activity(self) -> bool:
        """A source, a target, a web service call, a query: whatever talks to an endpoint."""
        return self.type.endswith(_ACTIVITIES)


@dataclass(frozen=True, slots=True)
class Project:
    """A project: its name, and its entities by GUID in lower case, in the order of project.xml."""

    name: str
    entities: Mapping[str, Entity]

    def get(self, guid: str) -> Entity | None:
        return self.entities.get(guid.lower())


def read_project(archive: Archive, project_file: str) -> Project:
    """The project whose project.xml is given. Entities that it does not list come last."""
    root = read_xml(archive.read(project_file), archive_place(archive, project_file))
    folder = project_file.removesuffix(PROJECT)
    entities: dict[str, Entity] = {}
    for kind in root.all("EntityType"):
        for element in kind.all("Entity"):
            guid = element.get("entityId").lower()
            if guid:
                place = archive.place(project_file)
                entities.setdefault(guid, Entity(guid, kind.get("name"), element.get("name") or guid, place))
    for name in archive.names:
        parts = PurePosixPath(name.removeprefix(folder)).parts
        if name.startswith(folder) and len(parts) == 3 and parts[0] == "Data" and parts[2].endswith(".xml"):
            _read_entity(archive, name, parts[1], entities)
    return Project(root.get("name"), entities)


def archive_place(archive: Archive, name: str) -> SourcePlace:
    """The place for errors, with the path of the archive as it was given."""
    return archive.error("", name).place


def _read_entity(archive: Archive, name: str, kind: str, entities: dict[str, Entity]) -> None:
    guid = PurePosixPath(name).stem.lower()
    if kind in _NOT_READ:
        entities.setdefault(guid, Entity(guid, kind, guid, archive.place(name)))
        return
    root = read_xml(archive.read(name), archive_place(archive, name))
    header = next(root.all("Header"), Element("Header", {}))
    guid = header.get("ID").lower() or guid
    entity = entities.setdefault(guid, Entity(guid, kind, guid, archive.place(name)))
    entity.is_read, entity.type, entity.place = True, kind, archive.place(name)
    entity.name = header.get("Name") or entity.name
    entity.function = root.get("type") if root.get("type") != kind else ""
    for item in root.all("Item"):
        key, value = item.get("key"), item.get("value") or item.text
        if key and _is_secret(item, key, value):
            entity.secrets.append(key)
        elif key:
            entity.items.setdefault(key, value)
    for activities in root.all("Activities"):
        entity.steps += ((step.name, step.get("contentId")) for step in activities.children)
    strings = sorted(root.all("konga.string"), key=lambda each: each.get("name") != "script")
    entity.script = strings[0].text if strings else ""


def _is_secret(item: Element, key: str, value: str) -> bool:
    if item.get("enc").lower() in ("true", "1", "yes") or has_secret_form(value):
        return True
    return bool(value) and is_secret_name(key) and not is_reference(value)

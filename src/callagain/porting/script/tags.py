"""Tags: how a script names an operation, another script, or an activity of its project.

Studio: `<TAG>operation:LLM Call</TAG>`. Design Studio's editor: `<TAG>Operations/folder/name</TAG>`. In a
.jpk file: `op.` or `sc.` and a GUID.

Source: "Jitterbit Script", sections Operations, Scripts, Endpoints
(docs.jitterbit.com/studio/scripts/jitterbit-script).
"""

from dataclasses import dataclass

_FOLDERS = {
    "operations": "operation",
    "scripts": "script",
    "sources": "source",
    "targets": "target",
    "email messages": "email",
    "plugins": "plugin",
}
_PREFIXES = {
    "op": "operation",
    "sc": "script",
    "s": "source",
    "t": "target",
    "m": "email",
    "so": "salesforce",
}


@dataclass(frozen=True, slots=True)
class Tag:
    """What a tag names: its kind (`operation`, `script`, `activity` …), the name, and the folders before it.

    name: of an activity or endpoint the whole path, such as `http/LLM/post/Send`; of a .jpk reference the
    GUID.
    """

    kind: str
    name: str
    folder: str = ""


def read_tag(text: str) -> Tag | None:
    """The tag that a text is, or None. The text may have spaces around it, and nothing else."""
    text = text.strip()
    if text[:5].upper() == "<TAG>" and text[-6:].upper() == "</TAG>":
        return _inside(text[5:-6].strip())
    prefix, dot, guid = text.partition(".")
    if dot and prefix in _PREFIXES and len(guid) == 36 and guid.count("-") == 4:
        return Tag(_PREFIXES[prefix], guid)
    return None


def _inside(text: str) -> Tag | None:
    kind, colon, name = text.partition(":")
    if colon and "/" not in kind and kind.strip() and name.strip():
        return Tag(kind.strip().lower(), name.strip())
    first, slash, path = text.partition("/")
    if slash and first.lower() in _FOLDERS and path:
        folder, _, name = path.rpartition("/")
        return Tag(_FOLDERS[first.lower()], name, folder)
    return None

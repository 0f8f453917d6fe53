"""The entries of a log as JSON objects: {"entry": "intent", "key": [4, 0], "digest": "…"}."""

from collections.abc import Mapping

from callagain.engine.journal.dataclass_json import as_json, from_json
from callagain.engine.json_text import Json, JsonObject
from callagain.engine.log_entries import Decision, Entry, Held, Intent, Receipt, Resumed

_KINDS: Mapping[str, type[Entry]] = {
    "intent": Intent,
    "receipt": Receipt,
    "held": Held,
    "decision": Decision,
    "resumed": Resumed,
}


def entry_as_json(entry: Entry) -> JsonObject:
    """`entry` names the kind; the fields follow by their names, a key as [step, position]."""
    return {"entry": type(entry).__name__.lower(), **as_json(entry)}


def entry_from_json(value: Json) -> Entry:
    """Raises ValueError, which names what is wrong, for anything but an entry with all of its fields."""
    if not isinstance(value, dict):
        raise ValueError("an entry must be an object")
    name = value.get("entry")
    if not isinstance(name, str) or name not in _KINDS:
        raise ValueError(f"entry must be one of {', '.join(_KINDS)}")
    return from_json(_KINDS[name], {key: each for key, each in value.items() if key != "entry"}, name)

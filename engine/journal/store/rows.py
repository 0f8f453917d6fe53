"""An entry of a log as a row of the table `entries`, and back."""

from typing import TypeAlias

from callagain.engine.json_text import MAX_DEPTH, Json, JsonObject, decode, encode
from callagain.engine.log_entries import Decision, Entry, Held, Intent, Receipt, Resumed

# entry, step, position, digest, value
Row: TypeAlias = tuple[str, int | None, int | None, str | None, str | None]

# A receipt holds values that may be as deep as JSON may be anywhere.
_MAX_DEPTH = 2 * MAX_DEPTH


def entry_row(entry: Entry) -> Row:
    """The value of a receipt stands by itself; what others have besides key and digest, as an object.

    The same could be made of `entries_json`, at three times the price.

    Raises ValueError for what is no JSON.
    """
    match entry:
        case Intent():
            return "intent", *entry.key, entry.digest, None
        case Receipt():
            return "receipt", *entry.key, None, json_text(entry.value)
        case Held():
            fields = {"why": entry.why, "abandoned": entry.abandoned}
            return "held", *entry.key, None, json_text(fields)
        case Decision():
            fields = {"verdict": entry.verdict, "value": entry.value}
            return "decision", *entry.key, entry.digest, json_text(fields)
        case Resumed():
            fields = {"changes": dict(entry.changes), "discard": entry.discard}
            return "resumed", None, None, None, json_text(fields)


def read_entry(
    kind: str, step: int | None, position: int | None, digest: str | None, value: str | None
) -> JsonObject:
    """The entry in the form of `entries_json`. Raises ValueError for a row that is damaged."""
    entry: JsonObject = {"entry": kind}
    if step is not None:
        entry["key"] = [step, position]
    if digest is not None:
        entry["digest"] = digest
    if kind == "receipt":
        entry["value"] = _decoded(value)
    elif value is not None:
        entry.update(json_in(value))
    return entry


def json_text(value: object) -> str:
    """Raises ValueError for what is no JSON."""
    return encode(value).decode()


def json_in(text: object) -> JsonObject:
    """Raises ValueError for anything but the text of a JSON object."""
    value = _decoded(text)
    if not isinstance(value, dict):
        raise ValueError("not a JSON object")
    return value


def _decoded(text: object) -> Json:
    if not isinstance(text, str):
        raise ValueError("not a JSON text")
    return decode(text, max_depth=_MAX_DEPTH)

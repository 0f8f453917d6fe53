"""An entry of a log as a row of the table `entries`, and back."""

from typing import TypeAlias, cast

from callagain.engine.journal.entries_json import entry_as_json
from callagain.engine.json_text import MAX_DEPTH, Json, JsonObject, decode, encode
from callagain.engine.log_entries import Entry

# entry, step, position, digest, value
Row: TypeAlias = tuple[str, int | None, int | None, str | None, str | None]

# A receipt holds values that may be as deep as JSON may be anywhere.
_MAX_DEPTH = 2 * MAX_DEPTH


def entry_row(entry: Entry) -> Row:
    """The value of a receipt stands by itself; what others have besides a key and a digest, as an object.

    Raises ValueError for what is no JSON.
    """
    fields = entry_as_json(entry)
    kind = cast("str", fields.pop("entry"))
    step, position = cast("tuple[int, int]", fields.pop("key", (None, None)))
    digest = cast("str | None", fields.pop("digest", None))
    value = fields["value"] if kind == "receipt" else fields
    return kind, step, position, digest, None if kind == "intent" else json_text(value)


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

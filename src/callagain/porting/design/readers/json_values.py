"""JSON documents, and their values taken leniently: what is missing or of another type is empty."""

from collections.abc import Iterable

from callagain.engine.json_text import Json, JsonError, JsonObject, decode, encode, valid_unicode
from callagain.porting.design.errors import DesignError
from callagain.porting.design.model import SourcePlace
from callagain.porting.design.readers.limits import MAX_JSON_DEPTH


def read_json(text: str, place: SourcePlace) -> Json:
    """The value of a document. Raises DesignError that says where the text stops to be JSON."""
    try:
        return decode(text, max_depth=MAX_JSON_DEPTH)
    except JsonError as error:
        message, _, position = str(error).partition(" at position ")
        if position.isdigit():
            place = SourcePlace(place.file, _line_and_column(text, int(position)))
        raise DesignError(place, f"is no valid JSON: {message}") from None


def _line_and_column(text: str, position: int) -> str:
    line = text.count("\n", 0, position) + 1
    return f"line {line}, column {position - text.rfind(chr(10), 0, position)}"


def object_of(value: Json) -> JsonObject:
    return value if isinstance(value, dict) else {}


def objects_of(value: Json) -> list[JsonObject]:
    """The objects of an array; anything else in it is left out."""
    return [item for item in value if isinstance(item, dict)] if isinstance(value, list) else []


def text_of(value: Json) -> str:
    """A string, or a number or boolean as text; empty for anything else."""
    if isinstance(value, str):
        return valid_unicode(value)
    if value is None or isinstance(value, (list, dict)):
        return ""
    return encode(value).decode()


def first_text(value: JsonObject, keys: Iterable[str]) -> str:
    """The text of the first of the keys that has one."""
    return next((text for key in keys if (text := text_of(value.get(key)))), "")


def compact(value: Json) -> str:
    return encode(value).decode()

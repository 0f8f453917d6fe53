"""What of a JSON value can be read as objects. Pure."""

from callagain.engine.json_text import Json, JsonObject


def objects(value: Json) -> list[JsonObject]:
    """The objects in a list, in order; everything else is passed over."""
    entries = value if isinstance(value, list) else []
    return [entry for entry in entries if isinstance(entry, dict)]

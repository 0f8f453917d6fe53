"""Values of a table of TOML, each of the type that its key is to have. A wrong one is told in one line."""

import difflib
from collections.abc import Collection, Mapping
from typing import TypeAlias, TypeVar, cast

from callagain.engine.errors import ConfigurationError

Table: TypeAlias = Mapping[str, object]
Value = TypeVar("Value")

_WORDS: Mapping[type, str] = {str: "a text", bool: "true or false", int: "a whole number"}
_SHOWN_CHARS = 60


def check_keys(table: Table, known: Collection[str], where: str, known_as: str | None = None) -> None:
    """Raises ConfigurationError for a key that is not known. where: what the table is called.

    known_as: what all that are known are called, where they would be too many to be told.
    """
    for key in table:
        if key not in known:
            near = difflib.get_close_matches(key, known, 1)
            advice = f"did you mean {near[0]!r}?" if near else f"known: {known_as or ', '.join(known)}"
            raise ConfigurationError(f"{where} has the unknown key {key!r}; {advice}")


def value_of(table: Table, key: str, kind: type[Value], where: str = "") -> Value | None:
    """The value of a key, None if it is not there. where: goes before the key in a message.

    Raises ConfigurationError if it is of another type; true is no whole number.
    """
    if key not in table:
        return None
    value = table[key]
    if type(value) is not kind:
        raise ConfigurationError(f"{where}{key} must be {_WORDS[kind]}, not {shown(value)}")
    return value


def table_of(table: Table, key: str, where: str = "") -> dict[str, object] | None:
    """The table of a key, None if there is none. Raises ConfigurationError."""
    return as_table(table[key], f"{where}{key}") if key in table else None


def as_table(value: object, what: str) -> dict[str, object]:
    """The value. Raises ConfigurationError if it is no table."""
    if not isinstance(value, dict):
        raise ConfigurationError(f"{what} must be a table, not {shown(value)}")
    return cast("dict[str, object]", value)


def list_of(table: Table, key: str, where: str = "") -> list[object] | None:
    """The list of a key, None if there is none. Raises ConfigurationError."""
    value = table.get(key)
    if value is not None and not isinstance(value, list):
        raise ConfigurationError(f"{where}{key} must be a list, not {shown(value)}")
    return cast("list[object] | None", value)


def text_of(table: Table, key: str, where: str) -> str:
    """The text of a key that must be there, and not empty. Raises ConfigurationError."""
    text = value_of(table, key, str, where)
    if text is None or not text.strip():
        raise ConfigurationError(f"{where}{key} is missing or empty; give a text")
    return text


def texts_of(table: Table, key: str, where: str = "") -> list[str]:
    """One text, or a list of them; an empty list if there is none. Raises ConfigurationError."""
    value = table.get(key, [])
    entries = cast("list[object]", value if isinstance(value, list) else [value])
    texts = [entry for entry in entries if isinstance(entry, str)]
    if len(texts) != len(entries):
        raise ConfigurationError(f"{where}{key} must be a text or a list of texts, not {shown(table[key])}")
    return texts


def choice_of(table: Table, key: str, choices: tuple[Value, ...], default: Value, where: str = "") -> Value:
    """One of these texts. Raises ConfigurationError."""
    value = table.get(key, default)
    for one in choices:
        if one == value:
            return one
    raise ConfigurationError(
        f"{where}{key} must be one of {', '.join(map(str, choices))}, not {shown(value)}"
    )


def shown(value: object) -> str:
    text = repr(value)
    return text if len(text) <= _SHOWN_CHARS else f"{text[: _SHOWN_CHARS - 1]}…"

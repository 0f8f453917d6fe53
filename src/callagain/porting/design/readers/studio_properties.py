"""The properties of a Studio component: a tree of pages and groups, made flat, with secrets told apart.

Each node has a `name`, and `children` or a `value` (or `defaultValue`, where nothing was entered).
"""

from collections.abc import Iterator
from dataclasses import dataclass, field

from callagain.engine.json_text import Json, JsonObject
from callagain.porting.design.readers.json_values import compact, objects_of, text_of
from callagain.porting.design.script_secrets import mask_text
from callagain.porting.design.secrets import has_secret_form, is_reference, is_secret_name

_MARKS_OF_SECRETS = ("secret", "enc", "encrypted", "hidevalue", "hideValue")
_NO_SETTINGS = ("hyperlink", "label")


@dataclass(slots=True)
class FlatProperties:
    """Names and values of a component, and the names of its secrets.

    blanks: names of password fields that are empty, as in an export without credentials.
    """

    values: dict[str, str] = field(default_factory=dict[str, str])
    secrets: list[str] = field(default_factory=list[str])
    blanks: list[str] = field(default_factory=list[str])


def flat_properties(properties: Json) -> FlatProperties:
    """The tree made flat. Of two nodes with one name and two values the second is called `page.name`."""
    flat = FlatProperties()
    for page, node in _leaves(properties):
        name = text_of(node.get("name"))
        value = node.get("value", node.get("defaultValue"))
        if not name or text_of(node.get("widgetHint")) in _NO_SETTINGS:
            continue
        text = _shown(value) if isinstance(value, (list, dict)) else text_of(value)
        if is_reference(text):
            _add(flat, page, name, text)
        elif _is_secret(node, name) or has_secret_form(text):
            (flat.secrets if text else flat.blanks).append(name)
        elif text and not (isinstance(value, (list, dict)) and "value" not in node):
            shown = mask_text(text)
            _add(flat, page, name, shown)
            if shown != text:
                flat.secrets.append(name)
    return flat


def _leaves(properties: Json) -> Iterator[tuple[str, JsonObject]]:
    """The nodes without children, in the order of the text, each with the name of what holds it."""
    waiting = [("", node) for node in reversed(objects_of(properties))]
    while waiting:
        page, node = waiting.pop()
        if "value" in node or "defaultValue" in node or "children" not in node:
            yield page, node
        children = objects_of(node.get("children"))
        waiting += ((text_of(node.get("name")), child) for child in reversed(children))


def _is_secret(node: JsonObject, name: str) -> bool:
    is_password = "password" in (node.get("type"), node.get("widgetHint"))
    return is_password or any(node.get(mark) is True for mark in _MARKS_OF_SECRETS) or is_secret_name(name)


def _add(flat: FlatProperties, page: str, name: str, text: str) -> None:
    if flat.values.get(name, text) != text:
        name = f"{page}.{name}"
    flat.values.setdefault(name, text)


def _shown(value: Json) -> str:
    """A nested value as JSON, its secrets taken out: a header `Authorization`, an encrypted text."""
    shown = _without_secrets(value)
    return compact(shown) if shown else ""


def _without_secrets(value: Json) -> Json:
    if isinstance(value, list):
        return [_without_secrets(item) for item in value]
    if isinstance(value, str):
        return "***" if has_secret_form(value) else value
    if not isinstance(value, dict):
        return value
    named = next((text_of(value[key]) for key in ("name", "key", "header") if key in value), "")
    hidden = is_secret_name(named)
    return {
        key: "***" if _hides(key, item, hidden) else _without_secrets(item) for key, item in value.items()
    }


def _hides(key: str, value: Json, is_of_secret: bool) -> bool:
    if not isinstance(value, str) or not value or is_reference(value):
        return False
    return (is_of_secret and key.lower() == "value") or (key != "key" and is_secret_name(key))

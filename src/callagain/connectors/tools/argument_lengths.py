"""How long a string in the arguments of a call may be where the schema sets no limit of its own."""

from collections import deque
from collections.abc import Iterable, Iterator

from callagain.connectors.tools.schema_places import member_schemas, named_keys, speaking
from callagain.connectors.tools.wording import Faults
from callagain.engine.json_text import Json, JsonObject

_Path = tuple[str | int, ...]


def over_long(arguments: JsonObject, schema: JsonObject, limit: int) -> str:
    """The strings and keys of more than `limit` characters, in one line; empty when there are none.

    Left to the validation of the arguments is a string whose place has a `maxLength`, be it in one of
    several branches, a string that is listed there by `enum` or `const`, and a key that the schema names.
    """
    faults = Faults("arguments")
    for path, text, is_key in _long_texts(arguments, limit):
        said = _schemas_at(path, schema)
        if not is_key and not _is_limited(text, said):
            faults.add(path, f"should have at most {limit} characters", str(len(text)))
        if is_key and text not in named_keys(said):
            of_keys = speaking([each.get("propertyNames") for each in said], schema)
            if not _is_limited(text, of_keys):
                faults.add(path, f"should have keys of at most {limit} characters", f"one of {len(text)}")
    return faults.text()


def _long_texts(arguments: JsonObject, limit: int) -> Iterator[tuple[_Path, str, bool]]:
    """Each long string with its path; each long key with the path of its object, and True.

    In an ordinary call there are none, so the schema is not looked at here.
    """
    waiting: deque[tuple[_Path, list[Json] | JsonObject]] = deque([((), arguments)])
    while waiting:
        path, container = waiting.popleft()
        for step, member in container.items() if isinstance(container, dict) else enumerate(container):
            if isinstance(step, str) and len(step) > limit:
                yield path, step, True
            if isinstance(member, dict | list):
                waiting.append(((*path, step), member))
            elif isinstance(member, str) and len(member) > limit:
                yield (*path, step), member, False


def _schemas_at(path: _Path, root: JsonObject) -> list[JsonObject]:
    said = speaking([root], root)
    for step in path:
        said = speaking(member_schemas(said, step), root)
    return said


def _is_limited(text: str, schemas: Iterable[JsonObject]) -> bool:
    return any(
        "maxLength" in schema
        or text == schema.get("const")
        or (isinstance(listed := schema.get("enum"), list) and text in listed)
        for schema in schemas
    )

"""Cases as a JSON file, for `callagain parity DIR --cases FILE`."""

from collections.abc import Sequence
from pathlib import Path
from typing import cast

from callagain.engine.errors import ConfigurationError
from callagain.engine.json_text import Json, JsonError, JsonObject, decode
from callagain.porting.parity.cases import Case
from callagain.porting.parity.errors import ParityError
from callagain.porting.script import Value
from callagain.testing import AnyAnswer
from callagain.testing.script_file import answers_in

_KEYS = frozenset({"name", "message", "answers", "variables", "operation"})
MAX_BYTES = 20_000_000


def read_cases(path: Path) -> Sequence[Case]:
    """Reads cases from a UTF-8 JSON file: a list of objects.

        [{"name": "shipped", "message": "Where is order 481516?",
          "answers": [{"calls": [{"name": "get_order_status", "arguments": {"order_id": "481516"}}]},
                      "It is shipped."],
          "variables": {"customerName": "Ada"}}]

    An answer is one as `callagain.testing.load_script` reads it. `variables` and `answers` may be left out.
    With `operation` in place of `message`, that operation alone is run.

    Raises ParityError, in one line that names the file and the place.
    """
    try:
        if path.stat().st_size > MAX_BYTES:
            raise ParityError(f"the cases {path} have more than {MAX_BYTES:,} bytes; make several files")
        document = decode(path.read_text("utf-8-sig"), unique_keys=True)
    except OSError as error:
        raise ParityError(f"cannot read the cases {path}: {error.strerror}; give a JSON file") from None
    except UnicodeDecodeError:
        raise ParityError(f"the cases {path} are not UTF-8 text; convert the file first") from None
    except JsonError as error:
        raise ParityError(f"the cases {path} are not JSON: {error}") from None
    if not isinstance(document, list) or not document:
        raise ParityError(f"the cases {path} must be a list with one case at least")
    try:
        return [_case(entry, f"case {number}") for number, entry in enumerate(document, 1)]
    except ConfigurationError as error:
        raise ParityError(f"the cases {path}: {error}") from None


def _case(entry: Json, where: str) -> Case:
    if not isinstance(entry, dict):
        raise ParityError(f"{where} must be an object")
    if unknown := [key for key in entry if key not in _KEYS]:
        raise ParityError(f"{where} has the unknown key {unknown[0]!r}; known: {', '.join(sorted(_KEYS))}")
    name = _text(entry, "name", where)
    where = f"{where} ({name})"
    if ("message" in entry) == ("operation" in entry):
        raise ParityError(f'{where} needs either "message" or "operation"')
    operation = _text(entry, "operation", where) if "operation" in entry else None
    message = _text(entry, "message", where) if "message" in entry else ""
    return Case(name, message, _answers(entry, where), _variables(entry, where), operation)


def _answers(entry: JsonObject, where: str) -> Sequence[AnyAnswer]:
    try:
        return answers_in(entry.get("answers", []))
    except ConfigurationError as error:
        raise ParityError(f"{where}: {error}") from None


def _variables(entry: JsonObject, where: str) -> dict[str, Value]:
    variables = entry.get("variables", {})
    if not isinstance(variables, dict):
        raise ParityError(f"{where}: variables must be an object, of names without $ and values")
    if wrong := [name for name in variables if name.startswith("$")]:
        raise ParityError(f"{where}: write {wrong[0]!r} without $")
    return cast("dict[str, Value]", variables)


def _text(entry: JsonObject, key: str, where: str) -> str:
    value = entry.get(key)
    if not isinstance(value, str) or (not value and key != "message"):
        raise ParityError(f'{where}: "{key}" must be a text')
    return value

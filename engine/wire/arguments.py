"""The arguments of a tool call, as endpoints really send them."""

from dataclasses import dataclass

from callagain.engine.json_text import Json, JsonError, JsonObject, decode, encode

QUOTED_CHARS = 200

_JSON_NAMES = {"bool": "boolean", "int": "number", "float": "number", "str": "string", "list": "array"}


@dataclass(frozen=True, slots=True)
class Arguments:
    """`value` is None if the arguments are unusable; `problem` then says why, in words for the model.

    text: what is sent on, always the text of a JSON object, since servers parse the arguments of every
    earlier call and refuse the whole request for one that they cannot read.
    """

    value: JsonObject | None
    text: str = "{}"
    problem: str | None = None
    repaired: bool = False


def read_arguments(received: Json) -> Arguments:
    """Missing, null and empty arguments are {}; an object is taken as it is; a string is parsed.

    JSON text inside a JSON string is unwrapped once. Nothing else is mended, since it could only be guessed
    at: what is not the text of one whole, unambiguous JSON object is unusable.

    Departs from the guide in function_arguments: the guide takes what came, and leaves it to each operation.
    Here it is the text of a JSON object, and arguments that are none are told to the model, so that no tool
    has to expect anything else.
    """
    if received is None or (isinstance(received, str) and not received.strip()):
        return Arguments({})
    if isinstance(received, dict):
        return Arguments(received, encode(received).decode())
    if not isinstance(received, str):
        return Arguments(None, problem=_not_an_object(received))
    try:
        value, text, repaired = _parsed(received)
    except JsonError as error:
        return Arguments(None, problem=f"arguments are not valid JSON: {error}. {_quoted(received)}")
    if value is None and not repaired:
        return Arguments({})
    if not isinstance(value, dict):
        return Arguments(None, problem=f"{_not_an_object(value)}. {_quoted(received)}")
    return Arguments(value, text, repaired=repaired)


def _parsed(received: str) -> tuple[Json, str, bool]:
    """The value, its text, and whether it was repaired. Raises JsonError."""
    value = decode(received, unique_keys=True)
    repaired = isinstance(value, str)
    if isinstance(value, str):
        value = decode(value, unique_keys=True)
    if not repaired and "\\ud" not in received.lower():
        return value, received, repaired
    # Encoding also mends escaped lone surrogates, which no UTF-8 text can hold; that can make two keys one.
    text = encode(value).decode()
    return decode(text, unique_keys=True), text, repaired


def _not_an_object(value: Json) -> str:
    return f"arguments must be a JSON object, got {_JSON_NAMES.get(type(value).__name__, 'null')}"


def _quoted(received: str) -> str:
    more = "" if len(received) <= QUOTED_CHARS else f" … ({len(received)} characters)"
    return f"You sent: {received[:QUOTED_CHARS]}{more}"

"""Request bodies: whole, in time, no larger than allowed, and JSON."""

import asyncio
from typing import TypeVar

from pydantic import BaseModel, ValidationError
from starlette.requests import ClientDisconnect, Request

from callagain.engine.json_text import Json, JsonError, decode
from callagain.serving.limits import ServingLimits
from callagain.serving.problems import RequestProblem

_ERRORS_SHOWN = 10
_JSON_WORDS = {
    "model_type": "Input should be an object",
    "dict_type": "Input should be an object",
    "list_type": "Input should be an array",
}

Model = TypeVar("Model", bound=BaseModel)


async def read_body(request: Request, limits: ServingLimits) -> Json:
    """The JSON value of the body; an empty body is an empty object.

    Raises RequestProblem: 415, 413, 408 or 400.
    """
    _check_headers(request, limits.max_body_bytes)
    try:
        async with asyncio.timeout(limits.body_seconds):
            content = await _content(request, limits.max_body_bytes)
    except TimeoutError:
        raise RequestProblem(408, f"the body did not come within {limits.body_seconds:g} seconds") from None
    except ClientDisconnect:
        raise RequestProblem(400, "the body broke off") from None
    try:
        return decode(content.decode(), unique_keys=True) if content.strip() else {}
    except UnicodeDecodeError:
        raise RequestProblem(400, "the body is not UTF-8; send JSON in UTF-8") from None
    except JsonError as error:
        raise RequestProblem(400, f"the body is not JSON: {error}") from None


def validated(model: type[Model], value: Json) -> Model:
    """The body as one of the documented shapes. Raises RequestProblem, which does not repeat its values."""
    try:
        return model.model_validate(value)
    except ValidationError as error:
        found = error.errors(include_url=False, include_context=False, include_input=False)
        problems: list[Json] = [
            {
                "pointer": _pointer(each["loc"], value, each["type"]),
                "detail": _words(each["type"], each["msg"]),
            }
            for each in found[:_ERRORS_SHOWN]
        ]
        raise RequestProblem(
            422, "the body does not have the shape that /openapi.json tells; see errors", errors=problems
        ) from None


def _pointer(place: tuple[int | str, ...], body: Json, kind: str) -> str:
    """The place as a pointer into the body (RFC 6901).

    Between the keys pydantic names the forms that it tried, which are in no body.
    """
    pointer = ""
    value: Json = body
    for part in place:
        if there := _at(value, part):
            value = there[0]
        elif kind != "missing" or part != place[-1]:
            continue
        pointer += "/" + str(part).replace("~", "~0").replace("/", "~1")
    return pointer


def _at(value: Json, part: int | str) -> list[Json]:
    """What stands there, in a list; an empty one if nothing does."""
    if isinstance(value, dict):
        return [value[str(part)]] if part in value else []
    if isinstance(value, list) and isinstance(part, int):
        return value[part : part + 1]
    return []


def _words(kind: str, message: str) -> str:
    """In the words of JSON, and not of Python."""
    return _JSON_WORDS.get(kind, message.removeprefix("Value error, "))


def _check_headers(request: Request, most: int) -> None:
    """A page in a browser cannot send this type to another server without asking first."""
    kind = request.headers.get("content-type", "").partition(";")[0].strip().lower()
    has_body = "transfer-encoding" in request.headers or request.headers.get("content-length", "0") != "0"
    if kind != "application/json" and (kind or has_body):
        raise RequestProblem(415, "send the body as Content-Type: application/json")
    if request.headers.get("content-encoding", "identity").lower() != "identity":
        raise RequestProblem(415, "send the body without a Content-Encoding")
    length = request.headers.get("content-length", "")
    if length.isdecimal() and (len(length) > 18 or int(length) > most):
        raise _too_large(most)


async def _content(request: Request, most: int) -> bytes:
    content = bytearray()
    async for piece in request.stream():
        if len(content) + len(piece) > most:
            raise _too_large(most)
        content += piece
    return bytes(content)


def _too_large(most: int) -> RequestProblem:
    return RequestProblem(413, f"the body is larger than {most:,} bytes")

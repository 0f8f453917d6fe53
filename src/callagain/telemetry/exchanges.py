"""What a request asks for, and what its answer says of itself: settings, names and counts, no words."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import TypeAlias, TypeGuard
from urllib.parse import urlsplit

from callagain.engine.json_text import Json, JsonError, JsonObject, decode
from callagain.engine.wire.http_answer import HttpAnswer
from callagain.engine.wire.usage import Usage, usage_of
from callagain.telemetry import conventions as names

Attribute: TypeAlias = str | bool | int | float | tuple[str, ...]
Attributes: TypeAlias = dict[str, Attribute]

# Fields of a request that are numbers: of both APIs, and of servers that take more than they.
_FRACTIONS = ("temperature", "top_p", "frequency_penalty", "presence_penalty")
_WHOLE_NUMBERS: Mapping[str, str] = {
    "seed": "gen_ai.request.seed",
    "top_k": "gen_ai.request.top_k",
    "max_tokens": names.REQUEST_MAX_TOKENS,
    "max_completion_tokens": names.REQUEST_MAX_TOKENS,
    "max_output_tokens": names.REQUEST_MAX_TOKENS,
}
_DEFAULT_PORTS = {"http": 80, "https": 443}


def server(url: str | None) -> Attributes:
    """Host and port of the endpoint; nothing if it is not known."""
    try:
        parts = urlsplit(url or "")
        host, port = parts.hostname, parts.port or _DEFAULT_PORTS.get(parts.scheme)
    except ValueError:
        # A client that was given may have any URL.
        return {}
    return {} if not host or port is None else {names.SERVER_ADDRESS: host, names.SERVER_PORT: port}


def request_attributes(fields: JsonObject) -> Attributes:
    """The settings of a request, by its fields in either API."""
    found: Attributes = {}
    for name in _FRACTIONS:
        if _is_number(value := fields.get(name)):
            found[f"gen_ai.request.{name}"] = float(value)
    for name, attribute in _WHOLE_NUMBERS.items():
        if _is_number(value := fields.get(name)):
            found[attribute] = int(value)
    stop = fields.get("stop")
    if stop:
        found[names.REQUEST_STOP] = tuple(map(str, stop)) if isinstance(stop, list) else (str(stop),)
    if fields.get("stream") is True:
        found[names.REQUEST_STREAM] = True
    effort = fields.get("reasoning_effort") or _at(fields, "reasoning", "effort")
    if isinstance(effort, str):
        found[names.REQUEST_REASONING] = effort
    if isinstance(previous := fields.get("previous_response_id"), str):
        found[names.REQUEST_PREVIOUS] = previous
    if isinstance(
        form := _at(fields, "response_format", "type") or _at(fields, "text", "format", "type"), str
    ):
        found[names.OUTPUT_TYPE] = "json" if form.startswith("json") else "text"
    return found


@dataclass(frozen=True, slots=True)
class Answered:
    """attributes: what the answer says of itself. usage: its tokens, if it says so. body: the response."""

    attributes: Attributes = field(default_factory=dict[str, Attribute])
    usage: Usage | None = None
    body: JsonObject = field(default_factory=dict[str, Json])


def answered(answer: HttpAnswer) -> Answered:
    """Of an answer in either API; of one that is no response, nothing."""
    try:
        body = decode(answer.body) if answer.is_success else None
    except JsonError:
        body = None
    if not isinstance(body, dict):
        return Answered()
    found: Attributes = {}
    for attribute, name in ((names.RESPONSE_ID, "id"), (names.RESPONSE_MODEL, "model")):
        if isinstance(value := body.get(name), str):
            found[attribute] = value
    if reasons := finish_reasons(body):
        found[names.RESPONSE_FINISH_REASONS] = reasons
    counts = body.get("usage")
    if not isinstance(counts, dict):
        return Answered(found, body=body)
    usage = usage_of(
        counts.get("prompt_tokens", counts.get("input_tokens")),
        counts.get("completion_tokens", counts.get("output_tokens")),
        counts.get("total_tokens"),
    )
    found[names.USAGE_INPUT], found[names.USAGE_OUTPUT] = usage.prompt_tokens, usage.completion_tokens
    for attribute, places, name in _PARTS:
        for place in places:
            if _is_number(value := _at(counts, place, name)):
                found[attribute] = int(value)
    return Answered(found, usage, body)


def finish_reasons(body: JsonObject) -> tuple[str, ...]:
    """Why the model stopped: one for each choice, or for the response."""
    choices = body.get("choices")
    if isinstance(choices, list):
        reasons = [_at(choice, "finish_reason") for choice in choices]
        return tuple(reason for reason in reasons if isinstance(reason, str))
    reason = _at(body, "incomplete_details", "reason") or body.get("status")
    return (reason,) if isinstance(reason, str) else ()


# Of tokens that are counted among the others: where they stand in either API.
_PARTS = (
    (names.USAGE_CACHE_READ, ("prompt_tokens_details", "input_tokens_details"), "cached_tokens"),
    (names.USAGE_REASONING, ("completion_tokens_details", "output_tokens_details"), "reasoning_tokens"),
)


def _at(value: Json, *path: str) -> Json:
    for name in path:
        value = value.get(name) if isinstance(value, dict) else None
    return value


def _is_number(value: Json) -> TypeGuard[int | float]:
    return isinstance(value, int | float) and not isinstance(value, bool) and abs(value) < _MOST


# Larger numbers have no place in an attribute.
_MOST = 2**63

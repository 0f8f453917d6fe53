"""An HTTP answer as a receipt, and what an answer that is no success means."""

import re
from dataclasses import dataclass

from callagain.engine.errors import Failure
from callagain.engine.json_text import Json, JsonError, JsonObject, decode

QUOTED_CHARS = 200

_QUOTA = re.compile(r"insufficient_quota|billing|exceeded your current quota", re.IGNORECASE)
_CONTEXT = re.compile(r"context_length|context length|maximum context|too many tokens", re.IGNORECASE)
_FILTER = re.compile(r"content_filter|content management policy", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class HttpAnswer:
    """The receipt of a SendRequest. If no answer came, `error` is the kind, and `body` says why."""

    status: int
    content_type: str
    body: str
    error: str | None = None

    @classmethod
    def missing(cls, kind: str, why: str) -> "HttpAnswer":
        """No answer came."""
        return cls(0, "", why, kind)

    def as_json(self) -> JsonObject:
        return {
            "status": self.status,
            "content_type": self.content_type,
            "body": self.body,
            "error": self.error,
        }

    @classmethod
    def from_json(cls, value: Json) -> "HttpAnswer":
        """Raises ValueError for what is no receipt of a request."""
        if isinstance(value, dict):
            status, content_type, body = value.get("status"), value.get("content_type"), value.get("body")
            if isinstance(status, int) and isinstance(content_type, str) and isinstance(body, str):
                error = value.get("error")
                return cls(status, content_type, body, error if isinstance(error, str) else None)
        raise ValueError(f"not the receipt of a request: {str(value)[:100]}")

    @property
    def quoted(self) -> str:
        """The beginning of the body, for messages."""
        more = "" if len(self.body) <= QUOTED_CHARS else f" … ({len(self.body)} characters)"
        return f"{self.body[:QUOTED_CHARS]}{more}"


def raise_unless_success(answer: HttpAnswer) -> None:
    """Raises Failure for an answer that is no success, with the endpoint's own reason in the message."""
    if answer.error is not None:
        raise Failure(answer.error, answer.body)
    if not 200 <= answer.status < 300:
        raise Failure(kind_of(answer.status, answer.body), f"HTTP {answer.status}: {reason(answer)}")


def kind_of(status: int, body: str) -> str:
    """The error kind that a status and a body stand for."""
    if status in (401, 403):
        return "auth"
    if status == 402 or (status == 429 and _QUOTA.search(body)):
        return "quota_exceeded"
    if status == 429:
        return "rate_limited"
    if status in (408, 409) or status >= 500:
        return "provider_unavailable"
    if _CONTEXT.search(body):
        return "context_length"
    if _FILTER.search(body):
        return "content_filter"
    return "bad_request" if status in (400, 404, 413, 422) else "provider_error"


def reason(answer: HttpAnswer) -> str:
    """The endpoint's words, wherever in the body they stand; the beginning of the body where they do not."""
    try:
        body = decode(answer.body)
    except JsonError:
        return answer.quoted.strip() or "no reason given"
    return error_message(body) or answer.quoted


def error_message(body: Json) -> str | None:
    """The message of an error body: an object, an array that holds one, or a member that is a text."""
    if isinstance(body, list):
        return next((found for item in body if (found := error_message(item))), None)
    if not isinstance(body, dict):
        return body if isinstance(body, str) and body else None
    for name in ("error", "message", "detail", "msg"):
        if name in body and (found := error_message(body[name])):
            return found
    return None

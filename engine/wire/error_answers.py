"""What an answer that is no success means: its kind, and the endpoint's own words for it."""

import re
from collections.abc import Callable

from callagain.engine.error_kinds import advised
from callagain.engine.errors import Failure
from callagain.engine.json_text import Json, JsonError, JsonObject, decode
from callagain.engine.problem import Problem
from callagain.engine.wire.http_answer import HttpAnswer

KEPT_CHARS = 2_000

_QUOTA = re.compile(r"insufficient_quota|billing|exceeded your current quota|credit balance", re.IGNORECASE)
_CONTEXT = re.compile(
    r"context_length|context[ _](length|window|size)|maximum context|too many tokens|prompt is too long"
    r"|tokens_limit_reached|reduce the length of the (messages|prompt)",
    re.IGNORECASE,
)
_FILTER = re.compile(
    r"content_filter|content management policy|content_policy_violation|ResponsibleAIPolicyViolation",
    re.IGNORECASE,
)

# Words that stand where others put a status: https://platform.openai.com/docs/api-reference/responses/object
# (error.code), https://docs.anthropic.com/en/api/errors (error.type).
_STATUS_OF_CODE = {
    "rate_limit_exceeded": 429,
    "rate_limit_error": 429,
    "insufficient_quota": 429,
    "server_error": 500,
    "api_error": 500,
    "internal_server_error": 500,
    "overloaded_error": 529,
    "authentication_error": 401,
    "permission_error": 403,
    "invalid_request_error": 400,
    "context_length_exceeded": 400,
    "content_filter": 400,
}

ErrorIn = Callable[[Json], JsonObject | None]


def problem_of(answer: HttpAnswer, error_in: ErrorIn) -> Problem | None:
    """Why the answer is no response: none came, the status says so, or its body does; None if it is one.

    error_in: finds the error that a body with a status of success tells of.
    """
    if answer.error is not None:
        return _problem(answer, answer.error, answer.body)
    if not answer.is_success:
        kind = kind_of(answer.status, answer.body)
        return _problem(answer, kind, advised(kind, f"HTTP {answer.status}: {reason(answer)}"))
    if '"error"' not in answer.body:
        return None
    try:
        error = error_in(decode(answer.body))
    except JsonError:
        return None
    if error is None:
        return None
    said = error_message({"error": error}) or answer.quoted
    status, code = status_in(error)
    kind = "provider_error" if status is None else kind_of(status, answer.body)
    what = f"the endpoint answered with an error{f' {code}' if code else ''}: {said}"
    return _problem(answer, kind, advised(kind, what))


def _problem(answer: HttpAnswer, kind: str, message: str) -> Problem:
    if answer.retry_after is not None:
        message += f" (the endpoint asks to wait {answer.retry_after:g} s)"
    if answer.attempts > 1:
        message += f" ({answer.attempts} attempts)"
    return Problem(
        kind,
        message,
        retry_after=answer.retry_after,
        status=answer.status or None,
        body=None if answer.error else answer.body[:KEPT_CHARS],
    )


def malformed(answer: HttpAnswer, what: str) -> Failure:
    """An answer with a status of success that holds no response."""
    came = f"the answer (HTTP {answer.status}, {answer.content_type or 'no content type'}) {what}"
    message = f"{advised('malformed_response', came)}. It begins: {answer.quoted}"
    return Failure.of(
        Problem("malformed_response", message, status=answer.status, body=answer.body[:KEPT_CHARS])
    )


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
    return "bad_request" if 400 <= status < 500 else "provider_error"


def status_in(error: JsonObject) -> tuple[int | None, Json]:
    """The status that an error object stands for, and the code that says so; None if it does not say."""
    for name in ("code", "status", "type"):
        code = error.get(name)
        if isinstance(code, str) and code.isascii() and code.isdigit() and len(code) == 3:
            code = int(code)
        if isinstance(code, int) and not isinstance(code, bool) and 400 <= code < 600:
            return code, code
        if isinstance(code, str) and code in _STATUS_OF_CODE:
            return _STATUS_OF_CODE[code], code
    return None, error.get("code")


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

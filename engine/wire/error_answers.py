"""What an answer that is no success means: its kind, and the endpoint's own words for it.

The kind follows from the status, and from the endpoint's words where a status stands for several. Only its
own words count and not the whole body, since some endpoints repeat in it what was sent.
"""

import re
from collections.abc import Callable, Iterator

from callagain.engine.error_kinds import advised
from callagain.engine.errors import Failure
from callagain.engine.json_text import Json, JsonError, JsonObject, decode, encode
from callagain.engine.problem import Problem
from callagain.engine.wire.http_answer import HttpAnswer

KEPT_CHARS = 2_000
MAX_REASON_CHARS = 500

# Endpoints that are called compatible differ in their codes more than in their words.
_CONTEXT = re.compile(
    r"context_length_exceeded|exceed_context_size|tokens_limit_reached|request[_ ]too[_ ]large"
    r"|maximum (context|prompt) length|exceed\w* [^.]{0,60}\bcontext\b|greater than the context length"
    r"|context (length|window|size) (exceed|of only)|(prompt|input) is too long|too many tokens"
    r"|token count[^.]{0,40} exceeds|exceeded model token limit|range of input length"
    r"|reduce the length of the (messages|prompt)",
    re.IGNORECASE,
)
_TOO_LARGE = re.compile(r"request too large", re.IGNORECASE)
_FILTER = re.compile(
    r"content_filter|content management policy|content_policy_violation|ResponsibleAIPolicyViolation"
    r"|data_inspection_failed|(input|prompt) was flagged|content violates usage guidelines",
    re.IGNORECASE,
)
_QUOTA = re.compile(
    r"insufficient_quota|exceeded_current_quota|exceeded your current quota|credit balance"
    r"|billing_(error|not_active|hard_limit)|billing (hard )?limit|insufficient (balance|credits|funds)"
    r"|(check|requires) (your )?(plan and )?billing",
    re.IGNORECASE,
)
# What is over in a while is a limit, and no quota that is used up, even where the words speak of billing.
_SOON_OVER = re.compile(r"(try again|retry) (in|after) [\d.]+ ?(ms|m|s)", re.IGNORECASE)
# Gemini says so with status 400.
_KEY = re.compile(r"api[ _]key not valid|invalid api[ _]key|api_key_invalid", re.IGNORECASE)
_TITLE = re.compile(r"<title>([^<]+)</title>", re.IGNORECASE)

# No answer, in spite of a status below 500: it took too long, another request was in the way, or somebody
# between here and the endpoint hung up.
_UNAVAILABLE = (408, 409, 499)

# Words that stand where others put a status. Sources: error.code of
# https://platform.openai.com/docs/api-reference/responses/object, error.type of
# https://docs.anthropic.com/en/api/errors, error.status of https://cloud.google.com/apis/design/errors.
_STATUS_OF_CODE = {
    "rate_limit_exceeded": 429,
    "rate_limit_error": 429,
    "resource_exhausted": 429,
    "insufficient_quota": 429,
    "billing_error": 402,
    "server_error": 500,
    "api_error": 500,
    "internal_server_error": 500,
    "internal": 500,
    "unavailable": 503,
    "timeout_error": 504,
    "deadline_exceeded": 504,
    "overloaded_error": 529,
    "authentication_error": 401,
    "unauthenticated": 401,
    "invalid_api_key": 401,
    "permission_error": 403,
    "permission_denied": 403,
    "not_found_error": 404,
    "not_found": 404,
    "model_not_found": 404,
    "request_too_large": 413,
    "invalid_request_error": 400,
    "invalid_argument": 400,
    "invalid_prompt": 400,
    "context_length_exceeded": 400,
    "content_filter": 400,
}

_REASON = ("error", "errors", "message", "detail", "msg")
_WORDS = (*_REASON, "code", "type", "status", "innererror", "metadata", "raw")
_END = " .;,:"

ErrorIn = Callable[[Json], JsonObject | None]


def problem_of(answer: HttpAnswer, error_in: ErrorIn) -> Problem | None:
    """Why the answer is no response: none came, the status says so, or its body does; None if it is one.

    error_in: finds the error that a body with a status of success tells of.
    """
    if answer.error is not None:
        return _problem(answer, answer.error, _why_missing(answer, answer.error))
    if not answer.is_success:
        kind = kind_of(answer.status, answer.body)
        return _problem(
            answer, kind, advised(kind, f"HTTP {answer.status}: {reason(answer)}{_tries(answer)}")
        )
    if '"error"' not in answer.body:
        return None
    try:
        error = error_in(decode(answer.body))
    except JsonError:
        return None
    if error is None:
        return None
    said = _shown(error_message({"error": error}) or answer.quoted)
    status, code = status_in(error)
    words = "\n".join(_words(error))
    kind = (_kind_in(words) or "provider_error") if status is None else _kind(status, words)
    what = f"the endpoint answered with an error{f' {code}' if code else ''}: {said}"
    return _problem(answer, kind, advised(kind, f"{what}{_tries(answer)}"))


def error_object(body: Json) -> JsonObject | None:
    """The error in a body that holds no response: a member, a text, or the body itself, also in an array."""
    if isinstance(body, list):
        return next((found for item in body if (found := error_object(item)) is not None), None)
    if not isinstance(body, dict):
        return None
    error = body.get("error")
    if isinstance(error, dict):
        return error or None
    if body.get("object") == "error" and "message" in body:
        return body
    return {"message": error} if isinstance(error, str) and error else None


def decoded(answer: HttpAnswer) -> Json:
    """The body of an answer, in valid Unicode. Raises Failure("malformed_response") if it is not JSON."""
    try:
        body = decode(answer.body)
        # An escaped half of a surrogate pair has no UTF-8 form, and could not be sent on.
        return decode(encode(body).decode()) if "\\ud" in answer.body.lower() else body
    except JsonError as error:
        raise malformed(answer, f"is not JSON ({error})") from None


def malformed(answer: HttpAnswer, what: str) -> Failure:
    """An answer with a status of success that holds no response."""
    came = f"the answer (HTTP {answer.status}, {answer.content_type or 'no content type'}) {what}"
    quoted = _in_one_line(answer.quoted)
    message = advised("malformed_response", f"{came}, {f'it begins: {quoted}' if quoted else 'it is empty'}")
    return Failure.of(_problem(answer, "malformed_response", message))


def kind_of(status: int, body: str) -> str:
    """The error kind that a status and a body stand for."""
    try:
        words = "\n".join(_words(decode(body)))
    except JsonError:
        words = body[:KEPT_CHARS]
    return _kind(status, words)


def status_in(error: JsonObject) -> tuple[int | None, Json]:
    """The status that an error object stands for, and the code that says so; None if it does not say."""
    for name in ("code", "status", "type", "message"):
        code = error.get(name)
        if isinstance(code, str) and code.isascii() and code.isdigit() and len(code) == 3:
            code = int(code)
        if isinstance(code, int) and not isinstance(code, bool) and 400 <= code < 600:
            return code, code
        if isinstance(code, str) and code.lower() in _STATUS_OF_CODE:
            return _STATUS_OF_CODE[code.lower()], code
    return None, error.get("code")


def reason(answer: HttpAnswer) -> str:
    """The endpoint's words in one line, wherever in the body they stand: in JSON, or in the title of a page;
    else the beginning of the body."""
    try:
        said = error_message(decode(answer.body))
    except JsonError:
        title = _TITLE.search(answer.body[:KEPT_CHARS])
        said = title and title[1].strip()
    return _shown(said or answer.quoted) or "no reason given"


def error_message(body: Json) -> str | None:
    """The message of an error body: an object, an array that holds one, or a member that is a text.

    The field that is meant, and what a gateway was told by the endpoint behind it, are part of the message.
    """
    if isinstance(body, list):
        return next((found for item in body if (found := error_message(item))), None)
    if isinstance(body, str):
        return _unwrapped(body) or None
    if not isinstance(body, dict):
        return None
    for name in _REASON:
        if found := error_message(body.get(name)):
            return f"{_place(body.get('loc'))}{found}{_behind(body.get('metadata'))}"
    return None


def _problem(answer: HttpAnswer, kind: str, message: str) -> Problem:
    return Problem(
        kind,
        message if answer.endpoint in message else f"{message} ({answer.endpoint})",
        retry_after=answer.retry_after,
        status=answer.status or None,
        body=None if answer.error else answer.body[:KEPT_CHARS],
    )


def _why_missing(answer: HttpAnswer, kind: str) -> str:
    """Where the cause is known better than by its kind, the words say already what to do."""
    what, _, advice = answer.body.partition("; ")
    told = f"{what}{_tries(answer)}"
    return f"{told}; {advice}" if advice else advised(kind, told)


def _tries(answer: HttpAnswer) -> str:
    facts = [f"{answer.attempts} attempts"] if answer.attempts > 1 else []
    if answer.retry_after is not None:
        facts.append(f"the endpoint asks to wait {answer.retry_after:g} s")
    return f" ({', '.join(facts)})" if facts else ""


def _kind(status: int, words: str) -> str:
    if status == 402:
        return "quota_exceeded"
    if status in _UNAVAILABLE or status >= 500:
        return "provider_unavailable"
    if status < 400:
        # A redirect leads to a page for people.
        return "malformed_response"
    if status == 429:
        # A request that is larger than the limit itself does not pass later either.
        if _TOO_LARGE.search(words):
            return "context_length"
        return "quota_exceeded" if _is_quota(words) else "rate_limited"
    is_auth = status in (401, 403) or _KEY.search(words) is not None
    return _kind_in(words) or ("auth" if is_auth else "bad_request")


def _kind_in(words: str) -> str | None:
    """The kind that the words alone make plain."""
    if _CONTEXT.search(words):
        return "context_length"
    if _FILTER.search(words):
        return "content_filter"
    return "quota_exceeded" if _is_quota(words) else None


def _is_quota(words: str) -> bool:
    return _QUOTA.search(words) is not None and _SOON_OVER.search(words) is None


def _words(value: Json) -> Iterator[str]:
    """All that an error body says itself, codes included, and not what it repeats of the request."""
    if isinstance(value, str):
        yield value
    elif isinstance(value, list):
        for item in value:
            yield from _words(item)
    elif isinstance(value, dict):
        for name in _WORDS:
            yield from _words(value.get(name))


def _unwrapped(text: str) -> str:
    """Gateways pass on as a text what was JSON."""
    if not text.lstrip().startswith(("{", "[")):
        return text
    try:
        return error_message(decode(text)) or text
    except JsonError:
        return text


def _place(location: Json) -> str:
    """FastAPI's and Mistral's `loc`, the way to the field that is meant."""
    return f"{'.'.join(map(str, location))}: " if isinstance(location, list) and location else ""


def _behind(metadata: Json) -> str:
    """OpenRouter's own message is the same whatever happened: https://openrouter.ai/docs/api-reference/errors"""
    told = error_message(metadata.get("raw")) if isinstance(metadata, dict) else None
    return f": {told}" if told else ""


def _shown(text: str) -> str:
    line = _in_one_line(text)
    more = "" if len(line) <= MAX_REASON_CHARS else f" … ({len(line)} characters)"
    return f"{line[:MAX_REASON_CHARS].rstrip(_END)}{more}"


def _in_one_line(text: str) -> str:
    return " ".join(text.split())

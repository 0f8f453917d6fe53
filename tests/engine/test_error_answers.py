"""What endpoints really answer in place of a response: of which kind it is, and the words in it."""

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from callagain.engine.error_kinds import ERROR_KINDS, advised, without_advice
from callagain.engine.json_text import Json
from callagain.engine.problem import Problem
from callagain.engine.wire.error_answers import kind_of, malformed, problem_of
from callagain.engine.wire.finish_reasons import meant_by
from callagain.engine.wire.formats import WIRE_FORMATS
from callagain.engine.wire.http_answer import HttpAnswer

CHAT, RESPONSES = WIRE_FORMATS["chat_completions"], WIRE_FORMATS["responses"]


def problem(status: int, body: Any, **more: Any) -> Problem:
    text = body if isinstance(body, str) else json.dumps(body)
    content_type = "text/html" if text.startswith("<") else "application/json"
    found = problem_of(HttpAnswer(status, content_type, text, **more), CHAT.error_in)
    assert found is not None
    return found


def what(found: Problem) -> str:
    """The message without its advice, which it must end with."""
    assert found.message == advised(found.kind, without_advice(found.kind, found.message))
    return without_advice(found.kind, found.message)


def error(message: Any, **more: Any) -> dict[str, Any]:
    return {"error": {"message": message, **more}}


GROQ_TOO_LARGE = (
    "Request too large for model `llama-3.1-8b-instant` in organization `org_1` on tokens per minute (TPM): "
    "Limit 6000, Requested 9876, please reduce your message size and try again. Need more tokens? Upgrade to "
    "Dev Tier today at https://console.groq.com/settings/billing"
)
GROQ_RATE = (
    "Rate limit reached for model `llama-3.1-8b-instant` in organization `org_1` on tokens per minute (TPM): "
    "Limit 6000, Used 5034, Requested 1443. Please try again in 4.77s. Need more tokens? Upgrade to Dev Tier "
    "today at https://console.groq.com/settings/billing"
)
OPENAI_QUOTA = "You exceeded your current quota, please check your plan and billing details."
OPENAI_RATE = (
    "Rate limit reached on requests per min. Limit: 3 / min. Please try again in 20s. Please add a payment "
    "method to your account: https://platform.openai.com/account/billing."
)
OPENAI_TOO_LARGE = (
    "Request too large for gpt-4o on tokens per min (TPM): Limit 30000, Requested 42389. The input or output "
    "tokens must be reduced in order to run successfully."
)
AZURE_RATE = (
    "Requests to the ChatCompletions_Create Operation under Azure OpenAI API version 2024-10-21 have "
    "exceeded token rate limit of your current OpenAI S0 pricing tier. Please retry after 6 seconds."
)
AZURE_FILTER = (
    "The response was filtered due to the prompt triggering Azure OpenAI's content management policy."
)
MISTRAL_DETAIL = {
    "type": "extra_forbidden",
    "loc": ["body", "stream_options"],
    "msg": "Extra inputs are not permitted",
    "input": {"note": "insufficient_quota, context_length_exceeded"},
}
CLOUDFLARE = """<!DOCTYPE html>
<html><head>
<title>llm.example | 522: Connection timed out</title></head><body></body></html>"""
NGINX = "<html>\r\n<head><title>413 Request Entity Too Large</title></head>\r\n<body>…</body>\r\n</html>\r\n"
BEHIND_OPENROUTER = json.dumps(error("at most 1 image per prompt", type="invalid_request_error"))

# fmt: off
STATUSES: list[tuple[str, int, Any, str, str]] = [
    # Who says it; status and body; the kind; words that are found.
    ("OpenAI", 401, error("Incorrect API key provided: sk-***.", type="invalid_request_error",
                          code="invalid_api_key"), "auth", "Incorrect API key provided: sk-***"),
    ("OpenAI", 429, error(OPENAI_QUOTA, code="insufficient_quota"), "quota_exceeded", OPENAI_QUOTA[:-1]),
    ("OpenAI", 429, error("Your account is not active, please check your billing details.",
                          code="billing_not_active"), "quota_exceeded", "Your account is not active"),
    ("OpenAI", 400, error("Billing hard limit has been reached", code="billing_hard_limit_reached"),
     "quota_exceeded", "Billing hard limit"),
    ("OpenAI", 429, error(OPENAI_RATE, code="rate_limit_exceeded"), "rate_limited", OPENAI_RATE[:-1]),
    ("OpenAI", 429, error(OPENAI_TOO_LARGE, type="tokens", code="rate_limit_exceeded"),
     "context_length", "Request too large for gpt-4o"),
    ("OpenAI", 400, error("This model's maximum context length is 128000 tokens.", param="messages",
                          code="context_length_exceeded"), "context_length", "128000 tokens"),
    ("OpenAI", 404, error("The model `gpt-9` does not exist", code="model_not_found"),
     "bad_request", "The model `gpt-9` does not exist"),
    ("OpenAI", 400, error("Invalid schema for function 'check_billing': …", code="invalid_parameters"),
     "bad_request", "Invalid schema for function 'check_billing'"),
    ("OpenAI", 400, error("Invalid prompt: your prompt was flagged.", code="invalid_prompt"),
     "content_filter", "Invalid prompt: your prompt was flagged"),
    ("Azure", 400, error(AZURE_FILTER, param="prompt", code="content_filter", status=400,
                         innererror={"code": "ResponsibleAIPolicyViolation"}),
     "content_filter", AZURE_FILTER[:-1]),
    ("Azure", 404, error("The API deployment for this resource does not exist.", code="DeploymentNotFound"),
     "bad_request", "The API deployment for this resource does not exist"),
    ("Azure", 401, {"statusCode": 401, "message": "Unauthorized. Access token is missing."},
     "auth", "Unauthorized. Access token is missing"),
    ("Azure", 429, error(AZURE_RATE, code="429"), "rate_limited", AZURE_RATE[:-1]),
    ("Groq", 429, error(GROQ_RATE, code="rate_limit_exceeded"), "rate_limited", GROQ_RATE),
    ("Groq", 413, error(GROQ_TOO_LARGE, code="rate_limit_exceeded"), "context_length", GROQ_TOO_LARGE),
    ("Groq", 400, error("Failed to call a function.", code="tool_use_failed", failed_generation="<function>"),
     "bad_request", "Failed to call a function"),
    ("Groq", 400, error("`max_tokens` must be less than `16384`, which is less than the `context_window`"),
     "bad_request", "`max_tokens` must be less than `16384`"),
    ("Mistral", 422, {"object": "error", "message": {"detail": [MISTRAL_DETAIL]}},
     "bad_request", "body.stream_options: Extra inputs are not permitted"),
    ("Mistral", 400, {"object": "error", "message": "too large for model with 32768 maximum context length"},
     "context_length", "too large for model with 32768"),
    ("Gemini", 400, [error("Function call is missing a thought_signature", status="INVALID_ARGUMENT")],
     "bad_request", "Function call is missing a thought_signature"),
    ("Gemini", 429, [error(f"{OPENAI_QUOTA}\nPlease retry in 36.4s.", status="RESOURCE_EXHAUSTED")],
     "rate_limited", "billing details. Please retry in 36.4s"),
    ("Gemini", 400, [error("The input token count (1200000) exceeds the maximum number of tokens.")],
     "context_length", "The input token count (1200000) exceeds"),
    ("vLLM", 400, {"object": "error", "message": "This model's maximum context length is 4096 tokens.",
                   "type": "BadRequestError", "code": 400}, "context_length", "context length is 4096"),
    ("llama.cpp", 400, error("the request exceeds the available context size", code=400,
                             type="exceed_context_size_error"), "context_length", "the request exceeds"),
    ("llama.cpp", 503, error("Loading model", code=503), "provider_unavailable", "Loading model"),
    ("Ollama", 404, {"error": "model 'x' not found"}, "bad_request", "model 'x' not found"),
    ("OpenRouter", 402, error("This request requires more credits, or fewer max_tokens.", code=402),
     "quota_exceeded", "This request requires more credits"),
    ("OpenRouter", 429, error("Provider returned error", code=429,
                              metadata={"raw": "m is rate-limited upstream.", "provider_name": "X"}),
     "rate_limited", "Provider returned error: m is rate-limited upstream"),
    ("OpenRouter", 400, error("Provider returned error", code=400, metadata={"raw": BEHIND_OPENROUTER}),
     "bad_request", "Provider returned error: at most 1 image per prompt"),
    ("OpenRouter", 403, error('m requires moderation. Your input was flagged for "violence".', code=403),
     "content_filter", "m requires moderation"),
    ("Anthropic", 529, {"type": "error", "error": {"type": "overloaded_error", "message": "Overloaded"}},
     "provider_unavailable", "Overloaded"),
    ("Anthropic", 413, {"type": "error", "error": {"type": "request_too_large", "message": "Too many bytes"}},
     "context_length", "Too many bytes"),
    ("Anthropic", 400, error("Your credit balance is too low.", type="invalid_request_error"),
     "quota_exceeded", "Your credit balance is too low"),
    ("DeepSeek", 402, error("Insufficient Balance", code="invalid_request_error"),
     "quota_exceeded", "Insufficient Balance"),
    ("Moonshot", 429, error("Your account is suspended.", type="exceeded_current_quota_error"),
     "quota_exceeded", "Your account is suspended"),
    ("DashScope", 400, error("Output may be inappropriate.", code="data_inspection_failed"),
     "content_filter", "Output may be inappropriate"),
    ("Cloudflare", 522, CLOUDFLARE, "provider_unavailable", "llm.example | 522: Connection timed out"),
    ("Cloudflare", 400, {"success": False, "errors": [{"code": 5006, "message": "Bad input"}], "result": {}},
     "bad_request", "Bad input"),
    ("nginx", 413, NGINX, "bad_request", "413 Request Entity Too Large"),
    ("FastAPI", 404, {"detail": "Not Found"}, "bad_request", "Not Found"),
    ("a gateway", 400, error(BEHIND_OPENROUTER), "bad_request", ": at most 1 image per prompt"),
    ("a gateway", 403, "<html><title>403 Forbidden</title></html>", "auth", "403 Forbidden"),
    ("a gateway", 302, "<html>Moved</html>", "malformed_response", "<html>Moved</html>"),
    ("a gateway", 304, "", "malformed_response", "no reason given"),
    ("a gateway", 408, "", "provider_unavailable", "no reason given"),
    ("a gateway", 409, error("in use"), "provider_unavailable", "in use"),
    ("a gateway", 499, error("client closed request"), "provider_unavailable", "client closed request"),
    ("a gateway", 500, error(OPENAI_QUOTA), "provider_unavailable", "You exceeded"),
    ("a gateway", 418, "I'm a teapot", "bad_request", "I'm a teapot"),
    ("a gateway", 400, {"error": {"code": 7}}, "bad_request", '{"error": {"code": 7}}'),
    ("a gateway", 400, error({"x": 1}), "bad_request", '{"error": {"message": {"x": 1}}}'),
]
# fmt: on


@pytest.mark.parametrize(("who", "status", "body", "kind", "words"), STATUSES)
def test_a_status_and_a_body_are_a_kind_and_words(
    who: str, status: int, body: Any, kind: str, words: str
) -> None:
    found = problem(status, body)
    assert found.kind == kind, who
    assert what(found).startswith(f"HTTP {status}: ")
    assert words in what(found)
    assert "\n" not in found.message
    assert found.status == status
    assert found.body == (body if isinstance(body, str) else json.dumps(body))


CODES: list[tuple[Any, str, str]] = [
    ({"code": 429, "message": "Provider returned error"}, "rate_limited", "429: Provider returned error"),
    ({"code": "429", "message": "Slow down"}, "rate_limited", "429: Slow down"),
    ({"code": 502, "message": "Bad gateway"}, "provider_unavailable", "502: Bad gateway"),
    ({"code": 402, "message": "Credits"}, "quota_exceeded", "402: Credits"),
    ({"code": 403, "message": "Key disabled"}, "auth", "403: Key disabled"),
    ({"code": None, "type": "overloaded_error", "message": "Busy"}, "provider_unavailable", "Busy"),
    ({"code": "server_error", "message": "Oops"}, "provider_unavailable", "server_error: Oops"),
    ({"code": "rate_limit_exceeded", "message": "Later"}, "rate_limited", "rate_limit_exceeded: Later"),
    ({"code": "insufficient_quota", "message": "None left"}, "quota_exceeded", "None left"),
    ({"status": "RESOURCE_EXHAUSTED", "message": "Exhausted"}, "rate_limited", "Exhausted"),
    ({"status": "UNAVAILABLE", "message": "Down"}, "provider_unavailable", "UNAVAILABLE: Down"),
    ({"type": "authentication_error", "message": "Key"}, "auth", "authentication_error: Key"),
    ({"code": "context_length_exceeded", "message": "Long"}, "context_length", "Long"),
    ({"code": "content_filter", "message": "No"}, "content_filter", "No"),
    ({"code": "model_not_found", "message": "No model"}, "bad_request", "No model"),
    ({"code": "1301", "message": "Unknown code"}, "provider_error", "1301: Unknown code"),
    ({"code": 7, "message": "Unknown number"}, "provider_error", "7: Unknown number"),
    ({"code": True, "message": "No number"}, "provider_error", "No number"),
    ({"message": "prompt is too long: 9 tokens"}, "context_length", "an error: prompt is too long"),
    ("text alone", "provider_error", "an error: text alone"),
    ({"code": 200, "message": "No error"}, "provider_error", "200: No error"),
]


@pytest.mark.parametrize(("told", "kind", "words"), CODES)
def test_an_error_in_a_success_is_read_as_the_status_that_it_stands_for(
    told: Any, kind: str, words: str
) -> None:
    found = problem(200, {"id": None, "choices": None, "error": told})
    assert found.kind == kind
    assert what(found).startswith("the endpoint answered with an error")
    assert words in what(found)
    assert found.status == 200


def test_what_an_endpoint_repeats_of_the_request_is_not_taken_for_its_words() -> None:
    sent = {"messages": [{"content": "insufficient_quota context_length_exceeded content_filter"}]}
    assert problem(400, {**error("Unknown field 'x'"), "request": sent}).kind == "bad_request"
    assert problem(429, {**error("Slow down"), "input": sent}).kind == "rate_limited"
    assert problem(200, {"error": {"message": "Oops", "request": sent}}).kind == "provider_error"


def test_a_response_is_no_error() -> None:
    said = HttpAnswer(200, "application/json", '{"choices": [{"message": {"content": "an \\"error\\""}}]}')
    assert problem_of(said, CHAT.error_in) is None
    for body in ('not JSON with "error"', '{"error": null}', '{"error": {}}', '{"object": "error"}'):
        assert problem_of(HttpAnswer(200, "text/plain", body), CHAT.error_in) is None


def test_the_error_of_a_failed_response_of_the_responses_api() -> None:
    body: Json = {"status": "failed", "output": [], "error": {"code": "server_error", "message": "It broke."}}
    found = problem_of(HttpAnswer(200, "application/json", json.dumps(body)), RESPONSES.error_in)
    assert found is not None
    assert (found.kind, what(found)) == (
        "provider_unavailable",
        "the endpoint answered with an error server_error: It broke",
    )


def test_attempts_and_the_wait_that_was_asked_for_are_told_before_the_advice() -> None:
    found = problem(429, error("Slow down."), attempts=3, retry_after=90.0)
    assert what(found) == "HTTP 429: Slow down (3 attempts, the endpoint asks to wait 90 s)"
    assert found.retry_after == 90.0
    assert what(problem(503, "", attempts=2)) == "HTTP 503: no reason given (2 attempts)"


def test_an_answer_that_did_not_come_has_the_advice_of_its_kind_or_its_own() -> None:
    missing = HttpAnswer.missing("provider_unavailable", "http://x was silent for 60 s")
    found = problem_of(missing, CHAT.error_in)
    assert found is not None
    assert found.message == "http://x was silent for 60 s; try again later, or raise max_retries or timeout"
    assert (found.status, found.body) == (None, None)
    own = HttpAnswer(0, "", "could not reach http://x; check the base URL", "provider_unavailable", None, 3)
    found = problem_of(own, CHAT.error_in)
    assert found is not None
    assert found.message == "could not reach http://x (3 attempts); check the base URL"


def test_long_words_are_cut_in_the_message_and_a_long_body_beside_it() -> None:
    found = problem(400, error("x" * 10_000))
    assert what(found) == f"HTTP 400: {'x' * 500} … (10000 characters)"
    assert found.body == json.dumps(error("x" * 10_000))[:2_000]


@pytest.mark.parametrize(
    ("content_type", "body", "end"),
    [
        ("text/html", "<!doctype html>\n<title>Sign in</title>", "it begins: <!doctype html> <title>Sign in"),
        ("", "x" * 300, f"it begins: {'x' * 200} … (300 characters)"),
        ("application/json", " \n", "it is empty"),
    ],
)
def test_what_is_no_response_is_shown_by_its_beginning(content_type: str, body: str, end: str) -> None:
    found = malformed(HttpAnswer(200, content_type, body), "is not JSON").problem
    begin = f"the answer (HTTP 200, {content_type or 'no content type'}) is not JSON, {end}"
    assert what(found).startswith(begin)
    assert (found.status, found.body) == (200, body)


@pytest.mark.parametrize(
    ("what_happened", "told"),
    [("It broke.", "It broke"), ("It broke…", "It broke…"), ("a, ", "a"), ("b;\n", "b"), ("c?", "c?")],
)
def test_advice_follows_without_a_second_full_stop(what_happened: str, told: str) -> None:
    message = advised("refusal", what_happened)
    assert message == f"{told}; {ERROR_KINDS['refusal'].advice}"
    assert without_advice("refusal", message) == told


def test_a_message_without_the_advice_of_its_kind_stays_as_it_is() -> None:
    assert without_advice("refusal", "something; do this") == "something; do this"
    assert without_advice("a_kind_of_a_chain_of_ones_own", "something") == "something"


def test_advice_is_an_order_in_one_line_and_not_a_second_sentence() -> None:
    for kind, about in ERROR_KINDS.items():
        for text in (about.meaning, about.advice):
            assert text == " ".join(text.split()).rstrip(".;"), kind
        assert about.advice[0].islower(), kind
        assert ";" not in about.advice, kind
        assert about.outcome in ("failed", "limit", "suspended"), kind


words = st.sampled_from(
    ["error", "message", "detail", "msg", "code", "type", "status", "metadata", "raw", "loc"]
)
bodies: st.SearchStrategy[Json] = st.recursive(
    st.none()
    | st.booleans()
    | st.integers()
    | st.text(max_size=20)
    | st.sampled_from(["{", "[1", '{"a":1}']),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(words, inner, max_size=3),
    max_leaves=12,
)


@given(status=st.integers(100, 999).filter(lambda status: not 200 <= status < 300), body=bodies)
def test_any_answer_that_is_no_success_is_of_a_kind_and_has_words(status: int, body: Json) -> None:
    found = problem(status, body)
    assert ERROR_KINDS[found.kind].outcome == "failed"
    assert len(what(found)) > len(f"HTTP {status}: ")


@given(status=st.integers(100, 999), body=st.text())
def test_any_text_is_of_a_kind(status: int, body: str) -> None:
    assert kind_of(status, body) in ERROR_KINDS


@pytest.mark.parametrize(
    ("said", "meant"),
    [
        ("MAX_TOKENS", "length"),
        ("max_output_tokens", "length"),
        ("model_length", "length"),
        ("SAFETY", "content_filter"),
        ("sensitive", "content_filter"),
        ("network_error", "error"),
        ("insufficient_system_resource", "error"),
        ("MALFORMED_FUNCTION_CALL", "malformed"),
        ("stop", "stop"),
        ("", None),
        (None, None),
        (7, None),
    ],
)
def test_a_finish_reason_is_what_chat_completions_would_have_said(said: object, meant: str | None) -> None:
    assert meant_by(said) == meant

"""The closed list of error kinds: what `result.error.kind` can be, and what to do about each."""

from collections.abc import Mapping
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class ErrorKind:
    """outcome: of a run that ends with this kind. meaning: what happened. advice: what to do."""

    outcome: str
    meaning: str
    advice: str


ERROR_KINDS: Mapping[str, ErrorKind] = {
    "malformed_response": ErrorKind(
        "failed",
        "the endpoint answered with something that is no response of its API",
        "check that the base URL is that of an OpenAI-compatible API",
    ),
    "provider_error": ErrorKind(
        "failed",
        "the endpoint reported an error of its own, and not by a status",
        "look its words up in the endpoint's documentation",
    ),
    "provider_unavailable": ErrorKind(
        "failed",
        "no answer came, or the endpoint said that it cannot answer now (408, 409, 499, 5xx)",
        "try again later, or raise max_retries or timeout",
    ),
    "rate_limited": ErrorKind(
        "failed",
        "the endpoint takes no more requests for now (429)",
        "wait before you ask again, slow down with requests_per_minute, or raise max_retry_wait",
    ),
    "quota_exceeded": ErrorKind(
        "failed",
        "the account's quota or credit is used up (402, or as its words say)",
        "look at the plan and the billing of the account, since waiting does not help",
    ),
    "auth": ErrorKind(
        "failed",
        "the endpoint did not accept the key (401, 403)",
        "check the key, and that it belongs to this endpoint and may use this model",
    ),
    "bad_request": ErrorKind(
        "failed",
        "the endpoint refused the request (400, 404, 422, and other 4xx)",
        "check what the endpoint names, such as the model, the base URL or request_options",
    ),
    "context_length": ErrorKind(
        "failed",
        "the request is longer than the model, or the account, takes at once",
        "send less history, shorten tool results, or take a model with a larger context window",
    ),
    "stream_interrupted": ErrorKind(
        "failed",
        "the stream ended before the response was whole; nothing of it was run",
        "try again, or raise timeout if responses are long",
    ),
    "empty_response": ErrorKind(
        "failed",
        "the response holds no tool call and no text",
        "ask again, or change the prompt or the model",
    ),
    "truncated": ErrorKind(
        "failed",
        "the output limit cut the answer off; what came is in error.partial_text",
        "raise max_tokens in request_options, or pass accept_truncated=True",
    ),
    "content_filter": ErrorKind(
        "failed",
        "the endpoint's content filter stopped the request or the response",
        "change what is asked, or the settings of the filter",
    ),
    "refusal": ErrorKind(
        "failed",
        "the model declined to answer; its words are in error.message",
        "change what is asked",
    ),
    "invalid_history": ErrorKind(
        "failed",
        "the messages given as history cannot be sent",
        "pass result.messages of an earlier run, or repair_history=True",
    ),
    "unknown_tool": ErrorKind(
        "failed",
        "the model asked for a tool that is not there, and on_unknown_tool='fail' was set",
        "announce the tool, change the prompt, or let the model be told (on_unknown_tool='tell')",
    ),
    "operation_failed": ErrorKind(
        "failed",
        "an operation of the chain could not do its work",
        "look at error.operation, and at what the chain does before it",
    ),
    "max_iterations": ErrorKind(
        "limit",
        "max_iterations rounds of tools brought no final response",
        "look at the prompt and the tool results before raising max_iterations",
    ),
    "repeated_call": ErrorKind(
        "limit",
        "one tool was asked for again and again with the same arguments (repeat_limit)",
        "look at what the tool returns and at its description, make it polling=True, or raise repeat_limit",
    ),
    "max_repairs": ErrorKind(
        "limit",
        "the arguments for one tool did not fit its schema, max_repairs times in a row",
        "rewrite the description of the tool, or raise max_repairs",
    ),
    "max_output_repairs": ErrorKind(
        "limit",
        "no answer fitted response_format, although it was asked for again max_output_repairs times",
        "describe the fields in the model's docstrings or in the prompt, or raise max_output_repairs",
    ),
    "budget_tokens": ErrorKind(
        "limit",
        "the run has used the tokens of its budget",
        "shorten what is sent, or resume with a larger budget_tokens",
    ),
    "budget_money": ErrorKind(
        "limit",
        "the run has cost what its budget allows",
        "shorten what is sent, take a cheaper model, or resume with a larger budget_money",
    ),
    "budget_requests": ErrorKind(
        "limit",
        "the run has made the requests of its budget, retries included",
        "find out what they were for in the operation log, or resume with a larger budget_requests",
    ),
    "budget_tool_calls": ErrorKind(
        "limit",
        "the calls of the last response would pass the run's budget of tool calls; none of them was run",
        "look at the prompt, or resume with a larger budget_tool_calls",
    ),
    "budget_time": ErrorKind(
        "limit",
        "the run has worked for the time of its budget",
        "find out what took the time in the operation log, or resume with a larger budget_time",
    ),
    "deadline": ErrorKind(
        "limit",
        "the run's deadline passed",
        "raise deadline, or find out what took the time in the operation log",
    ),
    "approval_required": ErrorKind(
        "suspended",
        "a tool call waits for somebody to approve it",
        "show result.pending_calls to somebody, and resume with decisions=",
    ),
    "tool_requests": ErrorKind(
        "suspended",
        "the calls of the last response wait for their results (return_tool_requests)",
        "run them, and resume with results=",
    ),
    "call_outcome_unknown": ErrorKind(
        "suspended",
        "a tool call was begun, and nobody knows whether it took effect",
        "find out, and resume with the result (results=), or with a decision (decisions=)",
    ),
}


def advised(kind: str, what: str) -> str:
    """A message of this kind: what happened, then what to do."""
    return f"{what.rstrip(_END)}; {ERROR_KINDS[kind].advice}"


def without_advice(kind: str, message: str) -> str:
    """The message as far as it says what happened: for those who have other advice to give."""
    known = ERROR_KINDS.get(kind)
    return message if known is None else message.replace(f"; {known.advice}", "", 1)


# How a sentence of an endpoint's ends, after which more is said here.
_END = " \t\r\n.;,"

"""What every setting of a loop and of a run must be. A wrong one is said in one line, which names it."""

import os
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any, Literal, TypeAlias, TypedDict, TypeVar, cast, get_args

from callagain.connectors.retry import RetryPolicy
from callagain.connectors.throttle import Throttle
from callagain.engine.chain import Chain
from callagain.engine.errors import ConfigurationError
from callagain.engine.journal.store import JournalFile, open_journal
from callagain.engine.json_text import Json, JsonError, JsonObject, decode, encode
from callagain.engine.limits import Limits, wrong_limit
from callagain.engine.run_inputs import OnLimit
from callagain.engine.wire.formats import Api
from callagain.engine.wire.profile import ModelFacts, Prices, Profile
from callagain.extensions.compaction import SUMMARIZER
from callagain.operation_log import LogPayloads
from callagain.recording import Records

Value = TypeVar("Value")
OnUnknownTool: TypeAlias = Literal["tell", "fail"]

MOST_SECONDS = 1e9
LEAST_KEY = 16
# Less has no room for the words that tell the model of the cut.
LEAST_RESULT = 100
_SHOWN_CHARS = 60


class LimitOptions(TypedDict, total=False):
    """The limits of a run as a loop takes them; `callagain.engine.limits` explains them."""

    max_repairs: int | None
    max_output_repairs: int
    repeat_limit: int | None
    max_tokens_ceiling: int | None
    budget_tokens: int | None
    budget_money: float | None
    budget_requests: int | None
    budget_tool_calls: int | None
    budget_time: float | None
    deadline: float | None


_OF_THE_CLIENT = ("extra_headers", "extra_query", "extra_body")
_OWN_FIELDS = ("model", "messages", "input", "tools", "stream", "n")

_Rule: TypeAlias = tuple[Callable[[Any], bool], str]


def _is_name(value: object) -> bool:
    return isinstance(value, str) and bool(value.strip())


def _is_whole(value: object, least: int) -> bool:
    return isinstance(value, int) and not isinstance(value, bool) and value >= least


def _is_time(value: object) -> bool:
    if value is None:
        return True
    return isinstance(value, int | float) and not isinstance(value, bool) and 0 < value <= MOST_SECONDS


def _is_list(value: object) -> bool:
    return isinstance(value, Sequence) and not isinstance(value, str | bytes | bytearray)


def _is_observer(value: object) -> bool:
    """A class is none: it has no run to observe before it is called."""
    return callable(getattr(value, "observe", None)) and not isinstance(value, type)


def _is_mapping(value: object, fits: Callable[[object], bool] = lambda _: True) -> bool:
    if not isinstance(value, Mapping):
        return False
    items = cast("Mapping[object, object]", value).items()
    return all(isinstance(name, str) and fits(each) for name, each in items)


_TIME: _Rule = (_is_time, "more than 0 seconds and at most 1e9, or None")
_WAIT: _Rule = (lambda value: value == 0 or (value is not None and _is_time(value)), "from 0 to 1e9 seconds")
_SIZE: _Rule = (lambda value: value is None or _is_whole(value, 1), "a number of characters, or None")
_FUNCTION: _Rule = (lambda value: value is None or callable(value), "a function, or None")
_SWITCH: _Rule = (lambda value: isinstance(value, bool), "True or False")
_RULES: dict[str, _Rule] = {
    "model": (_is_name, "the name of a model"),
    "system_prompt": (lambda value: value is None or isinstance(value, str), "a text, or None"),
    "max_iterations": (lambda value: _is_whole(value, 0), "a whole number, 0 or more"),
    "max_concurrent_tools": (lambda value: _is_whole(value, 1), "a whole number, 1 or more"),
    "on_limit": (lambda value: value in get_args(OnLimit), '"stop" or "final_answer"'),
    "log_payloads": (lambda value: value in get_args(LogPayloads), '"none", "cut" or "full"'),
    "request_options": (
        lambda value: value is None or _is_mapping(value),
        "a mapping of the names of fields to their values",
    ),
    "parallel_tool_calls": (lambda value: value is None or isinstance(value, bool), "True, False or None"),
    "api": (lambda value: value in get_args(Api), '"chat_completions" or "responses"'),
    "stream": _SWITCH,
    "tool_choice_every_round": _SWITCH,
    "use_previous_response_id": _SWITCH,
    "accept_truncated": _SWITCH,
    "repair_history": _SWITCH,
    "max_retries": (lambda value: _is_whole(value, 0), "a whole number, 0 or more"),
    "max_retry_wait": _WAIT,
    "retry_base_delay": _WAIT,
    "throttle": (lambda value: value is None or isinstance(value, Throttle), "a Throttle, or None"),
    "clock": (
        lambda value: all(callable(getattr(value, name, None)) for name in ("now", "date", "idle")),
        "a clock, with now(), date() and idle()",
    ),
    "error_formatter": _FUNCTION,
    "approver": _FUNCTION,
    "summarizer": _FUNCTION,
    "approve_effects": _SWITCH,
    "return_tool_requests": _SWITCH,
    "on_unknown_tool": (lambda value: value in get_args(OnUnknownTool), '"tell" or "fail"'),
    "max_result_chars": (
        lambda value: value is None or _is_whole(value, LEAST_RESULT),
        f"a number of characters, {LEAST_RESULT} or more, or None",
    ),
    "max_argument_chars": _SIZE,
    "untrusted_notice": (_is_name, "a sentence for the system prompt"),
    "compact_context": (
        lambda value: isinstance(value, bool) or _is_whole(value, 1),
        "True, False, or the number of tokens from which on old results are shortened",
    ),
    "timeout": _TIME,
    "tool_timeout": _TIME,
    "profile": (
        lambda value: value is None or isinstance(value, Profile | str),
        "the name of a profile, or a Profile",
    ),
    "chain": (lambda value: isinstance(value, Chain), "a Chain, such as TOOL_CALLING_LOOP"),
    "functions": (
        lambda value: value is None or _is_mapping(value, callable),
        "a mapping of names to functions",
    ),
    "logger": (
        lambda value: value is None or callable(getattr(value, "bind", None)),
        "a structlog logger (structlog.wrap_logger makes one of a logging.Logger)",
    ),
    "observers": (
        lambda value: _is_list(value) and all(map(_is_observer, value)),
        "a list of observers, such as [Telemetry()]",
    ),
    "run_id": (lambda value: value is None or _is_name(value), "a text that is not empty, or None"),
    "until": (
        lambda value: value is None or _is_whole(value, 1),
        "the number of a step, 1 or more, or None",
    ),
    "history": (_is_list, "a list of messages, such as result.messages"),
}


def checked(name: str, value: Value) -> Value:
    """The value. Raises ConfigurationError if it is not what a setting of this name has to be."""
    fits, words = _RULES[name]
    if not fits(value):
        raise ConfigurationError(f"{name} must be {words}, not {_shown(value)}")
    return value


def checked_request_options(
    options: Mapping[str, Json] | None,
    parallel_tool_calls: bool | None,
    api: Api,
    use_previous_response_id: bool,
    response_format: JsonObject | None,
) -> Mapping[str, Json]:
    """The further fields of every request. Raises ConfigurationError for what the loop sets itself.

    response_format: the schema of the answer, as Chat Completions takes it, if the endpoint takes one.
    """
    given = checked("request_options", options)
    result = dict(given or {})
    if checked("parallel_tool_calls", parallel_tool_calls) is not None:
        result["parallel_tool_calls"] = parallel_tool_calls
    if checked("use_previous_response_id", use_previous_response_id):
        if api != "responses":
            raise ConfigurationError("use_previous_response_id needs api='responses'")
        if result.setdefault("store", True) is not True:
            raise ConfigurationError(
                "use_previous_response_id needs responses that are stored: leave out store"
            )
    for name in _OF_THE_CLIENT:
        if name in result:
            raise ConfigurationError(
                f"request_options are fields of the request's body, and {name!r} is none: give headers and "
                "queries to a client of your own, client=OpenAI(default_headers=…, default_query=…)"
            )
    for name in _OWN_FIELDS:
        if name in result:
            raise ConfigurationError(f"request_options may not hold {name!r}: the loop sets it itself")
    if response_format is not None:
        text = result.get("text")
        if "response_format" in result or (isinstance(text, dict) and "format" in text):
            raise ConfigurationError(
                "response_format= and request_options both say what the answer is to be; leave one out"
            )
        result["response_format"] = response_format
    try:
        # Whoever changes a nested value later does not change the loop.
        copied = decode(encode(result).decode())
    except JsonError as error:
        raise ConfigurationError(f"request_options {error}") from None
    return copied if isinstance(copied, dict) else {}


def checked_policy(max_retries: int, max_retry_wait: float, retry_base_delay: float) -> RetryPolicy:
    """How often a request is sent again. Raises ConfigurationError."""
    return RetryPolicy(
        checked("max_retries", max_retries),
        checked("max_retry_wait", max_retry_wait),
        checked("retry_base_delay", retry_base_delay),
    )


def checked_throttle(
    throttle: Throttle | None, requests_per_minute: float | None, tokens_per_minute: float | None
) -> Throttle | None:
    """The one that was given, or one of this loop's own. Raises ConfigurationError for both at once."""
    if requests_per_minute is None and tokens_per_minute is None:
        return checked("throttle", throttle)
    if throttle is not None:
        raise ConfigurationError(
            "give either throttle= or requests_per_minute= and tokens_per_minute=, not both"
        )
    return Throttle(requests_per_minute, tokens_per_minute)


def checked_limits(limits: LimitOptions, compact_context: bool | int, facts: ModelFacts) -> Limits:
    """The limits of a run, by their names. Raises ConfigurationError, and TypeError for a name that is none.

    compact_context: True is half of the model's context window, which the profile has to know.
    """
    checked("compact_context", compact_context)
    compact_at = None if compact_context is False else compact_context
    if compact_at is True:
        if facts.context_window is None:
            raise ConfigurationError(
                "compact_context=True is half of the context window, which the profile does not know; "
                "pass compact_context=TOKENS"
            )
        compact_at = facts.context_window // 2
    for name, value in limits.items():
        if name not in LimitOptions.__annotations__:
            raise TypeError(f"ToolLoop() got an unexpected keyword argument {name!r}")
        if (words := wrong_limit(name, value)) is not None:
            raise ConfigurationError(f"{name} must be {words}, not {_shown(value)}")
    return Limits(**limits, compact_at=compact_at)


def checked_functions(
    functions: Mapping[str, Callable[..., object]] | None,
    summarizer: Callable[..., object] | None,
) -> dict[str, Callable[..., object]]:
    """What inserted operations may call, the loop's own among them. Raises ConfigurationError."""
    given_functions = checked("functions", functions)
    found = dict(given_functions or {})
    if (given := checked("summarizer", summarizer)) is not None:
        found[SUMMARIZER] = given
    return found


def checked_records(
    journal: JournalFile | str | os.PathLike[str] | None,
    snapshot_key: str | bytes | None,
    record_failures: str | os.PathLike[str] | None,
) -> Records:
    """Raises ConfigurationError, JournalError."""
    key = checked_snapshot_key(snapshot_key)
    return Records(checked_journal(journal), key, checked_record_failures(record_failures))


def checked_journal(journal: JournalFile | str | os.PathLike[str] | None) -> JournalFile | None:
    """The journal, opened. Raises ConfigurationError, and JournalError for a file that cannot be one."""
    if journal is None or isinstance(journal, JournalFile):
        return journal
    if not _is_path(journal):
        kind = type(journal).__name__
        told = "an empty one" if isinstance(journal, str) else kind
        raise ConfigurationError(
            f"journal must be the path of a file, what open_journal gave, or None, not {told}"
        )
    return open_journal(journal)


def checked_record_failures(folder: str | os.PathLike[str] | None) -> Path | None:
    """The folder, which is made if it is not there. Raises ConfigurationError."""
    if folder is None:
        return None
    if not _is_path(folder):
        kind = type(folder).__name__
        raise ConfigurationError(f"record_failures must be the path of a folder, or None, not {kind}")
    path = Path(folder).absolute()
    try:
        path.mkdir(parents=True, exist_ok=True)
    except (OSError, ValueError) as error:
        why = error.strerror if isinstance(error, OSError) else error
        raise ConfigurationError(
            f"record_failures: {path} cannot be made a folder ({why}); give the path of one"
        ) from None
    if not os.access(path, os.W_OK | os.X_OK):
        raise ConfigurationError(f"record_failures: this user may not write to {path}; choose another folder")
    return path


def checked_prices(
    prices: Prices | Mapping[str, Prices] | None, model: str, budget_money: float | None
) -> Prices | None:
    """The prices of the model. Raises ConfigurationError for a budget of money without them."""
    given = cast("object", prices)
    if not isinstance(given, Prices | Mapping | None):
        raise ConfigurationError("prices must be Prices, or a mapping of the names of models to Prices")
    found = cast("Mapping[str, object]", given).get(model) if isinstance(given, Mapping) else given
    if not isinstance(found, Prices | None):
        raise ConfigurationError(f"the prices of {model} must be Prices, not {type(found).__name__}")
    if found is None and budget_money is not None:
        raise ConfigurationError(
            f"budget_money needs the prices of {model}: pass prices=Prices(input=…, output=…), in US dollars "
            "for a million tokens, or a mapping with the name of this model"
        )
    if found is not None and not all(_is_price(each) for each in (found.input, found.output)):
        raise ConfigurationError(f"the prices of {model} must be numbers, 0 or more")
    return found


def checked_snapshot_key(key: str | bytes | None) -> bytes | None:
    """As bytes. Raises ConfigurationError for one that is too short to sign with."""
    if key is None:
        return None
    given = cast("object", key)
    if not isinstance(given, str | bytes) or len(given) < LEAST_KEY:
        raise ConfigurationError(f"snapshot_key must be a secret of {LEAST_KEY} characters or more, or None")
    try:
        return key.encode() if isinstance(key, str) else key
    except UnicodeEncodeError:
        raise ConfigurationError("snapshot_key must be a text that has a UTF-8 form, or bytes") from None


def _is_path(value: object) -> bool:
    return isinstance(value, str | os.PathLike) and bool(str(cast("object", value)))


def _is_price(value: object) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool) and 0 <= value < float("inf")


def checked_message(message: Json) -> Json:
    """The message. Raises ConfigurationError if it is neither a text nor a list of JSON values."""
    if not isinstance(message, str | list):
        kind = type(message).__name__
        raise ConfigurationError(f"the message must be a text or a list of parts, not {kind}")
    try:
        encode(message)
    except JsonError as error:
        raise ConfigurationError(f"the message {error}") from None
    return message


def _shown(value: object) -> str:
    """A small value as it is; of others the type, since they can be long, or hold what nobody should read."""
    has_many_digits = isinstance(value, int) and value.bit_length() > 64
    if has_many_digits or not isinstance(value, str | int | float | None):
        return type(value).__name__
    text = repr(value)
    return text if len(text) <= _SHOWN_CHARS else f"{text[:_SHOWN_CHARS]}…"

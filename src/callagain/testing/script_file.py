"""A script as a JSON file, for `callagain serve-stand-in --script FILE`."""

from collections.abc import Collection
from pathlib import Path

from callagain.engine.errors import ConfigurationError
from callagain.engine.json_text import Json, JsonError, JsonObject, decode
from callagain.testing.answers import Answer, AnyAnswer, Call, ModelAnswer, faulty
from callagain.testing.rules import Rule
from callagain.testing.script import Answers, Rules

_FAULTS = frozenset({"cut_after", "stall_after", "drip"})


def load_script(path: str | Path) -> Answers | Rules:
    """Reads a script from a UTF-8 JSON file: an object with `answers` or with `rules`.

        {"answers": [ANSWER, …], "repeat_last": false}
        {"rules": [{"asked": "weather in (?P<city>\\\\w+)", "then": [ANSWER, …], "otherwise": "No tool."}]}

    An ANSWER is one of

        "a text"
        {"says": "a text", "finish_reason": "stop", "usage": {"prompt_tokens": 1200}}
        {"calls": [{"name": "get_weather", "arguments": {"city": "{city}"}, "id": "c7"}], "says": "I look."}
        {"status": 429, "headers": {"retry-after": "1"}, "body": {"error": {"message": "slow down"}}}

    where everything but `says`, `calls` or `status` with their `name` and `body` may be left out. The second
    and third may have `reasoning`, a text, and each object the numbers `cut_after`, `stall_after` and `drip`
    (`callagain.testing.faulty`). In rules, texts and arguments may hold placeholders
    (`callagain.testing.templates`). A byte order mark is passed over.

    Raises ConfigurationError, in one line that names the file and the place.
    """
    try:
        document = decode(Path(path).read_text("utf-8-sig"), unique_keys=True)
        return _script(document)
    except OSError as error:
        raise ConfigurationError(f"cannot read the script {path}: {error.strerror}") from None
    except UnicodeDecodeError:
        raise ConfigurationError(f"the script {path} is not UTF-8 text") from None
    except JsonError as error:
        raise ConfigurationError(f"the script {path} is not JSON: {error}") from None
    except ConfigurationError as error:
        raise ConfigurationError(f"the script {path}: {error}") from None


def answers_in(value: Json) -> list[AnyAnswer]:
    """The answers of a JSON list, as those of a file. Raises ConfigurationError, which names the place."""
    return [_answer(entry, f"answers[{index}]") for index, entry in enumerate(_list(value, "answers"))]


def _script(document: Json) -> Answers | Rules:
    where = "the file"
    if isinstance(document, dict) and "rules" in document:
        script = _object(document, where, {"rules"})
        entries = _list(script["rules"], "rules")
        return Rules([_rule(entry, f"rules[{index}]") for index, entry in enumerate(entries)])
    if isinstance(document, dict) and "answers" in document:
        script = _object(document, where, {"answers", "repeat_last"})
        answers = answers_in(script["answers"])
        repeat_last = script.get("repeat_last", False)
        if not isinstance(repeat_last, bool):
            raise ConfigurationError("repeat_last must be true or false")
        return Answers(answers, repeat_last)
    raise ConfigurationError('the file must hold an object with the key "answers" or "rules"')


def _rule(entry: Json, where: str) -> Rule:
    rule = _object(entry, where, {"asked", "then", "otherwise"})
    then = _list(rule.get("then"), f"{where}.then")
    steps = [_answer(step, f"{where}.then[{index}]") for index, step in enumerate(then)]
    otherwise = None if "otherwise" not in rule else _text(rule["otherwise"], f"{where}.otherwise")
    asked = _text(rule.get("asked"), f"{where}.asked")
    try:
        return Rule(asked, steps, otherwise)
    except ConfigurationError as error:
        raise ConfigurationError(f"{where}: {error}") from None


def _answer(entry: Json, where: str) -> AnyAnswer:
    if isinstance(entry, str):
        return entry
    if isinstance(entry, dict) and ("says" in entry or "calls" in entry):
        known = {"says", "calls", "finish_reason", "usage", "reasoning"}
        answer: AnyAnswer = _model_answer(_object(entry, where, known | _FAULTS), where)
    elif isinstance(entry, dict) and ("status" in entry or "body" in entry):
        answer = _http_answer(_object(entry, where, {"status", "headers", "body"} | _FAULTS), where)
    else:
        raise ConfigurationError(
            f'{where} must be a text or an object with "says", "calls", "status" or "body"'
        )
    return _with_faults(answer, entry, where) if _FAULTS & entry.keys() else answer


def _with_faults(answer: AnyAnswer, entry: JsonObject, where: str) -> AnyAnswer:
    drip = entry.get("drip")
    if drip is not None and (isinstance(drip, bool) or not isinstance(drip, int | float)):
        raise ConfigurationError(f"{where}.drip must be a number of seconds")
    cut_after, stall_after = (
        _bytes(entry.get(name), f"{where}.{name}") for name in ("cut_after", "stall_after")
    )
    try:
        return faulty(answer, cut_after=cut_after, stall_after=stall_after, drip=drip)
    except ConfigurationError as error:
        raise ConfigurationError(f"{where}: {error}") from None


def _bytes(value: Json, where: str) -> int | None:
    if isinstance(value, bool) or not isinstance(value, int | None):
        raise ConfigurationError(f"{where} must be a whole number of bytes")
    return value


def _model_answer(entry: JsonObject, where: str) -> ModelAnswer:
    text = None if "says" not in entry else _text(entry["says"], f"{where}.says")
    calls: tuple[Call, ...] = ()
    if "calls" in entry:
        wanted = _list(entry["calls"], f"{where}.calls")
        if not wanted:
            raise ConfigurationError(f"{where}.calls needs at least one call")
        calls = tuple(_call(one, f"{where}.calls[{index}]") for index, one in enumerate(wanted))
    finish_reason = _text(
        entry.get("finish_reason", "tool_calls" if calls else "stop"), f"{where}.finish_reason"
    )
    usage = _object(entry.get("usage", {}), f"{where}.usage")
    reasoning = None if "reasoning" not in entry else _text(entry["reasoning"], f"{where}.reasoning")
    return ModelAnswer(text, calls, finish_reason, usage, reasoning)


def _call(entry: Json, where: str) -> Call:
    call = _object(entry, where, {"name", "arguments", "id"})
    arguments = call.get("arguments", {})
    if not isinstance(arguments, str):
        arguments = _object(arguments, f"{where}.arguments")
    id_ = None if "id" not in call else _text(call["id"], f"{where}.id")
    return Call(_text(call.get("name"), f"{where}.name"), arguments, id_)


def _http_answer(entry: JsonObject, where: str) -> Answer:
    status = entry.get("status", 200)
    if isinstance(status, bool) or not isinstance(status, int) or not 200 <= status <= 599:
        raise ConfigurationError(f"{where}.status must be a number from 200 to 599")
    given = _object(entry.get("headers", {}), f"{where}.headers")
    headers = {name: _text(value, f"{where}.headers.{name}") for name, value in given.items()}
    return Answer(status, entry.get("body"), headers)


def _object(value: Json, where: str, keys: Collection[str] | None = None) -> JsonObject:
    if not isinstance(value, dict):
        raise ConfigurationError(f"{where} must be an object")
    unknown = [key for key in value if keys is not None and key not in keys]
    if unknown:
        raise ConfigurationError(
            f"{where} has the unknown key {unknown[0]!r}; known: {', '.join(sorted(keys or ()))}"
        )
    return value


def _list(value: Json, where: str) -> list[Json]:
    if not isinstance(value, list):
        raise ConfigurationError(f"{where} must be a list")
    return value


def _text(value: Json, where: str) -> str:
    if not isinstance(value, str):
        raise ConfigurationError(f"{where} must be a text")
    return value

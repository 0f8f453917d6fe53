"""A script as a table of rules: what is asked decides what is answered, however often and in what order.

Rules keep no state. Which step of a rule is due is read from the conversation itself, so one stand-in serves
any number of conversations at once, and a repeated request gets the same answer.
"""

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, TypeAlias

from callagain.engine.errors import ConfigurationError
from callagain.engine.json_text import Json, JsonError, JsonObject, decode, encode
from callagain.testing.answers import AnyAnswer, Call, Faulty, ModelAnswer, says
from callagain.testing.chat_completions import callable_tools, content_text, function_names, tool_call_ids
from callagain.testing.templates import MissingValueError, Values, check, fill_items, fill_text


@dataclass(frozen=True, slots=True)
class Turn:
    """What a step may look at.

    question: the newest user message. match: the rule's match in it; `turn["city"]` and `turn[1]` are its
    groups. step: assistant messages since the question. results: the tool results of the newest round, in
    the order of the calls; JSON is parsed, other text is a str. request: the whole request body, as it came.
    """

    question: str
    match: re.Match[str]
    step: int
    results: Sequence[Any]
    request: dict[str, Any]

    def __getitem__(self, group: str | int) -> str:
        """The text of a group; empty if the group took no part in the match."""
        return self.match[group] or ""


Step: TypeAlias = AnyAnswer | Callable[[Turn], AnyAnswer]


@dataclass(frozen=True, slots=True)
class Rule:
    """If the newest user message matches `asked`, the answers are those of `then`, one a step.

    asked: a regular expression, searched for, case ignored. then: the first answers the question, the second
    what follows the first round of tool results, and so on; the last one is for all further steps. Texts and
    arguments may hold placeholders (`callagain.testing.templates`); a callable gets the Turn. otherwise: the
    text in place of tool calls that the request does not allow; without it, a sentence that says why.
    Raises ConfigurationError for a bad expression, no step, or a placeholder that can never be filled.
    """

    asked: str
    then: Sequence[Step]
    otherwise: str | None = None
    pattern: re.Pattern[str] = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        try:
            pattern = re.compile(self.asked, re.IGNORECASE)
        except re.error as error:
            raise ConfigurationError(
                f"the rule's regular expression {self.asked!r} is wrong: {error}"
            ) from None
        object.__setattr__(self, "pattern", pattern)
        if isinstance(self.then, str) or not self.then:
            raise ConfigurationError(f"the rule {self.asked!r} needs a list of at least one answer in `then`")
        for step in self.then:
            check(_templates(step), pattern)


def answer_by_rules(rules: Sequence[Rule], chat: JsonObject, body: JsonObject) -> AnyAnswer:
    """The answer of the first rule that matches the newest user message, or a sentence that none does.

    chat: the conversation as a request of Chat Completions. body: the request as it came.
    """
    messages = [message for message in _list(chat.get("messages")) if isinstance(message, dict)]
    asked_at = max((index for index, one in enumerate(messages) if one.get("role") == "user"), default=-1)
    question = content_text(messages[asked_at].get("content")) if asked_at >= 0 else ""
    since = messages[asked_at + 1 :]
    for rule in rules:
        match = rule.pattern.search(question)
        if match:
            step = sum(message.get("role") == "assistant" for message in since)
            return _answer(rule, Turn(question, match, step, _newest_results(since), body), chat)
    return says(f"No rule of the stand-in's script matches {question!r}.")


def _answer(rule: Rule, turn: Turn, chat: JsonObject) -> AnyAnswer:
    step = rule.then[min(turn.step, len(rule.then) - 1)]
    try:
        return _possible(_take(step, turn), rule, chat)
    except MissingValueError as missing:
        return says(
            f"The stand-in's rule {rule.asked!r} needs {missing}, which this conversation does not have."
        )


def _take(step: Step, turn: Turn) -> AnyAnswer:
    if isinstance(step, Faulty):
        return replace(step, answer=_take(step.answer, turn))
    if isinstance(step, str | ModelAnswer):
        return _fill(step, turn)
    if callable(step):
        return step(turn)
    return step


def _possible(answer: AnyAnswer, rule: Rule, chat: JsonObject) -> AnyAnswer:
    """The answer itself, or words in place of calls that the request does not allow."""
    if isinstance(answer, Faulty):
        return replace(answer, answer=_possible(answer.answer, rule, chat))
    if not isinstance(answer, ModelAnswer):
        return answer
    reason = _why_it_cannot_call(answer, chat)
    return says(rule.otherwise or reason) if reason else answer


def _why_it_cannot_call(answer: ModelAnswer, request: JsonObject) -> str:
    possible = callable_tools(request)
    wanted = [call.name for call in answer.calls if call.name not in possible]
    if not wanted:
        return ""
    announced = ", ".join(function_names(request.get("tools"))) or "none"
    if request.get("tool_choice") == "none":
        return f"I cannot call {wanted[0]}: tool_choice is 'none'."
    return f"I cannot call {wanted[0]}: the request does not offer it (announced tools: {announced})."


def _fill(step: str | ModelAnswer, turn: Turn) -> ModelAnswer:
    values = _values(turn)
    if isinstance(step, str):
        return says(fill_text(step, values))
    return replace(
        step,
        text=None if step.text is None else fill_text(step.text, values),
        reasoning=None if step.reasoning is None else fill_text(step.reasoning, values),
        calls=tuple(_fill_call(call, values) for call in step.calls),
    )


def _fill_call(call: Call, values: Values) -> Call:
    # Arguments given as a text are sent as they stand: a value put between their quotes could break them.
    if isinstance(call.arguments, str):
        return call
    return replace(call, arguments=fill_items(call.arguments, values))


def _templates(step: Step) -> list[object]:
    """Whatever in a step may hold placeholders."""
    if isinstance(step, Faulty):
        return _templates(step.answer)
    if not isinstance(step, ModelAnswer):
        return [step] if isinstance(step, str) else []
    arguments = [call.arguments for call in step.calls if not isinstance(call.arguments, str)]
    return [step.text, step.reasoning, *arguments]


def _values(turn: Turn) -> dict[str, Json]:
    groups = {str(number): turn.match[number] for number in range(turn.match.re.groups + 1)}
    values: dict[str, Json] = {
        name: text for name, text in (groups | turn.match.groupdict()).items() if text is not None
    }
    values["results"] = list(turn.results)
    if turn.results:
        values["result"] = turn.results[0]
    return values


def _newest_results(since: Sequence[JsonObject]) -> list[Any]:
    """What the tools returned after the newest assistant message, in the order of its calls."""
    asked_at = max((index for index, one in enumerate(since) if one.get("role") == "assistant"), default=None)
    if asked_at is None:
        return []
    results = {one.get("tool_call_id"): content_text(one.get("content")) for one in since[asked_at + 1 :]}
    return [_parsed(results[id_]) for id_ in tool_call_ids(since[asked_at]) if id_ in results]


def _parsed(text: str) -> Json:
    """The JSON value of a result; a text that only looks like a number, such as `1.50`, stays a text."""
    try:
        value = decode(text)
    except JsonError:
        return text
    return value if isinstance(value, dict | list) or encode(value).decode() == text else text


def _list(value: Json) -> list[Json]:
    return value if isinstance(value, list) else []

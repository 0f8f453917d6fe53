"""The forms of a script, and the one function that each becomes: from request to answer."""

import itertools
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, TypeAlias

from callagain.engine.errors import ConfigurationError
from callagain.engine.json_text import JsonObject
from callagain.testing.answers import Answer, AnyAnswer
from callagain.testing.refusal import Refusal
from callagain.testing.rules import Rule, answer_by_rules

# Any, so that a function can write request["messages"][-1]["content"].
ScriptFunction: TypeAlias = Callable[[dict[str, Any]], AnyAnswer]

Responder: TypeAlias = Callable[[JsonObject, JsonObject], AnyAnswer]
"""Gets the request body as it came, and the whole conversation in the form of Chat Completions."""


@dataclass(frozen=True, slots=True)
class Answers:
    """Answers given in order, one a request. When they are used up, every further request gets status 500.

    repeat_last: the last one is given again and again instead.
    """

    answers: Sequence[AnyAnswer]
    repeat_last: bool = False


@dataclass(frozen=True, slots=True)
class Rules:
    """A table of rules; the first one that matches the newest user message answers."""

    rules: Sequence[Rule]


Script: TypeAlias = Sequence[AnyAnswer | Rule] | ScriptFunction | Answers | Rules
"""A list of answers, a list of rules, or a function from the request body to an answer."""


def responder(script: Script, *, repeat_last: bool = False) -> Responder:
    """The script as one function, with a place in the list of its own.

    Raises ConfigurationError for anything that is no script, and for repeat_last without a list of answers.
    """
    form = _named_form(script)
    if isinstance(form, Answers):
        return _in_order(list(form.answers), form.repeat_last or repeat_last)
    if repeat_last:
        raise ConfigurationError("repeat_last is for a list of answers; rules and functions always answer")
    if isinstance(form, Rules):
        rules = form.rules
        return lambda body, chat: answer_by_rules(rules, chat, body)
    return lambda body, chat: form(body)  # noqa: ARG005 - a function asks for the body alone


def _named_form(script: Script) -> Answers | Rules | ScriptFunction:
    if isinstance(script, Answers | Rules):
        return script
    if callable(script):
        return script
    if isinstance(script, list | tuple):
        return _by_entries(script)
    raise ConfigurationError(
        f"a script is a list of answers, a list of rules or a function, not {type(script).__name__}"
    )


def _by_entries(entries: Sequence[AnyAnswer | Rule]) -> Answers | Rules:
    rules = [entry for entry in entries if isinstance(entry, Rule)]
    answers = [entry for entry in entries if not isinstance(entry, Rule)]
    if rules and answers:
        raise ConfigurationError("a script is a list of answers or a list of rules, not both in one list")
    return Rules(rules) if rules else Answers(answers)


def _in_order(answers: Sequence[AnyAnswer], repeat_last: bool) -> Responder:
    if repeat_last and not answers:
        raise ConfigurationError("repeat_last needs at least one answer to repeat")
    used_up = Refusal(
        f"The stand-in's script of {len(answers)} answers is used up: add one to it, or set repeat_last.",
        code="script_used_up",
        status=500,
        type="server_error",
    )
    turns = itertools.count()

    def answer(body: JsonObject, chat: JsonObject) -> AnyAnswer:  # noqa: ARG001 - the list alone decides
        turn = next(turns)
        if turn < len(answers):
            return answers[turn]
        return answers[-1] if repeat_last else Answer(used_up.status, used_up.body)

    return answer

"""The prompts of a `*.prompts.toml` file, each with what is expected of its run."""

import itertools
import re
from collections.abc import Collection, Sequence
from dataclasses import dataclass, replace
from typing import get_args

from callagain.cli.toml_values import (
    Table,
    as_table,
    check_keys,
    choice_of,
    list_of,
    table_of,
    text_of,
    texts_of,
    value_of,
)
from callagain.engine.errors import ConfigurationError
from callagain.engine.json_text import JsonError, encode
from callagain.engine.run import Outcome
from callagain.result import Result
from callagain.testing.trajectory_assertions import Order, called, trajectory_difference
from callagain.testing.trajectory_expected import ExpectedCall

_HEADING = re.compile(r"^[ \t]*\[\[[ \t]*prompt[ \t]*\]\]", re.MULTILINE)
_MOST_CHARS_OF_A_NAME = 60
_KEYS = ("name", "message", "tools", "order", "pending", "answer_contains", "outcome", "repeat")


@dataclass(frozen=True, slots=True)
class Prompt:
    """One message, and what is expected of its run.

    name: the message, shortened, unless the file gives another. line: of the file, from 1. tools: None for
    any. order, pending: as in `callagain.testing.assert_trajectory`. repeat: runs, each to be as expected.
    """

    name: str
    line: int
    message: str
    tools: Sequence[ExpectedCall] | None
    order: Order
    pending: bool
    answer_contains: Sequence[str]
    outcome: Outcome
    repeat: int

    def differences(self, result: Result) -> list[str]:
        """What of a result is not as expected, in lines of text; empty if all is."""
        told: list[str] = []
        if result.outcome != self.outcome:
            told.append(f"the outcome is {result.outcome}, and not {self.outcome}")
        calls = None
        if self.tools is not None:
            calls = trajectory_difference(result, self.tools, order=self.order, pending=self.pending)
        if calls is not None:
            told.append(calls)
        elif told and result.error is not None:
            told.append(f"{result.error.kind}: {result.error.message}")
        answer = result.final_response or ""
        missing = [text for text in self.answer_contains if text not in answer]
        if missing:
            told.append(f"the answer does not contain {', '.join(map(repr, missing))}: {answer!r}")
        return told


def read_prompts(document: Table, text: str, tools: Collection[str]) -> list[Prompt]:
    """The prompts of a parsed file. text: the file itself. tools: the names of those that there are.

    Raises ConfigurationError.
    """
    entries = list_of(document, "prompt")
    if not entries:
        raise ConfigurationError('the file has no prompt: give it [[prompt]] and below that message = "…"')
    prompts: list[Prompt] = []
    for index, (entry, line) in enumerate(zip(entries, _lines(text, len(entries)), strict=True)):
        try:
            prompt = _prompt(entry, f"prompt[{index}]", line or 1, tools)
        except ConfigurationError as error:
            where = f"line {line}: " if line else ""
            raise ConfigurationError(f"{where}{error}") from None
        prompts.append(replace(prompt, name=_new_name(prompt.name, {one.name for one in prompts})))
    return prompts


def _lines(text: str, count: int) -> list[int | None]:
    """The line of each heading, from 1; not known where prompts are written in another way."""
    lines = [text.count("\n", 0, match.end()) + 1 for match in _HEADING.finditer(text)]
    return [*lines] if len(lines) == count else [None] * count


def _prompt(entry: object, where: str, line: int, tools: Collection[str]) -> Prompt:
    prompt = as_table(entry, where)
    check_keys(prompt, _KEYS, where)
    where = f"{where}."
    message = text_of(prompt, "message", where)
    repeat = value_of(prompt, "repeat", int, where)
    if repeat is not None and repeat < 1:
        raise ConfigurationError(f"{where}repeat must be 1 or more, not {repeat}")
    calls = list_of(prompt, "tools", where)
    return Prompt(
        name=_readable(value_of(prompt, "name", str, where) or message),
        line=line,
        message=message,
        tools=None if calls is None else _expected_calls(calls, f"{where}tools", tools),
        order=choice_of(prompt, "order", get_args(Order), "exact", where),
        pending=value_of(prompt, "pending", bool, where) or False,
        answer_contains=texts_of(prompt, "answer_contains", where),
        outcome=choice_of(prompt, "outcome", get_args(Outcome), "completed", where),
        repeat=repeat or 1,
    )


def _expected_calls(entries: Sequence[object], where: str, tools: Collection[str]) -> list[ExpectedCall]:
    expected = [_expected_call(entry, f"{where}[{index}]") for index, entry in enumerate(entries)]
    for index, call in enumerate(expected):
        if call.name not in tools:
            there_are = f"there are {', '.join(tools)}" if tools else "the file names no tools"
            raise ConfigurationError(f"{where}[{index}]: there is no tool {call.name!r}; {there_are}")
    return expected


def _expected_call(entry: object, where: str) -> ExpectedCall:
    if isinstance(entry, str):
        return called(entry)
    call = as_table(entry, where)
    check_keys(call, ("name", "arguments", "arguments_include"), where)
    name = text_of(call, "name", f"{where}.")
    arguments = table_of(call, "arguments", f"{where}.")
    some = table_of(call, "arguments_include", f"{where}.")
    if arguments is not None and some is not None:
        raise ConfigurationError(f"{where}: arguments and arguments_include exclude each other")
    try:
        encode([arguments, some])
    except JsonError as error:
        raise ConfigurationError(f"{where}: the arguments {error}") from None
    return called(name, **some or {}) if arguments is None else called(name, arguments)


def _readable(text: str) -> str:
    """In one line that pytest can take apart from the file before it."""
    printable = "".join(sign if sign.isprintable() else " " for sign in text)
    words = " ".join(printable.split()).replace("::", ":")
    return words if len(words) <= _MOST_CHARS_OF_A_NAME else f"{words[: _MOST_CHARS_OF_A_NAME - 1]}…"


def _new_name(name: str, taken: Collection[str]) -> str:
    numbered = (f"{name} ({number})" for number in itertools.count(2))
    return next(one for one in itertools.chain([name], numbered) if one not in taken)

"""Runs a text in QuickJS, in a context of its own, under limits. What comes out is text."""

import json
import re
import threading
from collections.abc import Callable, Iterable
from concurrent.futures import Future
from importlib import import_module
from importlib.util import find_spec
from typing import NamedTuple, Protocol, cast

from callagain.engine.errors import ConfigurationError
from callagain.porting.javascript.limits import JavaScriptLimits
from callagain.porting.javascript.prelude import PRELUDE

# `quickjs`, around it, starts a thread for ever when it is imported.
_MODULE = "_quickjs"
_MISSING = "JavaScript steps need quickjs-ng: pip install 'callagain[jitterbit]'"

# Variables of a strict script, and those declared by let and const, are seen from outside only if the whole
# text is a program; all others are run by eval, which tells its value.
_IS_A_PROGRAM = re.compile(r"""["']use strict["']|\b(?:let|const)\b[^;]*\$""")


class Outcome(NamedTuple):
    """What a script left behind: its variables as a JSON text, None if they could not be had, and its error.

    error: the exception as the engine words it, with the list of calls.
    """

    collected: str | None
    error: str | None


class _Context(Protocol):
    """A context of the binding."""

    def eval(self, code: str, /) -> object: ...
    def set_memory_limit(self, limit: int, /) -> None: ...
    def set_time_limit(self, limit: float, /) -> None: ...


class _Prelude(Protocol):
    """What START gives: it runs a text, or collects the variables, given those that were found by name.

    value: of a text that was not run by this.
    """

    def __call__(self, text: str | None, named: object, value: object, /) -> str: ...


class _Binding(NamedTuple):
    new_context: Callable[[], _Context]
    exceptions: tuple[type[Exception], ...]


def run(text: str, given: str, names: Iterable[str], limits: JavaScriptLimits) -> Outcome | None:
    """Runs a script with what it is given as JSON; None if it went on when its time was long up.

    names: the variables, with `$`, that the text may declare. Raises ConfigurationError without quickjs-ng.

    The engine counts time only where a script's own code runs; a function of the engine, such as looking for
    one long text in another, ends when it likes. So it runs in a thread that can be left behind.
    """
    binding = _binding()
    return _in_time(lambda: _run(binding, text, given, names, limits), limits)


def compilation(text: str, limits: JavaScriptLimits) -> Outcome | None:
    """Runs a text whose first statement throws: what comes of it is in the error of the outcome.

    None if it went on when its time was long up. Raises ConfigurationError without quickjs-ng.
    """
    binding = _binding()
    return _in_time(lambda: _compile(binding, text, limits), limits)


def _in_time(work_of: Callable[[], Outcome], limits: JavaScriptLimits) -> Outcome | None:
    answer: Future[Outcome] = Future()

    def work() -> None:
        try:
            answer.set_result(work_of())
        except Exception as error:
            answer.set_exception(error)

    threading.Thread(target=work, name="callagain-javascript", daemon=True).start()
    try:
        return answer.result(timeout=2 * limits.seconds)
    except TimeoutError:
        return None


def _compile(binding: _Binding, text: str, limits: JavaScriptLimits) -> Outcome:
    context = binding.new_context()
    context.set_memory_limit(limits.memory)
    context.set_time_limit(limits.seconds)
    try:
        context.eval(text)
    except binding.exceptions as raised:
        return Outcome(None, str(raised))
    return Outcome(None, None)


def _run(binding: _Binding, text: str, given: str, names: Iterable[str], limits: JavaScriptLimits) -> Outcome:
    context = binding.new_context()
    context.set_memory_limit(limits.memory)
    context.set_time_limit(limits.seconds)
    value: object = None
    error: str | None = None
    try:
        start = cast("Callable[[str], _Prelude]", context.eval(PRELUDE))
        prelude = start(given)
    except binding.exceptions as raised:
        return Outcome(None, _without_calls(raised))
    try:
        if _IS_A_PROGRAM.search(text) is None:
            prelude(text, None, None)
        else:
            value = _run_as_a_program(context, text)
    except binding.exceptions as raised:
        error = str(raised)
    try:
        return Outcome(prelude(None, context.eval(_values_of(names)), value), error)
    except binding.exceptions as raised:
        return Outcome(None, error or _without_calls(raised))


def _run_as_a_program(context: _Context, text: str) -> object:
    """Runs a text so that what it declares stays; where the binding cannot hold its value, it is None."""
    try:
        return context.eval(text)
    except (UnicodeDecodeError, TypeError):
        return None


def _without_calls(raised: Exception) -> str:
    """The text alone: the list of calls leads into what is ours."""
    return str(raised).partition("\n")[0]


def _values_of(names: Iterable[str]) -> str:
    """An object of variables; what `let` declares is found by its name alone."""
    members = (f"{json.dumps(name)}:(()=>{{try{{return {name}}}catch(e){{}}}})()" for name in names)
    return f"({{{','.join(members)}}})"


def check_installed() -> None:
    """Raises ConfigurationError without quickjs-ng, which is not imported by this."""
    if find_spec(_MODULE) is None:
        raise ConfigurationError(_MISSING)


def _binding() -> _Binding:
    try:
        module = import_module(_MODULE)
    except ImportError:
        raise ConfigurationError(_MISSING) from None
    return _Binding(module.Context, (module.JSException, module.StackOverflow))

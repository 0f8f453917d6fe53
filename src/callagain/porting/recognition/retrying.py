"""The retry controllers of a design."""

from collections.abc import Collection

from callagain.porting.design.model import Guess
from callagain.porting.recognition.facts import guess_in
from callagain.porting.recognition.loops import Loop, retry_of
from callagain.porting.recognition.model import RetryController
from callagain.porting.recognition.survey import Survey
from callagain.porting.script import script_text
from callagain.porting.script.syntax import Call


def retry_controllers_in(
    survey: Survey, controllers: Collection[Loop]
) -> tuple[list[RetryController], list[Guess]]:
    """One for each loop that tries something again, and is not the controller of a tool-calling loop."""
    found: list[RetryController] = []
    guesses: list[Guess] = []
    for loop in survey.loops:
        retry = None if any(loop is each for each in controllers) else retry_of(loop)
        if retry is None:
            continue
        expression = script_text(retry.expression) if isinstance(retry.expression, Call) else ""
        found.append(RetryController(loop.facts.name, retry.operation or "", retry.attempts, expression))
        if retry.operation is None:
            text = f"what is tried again is no operation: {expression}"
            guesses.append(guess_in(loop.facts.script, text, loop.line))
        elif survey.design.operation(retry.operation) is None:
            text = f"it tries the operation '{retry.operation}' again, which the design does not have"
            guesses.append(guess_in(loop.facts.script, text, loop.line))
        if loop.limit is not None and retry.attempts is None:
            text = f"what '{loop.limit.counter.name}' is compared with has no value in the design"
            guesses.append(guess_in(loop.facts.script, text, loop.line))
    return found, guesses

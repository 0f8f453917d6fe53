"""The forms that values of a case must have. What has another form is refused before anybody reads it."""

import re
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from tests.conformance.case import CaseError
from tests.conformance.json_values import TYPE_NAMES, has_type, is_array, is_finite, is_object, shown


@dataclass(frozen=True, slots=True)
class Form:
    """words: what such a value is, for a message. fits: whether a value has the form."""

    words: str
    fits: Callable[[Any], bool]

    def problem(self, value: Any) -> str | None:
        """What is wrong with the form of the value; None if nothing is."""
        return None if self.fits(value) else f"must be {self.words}, and is {shown(value)}"

    def require(self, name: str, value: Any) -> None:
        """Raises CaseError, with the name of the value, unless it has the form."""
        if problem := self.problem(value):
            raise CaseError(f"{name} {problem}")


def one_of(*names: str) -> Form:
    return Form(f"one of {', '.join(names)}", lambda value: isinstance(value, str) and value in names)


def _or_null(form: Form) -> Form:
    return Form(f"{form.words}, or null", lambda value: value is None or form.fits(value))


def _is_text(value: Any) -> bool:
    return isinstance(value, str)


def _is_pointer(value: Any) -> bool:
    return isinstance(value, str) and (not value or value.startswith("/"))


def _is_regular_expression(value: Any) -> bool:
    try:
        re.compile(value)
    except (re.error, TypeError):
        return False
    return True


# Nearly every exception has these classes, and so they say nothing.
_SAY_NOTHING = ("Exception", "BaseException", "object")

ANYTHING = Form("anything", lambda _value: True)
TEXT = Form("a string", _is_text)
TEXT_OR_NULL = _or_null(TEXT)
TEXTS = Form("a list of strings", lambda value: is_array(value) and all(map(_is_text, value)))
TRUTH = Form("true or false", lambda value: isinstance(value, bool))
COUNT = Form("a whole number from 0", lambda value: has_type(value, "integer") and value >= 0)
ORDINAL = Form("a whole number from 1", lambda value: has_type(value, "integer") and value >= 1)
SECONDS = Form("a number of seconds from 0", lambda value: is_finite(value) and value >= 0)
SECONDS_OR_NULL = _or_null(SECONDS)
OBJECT = Form("an object", is_object)
OBJECTS = Form("a list of objects", lambda value: is_array(value) and all(map(is_object, value)))
COUNTS = Form("an object of numbers", lambda value: is_object(value) and all(map(is_finite, value.values())))
TEXTS_BY_NAME = Form(
    "an object of strings", lambda value: is_object(value) and all(map(_is_text, value.values()))
)
TEXT_OR_LIST = Form("a string or a list", lambda value: isinstance(value, str | list))
STATUS = Form(
    "a whole number from 200 to 599", lambda value: has_type(value, "integer") and 200 <= value <= 599
)
POINTER = Form('a JSON pointer, which is empty or begins with "/"', _is_pointer)
REGULAR_EXPRESSION = Form("a regular expression", _is_regular_expression)
TYPE_NAME = one_of(*TYPE_NAMES)
OUTCOME = one_of("completed", "failed", "limit", "suspended", "raises")
EXCEPTION = Form(
    f"the name of a class of exceptions, and none of {', '.join(_SAY_NOTHING)}",
    lambda value: isinstance(value, str) and value.isidentifier() and value not in _SAY_NOTHING,
)

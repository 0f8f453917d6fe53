"""What goes wrong in a script: what happened, where, and what to do.

An error is raised where it is found, often without a place, and gets the place of the innermost expression on
its way out. `str(error)` is the message in one line, then the line of the script and a caret under the
column.
"""

from dataclasses import dataclass
from typing import ClassVar, Self

from callagain.porting.script.tokens import Place

_WIDTH = 100


@dataclass(frozen=True, slots=True)
class Source:
    """The text of a script and the name by which messages call it."""

    name: str
    text: str

    def excerpt(self, place: Place) -> str:
        """The line of a place with a caret under the column; of a long line the part around it."""
        lines = self.text.split("\n", place.line)
        line = lines[place.line - 1].rstrip("\r").replace("\t", " ") if place.line <= len(lines) else ""
        start = max(0, place.column - 1 - _WIDTH // 2) if len(line) > _WIDTH else 0
        return f"    {line[start : start + _WIDTH]}\n    {' ' * (place.column - 1 - start)}^"


class ScriptError(Exception):
    """The base of all errors of scripts; nothing else is raised for any text of a script.

    kind: a word for reports. message: one line. place, source: where, None as long as it is not known.
    caught_by_eval: whether Eval and IsValid take it for an evaluation that failed.
    """

    kind: ClassVar[str] = "error"
    caught_by_eval: ClassVar[bool] = False

    def __init__(self, message: str, place: Place | None = None, source: Source | None = None) -> None:
        super().__init__(message)
        self.message = message
        self.place = place
        self.source = source

    def placed(self, place: Place, source: Source) -> Self:
        """The same error, with a place if it had none."""
        if self.place is None:
            self.place, self.source = place, source
        return self

    @property
    def headline(self) -> str:
        """Script, line, column and message, in one line."""
        if self.place is None or self.source is None:
            return self.message
        return f"{self.source.name}, line {self.place.line}, column {self.place.column}: {self.message}"

    def __str__(self) -> str:
        if self.place is None or self.source is None:
            return self.message
        return f"{self.headline}\n{self.source.excerpt(self.place)}"


class ScriptSyntaxError(ScriptError):
    """The text is not Jitterbit Script."""

    kind = "syntax"


class UnknownFunctionError(ScriptError):
    """A function that is not known here, or is known and not supported; `name` as the script writes it."""

    kind = "unknown function"

    def __init__(self, message: str, name: str) -> None:
        super().__init__(message)
        self.name = name


class ScriptArgumentError(ScriptError):
    """A function was called with too few, too many or wrong arguments."""

    kind = "argument"
    caught_by_eval = True


class ScriptValueError(ScriptError):
    """Values do not allow what is done with them: an illegal operation, no such element, no such path."""

    kind = "value"
    caught_by_eval = True


class RaisedError(ScriptError):
    """The script called RaiseError."""

    kind = "raised"
    caught_by_eval = True


class ScriptLimitError(ScriptError):
    """A limit was reached: iterations, nesting, steps, or sizes of values."""

    kind = "limit"

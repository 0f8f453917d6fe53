"""What a translation is, and why a script has none."""

from dataclasses import dataclass

from callagain.porting.script.tokens import Place


@dataclass(frozen=True, slots=True)
class Translation:
    """A script as a Python function.

    function: its name. source: the function with the original script as a comment above it, and a line feed
    at the end. imports: a statement for each name that the source needs. reads, writes: the global variables
    by Jitterbit's names, as far as the script names them; a variable of which elements are set is in both.
    runs: the operations and scripts that it runs, by the names in their tags. notes: what a porter should
    know, each with its line in the script.
    """

    function: str
    source: str
    imports: tuple[str, ...]
    reads: tuple[str, ...]
    writes: tuple[str, ...]
    runs: tuple[str, ...]
    notes: tuple[str, ...]


class NotTranslatable(Exception):
    """The script is better kept as it is; `reason` says why in one line, `place` where."""

    def __init__(self, reason: str, place: Place) -> None:
        super().__init__(f"line {place.line}, column {place.column}: {reason}")
        self.reason = reason
        self.place = place


class NeedsStatements(NotTranslatable):
    """This expression has to be written as statements, and there is no place for them before it."""

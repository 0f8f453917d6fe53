"""The one error of the readers and of the writer."""

from callagain.porting.design.model import SourcePlace


class DesignError(ValueError):
    """A design cannot be read or written. The message is one line: the place, what is wrong, what to do.

    place: the file, as it was given, and where in it.
    """

    def __init__(self, place: SourcePlace, message: str) -> None:
        super().__init__(" ".join(f"{place}: {message}".splitlines()))
        self.place = place

"""What an operation is: a Script works on the variables, an Activity also needs something from outside.

Both are pure. They get a copy of the variables, which becomes the current one when they return; they know
neither the next state nor a clock, a thread, a network or a tool. To fail they raise `Failure`, and the
run takes the On Fail link; any other exception is a bug of the operation, leaves the run where it is, and
leaves the driver.
"""

from abc import ABC, abstractmethod
from collections.abc import Sequence
from typing import ClassVar, TypeAlias

from callagain.engine.commands import Command
from callagain.engine.json_text import Json
from callagain.engine.variables import Variables


class Script(ABC):
    """An operation that works on the variables alone: Jitterbit's script step.

    `kind` and `title` are what a flowchart writes into the operation's box; without a title, the name that
    the operation has in the chain. An operation with a `question` is drawn as a decision; its box then
    stands on the way out on which call_llm_again holds. "\\n" in a title or a question breaks the line.
    part: where the guide describes it, as "Part 1"; empty for an operation of somebody's own.
    What comes after an operation that `is_closing` belongs to the end of the run: a run that is resumed goes
    back to where it was before.

    Guide: JavaScript, where JavaScript is missing.
    Departs from the guide in JavaScript: the guide takes a second language for the script that works on JSON,
    and advises against doing without. Here every script is Python, where JSON is data like any other.
    """

    kind: ClassVar[str] = "Script"
    part: ClassVar[str] = ""
    is_closing: ClassVar[bool] = False
    title: ClassVar[str] = ""
    question: ClassVar[str] = ""

    @abstractmethod
    def run(self, variables: Variables) -> None:
        """Changes the variables in place."""


class Activity(ABC):
    """An operation that names what it needs from outside, and goes on when it has it.

    `request` is called once on entering, `receive` once when the receipts of all its commands are there,
    in the order of the commands, whatever order they arrived in.
    """

    kind: ClassVar[str] = "Activity"
    part: ClassVar[str] = ""
    is_closing: ClassVar[bool] = False
    title: ClassVar[str] = ""
    question: ClassVar[str] = ""

    @abstractmethod
    def request(self, variables: Variables) -> Sequence[Command]:
        """The commands to perform; changes the variables in place."""

    @abstractmethod
    def receive(self, variables: Variables, receipts: Sequence[Json]) -> None:
        """Takes the receipts; changes the variables in place."""


Operation: TypeAlias = Script | Activity
"""What a chain is made of: a Script only reads and writes variables, an Activity has commands performed."""

"""What a trap is: its name, what a design with it does, what the Python does instead, and how it is found."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from inspect import cleandoc

from callagain.porting.design.model import Script, SourcePlace
from callagain.porting.report.javascript_text import JavaScriptText
from callagain.porting.report.model import FoundTrap
from callagain.porting.report.reading import Reading
from callagain.porting.report.script_tree import ScriptTree
from callagain.porting.script import Place
from callagain.porting.script.syntax import Node

REPLACED = "This script became a part of the chain, whose operations are Python: its text is not run."
"""What the Python does about a trap of the language, where the script became an operation of callagain."""


@dataclass(frozen=True, slots=True)
class Finding:
    """Where a trap was found. does: what the design does there, if the words of the trap are too general."""

    place: SourcePlace
    script: Script | None = None
    at: Place | None = None
    does: str | None = None


Finder = Callable[[Reading], Iterator[Finding]]


@dataclass(frozen=True, slots=True)
class Trap:
    """A trap.

    name: short and stable. does: what the design does. chain_does: what the Python does where the script
    became a part of a callagain chain. script_does: what it does where the script is translated or kept, so
    that it gives what it gave in Jitterbit. looks_for: how it is found, for the page of all traps.
    """

    name: str
    does: str
    chain_does: str
    script_does: str
    looks_for: str
    find: Finder

    def found_in(self, reading: Reading) -> Iterator[FoundTrap]:
        """The trap in a design, at all its places."""
        for finding in self.find(reading):
            in_chain = reading.in_chain(finding.script)
            yield FoundTrap(
                trap=self.name,
                script=finding.script.name if finding.script else "",
                place=finding.place,
                design_does=finding.does or self.does,
                python_does=self.chain_does if in_chain else self.script_does,
                line=finding.at.line if finding.at else None,
                column=finding.at.column if finding.at else None,
            )


def trap(name: str, *, does: str, script: str, chain: str = REPLACED) -> Callable[[Finder], Trap]:
    """Makes a trap of the function that finds it; the docstring of the function says what it looks for."""

    def made(find: Finder) -> Trap:
        return Trap(name, does, chain, script, cleandoc(find.__doc__ or ""), find)

    return made


def at_node(tree: ScriptTree, node: Node, does: str | None = None) -> Finding:
    """A trap at a node of a Jitterbit Script."""
    return Finding(tree.script.place, tree.script, node.place, does)


def at_position(script: JavaScriptText, position: int, does: str | None = None) -> Finding:
    """A trap at a position in a JavaScript script."""
    return Finding(script.script.place, script.script, script.place(position), does)

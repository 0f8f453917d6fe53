"""The value of an expression in Python: its code, and what is known of it."""

from dataclasses import dataclass
from typing import NamedTuple

from callagain.porting.script.syntax import Global, Local
from callagain.porting.translation.blocks import NONE
from callagain.porting.translation.kinds import Kind
from callagain.porting.translation.layout import Atom, Code


class Coded(NamedTuple):
    """An expression as code.

    pure: evaluating it changes nothing and cannot fail. literal: it has a literal value, or is a variable
    that may have one, so that a type checker knows it.
    """

    code: Code
    kind: Kind
    pure: bool = False
    literal: bool = False


NULL = Coded(NONE, Kind.NULL, pure=True, literal=True)
TRUE = Coded(Atom("True"), Kind.BOOL, pure=True, literal=True)
FALSE = Coded(Atom("False"), Kind.BOOL, pure=True, literal=True)


@dataclass(frozen=True, slots=True)
class Discarded:
    """Nobody looks at the value."""


@dataclass(frozen=True, slots=True)
class Returned:
    """The value is that of the script."""


@dataclass(frozen=True, slots=True)
class Assigned:
    """The value is that of a variable."""

    target: Local | Global


@dataclass(frozen=True, slots=True)
class Held:
    """The value is kept in a variable that only the translation has."""

    key: str


Destination = Discarded | Returned | Assigned | Held

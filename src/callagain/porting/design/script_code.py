"""The code of a script without spaces and comments: what stands before a sign, what an expression holds."""

from collections.abc import Iterator
from dataclasses import dataclass, field

from callagain.porting.design.script_tokens import Kind, Token

COMPARES = ("==", "!=", "===", "!==", "<", ">", "<=", ">=")
_OPENS, _CLOSES = ("(", "[", "{"), (")", "]", "}")
_ENDS = (",", ";", *_CLOSES)
_VALUES = (Kind.STRING, Kind.NAME, Kind.NUMBER, Kind.TAG)
_BEFORE_VALUES = {"await", "new", "typeof"}
# An expression is looked at so far, and less far where expressions nest so deep as no hand writes them.
_TOKENS_OF_AN_EXPRESSION = 500
_TOKENS_OF_A_NESTED_ONE = 10
_TIMES_OF_A_TOKEN = 20
INDEX = "[]"
"""What `Literal.inside` has for an index, as in `d["password"]`."""


@dataclass(frozen=True, slots=True)
class Literal:
    """A string of an expression. inside: the functions and brackets around it, in small letters.

    key: that of the object that it is a value of. is_joined: whether it is joined to others by `+`.
    """

    position: int
    inside: tuple[str, ...]
    key: str = ""
    is_joined: bool = False


@dataclass(slots=True)
class Code:
    """The tokens, and for each position that of the bracket around it, or -1.

    pairs: the bracket that opens for each that closes.
    """

    tokens: list[Token]
    openings: list[int] = field(default_factory=list[int])
    pairs: dict[int, int] = field(default_factory=dict[int, int])
    _looked_at: int = 0

    def __post_init__(self) -> None:
        stack = [-1]
        for position, token in enumerate(self.tokens):
            if token.is_symbol(*_CLOSES) and len(stack) > 1:
                self.pairs[position] = stack.pop()
                self.openings.append(stack[-1])
                continue
            self.openings.append(stack[-1])
            if token.is_symbol(*_OPENS):
                stack.append(position)

    def at(self, position: int) -> Token:
        """The token; a space where there is none."""
        if 0 <= position < len(self.tokens):
            return self.tokens[position]
        return Token(Kind.SPACE, "")

    def is_at(self, position: int, *symbols: str) -> bool:
        return self.at(position).is_symbol(*symbols)

    def ends_at(self, position: int) -> bool:
        """Whether an expression that goes up to here ends."""
        return position >= len(self.tokens) or self.is_at(position, *_ENDS)

    def function_at(self, opening: int) -> str:
        """The function whose arguments a bracket opens, in small letters and without its object."""
        if opening < 0:
            return ""
        before, symbol = self.at(opening - 1), self.at(opening).text
        if symbol == "(" and before.kind is Kind.NAME:
            return before.text.rpartition(".")[2].lower()
        if symbol == "[" and (before.kind in _VALUES or before.is_symbol(")", "]")):
            return INDEX
        return "" if symbol == "(" else symbol

    def name_before(self, position: int) -> str:
        """The name of what stands before a sign: of a variable, a key, or `password` in `d["password"]`."""
        before = self.at(position - 1)
        if before.kind is Kind.NAME:
            return before.text
        if before.kind is Kind.STRING:
            return before.content
        return self._name_of_index(position - 3) if before.is_symbol("]") else ""

    def name_after(self, position: int) -> str:
        if self.is_at(position + 2, "[") and self.at(position + 3).kind is Kind.STRING:
            return self._name_of_index(position + 2)
        return self.at(position + 1).text if self.at(position + 1).kind is Kind.NAME else ""

    def _name_of_index(self, opening: int) -> str:
        index = self.at(opening + 1)
        return index.content if self.is_at(opening, "[") and index.kind is Kind.STRING else ""

    def arguments(self, opening: int) -> list[int]:
        """Where the arguments of a call begin."""
        starts = [opening + 1]
        for position in self._expression(opening + 1):
            if self.openings[position] < opening:
                break
            if self.openings[position] == opening and self.is_at(position, ","):
                starts.append(position + 1)
        return starts

    def literals(self, start: int) -> Iterator[Literal]:
        """The strings of the expression that begins here, save keys and what others are compared with."""
        around: list[str] = []
        for position in self._expression(start):
            token = self.tokens[position]
            if not around and position > start and (self.ends_at(position) or self._begins_another(position)):
                return
            if token.is_symbol(*_CLOSES):
                if not around:
                    return
                around.pop()
            elif token.is_symbol(*_OPENS):
                around.append(self.function_at(position))
            elif token.kind is Kind.STRING and not (
                self._is_beside(position, *COMPARES) or self._is_key(position)
            ):
                key = self.name_before(position - 1) if self.is_at(position - 1, ":") else ""
                yield Literal(position, tuple(around), key, self._is_beside(position, "+"))

    def _expression(self, start: int) -> Iterator[int]:
        """The positions that may belong to the expression that begins here."""
        is_nested = self._looked_at > _TIMES_OF_A_TOKEN * (len(self.tokens) + _TOKENS_OF_AN_EXPRESSION)
        length = _TOKENS_OF_A_NESTED_ONE if is_nested else _TOKENS_OF_AN_EXPRESSION
        for position in range(start, min(len(self.tokens), start + length)):
            self._looked_at += 1
            yield position

    def _begins_another(self, position: int) -> bool:
        """Whether a value follows a value: in JavaScript a line may end without a semicolon."""
        before, token = self.tokens[position - 1], self.tokens[position]
        follows = before.kind in _VALUES or before.is_symbol(")", "]", "}")
        return follows and token.kind in _VALUES and before.text not in _BEFORE_VALUES

    def _is_key(self, position: int) -> bool:
        return self.is_at(position + 1, ":") and self.is_at(position - 1, "{", ",")

    def _is_beside(self, position: int, *symbols: str) -> bool:
        return self.is_at(position - 1, *symbols) or self.is_at(position + 1, *symbols)

"""Python expressions as a tree, and how they are written in lines of at most 110 characters.

Lines are broken where ruff and black break them, so that a formatter of the project changes nothing.
"""

from dataclasses import dataclass
from itertools import pairwise
from typing import TypeAlias

WIDTH = 110
INDENT = "    "

WALRUS, LAMBDA, CHOICE, OR, AND, NOT, COMPARISON, SUM, PRODUCT, SIGN, PRIMARY = range(11)
"""How strongly the forms of Python bind, from the weakest on."""


@dataclass(frozen=True, slots=True)
class Atom:
    """A name, a number, a subscript: text that is never broken."""

    text: str
    power: int = PRIMARY


@dataclass(frozen=True, slots=True)
class Text:
    """A string."""

    value: str
    power: int = PRIMARY


@dataclass(frozen=True, slots=True)
class Called:
    """`receiver.name(arguments)`, or `name(arguments)`."""

    name: str
    arguments: tuple["Code", ...]
    receiver: "Code | None" = None
    power: int = PRIMARY


@dataclass(frozen=True, slots=True)
class Display:
    """`[a, b]`, or an empty `{}`."""

    items: tuple["Code", ...]
    brackets: str = "[]"
    power: int = PRIMARY


@dataclass(frozen=True, slots=True)
class Slice:
    """`text[:end]`."""

    of: "Code"
    end: str
    power: int = PRIMARY


@dataclass(frozen=True, slots=True)
class Prefix:
    """`not a` or `-a`."""

    operator: str
    operand: "Code"
    power: int


@dataclass(frozen=True, slots=True)
class Chain:
    """`first op a op b`, all of one precedence; comparisons have one operator."""

    first: "Code"
    rest: tuple[tuple[str, "Code"], ...]
    power: int


@dataclass(frozen=True, slots=True)
class Choice:
    """`then if condition else otherwise`."""

    then: "Code"
    condition: "Code"
    otherwise: "Code"
    power: int = CHOICE


@dataclass(frozen=True, slots=True)
class Walrus:
    """`name := value`."""

    name: str
    value: "Code"
    power: int = WALRUS


Code: TypeAlias = Atom | Text | Called | Display | Slice | Prefix | Chain | Choice | Walrus


def flat(code: Code) -> str:
    """The expression in one line."""
    match code:
        case Atom():
            return code.text
        case Text():
            return literal(code.value)
        case Called():
            return f"{_head(code)}{', '.join(map(flat, code.arguments))})"
        case Display():
            return f"{code.brackets[0]}{', '.join(map(flat, code.items))}{code.brackets[1]}"
        case Slice():
            return f"{_inside(code.of, PRIMARY)}[:{code.end}]"
        case Prefix():
            return code.operator + _inside(code.operand, code.power + (code.power == SIGN))
        case Chain():
            parts = [_inside(code.first, _least(code))]
            parts += [f"{operator} {_inside(operand, _most(code))}" for operator, operand in code.rest]
            return " ".join(parts)
        case Choice():
            then, condition = _inside(code.then, CHOICE + 1), _inside(code.condition, CHOICE + 1)
            return f"{then} if {condition} else {_inside(code.otherwise, CHOICE)}"
        case Walrus():
            return f"{code.name} := {_inside(code.value, WALRUS + 1)}"


def parts(code: Code) -> tuple[Code, ...]:
    """The expressions directly inside of an expression."""
    match code:
        case Atom() | Text():
            return ()
        case Called():
            return code.arguments if code.receiver is None else (code.receiver, *code.arguments)
        case Display():
            return code.items
        case Slice():
            return (code.of,)
        case Prefix():
            return (code.operand,)
        case Chain():
            return (code.first, *(operand for _, operand in code.rest))
        case Choice():
            return (code.then, code.condition, code.otherwise)
        case Walrus():
            return (code.value,)


def sets_variable(code: Code) -> bool:
    """Whether the expression sets a local variable."""
    return isinstance(code, Walrus) or any(map(sets_variable, parts(code)))


def calls(code: Code) -> bool:
    """Whether the expression calls anything, or sets a variable: then it cannot be left out."""
    return isinstance(code, Called | Walrus) or any(map(calls, parts(code)))


def lines(
    code: Code, indent: str, before: str = "", after: str = "", *, in_brackets: bool = False
) -> list[str]:
    """The lines of `before`, the expression, `after`. in_brackets: a line may end inside the expression."""
    line = f"{indent}{before}{flat(code)}{after}"
    if len(line) <= WIDTH:
        return [line]
    match code:
        case Called(receiver=Called()):
            return _broken_methods(code, indent, before, after, in_brackets=in_brackets)
        case Slice():
            return lines(code.of, indent, before, f"[:{code.end}]{after}", in_brackets=in_brackets)
        case Called(arguments=arguments) if arguments:
            return _broken(indent, before + _head(code), arguments, f"){after}", is_display=False)
        case Display() if code.items:
            return _broken(indent, f"{before}[", code.items, f"]{after}", is_display=True)
        case Prefix() if isinstance(code.operand, Called):
            return lines(code.operand, indent, before + code.operator, after, in_brackets=in_brackets)
        case Prefix() if code.operand.power < code.power:
            inner = lines(code.operand, indent + INDENT, in_brackets=True)
            return [f"{indent}{before}{code.operator}(", *inner, f"{indent}){after}"]
        case Atom() if before and not in_brackets and len(f"{indent}{INDENT}{code.text}") <= WIDTH:
            return [f"{indent}{before}(", f"{indent}{INDENT}{code.text}", f"{indent}){after}"]
        case Text() | Chain() | Choice():
            if in_brackets:
                return _parts(code, indent, before, after)
            if (broken := _broken_at_the_end(code, indent, before, after)) is not None:
                return broken
            return [
                f"{indent}{before}(",
                *lines(code, indent + INDENT, in_brackets=True),
                f"{indent}){after}",
            ]
        case _:
            return [line]


def literal(value: str) -> str:
    """A Python literal for any text: in double quotes, unless single ones need fewer escapes."""
    quote = "'" if value.count('"') > value.count("'") else '"'
    return quote + "".join(_escaped(character, quote) for character in value) + quote


def _escaped(character: str, quote: str) -> str:
    if character in ("\\", quote):
        return f"\\{character}"
    # What does not show, such as a line break or a mark of writing direction, is written as an escape.
    if character.isprintable():
        return character
    return character.encode("unicode_escape").decode()


def _head(code: Called) -> str:
    receiver = "" if code.receiver is None else f"{_inside(code.receiver, PRIMARY)}."
    return f"{receiver}{code.name}("


def _least(code: Chain) -> int:
    """The power that the first operand needs: only sums and products go on without parentheses."""
    return code.power if code.power in (SUM, PRODUCT) else _most(code)


def _most(code: Chain) -> int:
    """The power that the other operands need; an `and` inside an `or` has parentheses for its reader."""
    return NOT if code.power == OR else code.power + 1


def _inside(code: Code, power: int) -> str:
    text = flat(code)
    return text if code.power >= power else f"({text})"


def _broken(indent: str, head: str, items: tuple[Code, ...], tail: str, *, is_display: bool) -> list[str]:
    """Brackets with a line for each item; arguments may stand in one line inside of them."""
    inner = indent + INDENT
    together = f"{inner}{', '.join(map(flat, items))}"
    if len(together) <= WIDTH and not is_display:
        return [indent + head, together, indent + tail]
    comma = "," if len(items) > 1 or is_display else ""
    parts = [line for each in items for line in lines(each, inner, "", comma, in_brackets=True)]
    return [indent + head, *parts, indent + tail]


def _broken_methods(code: Called, indent: str, before: str, after: str, *, in_brackets: bool) -> list[str]:
    """`f(x).a(y)` broken in the first brackets that have to be; of more methods each has a line."""
    methods: list[str] = []
    base = code
    while isinstance(base.receiver, Called):
        methods.insert(0, f".{base.name}({', '.join(map(flat, base.arguments))})")
        base = base.receiver
    if len(methods) == 1:
        if len(f"{indent}{before}{_head(code)}") <= WIDTH and code.arguments:
            return _broken(indent, before + _head(code), code.arguments, f"){after}", is_display=False)
        return lines(base, indent, before, methods[0] + after)
    if not in_brackets:
        inner = _broken_methods(code, indent + INDENT, "", "", in_brackets=True)
        return [f"{indent}{before}(", *inner, f"{indent}){after}"]
    first = lines(base, indent, before, in_brackets=True)
    following = [indent + method for method in methods]
    return [*first, *following[:-1], following[-1] + after]


def _broken_at_the_end(code: Code, indent: str, before: str, after: str) -> list[str] | None:
    """Of `a + f(x)` only the call is broken, if its beginning fits on the line."""
    if not isinstance(code, Chain) or len(code.rest) != 1:
        return None
    operator, last = code.rest[0]
    start = f"{before}{_inside(code.first, _least(code))} {operator} "
    if last.power < _most(code) and len(f"{indent}{start}(") <= WIDTH:
        return [f"{indent}{start}(", *lines(last, indent + INDENT, in_brackets=True), f"{indent}){after}"]
    if not isinstance(last, Called) or not last.arguments:
        return None
    innermost = last
    while isinstance(innermost.receiver, Called):
        innermost = innermost.receiver
    if len(f"{indent}{start}{_head(innermost)}") > WIDTH:
        return None
    return lines(last, indent, start, after)


def _parts(code: Code, indent: str, before: str, after: str) -> list[str]:
    """An expression that stands in brackets, a line for each of its parts."""
    if isinstance(code, Text):
        return _pieces(code.value, indent, before, after)
    if not isinstance(code, Chain | Choice):
        return lines(code, indent, before, after, in_brackets=True)
    operands = _operands(code, indent)
    written: list[str] = []
    for position, (start, each, power) in enumerate(operands):
        opening, closing = ("", "") if each.power >= power else ("(", ")")
        start = (before if position == 0 else "") + start + opening
        end = closing + (after if position == len(operands) - 1 else "")
        written += lines(each, indent, start, end, in_brackets=True)
    return written


def _operands(code: Chain | Choice, indent: str) -> list[tuple[str, Code, int]]:
    """The parts of an expression, each with what stands before it, and the power that it needs."""
    if isinstance(code, Choice):
        found, last = [("", code.then, CHOICE + 1)], code
        while isinstance(last.otherwise, Choice):
            found.append(("if ", last.condition, CHOICE + 1))
            last = last.otherwise
            found.append(("else ", last.then, CHOICE + 1))
        return [*found, ("if ", last.condition, CHOICE + 1), ("else ", last.otherwise, CHOICE)]
    found = [("", code.first, _least(code))]
    found += [(f"{operator} ", operand, _most(code)) for operator, operand in code.rest]
    if code.power != SUM:
        return found
    room = WIDTH - len(indent) - 6
    return [part for start, each, power in found for part in _split_operand(start, each, power, room)]


def _split_operand(start: str, each: Code, power: int, room: int) -> list[tuple[str, Code, int]]:
    """A string of a sum as more of them, if it is too long for a line."""
    if not isinstance(each, Text) or len(literal(each.value)) <= room:
        return [(start, each, power)]
    first, *others = _split_text(each.value, room)
    return [(start, Text(first), power), *(("+ ", Text(piece), power) for piece in others)]


def _pieces(value: str, indent: str, before: str, after: str) -> list[str]:
    """A long string as literals that stand below each other, which Python joins."""
    first, *others = _split_text(value, WIDTH - len(indent) - len(before) - len(after) - 2)
    written = [indent + before + literal(first), *(indent + literal(piece) for piece in others)]
    return [*written[:-1], written[-1] + after]


def _split_text(value: str, room: int) -> list[str]:
    """A text in pieces whose literals are not longer than the room for them, if they can be."""
    pieces: list[str] = [""]
    for word in _words(value):
        if pieces[-1] and len(literal(pieces[-1] + word)) > max(room, 20):
            pieces.append("")
        pieces[-1] += word
    return pieces


def _words(value: str) -> list[str]:
    """A text in parts at which it may be broken: words with the spaces behind them, none longer than 60."""
    cuts = [0]
    for position in range(1, len(value)):
        if (value[position - 1] == " " and value[position] != " ") or position - cuts[-1] >= 60:
            cuts.append(position)
    return [value[start:end] for start, end in pairwise([*cuts, len(value)])]

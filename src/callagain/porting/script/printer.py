"""A tree as text again: what it gives is parsed to an equal tree. Comments are not in it."""

from decimal import Decimal

from callagain.porting.script.parser import POWER_OF_NOT, POWER_OF_UNARY, POWERS
from callagain.porting.script.syntax import (
    ArrayLiteral,
    Assignment,
    Call,
    Expression,
    Global,
    Index,
    Literal,
    Local,
    Operations,
    Script,
    Statements,
    Step,
    Unary,
)

_ESCAPES = str.maketrans(
    {"\\": "\\\\", '"': '\\"', "\n": "\\n", "\r": "\\r", "\t": "\\t", "\b": "\\b", "\f": "\\f", "\v": "\\v"}
)
_WEAKEST = 0
_STRONGEST = 9


def script_text(node: Script | Statements | Expression) -> str:
    """The text of a script or of a part of it, with the parentheses that it needs and no others."""
    if isinstance(node, Script):
        return "".join(f"{_text(item)};\n" for item in node.body.items)
    if isinstance(node, Statements):
        return _statements(node)
    return _text(node)


def _statements(node: Statements) -> str:
    return "; ".join(map(_text, node.items))


def _arguments(arguments: tuple[Statements, ...]) -> str:
    texts = [_statements(each) for each in arguments]
    # One argument that is empty is written as a lone `;`: without it there would be no argument.
    return ";" if texts == [""] else ", ".join(texts)


def _text(node: Expression) -> str:
    match node:
        case Literal():
            return _literal(node.value)
        case Local():
            return node.name
        case Global():
            return f"${node.name}"
        case Call():
            return f"{node.name}({_arguments(node.arguments)})"
        case ArrayLiteral():
            return f"{{{_arguments(node.items)}}}"
        case Index():
            return _strong(node.target, _STRONGEST) + "".join(f"[{_text(key)}]" for key in node.keys)
        case Step():
            target = _text(node.target)
            return f"{node.operator}{target}" if node.prefix else f"{target}{node.operator}"
        case Unary():
            return node.operator + _strong(node.operand, _power(node) + 1)
        case Assignment():
            return f"{_text(node.target)} {node.operator} {_text(node.value)}"
        case Operations():
            above = _power(node) + 1
            parts = [_strong(node.first, above)]
            parts += [f" {each.operator} {_strong(each.operand, above)}" for each in node.rest]
            return "".join(parts)


def _strong(node: Expression, power: int) -> str:
    """The text, in parentheses if it binds less than `power`."""
    text = _text(node)
    return text if _power(node) >= power else f"({text})"


def _power(node: Expression) -> int:
    match node:
        case Assignment():
            return _WEAKEST
        case Operations():
            return POWERS[node.rest[0].operator]
        case Unary():
            return POWER_OF_NOT if node.operator == "!" else POWER_OF_UNARY
        case Step():
            return POWER_OF_UNARY
        case _:
            return _STRONGEST


def _literal(value: int | float | str | bool) -> str:
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, str):
        return f'"{value.translate(_ESCAPES)}"'
    if isinstance(value, int):
        return str(value)
    digits = format(Decimal(repr(value)), "f")
    return digits if "." in digits else f"{digits}."

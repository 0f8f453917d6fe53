"""Statements of Python, and how they are written."""

from collections.abc import Container, Sequence
from dataclasses import dataclass, field, replace
from typing import TypeAlias

from callagain.porting.translation.layout import (
    AND,
    COMPARISON,
    INDENT,
    NOT,
    Atom,
    Called,
    Chain,
    Choice,
    Code,
    Prefix,
    Walrus,
    flat,
    lines,
)


@dataclass(frozen=True, slots=True)
class Remark:
    """Lines of comment."""

    lines: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Gap:
    """A blank line."""


@dataclass(frozen=True, slots=True)
class Simple:
    """`before` and an expression. local: the variable that it sets whole, if it is a local one."""

    before: str
    code: Code
    local: str | None = None


@dataclass(frozen=True, slots=True)
class Return:
    """code: None for a function that gives nothing."""

    code: Code | None


@dataclass(frozen=True, slots=True)
class Raise:
    code: Code


@dataclass(frozen=True, slots=True)
class Break:
    pass


@dataclass(frozen=True, slots=True)
class Branch:
    condition: Code
    then: "Block"
    otherwise: "Block" = field(default_factory=list["Statement"])


@dataclass(frozen=True, slots=True)
class Loop:
    condition: Code
    body: "Block"


@dataclass(frozen=True, slots=True)
class Attempt:
    """`try`, with one handler that has the error as `error`."""

    body: "Block"
    handler: "Block"


Statement: TypeAlias = Remark | Gap | Simple | Return | Raise | Break | Branch | Loop | Attempt
Block: TypeAlias = list[Statement]

NONE = Atom("None")

_OPPOSITES = {"==": "!=", "!=": "==", "is": "is not", "is not": "is", "in": "not in", "not in": "in"}


def does(block: Sequence[Statement]) -> list[Statement]:
    """The statements without comments and blank lines."""
    return [each for each in block if not isinstance(each, Remark | Gap)]


def ends(block: Sequence[Statement]) -> bool:
    """Whether nothing behind the block is reached from it."""
    real = does(block)
    if not real:
        return False
    match real[-1]:
        case Return() | Raise() | Break():
            return True
        case Branch(then=then, otherwise=otherwise):
            return ends(then) and ends(otherwise)
        case Attempt(body=body, handler=handler):
            return ends(body) and ends(handler)
        case _:
            return False


def negated(code: Code) -> Code:
    """`not` the condition, without `not` where there is another operator."""
    if isinstance(code, Prefix) and code.operator == "not ":
        return code.operand
    if (
        isinstance(code, Chain)
        and code.power == COMPARISON
        and code.rest[0][0] in ("==", "!=", "is", "is not")
    ):
        other = {"==": "!=", "!=": "==", "is": "is not", "is not": "is"}[code.rest[0][0]]
        return replace(code, rest=((other, code.rest[0][1]),))
    if isinstance(code, Atom) and code.text in ("True", "False"):
        return Atom("False" if code.text == "True" else "True")
    return Prefix("not ", code, NOT)


def tidy(block: Block) -> Block:
    """The same statements as a person writes them: no else behind a return, no if that is alone in an if."""
    result: Block = []
    for each in _without_outer_gaps(block):
        match each:
            case Branch():
                result += _tidy_branch(Branch(each.condition, tidy(each.then), tidy(each.otherwise)))
            case Loop():
                result.append(Loop(each.condition, tidy(each.body)))
            case Attempt():
                result.append(Attempt(tidy(each.body), tidy(each.handler)))
            case _:
                result.append(each)
    return result


def _without_outer_gaps(block: Block) -> Block:
    kept = [at for at, each in enumerate(block) if not isinstance(each, Gap)]
    return block[kept[0] : kept[-1] + 1] if kept else []


def _tidy_branch(branch: Branch) -> Block:
    if not does(branch.then) and does(branch.otherwise):
        branch = Branch(negated(branch.condition), branch.otherwise, branch.then)
    if not does(branch.then) and isinstance(branch.condition, Called):
        return [*branch.then, *branch.otherwise, Simple("", branch.condition)]
    if not does(branch.otherwise):
        branch = _with_inner_condition(branch)
    if (chosen := _choice(branch)) is not None:
        return [chosen]
    if branch.otherwise and ends(branch.then):
        gap: Block = [Gap()] if len(does(branch.then)) > 1 else []
        return [Branch(branch.condition, branch.then), *gap, *branch.otherwise]
    return [branch]


def _with_inner_condition(branch: Branch) -> Branch:
    """`if a: if b: …` as `if a and b: …`."""
    if branch.otherwise or len(branch.then) != 1 or not isinstance(inner := branch.then[0], Branch):
        return branch
    if inner.otherwise:
        return branch
    parts: list[Code] = []
    for condition in (branch.condition, inner.condition):
        if isinstance(condition, Chain) and condition.power == AND:
            parts += [condition.first, *(code for _, code in condition.rest)]
        else:
            parts.append(condition)
    return Branch(Chain(parts[0], tuple(("and", each) for each in parts[1:]), AND), inner.then)


def _choice(branch: Branch) -> Simple | None:
    """`x = a if condition else b` for two branches that only set x, if it fits on a line."""
    if len(branch.then) != 1 or len(branch.otherwise) != 1:
        return None
    then, otherwise = branch.then[0], branch.otherwise[0]
    if not isinstance(then, Simple) or not isinstance(otherwise, Simple):
        return None
    if then.local is None or then.local != otherwise.local or ":" in then.before + otherwise.before:
        return None
    chosen = Simple(then.before, Choice(then.code, branch.condition, otherwise.code), then.local)
    return chosen if len(then.before) + len(flat(chosen.code)) <= 80 else None


def returning_at_once(block: Block, names: Container[str]) -> Block:
    """`return f(x)` for a local variable that is set and returned, if it is one of these."""
    result: Block = []
    for each in block:
        match each:
            case Branch(condition=condition, then=then, otherwise=otherwise):
                inner = returning_at_once(then, names), returning_at_once(otherwise, names)
                result.append(Branch(condition, *inner))
            case Attempt(body=body, handler=handler):
                result.append(Attempt(returning_at_once(body, names), returning_at_once(handler, names)))
            case Return(code=Atom(text=name)) if result and name in names:
                before = result[-1]
                if isinstance(before, Simple) and before.local == name:
                    result[-1] = Return(before.code)
                else:
                    result.append(each)
            case _:
                result.append(each)
    return result


def returning_nothing(block: Block) -> Block:
    """The same for a function whose every value is null."""
    result: Block = []
    for each in block:
        match each:
            case Branch(condition=condition, then=then, otherwise=otherwise):
                result.append(Branch(condition, returning_nothing(then), returning_nothing(otherwise)))
            case Attempt(body=body, handler=handler):
                result.append(Attempt(returning_nothing(body), returning_nothing(handler)))
            case Return():
                result.append(Return(None))
            case _:
                result.append(each)
    return result


def written(block: Block, indent: str) -> list[str]:
    """The lines of a block; `pass` if it does nothing."""
    result: list[str] = []
    for position, each in enumerate(block):
        if isinstance(each, Gap):
            result += [""] if position and result and result[-1] else []
        else:
            result += _written(each, indent)
    while result and not result[-1]:
        result.pop()
    return result if does(block) else [*result, f"{indent}pass"]


def _written(each: Statement, indent: str) -> list[str]:
    match each:
        case Remark():
            return [indent + line for line in each.lines]
        case Simple():
            return lines(_whole(each.code), indent, each.before)
        case Return():
            return [f"{indent}return"] if each.code is None else lines(_whole(each.code), indent, "return ")
        case Raise():
            return lines(each.code, indent, "raise ")
        case Branch():
            return _written_branch(each, indent, "if ")
        case Loop():
            return [*lines(each.condition, indent, "while ", ":"), *written(each.body, indent + INDENT)]
        case Attempt():
            body, handler = written(each.body, indent + INDENT), written(each.handler, indent + INDENT)
            return [f"{indent}try:", *body, f"{indent}except ScriptError as error:", *handler]
        case Break():
            return [f"{indent}break"]
        case Gap():
            return [""]


def _whole(code: Code) -> Code:
    """An expression that is a whole statement: `:=` stands in parentheses there."""
    return Atom(f"({flat(code)})") if isinstance(code, Walrus) else code


def _written_branch(branch: Branch, indent: str, keyword: str) -> list[str]:
    result = lines(branch.condition, indent, keyword, ":") + written(branch.then, indent + INDENT)
    if len(branch.otherwise) == 1 and isinstance(following := branch.otherwise[0], Branch):
        return result + _written_branch(following, indent, "elif ")
    if branch.otherwise and (
        does(branch.otherwise) or any(isinstance(each, Remark) for each in branch.otherwise)
    ):
        return [*result, f"{indent}else:", *written(branch.otherwise, indent + INDENT)]
    return result

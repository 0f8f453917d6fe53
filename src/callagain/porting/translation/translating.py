"""From a script to the source of a Python function."""

import ast
import textwrap
from collections.abc import Iterator
from dataclasses import replace

from callagain.porting import jitterbit
from callagain.porting.script.syntax import Script
from callagain.porting.script.tokens import Place
from callagain.porting.translation.blocks import (
    NONE,
    Attempt,
    Block,
    Branch,
    Loop,
    Return,
    Statement,
    returning_at_once,
    returning_nothing,
    tidy,
    written,
)
from callagain.porting.translation.comments import original, shown
from callagain.porting.translation.layout import INDENT, WIDTH
from callagain.porting.translation.model import NotTranslatable, Translation
from callagain.porting.translation.names import Names, snake_case
from callagain.porting.translation.structures import Translator
from callagain.porting.translation.work import Learned

_RUNTIME = "callagain.porting.jitterbit"
_MOST_PASSES = 40


def translate(script: Script, *, function: str | None = None) -> Translation:
    """A script as a Python function that gives the same value, variables, log and errors.

    function: its name; without one, that of the script in snake case. The function takes a State and needs
    the imports of the translation; `module_source` makes a module of translations. What it does differs from
    the script in one thing: steps are not counted, so only loops, nesting and single values have a limit.

    Raises NotTranslatable, with reason and place, for a script that is better kept as it is: one that
    calls what is not known, or reads a local variable that may not be set, or needs statements where Python
    has room for an expression alone.
    """
    try:
        return _translated(script, _name_of(script, function))
    except RecursionError:
        raise _too_deep() from None


def _name_of(script: Script, function: str | None) -> str:
    meaningful = Names(("state", *jitterbit.__all__))
    if function is None:
        return meaningful.of("", snake_case(script.name, "script"))
    if not function.isascii() or not function.isidentifier() or meaningful.of("", function) != function:
        raise ValueError(
            f"{function!r} is no name for a function here: use letters, digits and _, and no name that means "
            f"something in Python or in {_RUNTIME}"
        )
    return function


def _translated(script: Script, name: str) -> Translation:
    translator, block = _settled(script)
    returns = list(_returns(block))
    gives_null = all(each.code == NONE for each in returns)
    if gives_null:
        block = _without_last_return(returning_nothing(block))
    declared = [
        f"{INDENT}{translator.name_of(key)}: {translator.annotation_of(key)}"
        for key in sorted(translator.found.inside)
        if key in translator.found.read and translator.needs_annotation(key)
    ]
    body = [*declared, *written(block, INDENT)]
    parameter = "state" if "state" in _names_read(body) else "_state"
    head = f"def {name}({parameter}: State) -> {'None' if gives_null else 'Value'}:"
    lines = [*_heading(script), head, *_docstring(script, translator), *body]
    source = "\n".join(lines) + "\n"
    return Translation(
        name,
        source,
        tuple(f"from {_RUNTIME} import {each}" for each in _imported(source)),
        tuple(sorted(translator.reads)),
        tuple(sorted(translator.writes)),
        tuple(translator.runs),
        tuple(translator.notes),
    )


def _settled(script: Script) -> tuple[Translator, Block]:
    """Goes through the script until a pass finds nothing that the one before it did not know."""
    learned = Learned()
    for _ in range(_MOST_PASSES):
        translator = Translator(script, learned)
        block = tidy(translator.body())
        # A variable counts as read if it is in what is written: much is left out because it does nothing.
        translator.found.read = translator.names.keys(_names_read(written(block, INDENT)))
        if translator.found == learned:
            return translator, returning_at_once(block, _names_to_leave_out(translator, block))
        learned = replace(translator.found, passes=learned.passes + 1)
    raise NotTranslatable("the types of its variables depend on each other; part the script", Place(1, 1))


def _names_to_leave_out(translator: Translator, block: Block) -> set[str]:
    """The variables that need not be set before they are returned: nothing else is left of no use by that."""
    settings = {translator.name_of(key): count for key, count in translator.found.settings.items()}
    still_read = _names_read(written(returning_at_once(block, settings), INDENT))
    return {name for name, count in settings.items() if count == 1 or name in still_read}


def _returns(block: Block) -> Iterator[Return]:
    for each in block:
        if isinstance(each, Return):
            yield each
        for inner in _blocks_of(each):
            yield from _returns(inner)


def _blocks_of(statement: Statement) -> tuple[Block, ...]:
    match statement:
        case Branch():
            return (statement.then, statement.otherwise)
        case Loop():
            return (statement.body,)
        case Attempt():
            return (statement.body, statement.handler)
        case _:
            return ()


def _without_last_return(block: Block) -> Block:
    """Without the `return None` at the end of a function that gives nothing."""
    last = max((at for at, each in enumerate(block) if isinstance(each, Return)), default=None)
    return block if last is None else [*block[:last], *block[last + 1 :]]


def _names_read(body: list[str]) -> set[str]:
    """The names that the lines of a body use."""
    try:
        tree = ast.parse("\n".join(["def body():", *body]))
    except (SyntaxError, MemoryError):
        raise _too_deep() from None
    names = (node for node in ast.walk(tree) if isinstance(node, ast.Name))
    return {name.id for name in names if isinstance(name.ctx, ast.Load)}


def _heading(script: Script) -> list[str]:
    text = original(script.source.text)
    return [f"# The script {shown(script.name)}:", "#", *text] if script.source.text.strip() else []


def _docstring(script: Script, translator: Translator) -> list[str]:
    reads, writes = sorted(translator.reads), sorted(translator.writes)
    parts = [("Reads", reads), ("Writes", writes), ("Runs", list(translator.runs))]
    told = [f"{word} {', '.join(map(shown, names))}." for word, names in parts if names]
    summary = f'{INDENT}"""The script {shown(script.name)} of the design.'
    if not told:
        return [f'{summary}"""']
    wrapped = [line for each in told for line in textwrap.wrap(each, WIDTH - len(INDENT))]
    return [summary, "", *(INDENT + line for line in wrapped), f'{INDENT}"""']


def _imported(source: str) -> list[str]:
    """The names of the runtime that a source uses.

    Refuses a source that is too deep for Python, which has limits for parentheses and for blocks.
    """
    try:
        compile(source, "translation", "exec", dont_inherit=True)
    except (SyntaxError, MemoryError):
        raise _too_deep() from None
    used = {node.id for node in ast.walk(ast.parse(source)) if isinstance(node, ast.Name)}
    return sorted(used & set(jitterbit.__all__))


def _too_deep() -> NotTranslatable:
    return NotTranslatable("it is nested too deeply for Python; part the script", Place(1, 1))

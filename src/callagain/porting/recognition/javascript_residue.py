"""What a JavaScript step does besides its part: by a look at its tokens."""

from collections.abc import Iterable, Iterator, Sequence
from itertools import pairwise

from callagain.porting.recognition.changes import CHANGES_THE_RESULT, Change
from callagain.porting.recognition.facts import Facts
from callagain.porting.recognition.javascript_tokens import JavaScriptToken, tokens_of
from callagain.porting.recognition.own_parts import OwnParts

_CUTTING = frozenset(("slice", "substr", "substring", "toLowerCase", "toUpperCase", "trim"))

Found = tuple[str, int, tuple[str, ...]]
"""The text of a statement, its line, its effects."""


def of_javascript(
    facts: Facts, own: OwnParts, roles: Sequence[str], changes: Iterable[Change]
) -> list[Found]:
    """One for each global variable that is set and is none of the guide's, for each log line and change."""
    lines = facts.script.text.split("\n")
    tokens = tokens_of(facts.script.text)
    found: dict[tuple[int, str], None] = {}
    seen: set[str] = set()
    for write in facts.global_writes:
        if not own.guide_names(write.name) and write.name not in seen:
            seen.add(write.name)
            found[write.line, f"sets ${write.name}"] = None
        elif "append_tool_result" in roles and "function_resp" in own.guide_names(write.name):
            found[write.line, CHANGES_THE_RESULT] = None
    found.update({(line, "writes to the log"): None for line in _log_lines(tokens)})
    cuts = [(line, CHANGES_THE_RESULT) for line in _cuts(tokens, own)]
    found.update(dict.fromkeys(cuts))
    for change in changes:
        if not cuts or change.effect != CHANGES_THE_RESULT:
            found[change.place.line, change.effect] = None
    return [(lines[line - 1].strip(), line, (effect,)) for line, effect in sorted(found)]


def _log_lines(tokens: Sequence[JavaScriptToken]) -> Iterator[int]:
    for token, following in pairwise(tokens):
        if token.value == "WriteToOperationLog" and following.value == "(":
            yield token.line


def _cuts(tokens: Sequence[JavaScriptToken], own: OwnParts) -> Iterator[int]:
    """The first line in which the result of a tool, or a local variable that holds it, is cut."""
    name = own.name("function_resp")
    results = {name, f"${name}"}
    for number, token in enumerate(tokens):
        if token.value in results and number >= 2:
            holder = _assigned(tokens, number)
            if holder is not None:
                results.add(holder)
            if any(each.value in _CUTTING for each in tokens[number + 1 : number + 4]):
                yield token.line
                return


def _assigned(tokens: Sequence[JavaScriptToken], number: int) -> str | None:
    """The variable of `var a = $result`, `a = String($result)` or `a = Jitterbit.GetVar("$result")`."""
    for back in range(number - 1, max(number - 7, 0), -1):
        if tokens[back].value in (";", "{", "}", ","):
            return None
        if tokens[back].value == "=":
            return tokens[back - 1].value
    return None

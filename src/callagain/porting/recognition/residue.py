"""What the scripts of a shape do besides: their statements that the chain in their place does not do."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Literal

from callagain.porting.design.model import Design
from callagain.porting.recognition.changes import Change, changes_in
from callagain.porting.recognition.effects import Deeds
from callagain.porting.recognition.facts import Facts, calls_in, variables_in
from callagain.porting.recognition.javascript_residue import of_javascript
from callagain.porting.recognition.loops import Loop
from callagain.porting.recognition.model import RetryController, Shape
from callagain.porting.recognition.own_parts import OwnParts, own_parts_of
from callagain.porting.recognition.survey import Survey, survey
from callagain.porting.script import script_text, syntax

Where = Literal["before", "inside", "after"]

_ENDS_A_LIMIT = {"writes to the log"}
_ENDS_A_RETRY = {"writes to the log", "raises an error"}


@dataclass(frozen=True, slots=True)
class Residue:
    """A statement of a script that the chain in the place of the script does not do.

    role: that of the script, in the words of `roles`. where: before, inside or after the loop of a
    controller, of which the first LLM Call is a part; inside for all other scripts, and for what hangs on the
    outcome of an operation that the chain runs. text: the source of the statement; of an If or a Case with
    the chain's own statements left out. line: where the first effect is. effects: in words, such as "sets
    $acme.session", "runs operation Human", "writes to the log".
    """

    script: str
    role: str
    where: Where
    text: str
    line: int
    effects: tuple[str, ...]


def residue(design: Design, shape: Shape) -> tuple[Residue, ...]:
    """The residues of all scripts that a shape replaces, in the order of the roles and of the text.

    What a branch of the dispatcher does is none: the branch has it as its `script`.
    """
    if isinstance(shape, RetryController) and not shape.operation:
        return ()
    surveyed = survey(design)
    own = own_parts_of(surveyed, shape)
    found: list[Residue] = []
    for name, roles in own.roles.items():
        facts = surveyed.scripts.get(name)
        if facts is None:
            continue
        changes = changes_in(facts, own, roles)
        if facts.tree is None:
            found += (
                Residue(name, roles[0], "inside", text, line, effects)
                for text, line, effects in of_javascript(facts, own, roles, changes)
            )
        else:
            found += _Statements(surveyed, facts, own, roles, changes).residues(facts.tree.body)
    return tuple(found)


class _Statements:
    """Goes through the statements of one script."""

    def __init__(
        self, surveyed: Survey, facts: Facts, own: OwnParts, roles: tuple[str, ...], changes: list[Change]
    ) -> None:
        self._facts = facts
        self._own = own
        self._role = roles[0]
        self._deeds = Deeds(facts, own, roles, changes)
        self._loop = _loop_of(surveyed, facts, own) if "controller" in roles else None

    def residues(self, body: syntax.Statements) -> Iterator[Residue]:
        where: Where = "before" if self._loop else "inside"
        for item in body.items:
            if self._loop is not None and _contains(item, self._loop.call):
                yield from self._of_loop(item, self._loop)
                where = "after"
            else:
                yield from self._of(item, where)
                if where == "before" and self._deeds.begins_loop(item):
                    where = "inside"

    def _of_loop(self, item: syntax.Expression, loop: Loop) -> Iterator[Residue]:
        if item is not loop.call:
            # The loop stands in an If or the like, which is looked at as a whole.
            yield from self._of(item, "inside")
            return
        for argument in loop.call.arguments:
            for statement in argument.items:
                yield from self._of(statement, "inside")

    def _of(self, item: syntax.Expression, where: Where) -> Iterator[Residue]:
        if where == "after" and self._is_end_of_loop(item):
            return
        rest = self._deeds.rest_of(item)
        if rest is None:
            return
        hangs = self._loop is not None and self._deeds.hangs_on_own_runs(rest)
        line, effects = self._deeds.of(item)
        role = "dispatcher" if self._deeds.is_dispatch(item) else self._role
        yield Residue(self._facts.name, role, "inside" if hangs else where, script_text(rest), line, effects)

    def _is_end_of_loop(self, item: syntax.Expression) -> bool:
        """Whether this is an If that says no more than that the loop ended at its limit."""
        if self._loop is None or not isinstance(item, syntax.Call) or item.name.lower() != "if":
            return False
        read = variables_in(item.arguments[0]) if item.arguments else frozenset[str]()
        said = _ENDS_A_RETRY if self._own.is_retry else _ENDS_A_LIMIT
        return bool(read & self._loop.reads) and set(self._deeds.of(item)[1]) <= said


def _loop_of(surveyed: Survey, facts: Facts, own: OwnParts) -> Loop | None:
    """The While of the controller: the innermost that runs what the chain runs."""
    loops = [
        loop
        for loop in surveyed.loops
        if loop.facts is facts and any((run.kind, run.name) in own.runs for run in loop.runs)
    ]
    return max(loops, key=lambda loop: loop.call.place, default=None)


def _contains(item: syntax.Expression, call: syntax.Call) -> bool:
    return any(each is call for each in calls_in(item, "while"))

"""What scripts replace in a text before they put it into JSON."""

from collections.abc import Iterator

from callagain.porting.report.script_tree import (
    ScriptTree,
    Variable,
    argument,
    is_call,
    target_of,
    variable_of,
)
from callagain.porting.script.syntax import Call, Node

_REPLACES = ("Replace", "RegExReplace")


class Escaping:
    """What the Replace calls of a script replace in the same text."""

    def __init__(self, tree: ScriptTree) -> None:
        self._tree = tree
        self._of_variables: dict[Variable, set[str]] = {}

    def of(self, call: Call) -> set[str]:
        """What is replaced in the text of a call: in it, around it, and in other steps on its variables."""
        chain = list(self._chain(call))
        held = {variable_of(argument(each, 0)) for each in chain}
        if (parent := self._tree.parent(chain[0])) is not None:
            held.add(target_of(parent))
        found = self._old_texts(chain)
        return found.union(*(self._of_variable(variable) for variable in held if variable is not None))

    def _of_variable(self, variable: Variable) -> set[str]:
        if variable not in self._of_variables:
            sources = [each.value for each in self._tree.assigned_to(variable)]
            steps = [each for each in sources if isinstance(each, Call) and is_call(each, *_REPLACES)]
            for use in self._tree.uses(variable):
                outer = self._outer(use)
                if outer is not None:
                    steps.append(outer)
            chains = (self._old_texts(self._chain(each)) for each in steps)
            self._of_variables[variable] = set().union(*chains)
        return self._of_variables[variable]

    def _chain(self, call: Call) -> Iterator[Call]:
        """`Replace(Replace(x, …), …)`: all of them from any one, the outermost first."""
        outermost = call
        while (outer := self._outer(outermost)) is not None:
            outermost = outer
        current: Node | None = outermost
        while isinstance(current, Call) and is_call(current, *_REPLACES):
            yield current
            current = argument(current, 0)

    def _outer(self, node: Node) -> Call | None:
        """The Replace whose text a node is."""
        statements = self._tree.parent(node)
        outer = self._tree.parent(statements) if statements is not None else None
        if isinstance(outer, Call) and is_call(outer, *_REPLACES) and outer.arguments[0] is statements:
            return outer
        return None

    def _old_texts(self, calls: Iterator[Call] | list[Call]) -> set[str]:
        found: set[str] = set()
        for call in calls:
            old = self._tree.constant(argument(call, 1)) or ""
            found.add(old)
            if is_call(call, "RegExReplace"):
                found |= {"\n"} if "\n" in old or "\\n" in old or "\\s" in old else set()
                found |= {"\\"} if "\\\\" in old else set()
        return found

"""Which keys the dictionaries of a design are ever given."""

from callagain.porting.report.reading import Reading
from callagain.porting.report.script_tree import ScriptTree, Variable, is_call
from callagain.porting.script.syntax import Assignment

_MAKES_DICTIONARY = ("Dict", "Map")


class DictionaryKeys:
    """The keys of variables that are nothing but dictionaries made by Dict() in this design."""

    def __init__(self, reading: Reading) -> None:
        self._reading = reading
        self._known: dict[tuple[str, Variable], set[str] | None] = {}

    def of(self, tree: ScriptTree, variable: Variable) -> set[str] | None:
        """All keys that a variable of a script may have; None if they are not known from the scripts."""
        key = ("" if variable.is_global else tree.name, variable)
        if key not in self._known:
            self._known[key] = self._found(tree, variable)
        return self._known[key]

    def _found(self, tree: ScriptTree, variable: Variable) -> set[str] | None:
        trees = self._reading.trees if variable.is_global else (tree,)
        if variable.is_global and variable.name in self._reading.set_elsewhere:
            return None
        assigned = [each for one in trees for each in one.assigned_to(variable)]
        if not assigned or not all(is_call(each.value, *_MAKES_DICTIONARY) for each in assigned):
            return None
        if any(_is_passed_on(each, variable) for each in trees):
            return None
        keys: set[str] = set()
        for one in trees:
            for element in one.elements_set:
                if element.variable == variable:
                    key = one.constant(element.key)
                    if key is None:
                        return None
                    keys.add(key)
        return keys


def _is_passed_on(tree: ScriptTree, variable: Variable) -> bool:
    """Whether another script, or another variable, gets the dictionary and may fill it."""
    for node in tree.uses(variable):
        parent = tree.parent(node)
        outer = tree.parent(parent) if parent is not None else None
        if isinstance(parent, Assignment) and parent.value is node:
            return True
        if is_call(outer, "RunScript", "Set"):
            return True
    return False

"""Where names are looked up: locals and arguments in the script, globals at the host."""

from collections.abc import Sequence
from dataclasses import dataclass, field

from callagain.porting.script.errors import ScriptValueError
from callagain.porting.script.syntax import Local
from callagain.porting.script.values import Value


@dataclass
class Scope:
    """The local variables of one run of a script, and the arguments `_1`, `_2` … that it was called with.

    Source: "General functions", RunScript and ArgumentList (docs.jitterbit.com/studio/functions/general).
    """

    arguments: Sequence[Value] = ()
    locals: dict[str, Value] = field(default_factory=dict[str, Value])

    def get(self, node: Local) -> Value:
        """An argument that was not passed is null; a local variable that was never set is an error."""
        if node.name in self.locals:
            return self.locals[node.name]
        if node.is_argument:
            return self.argument(int(node.name[1:]))
        advice = f"set it before, or write ${node.name} for a global one"
        raise ScriptValueError(f"the local variable '{node.name}' is not set; {advice}")

    def set(self, name: str, value: Value) -> None:
        self.locals[name] = value

    def argument(self, position: int) -> Value:
        """The argument of a position, the first is 1; null if there is none."""
        return self.arguments[position - 1] if 0 < position <= len(self.arguments) else None

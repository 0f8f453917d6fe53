"""What keeps a design from being run at all."""

from collections.abc import Iterable
from difflib import get_close_matches

from callagain.porting.script.errors import ScriptError


class MissingPartError(ScriptError):
    """Something that the design names and does not have, or an activity that no function was given for.

    Neither Eval nor RunOperation hides it: it is a mistake of the project, and no failure of a run.
    """

    kind = "missing part"

    @classmethod
    def named(cls, kind: str, name: str, known: Iterable[str], *, where: str = "") -> "MissingPartError":
        """For an operation or a script that is not there. where: who asks for it: `LLM Call, step 2`."""
        names = sorted(known)
        close = get_close_matches(name, names, n=1)
        advice = f"did you mean '{close[0]}'?" if close else f"it has {', '.join(names) or 'none'}"
        return cls(f"{where}{': ' if where else ''}the design has no {kind} '{name}'; {advice}")

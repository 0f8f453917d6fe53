"""Where the code of an operation is."""

import inspect
from pathlib import Path

from callagain.engine.json_text import JsonObject
from callagain.engine.operation import Operation

_OURS = "callagain."
# Of callagain, these rooms are at the top of the repository.
_AT_THE_TOP = ("operations", "engine", "diagrams")


def source_of(operation: Operation) -> JsonObject:
    """module, file, line and, of callagain's own, the text of the class; empty if nobody knows.

    A file of callagain is told as it is in its repository, and one below the current folder from there on, so
    that a page says little of the machine that it was made on.
    """
    kind = type(operation)
    try:
        file = inspect.getsourcefile(kind)
        lines, line = inspect.getsourcelines(kind)
    except (OSError, TypeError):
        return {}
    if file is None:
        return {}
    if not kind.__module__.startswith(_OURS):
        return {"module": kind.__module__, "file": _short(file), "line": line}
    return {
        "module": kind.__module__,
        "file": _in_the_repository(kind.__module__),
        "line": line,
        "text": "".join(lines),
    }


def _in_the_repository(module: str) -> str:
    path = f"{module.removeprefix(_OURS).replace('.', '/')}.py"
    return path if path.split("/")[0] in _AT_THE_TOP else f"src/callagain/{path}"


def _short(file: str) -> str:
    path, here = Path(file), Path.cwd()
    return str(path.relative_to(here)) if path.is_relative_to(here) else file

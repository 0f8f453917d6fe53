"""Where the code of an operation is."""

import inspect
from pathlib import Path

from callagain.engine.json_text import JsonObject
from callagain.engine.operation import Operation

_OURS = "callagain."


def source_of(operation: Operation) -> JsonObject:
    """file, line and, for an operation of callagain's own, the text of its class; empty if nobody knows.

    A file of callagain is told as it is imported, and one below the current folder from there on, so that a
    page says little of the machine that it was made on.
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
        return {"file": _short(file), "line": line}
    return {"file": f"{kind.__module__.replace('.', '/')}.py", "line": line, "text": "".join(lines)}


def _short(file: str) -> str:
    path, here = Path(file), Path.cwd()
    return str(path.relative_to(here)) if path.is_relative_to(here) else file

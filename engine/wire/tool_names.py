"""The name in a tool call: the announced one, or one that plainly is it, or an error told to the model."""

import difflib
import re
from collections.abc import Sequence
from dataclasses import replace

from callagain.engine.receipts import ToolReceipt
from callagain.engine.wire.reply import Call, Note

# Namespaces that some models and gateways put before a name, and white space or control tokens around it.
_LEAKED_PREFIX = re.compile(r"^(functions\.|default_api[.:])")


def resolve_name(call: Call, announced: Sequence[str]) -> tuple[Call, tuple[Note, ...]]:
    """The call with the announced name, or with the error unknown_tool.

    Nothing is guessed: a name is repaired only where what is left, when leaked tokens are cut off, equals
    an announced name. The nearest one is named to the model, and never run.

    Departs from the guide in function_name: the guide takes the name as it came. Here what some endpoints put
    around a name is taken off, with a warning, since the tool that is meant is plain.
    """
    if call.name in announced or (call.error is not None and not call.name):
        return call, ()
    name = _LEAKED_PREFIX.sub("", call.name.split("<|")[0].strip())
    if name in announced:
        return replace(call, name=name), (Note(f"{call.name!r} was read as {name!r}", "tool_name_repaired"),)
    error = ToolReceipt.of_error("unknown_tool", unknown_tool(call.name, announced))
    return replace(call, error=error), ()


def unknown_tool(name: str, announced: Sequence[str]) -> str:
    """Says that there is no such tool, which ones there are, and which of them come nearest."""
    nearest = difflib.get_close_matches(name, announced, n=3)
    hint = f" Did you mean {' or '.join(map(repr, nearest))}?" if nearest else ""
    available = f"Available tools: {', '.join(announced)}." if announced else "There are no tools."
    return f"there is no tool {name[:100]!r}. {available}{hint}"


def legal_name(name: str) -> str:
    """A name that no tool has may be of any form; an API refuses a history with such a one."""
    return re.sub("[^a-zA-Z0-9_-]", "_", name)[:64] or "unnamed"

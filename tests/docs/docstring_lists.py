"""For the reference of the site: what a docstring says of each parameter is an item of a list.

A docstring names them as `name: what it is.`, or `name, name: what they are.`, each on a line of its own,
which Markdown would run together.
"""

import re
from typing import Any

import griffe

ITEM = re.compile(r"^(?P<names>`?\*{0,2}\w+`?(?:, `?\w+`?)*): ", re.MULTILINE)


class DocstringLists(griffe.Extension):
    def on_object(self, *, obj: griffe.Object, **_: Any) -> None:
        if obj.docstring is not None:
            obj.docstring.value = with_lists(obj.docstring.value)


def with_lists(text: str) -> str:
    """The text, with a list in place of lines that begin with names and a colon."""
    blocks = re.split(r"\n{2,}", text)
    return "\n\n".join(_as_list(block) if ITEM.match(block) else block for block in blocks)


def _as_list(block: str) -> str:
    lines = [
        ITEM.sub(r"- **\g<names>**: ", line) if ITEM.match(line) else f"  {line}"
        for line in block.splitlines()
    ]
    return "\n".join(lines)

"""For the reference of the site: what a docstring says of each parameter is an item of a list.

A docstring names them as `name: what it is.`, or `name, name: what they are.`, at the beginning of a line
or after a sentence, which Markdown would run together.
"""

import re
from typing import Any

import griffe

NAMES = r"\*{0,2}[a-z_]\w*(?:, \*{0,2}[a-z_]\w*)*"
BEGINS_LIST = re.compile(rf"{NAMES}:\s")
IN_AN_ITEM = re.compile(rf"\n(?!{NAMES}:\s)\s*")
BEFORE_AN_ITEM = re.compile(rf"(?<=[.;)]) (?={NAMES}:\s)")
ITEM = re.compile(rf"^({NAMES}):\s", re.MULTILINE)


class DocstringLists(griffe.Extension):
    def on_package(self, *, pkg: griffe.Module, **_: Any) -> None:
        _make_lists(pkg)


def _make_lists(owner: griffe.Object) -> None:
    if owner.docstring is not None:
        owner.docstring.value = with_lists(owner.docstring.value, of_module=owner.is_module)
    for member in owner.members.values():
        if isinstance(member, griffe.Object):
            _make_lists(member)


def with_lists(text: str, *, of_module: bool = False) -> str:
    """The text, with a list in place of lines that begin with names and a colon.

    of_module: it begins with what the module is, which is no item, whatever the form.
    """
    first, *others = re.split(r"\n{2,}", text)
    blocks = [first if of_module else _as_list(first), *map(_as_list, others)]
    return "\n\n".join(blocks)


def _as_list(block: str) -> str:
    if not BEGINS_LIST.match(block):
        return block
    lines = BEFORE_AN_ITEM.sub("\n", IN_AN_ITEM.sub(" ", block))
    return ITEM.sub(r"- **\1**: ", lines)

"""References of scripts in a .jpk: `op.` and a GUID becomes `<TAG>operation:LLM Call</TAG>`."""

import re
from collections.abc import Mapping
from dataclasses import dataclass

_GUID = r"[0-9A-Fa-f]{8}(?:-[0-9A-Fa-f]{4}){3}-[0-9A-Fa-f]{12}"
_REFERENCE = re.compile(rf"(?:<TAG>)?(?<![\w.])(op|sc|s|t|m|so)\.({_GUID})(?![\w-])(?:</TAG>)?")
_KINDS = {"op": "operation", "sc": "script", "s": "source", "t": "target", "m": "email", "so": "salesforce"}
_UNFIT = re.compile(r"[<>\"'\\\r\n]")


@dataclass(frozen=True, slots=True)
class Resolved:
    """The text with names, and what became of each reference: `op.…` to its tag, or to None."""

    text: str
    references: Mapping[str, str | None]


def resolve(text: str, names: Mapping[str, str]) -> Resolved:
    """names: of the entities, by GUID in lower case. A reference that cannot be a tag stays as it is.

    It cannot if the project has no such entity, or if the name has a character that would end the string in
    which the reference stands.
    """
    references: dict[str, str | None] = {}

    def tag(match: re.Match[str]) -> str:
        name = names.get(match[2].lower())
        found = None
        if name is not None and not _UNFIT.search(name):
            found = f"<TAG>{_KINDS[match[1]]}:{name}</TAG>"
        references[f"{match[1]}.{match[2]}"] = found
        return found or match.group()

    return Resolved(_REFERENCE.sub(tag, text), references)

"""Python names for what a design calls by any text."""

import keyword
import re
import unicodedata
from collections.abc import Iterable, Mapping

_NOT_IN_A_NAME = re.compile(r"[^a-z0-9]+")
_WORDS_IN_CAMEL_CASE = re.compile(r"(?<=[a-z0-9])(?=[A-Z])")


def python_name(text: str, *, otherwise: str) -> str:
    """`Tool - Order Status` as `tool_order_status`; `otherwise` where nothing of the text can be kept."""
    plain = (
        unicodedata.normalize("NFKD", _WORDS_IN_CAMEL_CASE.sub("_", text)).encode("ascii", "ignore").decode()
    )
    name = _NOT_IN_A_NAME.sub("_", plain.lower()).strip("_") or otherwise
    if name[0].isdigit():
        name = f"{otherwise}_{name}"
    return f"{name}_" if keyword.iskeyword(name) or keyword.issoftkeyword(name) else name


def python_names(texts: Iterable[str], *, otherwise: str, taken: Iterable[str] = ()) -> Mapping[str, str]:
    """A name for each text; two texts never share one, and none is among `taken`."""
    names: dict[str, str] = {}
    used = set(taken)
    for text in texts:
        if text in names:
            continue
        first = name = python_name(text, otherwise=otherwise)
        number = 1
        while name in used:
            number += 1
            name = f"{first}_{number}"
        names[text] = name
        used.add(name)
    return names


def environment_name(variable: str) -> str:
    """`openaiApiKey` and `openai.apiKey` as OPENAI_API_KEY."""
    return python_name(variable, otherwise="secret").upper()

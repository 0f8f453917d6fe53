"""Names of Python for names of Jitterbit: in snake case, and unique."""

import builtins
import keyword
import re
import unicodedata
from collections.abc import Container, Iterable

_WORD_STARTS = re.compile(r"(?<=[a-z0-9])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])")
_RESERVED = frozenset((*keyword.kwlist, *keyword.softkwlist, *dir(builtins)))


def snake_case(name: str, default: str) -> str:
    """`toolCallsVal` as tool_calls_val, in ASCII; the default if no letter or digit is left."""
    spaced = _WORD_STARTS.sub("_", unicodedata.normalize("NFKC", name))
    plain = unicodedata.normalize("NFKD", spaced.casefold()).encode("ascii", "ignore").decode()
    words = re.sub(r"[^a-z0-9]+", "_", plain).strip("_")
    if not words:
        return default
    return words if words[0].isalpha() else f"{default}_{words}"


class Names:
    """The names of one function. Each is given once, and none that is taken or means something in Python."""

    def __init__(self, meaningful: Iterable[str] = ()) -> None:
        self._meaningful = _RESERVED.union(meaningful)
        self._given: dict[str, str] = {}

    def of(self, key: str, wanted: str) -> str:
        """The name for a key, always the same one; `wanted` if it is free."""
        if key not in self._given:
            self._given[key] = self._free(wanted)
        return self._given[key]

    def keys(self, names: Container[str]) -> set[str]:
        """The keys whose names are among these."""
        return {key for key, name in self._given.items() if name in names}

    def _free(self, wanted: str) -> str:
        name = f"{wanted}_" if wanted in self._meaningful else wanted
        given, number = set(self._given.values()), 2
        while name in given or name in self._meaningful:
            name, number = f"{wanted}_{number}", number + 1
        return name

"""Values of scripts as JSON values."""

from callagain.engine.json_text import Json
from callagain.porting.script.errors import ScriptLimitError
from callagain.porting.script.limits import MAX_VALUE_SIZE
from callagain.porting.script.values import Value, check_depth, number, to_text


def plain(value: Value) -> Json:
    """The value as JSONStringify writes it: booleans as 1 and 0, dates and binary values as strings.

    Raises ScriptLimitError if it would be too large, and ScriptValueError if it is nested too deeply.
    """
    return _Budget().plain(value, 0)


class _Budget:
    """Counts what is written, since one array may stand in a value many times."""

    def __init__(self) -> None:
        self._left = MAX_VALUE_SIZE

    def plain(self, value: Value, depth: int) -> Json:
        if isinstance(value, list):
            check_depth(depth)
            return [self.plain(each, depth + 1) for each in value]
        if isinstance(value, dict):
            check_depth(depth)
            members: dict[str, Json] = {}
            for key, each in value.items():
                self._count(len(key) + 4)
                members[key] = self.plain(each, depth + 1)
            return members
        self._count(2)
        if isinstance(value, bool):
            return int(value)
        if isinstance(value, float):
            return number(value)
        if value is None or isinstance(value, int):
            return value
        text = to_text(value)
        self._count(len(text))
        return text

    def _count(self, size: int) -> None:
        self._left -= size
        if self._left < 0:
            raise ScriptLimitError(f"the JSON text would be longer than {MAX_VALUE_SIZE:,} characters")

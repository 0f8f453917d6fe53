"""Elements of arrays and dictionaries: `a[0]`, `d["key"]`.

Sources: "Dictionary and array functions" (docs.jitterbit.com/studio/functions/dictionary-and-array) and
"General functions", Get and Set. The pages disagree about what is read past the end of an array (null, or an
error) and about keys that are not there; the mode decides. Past the end is written with nulls between, as the
page's own example does, though its text calls it an error.
"""

from callagain.porting.script.errors import ScriptValueError
from callagain.porting.script.limits import Meter
from callagain.porting.script.modes import GUIDE, Mode
from callagain.porting.script.values import Value, to_text, type_name


def element(holder: Value, key: Value, mode: Mode) -> Value:
    """The element of an array or dictionary; that of null is null."""
    if isinstance(holder, dict):
        name = key_of(key)
        if name not in holder and not mode.missing_element_is_null:
            raise ScriptValueError(f"the dictionary has no key '{name[:60]}'; check by HasKey before")
        return holder.get(name)
    if isinstance(holder, list):
        return _array_element(holder, key, mode)
    if holder is None:
        return None
    raise ScriptValueError(
        f"a value of type {type_name(holder)} has no elements; [ ] needs an array or a dictionary"
    )


def set_element(holder: Value, key: Value, value: Value, mode: Mode, meter: Meter) -> None:
    """Sets an element; the index -1 of an array appends."""
    if isinstance(holder, dict):
        meter.check_size(len(holder) + 1)
        holder[key_of(key)] = value
        return
    if not isinstance(holder, list):
        raise ScriptValueError(
            f"a value of type {type_name(holder)} has no elements; use Array() or Dict() first"
        )
    index = _index_of(key)
    if index is None:
        if not mode.missing_element_is_null:
            message = f"'{to_text(key)[:60]}' is no index of an array; a dictionary by Dict() has keys"
            raise ScriptValueError(message)
        return
    if index < -1:
        raise ScriptValueError(f"the index {index} is negative; only -1, which appends, may be")
    if index == -1:
        index = len(holder)
    meter.check_size(index + 1)
    if index >= len(holder):
        meter.step((index - len(holder)) >> 6)
        holder.extend([None] * (index + 1 - len(holder)))
    holder[index] = value


def inner_of(holder: Value, key: Value) -> Value:
    """The element that is to be written into; null where there is none yet."""
    return element(holder, key, GUIDE)


def new_holder(key: Value) -> Value:
    """What a variable becomes whose element is set before it was set itself: an array."""
    if _index_of(key) is None:
        message = (
            f"the variable is not set, so it has no '{to_text(key)[:60]}'; make it a dictionary by Dict()"
        )
        raise ScriptValueError(message)
    return []


def key_of(key: Value) -> str:
    """The key of a dictionary as a string. Raises ScriptValueError for null and for collections."""
    if key is None:
        raise ScriptValueError("a key of a dictionary is null; keys are strings")
    if isinstance(key, list | dict):
        raise ScriptValueError(f"a value of type {type_name(key)} is no key; keys are strings")
    return to_text(key)


def _array_element(holder: list[Value], key: Value, mode: Mode) -> Value:
    index = _index_of(key)
    if index is not None and index < 0:
        raise ScriptValueError(
            f"the index {index} is negative; the first element is 0, and the last Length(a) - 1"
        )
    if index is not None and index < len(holder):
        return holder[index]
    if mode.missing_element_is_null:
        return None
    raise ScriptValueError(f"'{to_text(key)[:60]}' is out of range; the array has {len(holder)} elements")


def _index_of(key: Value) -> int | None:
    """The index that a value is, or None; null and an empty string are 0, as on an agent."""
    if key is None or key == "":
        return 0
    if isinstance(key, bool | int):
        return int(key)
    if isinstance(key, float) and key.is_integer():
        return int(key)
    if isinstance(key, list | dict | bytes):
        raise ScriptValueError(f"a value of type {type_name(key)} is no index; use a number")
    return None

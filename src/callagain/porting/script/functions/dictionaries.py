"""Dictionary and array functions. Dictionaries keep the order in which keys came; do not depend on it."""

from callagain.porting.script.elements import key_of
from callagain.porting.script.errors import ScriptArgumentError, ScriptValueError
from callagain.porting.script.functions.registry import Group
from callagain.porting.script.functions.run import Run
from callagain.porting.script.syntax import Global, Index, Local, Statements
from callagain.porting.script.values import Value, to_text, to_truth, type_name

DICTIONARY = Group("Dictionary and array", "docs.jitterbit.com/studio/functions/dictionary-and-array")


@DICTIONARY.of_values("dict Dict()")
def dict_() -> Value:
    """A new empty dictionary. Its keys are strings, or become strings; null is no key."""
    return {}


@DICTIONARY.of_values("dict Map()")
def map_() -> Value:
    """Another name of Dict."""
    return {}


@DICTIONARY.of_values("array Array()")
def array() -> Value:
    """A new empty array. Indexes count from 0, and -1 appends."""
    return []


@DICTIONARY.of_values("array Collection()")
def collection() -> Value:
    """Another name of Array."""
    return []


@DICTIONARY.of_expressions("bool AddToDict(dict dict, string key, type arg)")
def add_to_dict(run: Run, dictionary: Statements, key: Statements, value: Statements) -> Value:
    """Sets a key; true if it is new. What is no dictionary yet becomes an empty one before."""
    target = _dictionary_of(run, dictionary)
    name = key_of(run.value_of(key))
    is_new = name not in target
    run.meter.check_size(len(target) + 1)
    target[name] = run.value_of(value)
    return is_new


@DICTIONARY.of_values("bool HasKey(type dict, string key)")
def has_key(dictionary: Value, key: str) -> Value:
    """True if the dictionary has the key; false for what is no dictionary."""
    return isinstance(dictionary, dict) and key in dictionary


@DICTIONARY.of_values("array GetKeys(dict dict)")
def get_keys(dictionary: dict[str, Value]) -> Value:
    """The keys of a dictionary."""
    return list(dictionary)


@DICTIONARY.of_values("bool RemoveKey(dict dict, type key)")
def remove_key(dictionary: dict[str, Value], key: Value) -> Value:
    """Removes a key; false if the dictionary does not have it."""
    name = key_of(key)
    found = name in dictionary
    dictionary.pop(name, None)
    return found


@DICTIONARY.of_values("array CollectValues(dict dict, array names)")
def collect_values(dictionary: dict[str, Value], names: list[Value]) -> Value:
    """The values of these keys, in the order of the names; null where there is none."""
    return [dictionary.get(key_of(name)) for name in names]


@DICTIONARY.of_expressions("type MapCache(dict dict, string key, type value)")
def map_cache(run: Run, dictionary: Statements, key: Statements, value: Statements) -> Value:
    """The value of a key; if there is none, the third argument is evaluated and kept."""
    target = _dictionary_of(run, dictionary)
    name = key_of(run.value_of(key))
    if name not in target:
        target[name] = run.value_of(value)
    return target[name]


@DICTIONARY.of_run("null SortArray(array array[, type indexOrAscending, bool isAscending])")
def sort_array(run: Run, array_: list[Value], second: Value = True, third: bool = True) -> Value:
    """Sorts an array in place: `SortArray(a, false)` from the highest on; `SortArray(a, 1)` by the column 1.

    Nulls come first, then numbers in their order, then all others in that of their strings.
    """
    column = second if isinstance(second, int) and not isinstance(second, bool) else None
    ascending = third if column is not None else to_truth(second)
    array_.sort(key=lambda element: _order(run, _in_column(element, column)), reverse=not ascending)
    return None


@DICTIONARY.of_run("array ReduceDimension(array array)")
def reduce_dimension(run: Run, array_: list[Value]) -> Value:
    """An array of arrays with its lowest dimension taken away: `{{1,2},{3}}` becomes `{1,2,3}`."""
    if not array_ or not all(isinstance(element, list) for element in array_):
        raise ScriptArgumentError("ReduceDimension wants array to be an array of arrays")
    inner = [element for element in array_ if isinstance(element, list)]
    run.meter.step(sum(map(len, inner)))
    if all(isinstance(each, list) for element in inner for each in element):
        return [reduce_dimension(run, element) for element in inner if element]
    return [each for element in inner for each in element]


def _dictionary_of(run: Run, argument: Statements) -> dict[str, Value]:
    """The dictionary that an argument is; a variable that is none becomes an empty one."""
    node = argument.items[0] if len(argument.items) == 1 else None
    if isinstance(node, Local) and node.name not in run.scope.locals and not node.is_argument:
        value = None
    else:
        value = run.value_of(argument)
    if isinstance(value, dict):
        return value
    if not isinstance(node, Local | Global | Index):
        raise ScriptArgumentError(
            f"this is of the type {type_name(value)}; give a variable, or a dictionary by Dict()"
        )
    made: dict[str, Value] = {}
    run.assign(node, made)
    return made


def _in_column(element: Value, column: int | None) -> Value:
    if column is None:
        return element
    if not isinstance(element, list) or not 0 <= column < len(element):
        raise ScriptValueError(f"SortArray wants every element to be an array with the index {column}")
    return element[column]


def _order(run: Run, element: Value) -> tuple[int, float, str]:
    """Nulls before numbers before all others, which are sorted as strings."""
    if element is None:
        return (0, 0, "")
    if isinstance(element, int | float):
        return (1, element, "")
    text = to_text(element)
    run.meter.step(1 + (len(text) >> 2))
    return (2, 0, text)

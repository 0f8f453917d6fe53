"""An expected call, and how its arguments are held against those that a call had."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, TypeAlias, cast

from callagain.engine.json_text import JsonObject

ExpectedValue: TypeAlias = Callable[[Any], object] | object
"""A value, or a function that is asked about it; told apart for the types of lambdas only."""

_MISSING = object()


@dataclass(frozen=True, slots=True)
class ExpectedCall:
    """Built by `called`. exact: there may be no arguments besides these; None is no JSON object."""

    name: str
    arguments: Mapping[str, ExpectedValue] | None
    exact: bool

    def differences(self, arguments: JsonObject | None) -> list[str]:
        """A line for each argument that is not as expected; none if a call with these arguments fits."""
        if self.arguments is not None and arguments is not None:
            return list(_of_objects("", self.arguments, arguments, exact=self.exact))
        is_any = not self.exact and not self.arguments
        if is_any or self.arguments is arguments:
            return []
        return [f"arguments: expected {shown(self.arguments)}, but called with {shown(arguments)}"]


def shown(value: object) -> str:
    """The value as it is written in Python; classes and functions by their names."""
    if isinstance(value, Mapping):
        items = cast("Mapping[object, object]", value).items()
        return f"{{{', '.join(f'{key!r}: {shown(one)}' for key, one in items)}}}"
    if isinstance(value, list):
        return f"[{', '.join(map(shown, cast('list[object]', value)))}]"
    name = getattr(value, "__name__", None)
    return name if callable(value) and isinstance(name, str) else repr(value)


def _of_objects(
    path: str, expected: Mapping[str, object], actual: Mapping[str, object], *, exact: bool
) -> Iterator[str]:
    for key in expected:
        where = f"{path}.{key}" if path else str(key)
        value = actual.get(key, _MISSING)
        if value is _MISSING:
            yield f"{where}: expected {shown(expected[key])}, but it is missing"
        else:
            yield from _of_values(where, expected[key], value)
    if exact:
        for key in actual:
            if key not in expected:
                where = f"{path}.{key}" if path else key
                yield f"{where}: not expected, but called with {shown(actual[key])}"


def _of_values(path: str, expected: object, actual: object) -> Iterator[str]:
    if (named := _both_objects(expected, actual)) is not None:
        yield from _of_objects(path, *named, exact=True)
    elif (listed := _both_lists(expected, actual)) is not None:
        yield from _of_lists(path, *listed)
    elif (problem := _problem(expected, actual)) is not None:
        yield f"{path}: {_told(expected, actual)}{problem}"


def _of_lists(path: str, expected: Sequence[object], actual: Sequence[object]) -> Iterator[str]:
    if len(expected) == len(actual):
        for index, (one, other) in enumerate(zip(expected, actual, strict=True)):
            yield from _of_values(f"{path}[{index}]", one, other)
    else:
        yield f"{path}: {_told(expected, actual)}"


def _both_objects(
    expected: object, actual: object
) -> tuple[Mapping[str, object], Mapping[str, object]] | None:
    if isinstance(expected, Mapping) and isinstance(actual, dict):
        return cast("Mapping[str, object]", expected), cast("Mapping[str, object]", actual)
    return None


def _both_lists(expected: object, actual: object) -> tuple[Sequence[object], Sequence[object]] | None:
    if isinstance(expected, list | tuple) and isinstance(actual, list):
        return cast("Sequence[object]", expected), cast("Sequence[object]", actual)
    return None


def _told(expected: object, actual: object) -> str:
    return f"expected {shown(expected)}, but called with {shown(actual)}"


def _problem(expected: object, actual: object) -> str | None:
    """None if the value fits; why not, as far as there is more to say."""
    try:
        return None if _fits(expected, actual) else ""
    except Exception as error:
        return f" ({type(error).__name__}: {error})"


def _fits(expected: object, actual: object) -> bool:
    if isinstance(expected, type):
        return isinstance(actual, expected)
    if callable(expected):
        return bool(expected(actual))
    if isinstance(expected, int | float) and isinstance(expected, bool) is not isinstance(actual, bool):
        return False
    return bool(expected == actual)

"""An error response in the API's form, and the API's standing phrases for what is wrong with a parameter."""

from collections.abc import Iterable
from dataclasses import dataclass

from callagain.engine.json_text import Json


@dataclass(frozen=True, slots=True)
class Refusal:
    """An error response in the API's form: `status` and `body`."""

    message: str
    param: str | None = None
    code: str | None = None
    status: int = 400
    type: str = "invalid_request_error"

    @property
    def body(self) -> dict[str, object]:
        """`{"error": {"message", "type", "param", "code"}}`"""
        error = {"message": self.message, "type": self.type, "param": self.param, "code": self.code}
        return {"error": error}


NOT_A_JSON_OBJECT = Refusal(
    "We could not parse the JSON body of your request. (HINT: This likely means you aren't using your HTTP "
    "library correctly. The API expects a JSON payload, but what was sent was not a valid JSON object.)"
)


def missing(param: str) -> Refusal:
    """A parameter that must be there is not."""
    return Refusal(f"Missing required parameter: '{param}'.", param, "missing_required_parameter")


def wrong_type(param: str, expected: str, value: Json) -> Refusal:
    """expected: with its article, such as `a string`."""
    message = f"Invalid type for '{param}': expected {expected}, but got {_kind(value)} instead."
    return Refusal(message, param, "invalid_type")


def empty_array(param: str) -> Refusal:
    """An array that needs an entry has none."""
    reason = "Expected an array with minimum length 1, but got an empty array instead."
    return Refusal(f"Invalid '{param}': empty array. {reason}", param, "empty_array")


def out_of_range(param: str, code: str, rest: str) -> Refusal:
    """code: such as `integer_below_min_value`. rest: `>= 1, but got 0`."""
    number, side = code.split("_")[:2]
    bound = "minimum" if side == "below" else "maximum"
    message = f"Invalid '{param}': {number} {side} {bound} value. Expected a value {rest} instead."
    return Refusal(message, param, code)


def unsupported(param: str, value: Json, supported: Iterable[str]) -> Refusal:
    """The value is none of those that the API knows."""
    names = [f"'{name}'" for name in supported]
    comma = "," if len(names) > 2 else ""
    listed = names[0] if len(names) == 1 else f"{', '.join(names[:-1])}{comma} and {names[-1]}"
    shown = value if isinstance(value, str) else _kind(value)
    return Refusal(f"Invalid value: '{shown}'. Supported values are: {listed}.", param, "invalid_value")


def _kind(value: Json) -> str:
    match value:
        case None:
            return "null"
        case bool():
            return "a boolean"
        case int():
            return "an integer"
        case float():
            return "a decimal"
        case str():
            return "a string"
        case list():
            return "an array"
        case _:
            return "an object"

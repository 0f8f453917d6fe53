"""What a run begins with as one JSON object, whole: the profile, the prices and the tools are data too."""

from callagain.engine.journal.dataclass_json import as_json, from_json
from callagain.engine.json_text import Json, JsonObject
from callagain.engine.run_inputs import Inputs


def inputs_as_json(inputs: Inputs) -> JsonObject:
    """Every field by its name; a tuple becomes a list, a frozenset a sorted list.

    Raises ValueError for a profile, or a part of one, that is of a subclass: it could not be restored.
    """
    return as_json(inputs)


def inputs_from_json(value: Json) -> Inputs:
    """The inputs as they were. Raises ValueError, which names the field that is missing, unknown or wrong."""
    return from_json(Inputs, value, "inputs")

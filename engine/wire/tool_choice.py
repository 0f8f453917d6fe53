"""`tool_choice`, in the forms of both APIs."""

from callagain.engine.json_text import Json


def is_forced(choice: Json) -> bool:
    """Whether it forbids the model to answer: "required", a named tool, or one of several."""
    return released(choice) != choice


def released(choice: Json) -> Json:
    """The same, save that the model may answer instead."""
    if choice == "required":
        return "auto"
    if not isinstance(choice, dict):
        return choice
    if choice.get("type") in ("function", "custom"):
        return "auto"
    allowed = choice.get("allowed_tools")
    if isinstance(allowed, dict) and allowed.get("mode") == "required":
        return {**choice, "allowed_tools": {**allowed, "mode": "auto"}}
    return {**choice, "mode": "auto"} if choice.get("mode") == "required" else choice

"""`tool_choice`, in the forms of both APIs."""

from callagain.engine.json_text import Json


def is_forced(choice: Json) -> bool:
    """Whether it forbids the model to answer: "required", or a named tool."""
    return choice == "required" or (isinstance(choice, dict) and choice.get("type") in ("function", "custom"))

"""Where the guide and the reference of Jitterbit disagree, and which of them a run follows."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Mode:
    """The switches of a mode. `dataclasses.replace(GUIDE, quoted_json_strings=True)` makes one of your own.

    missing_path_is_null: GetJSONString gives the text `null` for a path that is not there, as the guide's
        response parser expects; else it is an error, as in the reference.
    missing_element_is_null: reading past the end of an array or a key that a dictionary does not have gives
        null; else it is an error.
    number_text_is_true: Bool("1") is true, as "1" is as a condition; else only "true" and "t" are, as in the
        reference.
    quoted_json_strings: GetJSONString gives a string of the JSON text with its quotes and escapes. The guide
        trims quotes from ids, names and content, but not from the arguments; the reference shows both forms.
    """

    name: str
    missing_path_is_null: bool
    missing_element_is_null: bool
    number_text_is_true: bool
    quoted_json_strings: bool = False


GUIDE = Mode("guide", missing_path_is_null=True, missing_element_is_null=True, number_text_is_true=True)
"""As the guide "Implement an LLM tool-calling loop" writes its scripts."""

STRICT = Mode("strict", missing_path_is_null=False, missing_element_is_null=False, number_text_is_true=False)
"""As the function reference says."""

MODES = {mode.name: mode for mode in (GUIDE, STRICT)}


def mode_of(mode: str | Mode) -> Mode:
    """The mode of a name. Raises ValueError with the names, if there is none."""
    if isinstance(mode, Mode):
        return mode
    if mode not in MODES:
        raise ValueError(f"there is no mode {mode!r}; the modes are {', '.join(MODES)}")
    return MODES[mode]

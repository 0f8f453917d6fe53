"""Properties of activities and connections, with their secrets taken out."""

from collections.abc import Mapping

from callagain.porting.design.script_secrets import mask_text
from callagain.porting.design.secrets import has_secret_form, is_reference, is_secret_name


def without_secrets(properties: Mapping[str, str]) -> tuple[dict[str, str], tuple[str, ...]]:
    """The properties that may be shown, and the names of those that have to be entered anew.

    Of a value that is no secret as a whole, such as a body in JSON, only the secrets in it become `***`. A
    secret that is the name of a variable, `[llm.apiKey]`, is shown: its value stands in the
    variable.
    """
    shown: dict[str, str] = {}
    secrets: list[str] = []
    for name, value in properties.items():
        if is_reference(value):
            shown[name] = value
        elif has_secret_form(value) or (value and is_secret_name(name)):
            secrets.append(name)
        else:
            shown[name] = mask_text(value)
            if shown[name] != value:
                secrets.append(name)
    return shown, tuple(secrets)

"""Secrets that stand behind their name in a text: `Password=…;`, `X-Api-Key: …`, `<secret>…</secret>`."""

import re

from callagain.porting.design.secret_values import is_secret_value
from callagain.porting.design.secrets import MARKED, Certainty, certainty_of, mask_forms

_NAME = r"(?<![\w.$-])(?P<name>(?:\w{1,30}[ ])?[\w.$-]{1,80})"
_VALUE = r"""[^\s"'\\;&,<>(){}\[\]\x00]"""
_REST_OF_A_VALUE = re.compile(rf"{_VALUE}*")
_LABELLED = re.compile(
    rf"""{_NAME}(?P<between>\\*["']?\]?\s{{0,10}}(?P<sign>:|={{1,3}}|!==?|\bis\b)\s{{0,10}}\\*["']?
        (?:(?i:bearer|basic)[ ]+)?)
        (?P<value>{_VALUE}{{4,1000}})""",
    re.VERBOSE,
)
_ELEMENT = re.compile(r"<(?P<name>[\w.:-]{1,80})(?P<between>[^<>]{0,200}>)(?P<value>[^<>\x00]{1,4000})(?=</)")
_LABEL = re.compile(rf"""{_NAME}\\*["']?\s*[:=]\s*\\*["']?\s*(?:(?i:bearer|basic)\s*)?\Z""", re.VERBOSE)
_VARIABLE = re.compile(r"\$(?!\d)[A-Za-z_][\w.]*")


def mask_labelled(text: str) -> str:
    """The text with MARKED in the place of the secrets that it tells by their name or form."""
    text = mask_forms(text)
    if "<" in text:
        text = _ELEMENT.sub(_mask_element, text)
    parts: list[str] = []
    end = 0
    match = _LABELLED.search(text)
    while match:
        # What is no value of this name may be a name itself: "note: password: …".
        value = _secret_of(match)
        parts.append(text[end : match.start("value")] + (MARKED if value else ""))
        end = match.start("value") + len(value)
        if len(value) == len(match["value"]):
            end = _end_of_value(text, end)
        match = _LABELLED.search(text, end)
    return "".join([*parts, text[end:]])


def _end_of_value(text: str, position: int) -> int:
    rest = _REST_OF_A_VALUE.match(text, position)
    return rest.end() if rest else position


def label_at_end(text: str) -> str | None:
    """The name that a text ends with, as in `"Password="`, if what follows is its value."""
    label = _LABEL.search(text[-150:])
    return label["name"] if label else None


def _mask_element(match: re.Match[str]) -> str:
    if is_secret_value(match["value"], certainty_of(match["name"])):
        return f"<{match['name']}{match['between']}{MARKED}"
    return match.group()


def _secret_of(match: re.Match[str]) -> str:
    """The value beside a name, if it is a secret, without the full stop of a sentence; else nothing."""
    value = match["value"].rstrip(".")
    is_secret = not _VARIABLE.fullmatch(value) and is_secret_value(value[:200], _certainty(match))
    return value if is_secret else ""


def _certainty(match: re.Match[str]) -> Certainty:
    """After `is` or a colon may come a sentence: then only one word is sure to be a value."""
    certainty = certainty_of(match["name"])
    is_setting = match["sign"] not in (":", "is") or match["between"][-1] in "\"'"
    rest = match.string[match.end() : match.end() + 100].lstrip("\"'")
    if certainty is Certainty.SURE and not is_setting and re.match(r"[ ]+\w", rest):
        return Certainty.PERHAPS
    return certainty

"""Dates from text and as text.

Sources: "Conversion functions", Date, for what is read; "Date and time functions", section Format strings,
for what is written (docs.jitterbit.com/studio/functions/date-and-time). Months are small letters and minutes
capital ones: `yyyy-mm-dd HH:MM:SS`.
"""

import re
from collections.abc import Callable
from datetime import UTC, datetime, timedelta, timezone

from callagain.porting.script.errors import ScriptValueError
from callagain.porting.script.values import Value, agent_time, date_of_seconds, type_name

MONTHS = (
    "January", "February", "March", "April", "May", "June", "July", "August", "September", "October",
    "November", "December",
)  # fmt: skip
WEEKDAYS = ("Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday")

_NAMES = ("year", "month", "day", "hour", "minute", "second", "fraction", "half", "zone")
_TIME = r"""(?:[T ]\s*(?P<hour>\d{1,2})
            (?::(?P<minute>\d{2})(?::(?P<second>\d{2})(?:\.(?P<fraction>\d{1,6}))?)?)?
            \s*(?P<half>[AaPp][Mm])?\s*(?P<zone>Z|[+-]\d{2}:?\d{2})?)?"""
_DATES = tuple(
    re.compile(f"\\s*{day}{_TIME}\\s*", re.VERBOSE | re.ASCII)
    for day in (
        r"(?P<year>\d{4})-(?P<month>\d{1,2})-(?P<day>\d{1,2})",
        r"(?P<month>\d{1,2})/(?P<day>\d{1,2})/(?P<year>\d{4}|\d{2})",
        r"(?:[A-Za-z]{3,9},\s+)?(?P<month>[A-Za-z]{3,9})\s+(?P<day>\d{1,2}),\s+(?P<year>\d{4})",
        r"(?P<day>\d{1,2})-(?P<month>[A-Za-z]{3})-(?P<year>\d{4}|\d{2})",
    )
)


def to_date(value: Value) -> datetime:
    """A date, a string in one of the standard formats, or a number of seconds since 1970, as a date.

    A string with a zone is converted to the agent's time. Raises ScriptValueError.
    """
    if isinstance(value, datetime):
        return agent_time(value)
    if isinstance(value, str):
        return parse_date(value)
    if isinstance(value, int | float) and not isinstance(value, bool):
        return date_of_seconds(value)
    raise ScriptValueError(f"a value of type {type_name(value)} is no date")


def parse_date(text: str) -> datetime:
    """The date of `2018-12-25T12:30:00`, `12/25/2018 12:30`, `December 25, 2018` or `25-Dec-18`."""
    matches = (pattern.fullmatch(text) for pattern in _DATES) if len(text) <= 100 else ()
    match = next(filter(None, matches), None)
    if match is not None:
        try:
            return _date_of(match)
        except (ValueError, OverflowError):
            pass
    raise ScriptValueError(f"'{text[:40]}' is no date; write it as yyyy-mm-dd HH:MM:SS")


def parse_date_in(text: str, form: str) -> datetime:
    """The date of a text in a format; the parts of the format are those of format_date."""
    if len(form) > 100 or len(text) > 100:
        raise ScriptValueError("a date and its format have at most 100 characters")
    pieces: list[str] = []
    end = 0
    for part in _PARTS.finditer(form):
        pieces += (re.escape(form[end : part.start()]), _READERS[part.group()])
        end = part.end()
    try:
        match = re.compile("".join([*pieces, re.escape(form[end:])]), re.ASCII).fullmatch(text)
    except re.error:
        raise ScriptValueError(f"the format '{form}' has a part of the date twice") from None
    if match is not None:
        try:
            return _date_of(match)
        except (ValueError, OverflowError):
            pass
    raise ScriptValueError(f"'{text}' is no date in the format '{form}'")


def format_date(date: datetime, form: str) -> str:
    """The date in a format of `yyyy yy mmmm mmm mm m dddd ddd dd d HH H hh h MM SS fff AM/PM`.

    Everything else in the format stays as it is.
    """
    twelve = "AM/PM" in form or "am/pm" in form
    return _PARTS.sub(lambda match: _WRITERS[match.group()](date, twelve), form)


def _date_of(match: re.Match[str]) -> datetime:
    part = {**dict.fromkeys(_NAMES), **match.groupdict()}
    year = int(part["year"] or 1)
    if len(part["year"] or "") == 2:
        year += 2000 if year < 50 else 1900
    hour = int(part["hour"] or 0)
    if part["half"]:
        hour = hour % 12 + (12 if part["half"].lower() == "pm" else 0)
    fraction = int((part["fraction"] or "").ljust(6, "0"))
    date = datetime(
        year,
        _month(part["month"] or "1"),
        int(part["day"] or 1),
        hour,
        int(part["minute"] or 0),
        int(part["second"] or 0),
        fraction,
    )
    return agent_time(date.replace(tzinfo=_zone(part["zone"]))) if part["zone"] else date


def _month(text: str) -> int:
    if text.isdecimal():
        return int(text)
    return 1 + next(n for n, name in enumerate((*MONTHS, text)) if name.lower().startswith(text.lower()))


def _zone(text: str) -> timezone:
    if text == "Z":
        return UTC
    minutes = int(text[1:3]) * 60 + int(text[-2:])
    return timezone(timedelta(minutes=-minutes if text[0] == "-" else minutes))


def _twelve(hour: int) -> int:
    return (hour - 1) % 12 + 1


_WRITERS: dict[str, Callable[[datetime, bool], str]] = {
    "yyyy": lambda date, _: f"{date.year:04}",
    "yy": lambda date, _: f"{date.year % 100:02}",
    "mmmm": lambda date, _: MONTHS[date.month - 1],
    "mmm": lambda date, _: MONTHS[date.month - 1][:3],
    "mm": lambda date, _: f"{date.month:02}",
    "m": lambda date, _: str(date.month),
    "dddd": lambda date, _: WEEKDAYS[date.weekday()],
    "ddd": lambda date, _: WEEKDAYS[date.weekday()][:3],
    "dd": lambda date, _: f"{date.day:02}",
    "d": lambda date, _: str(date.day),
    "HH": lambda date, twelve: f"{_twelve(date.hour) if twelve else date.hour:02}",
    "H": lambda date, twelve: str(_twelve(date.hour) if twelve else date.hour),
    "hh": lambda date, _: f"{_twelve(date.hour):02}",
    "h": lambda date, _: str(_twelve(date.hour)),
    "MM": lambda date, _: f"{date.minute:02}",
    "SS": lambda date, _: f"{date.second:02}",
    "fff": lambda date, _: f"{date.microsecond // 1000:03}",
    "AM/PM": lambda date, _: "AM" if date.hour < 12 else "PM",
    "am/pm": lambda date, _: "am" if date.hour < 12 else "pm",
}
_PARTS = re.compile("|".join(sorted(_WRITERS, key=len, reverse=True)))

_READERS: dict[str, str] = {
    "yyyy": r"(?P<year>\d{4})",
    "yy": r"(?P<year>\d{2})",
    "mmmm": "(?P<month>[A-Za-z]{3,9})",
    "mmm": "(?P<month>[A-Za-z]{3})",
    "mm": r"(?P<month>\d{1,2})",
    "m": r"(?P<month>\d{1,2})",
    "dddd": "[A-Za-z]{6,9}",
    "ddd": "[A-Za-z]{3}",
    "dd": r"(?P<day>\d{1,2})",
    "d": r"(?P<day>\d{1,2})",
    "HH": r"(?P<hour>\d{1,2})",
    "H": r"(?P<hour>\d{1,2})",
    "hh": r"(?P<hour>\d{1,2})",
    "h": r"(?P<hour>\d{1,2})",
    "MM": r"(?P<minute>\d{2})",
    "SS": r"(?P<second>\d{2})",
    "fff": r"(?P<fraction>\d{1,3})",
    "AM/PM": "(?P<half>[AaPp][Mm])",
    "am/pm": "(?P<half>[AaPp][Mm])",
}

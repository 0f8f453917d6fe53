"""Date and time functions. The agent's time zone is UTC, as on all cloud agents."""

import calendar
from datetime import datetime, timedelta

from callagain.porting.script.date_texts import MONTHS, WEEKDAYS, format_date, parse_date_in, to_date
from callagain.porting.script.errors import ScriptArgumentError, ScriptValueError
from callagain.porting.script.functions.registry import Group
from callagain.porting.script.functions.run import Run
from callagain.porting.script.values import Value, date_text, to_text

DATE = Group("Date and time", "docs.jitterbit.com/studio/functions/date-and-time")

_SECONDS = {"dd": 86400, "d": 86400, "hh": 3600, "h": 3600, "mi": 60, "n": 60, "ss": 1, "s": 1}
_MONTHS = {"yyyy": 12, "yy": 12, "mm": 1, "m": 1}


@DATE.of_run("date Now()")
def now(run: Run) -> Value:
    """The time, without its fraction of a second."""
    return run.now().replace(microsecond=0)


@DATE.of_run("date Now_()")
def now_(run: Run) -> Value:
    """The time, with milliseconds."""
    moment = run.now()
    return moment.replace(microsecond=moment.microsecond // 1000 * 1000)


@DATE.of_values("string FormatDate(date d, string out)")
def format_date_(date: datetime, form: str) -> Value:
    """The date in a format such as `yyyy-mm-dd HH:MM:SS`, `mmm d, yyyy` or `hh:MM AM/PM`."""
    return format_date(date, form)


@DATE.of_values("string CVTDate(type d, string in, string out)")
def cvt_date(value: Value, form: str, out: str) -> Value:
    """A date, or a text in the first format, in the second format; the formats are those of FormatDate."""
    date = to_date(value) if isinstance(value, datetime) else parse_date_in(to_text(value), form)
    return format_date(date, out)


@DATE.of_values("string DateAdd(string datepart, int number, date d)")
def date_add(part: str, amount: int, date: datetime) -> Value:
    """The date after so many years (yyyy), months (mm), days (dd), hours (hh), minutes (mi) or seconds (ss).

    It is given as a string. A day that the month does not have becomes its last one.
    """
    try:
        if part.lower() in _SECONDS:
            return date_text(date + timedelta(seconds=_SECONDS[part.lower()] * amount))
        if part.lower() in _MONTHS:
            return date_text(_months_later(date, _MONTHS[part.lower()] * amount))
    except (OverflowError, ValueError):
        raise ScriptValueError("DateAdd: the date would be outside of the years 1 to 9999") from None
    raise ScriptArgumentError(f"DateAdd wants datepart to be yyyy, mm, dd, hh, mi or ss; it is '{part[:20]}'")


@DATE.of_values("int DayOfMonth(date d)")
def day_of_month(date: datetime) -> Value:
    """The day of the month, 1 to 31."""
    return date.day


@DATE.of_values("int DayOfWeek(date d)")
def day_of_week(date: datetime) -> Value:
    """The day of the week, 0 for Sunday to 6 for Saturday."""
    return (date.weekday() + 1) % 7


@DATE.of_values("int MonthOfYear(date d)")
def month_of_year(date: datetime) -> Value:
    """The month, 1 to 12."""
    return date.month


@DATE.of_values("date LastDayOfMonth(date d)")
def last_day_of_month(date: datetime) -> Value:
    """The date with the last day of its month."""
    return date.replace(day=calendar.monthrange(date.year, date.month)[1])


@DATE.of_values("string GeneralDate(date d)")
def general_date(date: datetime) -> Value:
    """`12/25/2018 03:30:05 PM`."""
    return format_date(date, "mm/dd/yyyy hh:MM:SS AM/PM")


@DATE.of_values("string LongDate(date d)")
def long_date(date: datetime) -> Value:
    """`Tuesday, December 25, 2018`."""
    return f"{WEEKDAYS[date.weekday()]}, {MONTHS[date.month - 1]} {date.day:02}, {date.year}"


@DATE.of_values("string MediumDate(date d)")
def medium_date(date: datetime) -> Value:
    """`25-Dec-18`."""
    return format_date(date, "dd-mmm-yy")


@DATE.of_values("string ShortDate(date d)")
def short_date(date: datetime) -> Value:
    """`12/5/18`."""
    return format_date(date, "m/d/yy")


@DATE.of_values("string LongTime(date d)")
def long_time(date: datetime) -> Value:
    """`03:30:05 PM`."""
    return format_date(date, "hh:MM:SS AM/PM")


@DATE.of_values("string MediumTime(date d)")
def medium_time(date: datetime) -> Value:
    """`03:30 PM`."""
    return format_date(date, "hh:MM AM/PM")


@DATE.of_values("string ShortTime(date d)")
def short_time(date: datetime) -> Value:
    """`15:30`."""
    return format_date(date, "HH:MM")


def _months_later(date: datetime, months: int) -> datetime:
    year, month = divmod(date.year * 12 + date.month - 1 + months, 12)
    last = calendar.monthrange(year, month + 1)[1]
    return date.replace(year=year, month=month + 1, day=min(date.day, last))

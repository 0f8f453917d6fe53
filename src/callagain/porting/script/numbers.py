"""Numbers as text: C's printf for Format, and rounding."""

import re
from decimal import ROUND_HALF_UP, Decimal

from callagain.porting.script.errors import ScriptArgumentError
from callagain.porting.script.values import Value, as_double, to_number, to_text, to_whole

_SPECIFIER = re.compile(
    r"%(?:%|(?P<flags>[-+ 0#]{0,5})(?P<width>\d{0,4})(?:\.(?P<precision>\d{0,3}))?l{0,2}(?P<type>[a-zA-Z]))"
)


def printf(form: str, value: Value) -> str:
    """The value in the place of the one specifier of a format: d i u f F e E g G x X o s."""
    used = 0

    def written(match: re.Match[str]) -> str:
        nonlocal used
        if match.group() == "%%":
            return "%"
        used += 1
        return _written(match, value)

    result = _SPECIFIER.sub(written, form)
    if used != 1 or "%" in _SPECIFIER.sub("", form):  # pyright: ignore[reportUnnecessaryComparison]
        raise ScriptArgumentError("Format wants formatStr to have one specifier, such as %.2f, %05d or %s")
    return result


def rounded(value: int | float, places: int) -> Decimal:
    """The number with so many decimal places; a half is rounded away from zero."""
    return Decimal(repr(value)).quantize(Decimal(1).scaleb(-places), ROUND_HALF_UP)


def _written(match: re.Match[str], value: Value) -> str:
    specifier = f"%{match['flags']}{match['width']}"
    if match["precision"] is not None:
        specifier += f".{match['precision'] or 0}"
    kind = match["type"]
    if kind in "diuxXo":
        return (specifier + ("d" if kind in "iu" else kind)) % to_whole(value)
    if kind in "fFeEgG":
        return (specifier + kind) % as_double(to_number(value))
    if kind == "s":
        return (specifier + kind) % to_text(value)
    raise ScriptArgumentError(f"Format knows no %{kind}; use d, f, e, g, x, o or s")

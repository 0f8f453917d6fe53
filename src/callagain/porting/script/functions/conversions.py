"""Conversion functions."""

import uuid
from collections.abc import Callable

from callagain.porting.script.date_texts import to_date
from callagain.porting.script.errors import ScriptArgumentError, ScriptValueError
from callagain.porting.script.functions.registry import Group
from callagain.porting.script.functions.run import Run
from callagain.porting.script.values import Value, as_double, number, to_number, to_text, to_truth, to_whole

CONVERSION = Group("Conversion", "docs.jitterbit.com/studio/functions/conversion")

_TRUE = ("true", "t")


@CONVERSION.of_run("bool Bool(type arg)")
def bool_(run: Run, value: Value) -> Value:
    """True for a number that is not 0 and for "true" and "T" in any case, else false.

    The reference calls every other string false. In the mode guide `Bool("1")` is true, as "1" is as a
    condition.
    """
    if isinstance(value, str) and not run.mode.number_text_is_true:
        return value.lower() in _TRUE
    return to_truth(value)


@CONVERSION.of_values("date Date(type arg)")
def date(value: Value) -> Value:
    """A string in a standard format, or a number of seconds since 1970, as a date."""
    return to_date(value)


@CONVERSION.of_values("double Double(type arg)")
def double(value: Value) -> Value:
    """The value as a number: of a string the one it begins with, or 0; of a date its seconds since 1970."""
    return number(as_double(to_number(value)))


@CONVERSION.of_values("float Float(type arg)")
def float_(value: Value) -> Value:
    """As Double; both have double precision here."""
    return number(as_double(to_number(value)))


@CONVERSION.of_values("int Int(type arg)")
def int_(value: Value) -> Value:
    """The value as a whole number, the fraction cut off; 0 for what is no number."""
    return to_whole(value)


@CONVERSION.of_values("long Long(type arg)")
def long(value: Value) -> Value:
    """As Int."""
    return to_whole(value)


@CONVERSION.of_run("string String(type arg)")
def string(run: Run, value: Value) -> Value:
    """The value as a string: `1` and `0` for booleans, `yyyy-mm-dd HH:MM:SS` for a date, null for null.

    An array is `{a,b,1}` and a dictionary `[k=>"v"]`, which is no JSON: for that take JSONStringify.
    """
    text = to_text(value)
    if isinstance(value, list | dict):
        run.meter.step(len(text) >> 2)
    return None if value is None else text


@CONVERSION.of_values("string BinaryToHex(binary arg)")
def binary_to_hex(value: bytes) -> Value:
    """The bytes as hexadecimal digits, in small letters."""
    return value.hex()


@CONVERSION.of_values("binary HexToBinary(string arg)")
def hex_to_binary(text: str) -> Value:
    """The bytes of a string of hexadecimal digits."""
    return _from_hex(text, "HexToBinary")


@CONVERSION.of_values("string HexToString(string arg)")
def hex_to_string(text: str) -> Value:
    """The characters of a string of hexadecimal digits, read as UTF-8; what is none becomes U+FFFD."""
    return _from_hex(text, "HexToString").decode(errors="replace")


@CONVERSION.of_values("string StringToHex(string arg)")
def string_to_hex(text: str) -> Value:
    """The UTF-8 bytes of a string as hexadecimal digits, in small letters."""
    return text.encode(errors="replace").hex()


@CONVERSION.of_values("string BinaryToUUID(binary arg)")
def binary_to_uuid(value: bytes) -> Value:
    """16 bytes as a UUID."""
    if len(value) != 16:
        raise ScriptArgumentError(f"BinaryToUUID wants arg to have 16 bytes; it has {len(value)}")
    return str(uuid.UUID(bytes=value))


@CONVERSION.of_values("binary UUIDToBinary(string arg)")
def uuid_to_binary(text: str) -> Value:
    """The 16 bytes of a UUID."""
    try:
        return uuid.UUID(text).bytes
    except ValueError:
        raise ScriptArgumentError("UUIDToBinary wants arg to be a UUID of 36 characters") from None


def converter_named(of_type: str) -> Callable[[str], Value]:
    """What makes a value of this type from a string. Raises ScriptArgumentError with the types there are."""
    if of_type.lower() not in _CONVERTERS:
        raise ScriptArgumentError(f"there is no type '{of_type[:30]}' here; use {', '.join(_CONVERTERS)}")
    return _CONVERTERS[of_type.lower()]


def _from_hex(text: str, name: str) -> bytes:
    try:
        return bytes.fromhex(text)
    except ValueError:
        raise ScriptValueError(f"{name} wants pairs of hexadecimal digits") from None


_CONVERTERS: dict[str, Callable[[str], Value]] = {
    "string": lambda text: text,
    "int": to_whole,
    "long": to_whole,
    "double": to_number,
    "float": to_number,
    "bool": to_truth,
}

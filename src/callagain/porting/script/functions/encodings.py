"""Cryptographic functions: base64 and hashes."""

import base64
import binascii
import hashlib

from callagain.porting.script.errors import ScriptValueError
from callagain.porting.script.functions.registry import Group
from callagain.porting.script.functions.run import Run
from callagain.porting.script.values import Value, to_text, to_truth

CRYPTOGRAPHIC = Group("Cryptographic", "docs.jitterbit.com/studio/functions/cryptographic")

_LINE = 64


@CRYPTOGRAPHIC.of_run("string Base64Encode(type arg)")
def base64_encode(run: Run, value: Value) -> Value:
    """A string (as UTF-8) or binary data in base64, with a line feed after every 64 characters.

    `$jitterbit.base64.encoded.string.no.wrap = true` leaves the line feeds out.
    """
    encoded = base64.b64encode(_bytes(value)).decode()
    if to_truth(run.variables.get("jitterbit.base64.encoded.string.no.wrap")):
        return encoded
    lines = [encoded[start : start + _LINE] for start in range(0, len(encoded), _LINE)]
    return "".join(f"{line}\n" if len(line) == _LINE else line for line in lines)


@CRYPTOGRAPHIC.of_values("binary Base64Decode(string arg)")
def base64_decode(text: str) -> Value:
    """The binary data of a base64 string; white space in it is ignored."""
    try:
        return base64.b64decode("".join(text.split()), validate=True)
    except (binascii.Error, ValueError):
        raise ScriptValueError("Base64Decode wants a base64 string") from None


@CRYPTOGRAPHIC.of_values("string MD5(type arg)")
def md5(value: Value) -> Value:
    """The MD5 hash of a string (as UTF-8), in hexadecimal digits. It protects nothing."""
    return hashlib.md5(_bytes(value), usedforsecurity=False).hexdigest()


@CRYPTOGRAPHIC.of_values("string SHA256(type arg)")
def sha256(value: Value) -> Value:
    """The SHA-256 hash of a string (as UTF-8), in hexadecimal digits."""
    return hashlib.sha256(_bytes(value)).hexdigest()


def _bytes(value: Value) -> bytes:
    return value if isinstance(value, bytes) else to_text(value).encode(errors="replace")

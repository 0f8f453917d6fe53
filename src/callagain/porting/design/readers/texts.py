"""Files as text: read to a limit, decoded by their byte order mark or as UTF-8."""

import codecs
import stat
from pathlib import Path

from callagain.porting.design.errors import DesignError
from callagain.porting.design.model import SourcePlace

_MARKS = (
    (codecs.BOM_UTF8, "utf-8"),
    (codecs.BOM_UTF16_LE, "utf-16-le"),
    (codecs.BOM_UTF16_BE, "utf-16-be"),
)


def read_bytes(path: Path, most: int) -> bytes:
    """The content of a regular file of at most so many bytes. Raises DesignError."""
    place = SourcePlace(str(path))
    if not is_regular_file(path):
        raise DesignError(place, "is no regular file")
    try:
        with path.open("rb") as file:
            content = file.read(most + 1)
    except OSError as error:
        raise DesignError(place, f"cannot be read: {error.strerror or error}") from None
    if len(content) > most:
        raise DesignError(place, f"is larger than {most:,} bytes, which is the most that is read")
    return content


def is_regular_file(path: Path) -> bool:
    """Whether reading the path ends: not a pipe or a device. Raises DesignError for what is not there."""
    place = SourcePlace(str(path))
    try:
        return stat.S_ISREG(path.stat().st_mode)
    except FileNotFoundError:
        raise DesignError(place, "there is no such file or folder") from None
    except (OSError, ValueError) as error:
        raise DesignError(place, f"cannot be read: {getattr(error, 'strerror', None) or error}") from None


def decode_text(content: bytes, place: SourcePlace) -> str:
    """UTF-8, with or without a byte order mark, or UTF-16 with one. Raises DesignError."""
    mark, encoding = next((each for each in _MARKS if content.startswith(each[0])), (b"", "utf-8"))
    try:
        text = content[len(mark) :].decode(encoding)
    except UnicodeDecodeError as error:
        position = len(mark) + error.start
        raise DesignError(
            place, f"is no {encoding.upper()} text at byte {position:,}; save it as UTF-8"
        ) from None
    if "\0" in text:
        raise DesignError(place, "has zero bytes, so it is no text; save it as UTF-8")
    return text


def read_text(path: Path, most: int) -> str:
    """The text of a file of at most so many bytes. Raises DesignError."""
    return decode_text(read_bytes(path, most), SourcePlace(str(path)))

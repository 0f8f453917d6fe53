"""ZIP archives that nobody vouches for: read in pieces, within limits, and nothing is written to the disk.

What an archive says of its sizes is not believed: bytes are counted as they come.
"""

import struct
import zipfile
import zlib
from pathlib import Path
from types import TracebackType
from typing import Self

from callagain.porting.design.errors import DesignError
from callagain.porting.design.model import SourcePlace
from callagain.porting.design.readers.limits import (
    MAX_ARCHIVE_BYTES,
    MAX_DIRECTORY_BYTES,
    MAX_MEMBER_BYTES,
    MAX_MEMBERS,
    MAX_RATIO,
    MAX_UNPACKED_BYTES,
    MEBIBYTE,
)

_PIECE = 64 * 1024
# The others cannot be unpacked in pieces of a size that is known before.
_PACKED = (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED)
_END = b"PK\x05\x06"
_END_64 = b"PK\x06\x07"
_END_SIZE = 22
_MOST_AFTER_END = _END_SIZE + 65_535
_BROKEN = (zipfile.BadZipFile, zlib.error, EOFError, NotImplementedError, RuntimeError, OSError, ValueError)


class Archive:
    """The members of an archive by name, for a `with` statement. Every fault is a DesignError."""

    def __init__(self, path: Path) -> None:
        self._path = path
        self._left = MAX_UNPACKED_BYTES
        self._check_size()
        try:
            self._zip = zipfile.ZipFile(path)
        except _BROKEN as error:
            raise self.error(f"is no ZIP archive that can be read: {error}") from None
        try:
            self._members = self._checked_members()
        except BaseException:
            self._zip.close()
            raise

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._zip.close()

    @property
    def names(self) -> list[str]:
        """The names of the files in the archive, with / between their parts, in its order."""
        return list(self._members)

    def place(self, name: str = "") -> SourcePlace:
        return SourcePlace(self._path.name, name)

    def error(self, problem: str, name: str = "") -> DesignError:
        return DesignError(SourcePlace(str(self._path), name), problem)

    def read(self, name: str) -> bytes:
        """The content of a member."""
        member = self._members[name]
        if member.compress_type not in _PACKED:
            raise self.error("is packed in another way than ZIP archives usually are; pack it anew", name)
        content = bytearray()
        try:
            with self._zip.open(member) as file:
                while piece := file.read(_PIECE):
                    content += piece
                    self._count(len(piece), len(content), member.compress_size, name)
        except DesignError:
            raise
        except _BROKEN as error:
            raise self.error(f"cannot be unpacked: {error}", name) from None
        return bytes(content)

    def _count(self, piece: int, unpacked: int, packed: int, name: str) -> None:
        self._left -= piece
        if unpacked > MAX_MEMBER_BYTES:
            raise self.error(
                f"is larger than {MAX_MEMBER_BYTES:,} bytes, which is the most that is read", name
            )
        if unpacked > MEBIBYTE and unpacked > MAX_RATIO * max(packed, 1):
            raise self.error(f"unpacks to more than {MAX_RATIO} times its size, as no project does", name)
        if self._left < 0:
            raise self.error(f"unpacks to more than {MAX_UNPACKED_BYTES:,} bytes, as no project does")

    def _check_size(self) -> None:
        """Reads the end of the archive, where the size of the list of its members stands."""
        try:
            with self._path.open("rb") as file:
                size = file.seek(0, 2)
                file.seek(max(0, size - _MOST_AFTER_END - _END_SIZE))
                end = file.read()
        except OSError as error:
            raise self.error(f"cannot be read: {error.strerror or error}") from None
        if size > MAX_ARCHIVE_BYTES:
            raise self.error(f"is larger than {MAX_ARCHIVE_BYTES:,} bytes, which is the most that is read")
        position = end.rfind(_END)
        if position < 0 or len(end) - position < _END_SIZE:
            raise self.error("is a ZIP archive that is cut off; copy it again")
        (directory,) = struct.unpack_from("<I", end, position + 12)
        if directory > MAX_DIRECTORY_BYTES or _END_64 in end[max(0, position - 20) : position]:
            raise self.error(f"has a list of members of more than {MAX_DIRECTORY_BYTES:,} bytes")

    def _checked_members(self) -> dict[str, zipfile.ZipInfo]:
        infos = self._zip.infolist()
        if len(infos) > MAX_MEMBERS:
            raise self.error(f"has {len(infos):,} members; {MAX_MEMBERS:,} are the most")
        members: dict[str, zipfile.ZipInfo] = {}
        for info in infos:
            name = info.filename.replace("\\", "/")
            if _leads_out(name):
                raise self.error(f"has a member {info.filename!r}, whose path leads out of it", "")
            if info.is_dir():
                continue
            if name in members:
                raise self.error("stands twice in the archive; which one counts is not known", name)
            members[name] = info
        return members


def _leads_out(name: str) -> bool:
    return name.startswith("/") or ":" in name.partition("/")[0] or ".." in name.split("/")

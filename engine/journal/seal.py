"""The last member of a kept text: a checksum that finds damage, or a signature that finds any change.

Both are of the canonical form of all other members, so a store may give them back in another order. The
checksum is SHA-256, the signature HMAC-SHA-256 (https://www.rfc-editor.org/rfc/rfc2104).
"""

import hashlib
import hmac

from callagain.engine.errors import SnapshotError
from callagain.engine.json_text import Json, JsonObject, canonical, to_utf8

_CHECKSUM = "checksum"
_SIGNATURE = "signature"


def sealed(content: JsonObject, key: bytes | None) -> JsonObject:
    """The content and its seal: a signature if a key is given, and else a checksum."""
    return {**content, _CHECKSUM if key is None else _SIGNATURE: _seal(content, key)}


def unsealed(value: JsonObject, key: bytes | None) -> JsonObject:
    """The content without its seal. Raises SnapshotError if that is not the one to expect."""
    if key is None and _SIGNATURE in value:
        raise SnapshotError("the snapshot is signed; give the key that signed it, snapshot_key=")
    if key is not None and _SIGNATURE not in value:
        raise SnapshotError(
            "the snapshot is not signed, and snapshot_key= is given; if nobody else can write where it was "
            "kept, resume it without a key"
        )
    name = _CHECKSUM if key is None else _SIGNATURE
    content = {each: member for each, member in value.items() if each != name}
    if not _is_same(value.get(name), _seal(content, key)):
        raise SnapshotError(
            "the snapshot is damaged, its checksum does not match; take it again from where it was kept"
            if key is None
            else "the signature of the snapshot does not match; it was signed with another key than this "
            "snapshot_key=, or changed since"
        )
    return content


def _seal(content: JsonObject, key: bytes | None) -> str:
    text = canonical(content).encode()
    return hashlib.sha256(text).hexdigest() if key is None else hmac.new(key, text, "sha256").hexdigest()


def _is_same(given: Json, expected: str) -> bool:
    return isinstance(given, str) and hmac.compare_digest(to_utf8(given), expected.encode())

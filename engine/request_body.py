"""InAndOut in the parts that it is joined from: what stands before the messages, and what after them."""

from collections.abc import Sequence
from dataclasses import dataclass

from callagain.engine.json_text import Json, JsonObject, encode


@dataclass(frozen=True, slots=True)
class RequestBody:
    """The fields of a request other than its messages. Written once, so that a request is one join.

    Guide: req, replacing the messages, string building.
    Departs from the guide in JSON.parse, JSON.stringify: the guide reads and writes the whole conversation
    again in each round. Here what was written stays, and each round is added to it, so a late round costs no
    more than an early one.
    Departs from the guide in string building, replacing the messages: the guide escapes quotes by hand, and
    warns of looking for the messages inside the text. Here only whole pieces of JSON are joined, the messages
    between two others that never change, so nothing is escaped or looked for.
    """

    fields: JsonObject
    messages_field: str
    opening: bytes
    closing: bytes

    @classmethod
    def around_messages(cls, fields: JsonObject, messages_field: str) -> "RequestBody":
        """`fields` in their order, among them the one of the messages, whose value is left out."""
        names = list(fields)
        place = names.index(messages_field)
        before = _members(fields, names[:place])
        after = _members(fields, names[place + 1 :])
        opening = b"{" + b"".join(member + b"," for member in before)
        opening += encode(messages_field) + b":["
        closing = b"]" + b"".join(b"," + member for member in after) + b"}"
        return cls({**fields, messages_field: []}, messages_field, opening, closing)

    def changed(self, name: str, value: Json) -> "RequestBody":
        """The same with one field set."""
        return self.around_messages({**self.fields, name: value}, self.messages_field)

    def join(self, messages: Sequence[bytes]) -> bytes:
        """The whole body; `messages` are fragments of one or more messages each, none of them empty.

        Guide: messages, concat, base_msgs.
        """
        if not messages:
            return self.opening + self.closing
        # Each byte is copied once: joined with commas first, all messages would be copied twice.
        parts = [b","] * (2 * len(messages) + 1)
        parts[1::2] = messages
        parts[0], parts[-1] = self.opening, self.closing
        return b"".join(parts)

    def length(self, messages: Sequence[bytes]) -> int:
        """How long the whole body would be."""
        commas = max(0, len(messages) - 1)
        return len(self.opening) + sum(map(len, messages)) + commas + len(self.closing)


def _members(fields: JsonObject, names: list[str]) -> list[bytes]:
    return [encode({name: fields[name]})[1:-1] for name in names]

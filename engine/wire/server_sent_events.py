"""Server-sent events, read as their bytes come in.

https://html.spec.whatwg.org/multipage/server-sent-events.html#event-stream-interpretation
"""

import codecs
import re
from dataclasses import dataclass

_LINE_END = re.compile(r"\r\n|\r|\n")
_JSON = ("{", "[")


@dataclass(frozen=True, slots=True)
class ServerEvent:
    """name: of the field `event`; empty if there was none. data: the data lines, joined by a line feed."""

    name: str
    data: str


class ServerSentEvents:
    """The events in a sequence of bytes that may be cut anywhere, even within a character.

    Invalid UTF-8 becomes U+FFFD. Events without data, or with blank data, are left out, and so are data lines
    that are comments (`data: : ping`): gateways send both to keep a connection alive. JSON without a field
    before it is data too, up to a blank line or the next data line: an error may come so, from behind the
    server that makes the events (maximhq/bifrost#5262).
    """

    def __init__(self) -> None:
        self._decoder = codecs.getincrementaldecoder("utf-8-sig")("replace")
        self._line: list[str] = []
        self._is_after_return = False
        self._name = ""
        self._data: list[str] = []
        self._is_bare = False

    def take(self, data: bytes) -> list[ServerEvent]:
        """The events that these bytes complete."""
        return self._read(self._decoder.decode(data))

    def end(self) -> list[ServerEvent]:
        """The event that stands there, without the blank line that would complete it."""
        return self._read(self._decoder.decode(b"", final=True) + "\n\n")

    def _read(self, text: str) -> list[ServerEvent]:
        if not text:
            return []
        # A line ends with the CR already; the LF of a CRLF may come with the next bytes, or never.
        if self._is_after_return:
            text = text.removeprefix("\n")
        self._is_after_return = text.endswith("\r")
        events: list[ServerEvent] = []
        rest_of_line, *lines = _LINE_END.split(text)
        self._line.append(rest_of_line)
        for beginning_of_line in lines:
            self._take_line("".join(self._line), events)
            self._line = [beginning_of_line]
        return events

    def _take_line(self, line: str, events: list[ServerEvent]) -> None:
        if not line:
            self._complete(events)
            return
        field, _, value = line.partition(":")
        value = value.removeprefix(" ")
        is_bare = line.startswith(_JSON) or (self._is_bare and field != "data")
        if self._data and is_bare != self._is_bare:
            self._complete(events)
        self._is_bare = is_bare
        if is_bare:
            self._data.append(line)
        elif field == "event":
            self._name = value
        elif field == "data" and not value.lstrip().startswith(":"):
            self._data.append(value)

    def _complete(self, events: list[ServerEvent]) -> None:
        data = "\n".join(self._data)
        if data.strip():
            events.append(ServerEvent(self._name, data))
        self._name = ""
        self._data = []
        self._is_bare = False

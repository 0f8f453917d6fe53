"""A streamed response of Chat Completions, put together again.

https://platform.openai.com/docs/api-reference/chat-streaming

Everything is gathered, known or not, since some endpoints refuse a conversation without the fields that they
sent. Pieces are kept as they come and joined once, so a long response costs no more for each piece.
"""

import re

from callagain.engine.json_text import Json, JsonObject, encode, valid_unicode
from callagain.engine.wire.deltas import ArgumentsDelta, Delta, ReasoningDelta, TextDelta
from callagain.engine.wire.finish_reasons import meant_by

_GATHERED_APART = ("object", "choices", "usage", "error")
_ARGUMENTS_FIELDS = {"function": "arguments", "custom": "input"}
# No endpoint takes a longer name; a name that comes in pieces ends here, whatever is sent.
_MAX_NAME_CHARS = 1000
# An escaped character is one mark, so that an escaped quotation mark ends no string.
_MARK = re.compile(r'\\.|["\\{}\[\]]', re.DOTALL)
_DEPTHS = {"{": 1, "[": 1, "}": -1, "]": -1}


class ChatAssembly:
    """Gathers the chunks of one response. Whatever JSON objects they are, nothing is raised.

    Only the first choice counts. failure: the error body in the chunk that told of an error, if one did.
    """

    is_ended_by_mark = True

    def __init__(self) -> None:
        self._fields: JsonObject = {}
        self._usage: JsonObject | None = None
        self._message = _Message()
        self._has_choice = False
        self._ending: JsonObject = {"finish_reason": None}
        self.failure: JsonObject | None = None

    def take(self, event: str, data: JsonObject) -> list[Delta]:
        """Takes one chunk. event: mostly empty; one named `error` has an error body as its data."""
        if data.get("error") or event == "error":
            said = data if data.get("error") else {"error": data}
            self.failure = {name: value for name, value in said.items() if name != "choices"}
            return []
        for name, value in data.items():
            # Azure's chunks without choices leave id and model empty.
            is_news = value is not None and (value != "" or name not in self._fields)
            if is_news and name not in _GATHERED_APART and not isinstance(value, list | dict):
                self._fields[name] = value
        deltas: list[Delta] = []
        choices = data.get("choices")
        for choice in choices if isinstance(choices, list) else []:
            if isinstance(choice, dict) and not _index_of(choice):
                deltas += self._take_choice(choice)
        # Groq has a place of its own for it.
        self._take_usage(data.get("x_groq"))
        self._take_usage(data)
        return deltas

    @property
    def is_complete(self) -> bool:
        """A finish reason came. What comes after it can only be the usage."""
        return self._ending["finish_reason"] is not None

    def body(self) -> JsonObject:
        """The response as it would have come without streaming; without choices if none was begun."""
        choice: JsonObject = {"index": 0, "message": self._message.body(), **self._ending}
        body: JsonObject = {"id": None, "object": "chat.completion", "created": None, "model": None}
        body |= self._fields
        body["choices"] = [choice] if self._has_choice else []
        if self._usage is not None:
            body["usage"] = self._usage
        return body

    def _take_choice(self, choice: JsonObject) -> list[Delta]:
        self._has_choice = True
        # Moonshot's place for it.
        self._take_usage(choice)
        # Some servers fill the fields in every chunk. A response that was cut or filtered stays so.
        if meant_by(self._ending["finish_reason"]) not in ("length", "content_filter"):
            told = {name: choice.get(name) for name in ("finish_reason", "error")}
            self._ending |= {name: value for name, value in told.items() if value and value != "null"}
        delta, message = choice.get("delta"), choice.get("message")
        if not delta and self._message.is_empty:
            delta = message
        return self._message.take(delta) if isinstance(delta, dict) else []

    def _take_usage(self, holder: Json) -> None:
        usage = holder.get("usage") if isinstance(holder, dict) else None
        if isinstance(usage, dict):
            self._usage = usage


class _Message:
    """The assistant message, in pieces. is_empty: nothing came yet but the role."""

    def __init__(self) -> None:
        self.is_empty = True
        self._role = ""
        self._content: list[str | JsonObject] = []
        self._calls = _Calls()
        self._function_call: _Call | None = None
        self._others = _Fields()

    def take(self, delta: JsonObject) -> list[Delta]:
        self.is_empty = self.is_empty and not any(value for name, value in delta.items() if name != "role")
        thought = _text_of(delta.get("reasoning_content")) or _text_of(delta.get("reasoning"))
        deltas: list[Delta] = [ReasoningDelta(valid_unicode(thought))] if thought else []
        for name, value in delta.items():
            if name == "role":
                self._role = self._role or _text_of(value)
            elif name == "content":
                deltas += self._take_content(value)
            elif name == "tool_calls":
                fragments = value if isinstance(value, list) else []
                deltas += [self._calls.take(each) for each in fragments if isinstance(each, dict)]
            elif name == "function_call" and isinstance(value, dict) and value:
                self._function_call = self._function_call or _Call(0, None)
                deltas.append(self._function_call.take({"function": value}))
            else:
                self._others.take(name, value)
        return deltas

    def body(self) -> JsonObject:
        message: JsonObject = {"role": self._role or "assistant", "content": self._whole_content()}
        message |= self._others.body()
        if calls := self._calls.body():
            message["tool_calls"] = calls
        if self._function_call is not None:
            message["function_call"] = self._function_call.body()["function"]
        return message

    def _take_content(self, content: Json) -> list[Delta]:
        parts = content if isinstance(content, list) else [content]
        # An empty text is as good as none, but for the one that says that there is a text.
        taken = [each for each in parts if isinstance(each, str | dict) and (each or not self._content)]
        self._content += taken
        return [delta for part in taken if (delta := _delta_of(part)) is not None]

    def _whole_content(self) -> Json:
        texts = [part for part in self._content if isinstance(part, str)]
        if len(texts) == len(self._content):
            return _joined(texts) if texts else None
        return [{"type": "text", "text": part} if isinstance(part, str) else part for part in self._content]


class _Calls:
    """The tool calls of a message, each of them in pieces.

    A fragment should say by its index which call it belongs to. Many servers leave the index out, or give
    every call the index 0: then a new id begins a new call, and so does a name after arguments.
    """

    def __init__(self) -> None:
        self._calls: list[_Call] = []
        self._newest: dict[int | None, _Call] = {}
        self._known: dict[tuple[int | None, str], _Call] = {}

    def take(self, fragment: JsonObject) -> ArgumentsDelta:
        index, call_id = _index_of(fragment), _text_of(fragment.get("id"))
        call = self._call_of(index, call_id, fragment.get("function"))
        if call_id:
            self._known[call.index, call_id] = self._known[None, call_id] = call
        return call.take(fragment)

    def body(self) -> list[Json]:
        """By index, several of one index as they came; those without one at the end, as they came."""
        calls = sorted(self._calls, key=lambda call: (call.index is None, call.index or 0))
        return [call.body() for call in calls]

    def _call_of(self, index: int | None, call_id: str, function: Json) -> "_Call":
        newest, known = self._newest.get(index), self._known.get((index, call_id))
        if known is not None:
            return known
        if newest is None or (call_id and (newest.id or index is None)):
            return self._begin(index)
        is_next = newest.is_followed_by(function, is_at_its_index=index is not None)
        return self._begin(index) if is_next else newest

    def _begin(self, index: int | None) -> "_Call":
        call = _Call(len(self._calls), index)
        self._calls.append(call)
        # Without an index, a fragment belongs to the call begun last, whether that has one or not.
        self._newest[index] = self._newest[None] = call
        return call


class _Call:
    """One tool call, in pieces. position: in the order in which the calls were begun."""

    def __init__(self, position: int, index: int | None) -> None:
        self.index = index
        self.id = ""
        self.has_arguments = False
        self._position = position
        self._type = ""
        self._member = ""
        self._name = ""
        self._is_parsed = False
        self._brackets = _Brackets()
        self._function = _Fields()
        self._others = _Fields()

    def is_followed_by(self, function: Json, *, is_at_its_index: bool) -> bool:
        """Whether a fragment with this function begins another call, although no id tells."""
        if not isinstance(function, dict) or not function.get("name"):
            return False
        if not is_at_its_index:
            return self.has_arguments
        arguments = function.get("arguments")
        is_given = arguments.strip() != "" if isinstance(arguments, str) else arguments is not None
        return is_given and (self._is_parsed or self._brackets.are_closed)

    def take(self, fragment: JsonObject) -> ArgumentsDelta:
        self.id = self.id or _text_of(fragment.get("id"))
        self._type = self._type or _text_of(fragment.get("type"))
        piece = ""
        for name, value in fragment.items():
            if name in _ARGUMENTS_FIELDS:
                piece += self._take_function(name, value) if isinstance(value, dict) else ""
            elif name not in ("index", "id", "type"):
                self._others.take(name, value)
        call_id, name = valid_unicode(self.id), valid_unicode(self._name)
        return ArgumentsDelta(self._position, call_id, name, valid_unicode(piece))

    def body(self) -> JsonObject:
        entry: JsonObject = {"id": self.id} if self.id else {}
        entry["type"] = self._type or self._member or "function"
        if self._member:
            entry[self._member] = {"name": self._name, **self._function.body()}
        return entry | self._others.body()

    def _take_function(self, member: str, fragment: JsonObject) -> str:
        """Gives the piece of the arguments in the fragment."""
        self._member = self._member or (member if fragment else "")
        self._take_name(_text_of(fragment.get("name")))
        arguments_field = _ARGUMENTS_FIELDS[member]
        for name, value in fragment.items():
            if name not in ("name", arguments_field):
                self._function.take(name, value)
        return self._take_arguments(arguments_field, fragment.get(arguments_field))

    def _take_name(self, piece: str) -> None:
        """Some servers repeat the name in every fragment, and some send it in pieces."""
        if not self._name:
            self._name = piece
        elif piece != self._name and not self.has_arguments and len(self._name) < _MAX_NAME_CHARS:
            self._name += piece

    def _take_arguments(self, name: str, piece: Json) -> str:
        is_new = isinstance(piece, str) or not self.has_arguments
        if piece is None or piece == "" or self._is_parsed or not is_new:
            return ""
        self.has_arguments = True
        self._function.take(name, piece)
        if not isinstance(piece, str):
            self._is_parsed = True
            return encode(piece).decode()
        self._brackets.take(piece)
        return piece


class _Brackets:
    """Follows a JSON text piece by piece. are_closed: it is a whole object or array."""

    def __init__(self) -> None:
        self.are_closed = False
        self._depth = 0
        self._is_in_string = False
        self._is_escaped = False

    def take(self, piece: str) -> None:
        marks: list[str] = _MARK.findall(piece, 1 if self._is_escaped else 0)
        # A backslash by itself is the last character; what it escapes begins the next piece.
        self._is_escaped = "\\" in marks
        for mark in marks:
            if mark == '"':
                self._is_in_string = not self._is_in_string
            elif mark in _DEPTHS and not self._is_in_string:
                self._depth += _DEPTHS[mark]
                self.are_closed = self._depth == 0


class _Fields:
    """Fields of which nothing need be known: texts and lists grow, objects are merged.

    Of anything else, and of values of different types, the last that is not null counts.
    """

    def __init__(self) -> None:
        self._texts: dict[str, list[str]] = {}
        self._values: JsonObject = {}

    def take(self, name: str, value: Json) -> None:
        if value is None:
            return
        if isinstance(value, str):
            self._values.pop(name, None)
            self._texts.setdefault(name, []).append(value)
            return
        self._texts.pop(name, None)
        held = self._values.get(name)
        if isinstance(value, list):
            items = self._values[name] = held if isinstance(held, list) else []
            items += value
        elif isinstance(value, dict):
            self._values[name] = _merge(held if isinstance(held, dict) else {}, value)
        else:
            self._values[name] = value

    def body(self) -> JsonObject:
        return self._values | {name: _joined(pieces) for name, pieces in self._texts.items()}


def _merge(held: JsonObject, later: JsonObject) -> JsonObject:
    """`held`, changed: objects are merged at every depth; of other values the last counts, if not null."""
    for name, value in later.items():
        if isinstance(value, dict):
            inner = held.get(name)
            held[name] = _merge(inner if isinstance(inner, dict) else {}, value)
        elif value is not None or name not in held:
            held[name] = value
    return held


def _joined(pieces: list[str]) -> str:
    """The text of the pieces. A character that was cut into two surrogates is one character again."""
    return "".join(pieces).encode("utf-16-le", "surrogatepass").decode("utf-16-le", "replace")


def _delta_of(part: str | JsonObject) -> Delta | None:
    """The delta in a part of the content, if it is one for people to read."""
    if isinstance(part, str):
        return TextDelta(valid_unicode(part)) if part else None
    if part.get("type") in ("text", "output_text"):
        return _delta_of(_text_of(part.get("text")))
    thoughts = part.get("thinking") or part.get("reasoning")
    # Mistral's thoughts are parts themselves.
    inner = thoughts if isinstance(thoughts, list) else [{"text": thoughts}]
    text = "".join(_text_of(each.get("text")) for each in inner if isinstance(each, dict))
    return ReasoningDelta(valid_unicode(text)) if text else None


def _index_of(holder: JsonObject) -> int | None:
    index = holder.get("index")
    return index if isinstance(index, int) and not isinstance(index, bool) else None


def _text_of(value: Json) -> str:
    return value if isinstance(value, str) else ""

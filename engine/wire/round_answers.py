"""The answers in a round that is written already: read, and replaced by other texts."""

from collections.abc import Mapping
from dataclasses import dataclass

from callagain.engine.json_text import Json, decode, encode


@dataclass(frozen=True, slots=True)
class RoundAnswers:
    """Where the answers stand in the rounds of an API. A round is a fragment of a request: `{…},{…}`.

    kind_field: says what an item is; of the answer to a call, one of answer_kinds. id_field: the id of the
    call. text_field: what the model is told; an answer in parts has no text, and stays as it is.
    """

    kind_field: str
    answer_kinds: tuple[str, ...]
    id_field: str
    text_field: str

    def read(self, fragment: bytes) -> dict[str, str]:
        """The texts by the ids of their calls, in order."""
        return dict(filter(None, map(self._id_and_text, _items(fragment))))

    def replaced(self, fragment: bytes, texts: Mapping[str, str]) -> bytes:
        """The round with these texts, by the ids of their calls, in place of its own. All else stays."""
        return b",".join(encode(self._with_text(item, texts)) for item in _items(fragment))

    def _id_and_text(self, item: Json) -> tuple[str, str] | None:
        if not isinstance(item, dict) or item.get(self.kind_field) not in self.answer_kinds:
            return None
        call_id, text = item.get(self.id_field), item.get(self.text_field)
        return (call_id, text) if isinstance(call_id, str) and isinstance(text, str) else None

    def _with_text(self, item: Json, texts: Mapping[str, str]) -> Json:
        found = self._id_and_text(item)
        if found is None or not isinstance(item, dict):
            return item
        call_id, text = found
        return {**item, self.text_field: texts.get(call_id, text)}


def _items(fragment: bytes) -> list[Json]:
    value = decode(f"[{fragment.decode()}]")
    return value if isinstance(value, list) else []

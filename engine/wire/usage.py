"""Tokens."""

from dataclasses import dataclass

from callagain.engine.json_text import Json


@dataclass(frozen=True, slots=True)
class Usage:
    """Tokens as the endpoint counted them; 0 where it did not say."""

    prompt_tokens: int = 0
    completion_tokens: int = 0
    total_tokens: int = 0

    def __add__(self, other: "Usage") -> "Usage":
        return Usage(
            self.prompt_tokens + other.prompt_tokens,
            self.completion_tokens + other.completion_tokens,
            self.total_tokens + other.total_tokens,
        )

    def __sub__(self, other: "Usage") -> "Usage":
        return Usage(
            self.prompt_tokens - other.prompt_tokens,
            self.completion_tokens - other.completion_tokens,
            self.total_tokens - other.total_tokens,
        )


def usage_of(prompt: Json, completion: Json, total: Json) -> Usage:
    """What an endpoint said of its tokens; nothing is believed of counts that cannot be right.

    What is left out follows from the rest, and the total is never less than its parts.
    """
    counts = [_count(value) for value in (prompt, completion, total)]
    if any(count is None for count in counts):
        return Usage()
    sent, received, both = (count or 0 for count in counts)
    sent = sent or (0 if prompt is not None else max(0, both - received))
    received = received or (0 if completion is not None else max(0, both - sent))
    return Usage(sent, received, max(both, sent + received))


def _count(value: Json) -> int | None:
    """A number of tokens, 0 for one that is left out; None for what is no such number."""
    if value is None:
        return 0
    if isinstance(value, str) and value.isascii() and value.isdecimal() and len(value) < _DIGITS:
        return int(value)
    if isinstance(value, float) and value.is_integer():
        value = int(value)
    return value if isinstance(value, int) and not isinstance(value, bool) and value >= 0 else None


# More of them stand for no number of tokens.
_DIGITS = 16

# Of English text and of JSON, which a tokenizer seldom splits smaller than that.
_BYTES_OF_A_TOKEN = 4


def estimated_usage(request_bytes: int, response_bytes: int) -> Usage:
    """For an endpoint that does not say: four bytes for a token; what stands around the text counts too."""
    prompt, completion = -(-request_bytes // _BYTES_OF_A_TOKEN), -(-response_bytes // _BYTES_OF_A_TOKEN)
    return Usage(prompt, completion, prompt + completion)

"""Tokens."""

from dataclasses import dataclass


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


# Of English text and of JSON, which a tokenizer seldom splits smaller than that.
_BYTES_OF_A_TOKEN = 4


def estimated_usage(request_bytes: int, response_bytes: int) -> Usage:
    """For an endpoint that does not say: four bytes for a token; what stands around the text counts too."""
    prompt, completion = -(-request_bytes // _BYTES_OF_A_TOKEN), -(-response_bytes // _BYTES_OF_A_TOKEN)
    return Usage(prompt, completion, prompt + completion)

"""The usage numbers of an answer: estimated, and replaced or joined by those that the script gives. Pure.

A script says them in the words of Chat Completions; the Responses API has words of its own for the same.
"""

from collections.abc import Mapping

_CHARACTERS_PER_TOKEN = 4

_WORDS_OF_RESPONSES = {
    "prompt_tokens": "input_tokens",
    "prompt_tokens_details": "input_tokens_details",
    "completion_tokens": "output_tokens",
    "completion_tokens_details": "output_tokens_details",
}


def chat_usage(given: Mapping[str, object], request_size: int, answer_size: int) -> dict[str, object]:
    """prompt_tokens, completion_tokens and total_tokens. The sizes are in bytes."""
    return _usage(
        {"prompt_tokens": _tokens(request_size), "completion_tokens": _tokens(answer_size)},
        given,
    )


def responses_usage(given: Mapping[str, object], request_size: int, answer_size: int) -> dict[str, object]:
    """input_tokens, output_tokens and total_tokens, with their details. The sizes are in bytes."""
    estimated: dict[str, object] = {
        "input_tokens": _tokens(request_size),
        "input_tokens_details": {"cached_tokens": 0},
        "output_tokens": _tokens(answer_size),
        "output_tokens_details": {"reasoning_tokens": 0},
    }
    return _usage(estimated, {_WORDS_OF_RESPONSES.get(name, name): value for name, value in given.items()})


def _usage(estimated: Mapping[str, object], given: Mapping[str, object]) -> dict[str, object]:
    usage = {**estimated, **given}
    match [usage[name] for name in estimated if name.endswith("_tokens")]:
        case [int(asked), int(answered)]:
            return {"total_tokens": asked + answered, **usage}
        case _:
            return usage


def _tokens(size: int) -> int:
    return max(1, size // _CHARACTERS_PER_TOKEN)

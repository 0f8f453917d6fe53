"""A stream's pieces without secrets, however these are spread over them."""

from itertools import pairwise

from hypothesis import given
from hypothesis import strategies as st

from callagain.connectors.endpoint import Endpoint
from callagain.connectors.hidden_pieces import HiddenPieces
from callagain.engine.wire.chat_completions import CHAT_COMPLETIONS
from callagain.engine.wire.deltas import ArgumentsDelta, Delta, ReasoningDelta, TextDelta

KEY = "sk-test-SECRET123"
ENDPOINT = Endpoint(CHAT_COMPLETIONS, "m", base_url="http://127.0.0.1:9/v1", api_key=KEY)


def seen(*deltas: Delta) -> list[Delta]:
    pieces = HiddenPieces(ENDPOINT)
    return [*(told for delta in deltas for told in pieces.take([delta])), *pieces.rest()]


def text_of(deltas: list[Delta]) -> str:
    return "".join(delta.text for delta in deltas if isinstance(delta, TextDelta))


@given(st.lists(st.integers(0, 60), max_size=8))
def test_a_key_is_hidden_wherever_the_text_is_split(places: list[int]) -> None:
    text = f"The key is {KEY}, and sk- begins it."
    cuts = sorted({0, len(text), *(min(place, len(text)) for place in places)})
    pieces = [TextDelta(text[start:end]) for start, end in pairwise(cuts)]
    assert text_of(seen(*pieces)) == "The key is ***, and sk- begins it."


def test_texts_of_several_kinds_stay_apart() -> None:
    call = ArgumentsDelta(0, "c", "f", "s")
    assert seen(TextDelta("so s"), ReasoningDelta("sk-"), call, TextDelta("end")) == [
        TextDelta("so "),
        TextDelta("send"),
        ReasoningDelta("sk-"),
        call,
    ]


def test_a_key_is_hidden_when_other_pieces_stand_between_its_parts() -> None:
    told = seen(
        TextDelta(KEY[:5]), ReasoningDelta("hm"), ArgumentsDelta(1, KEY, KEY, "{}"), TextDelta(KEY[5:])
    )
    assert told == [ReasoningDelta("hm"), ArgumentsDelta(1, "***", "***", "{}"), TextDelta("***")]


def test_a_call_without_arguments_as_yet_is_told() -> None:
    begun = ArgumentsDelta(0, "c", "f", "")
    assert seen(begun) == [begun]

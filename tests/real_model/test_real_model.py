"""What a model has to be able to do for a loop: to call a tool, several at once, to stream, to fit a schema.

The tool tells what no model can know, so an answer that has it came through the loop.
"""

from dataclasses import dataclass

from tests.real_model.conftest import LoopOf

from callagain import Result, RunEnded, TextDelta, tool
from callagain.testing import trajectory

CODES = {"A17": "4417", "B42": "4442", "C99": "4499"}
PROMPT = "You help people at a parcel locker. Codes come from the tool get_locker_code, never from you."
OPTIONS = {"temperature": 0.2}


@tool(read_only=True)
def get_locker_code(parcel_id: str) -> dict[str, str]:
    """Get the code that opens the locker of a parcel.

    Args:
        parcel_id: a letter and two digits, such as A17
    """
    return {"parcel_id": parcel_id, "code": CODES.get(parcel_id.strip().upper(), "no such parcel")}


@dataclass
class Person:
    """A person, as the text tells."""

    name: str
    year_of_birth: int


def text_of(result: Result) -> str:
    """The answer. What went wrong is told in the words of the endpoint."""
    assert (result.outcome, result.error) == ("completed", None)
    assert result.final_response is not None
    return result.final_response


def test_the_model_calls_a_tool_and_tells_what_it_said(loop_of: LoopOf) -> None:
    loop = loop_of(tools=[get_locker_code], system_prompt=PROMPT, request_options=OPTIONS)
    result = loop.run("What is the code of the locker of parcel A17?")
    assert "4417" in text_of(result)
    assert ("get_locker_code", {"parcel_id": "A17"}) in trajectory(result)


async def test_calls_of_one_response_are_all_answered(loop_of: LoopOf) -> None:
    loop = loop_of(tools=[get_locker_code], system_prompt=PROMPT, request_options=OPTIONS)
    result = await loop.arun("I need the codes of all three parcels: A17, B42 and C99. Get them at once.")
    answer = text_of(result)
    assert all(code in answer for code in CODES.values())
    assert sorted(trajectory(result), key=str) == [
        ("get_locker_code", {"parcel_id": parcel}) for parcel in CODES
    ]
    # A model may take a round for each; then it is none that calls several at once.
    assert result.loop_count == 1


def test_the_answer_comes_in_pieces(loop_of: LoopOf) -> None:
    loop = loop_of(request_options=OPTIONS)
    events = list(loop.stream("Please count from one to five, in words."))
    pieces = [event.text for event in events if isinstance(event, TextDelta)]
    assert isinstance(events[-1], RunEnded)
    assert len(pieces) > 1
    assert "three" in "".join(pieces).lower()


def test_the_answer_fits_a_type(loop_of: LoopOf) -> None:
    loop = loop_of(response_format=Person, request_options=OPTIONS)
    result = loop.run("Who is this about? Ada Lovelace, born in 1815, wrote about the Analytical Engine.")
    assert text_of(result)
    assert result.output == Person("Ada Lovelace", 1815)


def test_a_later_turn_knows_the_earlier_one(loop_of: LoopOf) -> None:
    loop = loop_of(tools=[get_locker_code], system_prompt=PROMPT, request_options=OPTIONS)
    first = loop.run("What is the code of the locker of parcel A17?")
    assert "4417" in text_of(first)
    second = loop.run("Which parcel did I ask about just now?", history=first.messages)
    assert "A17" in text_of(second)

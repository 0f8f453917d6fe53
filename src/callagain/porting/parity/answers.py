"""The answers of a case as both sides get them: the same to the letter, whatever the requests are like."""

from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import count

from callagain.engine.json_text import JsonObject
from callagain.porting.parity.errors import NotRunError
from callagain.testing import Answer, AnyAnswer, Call, Faulty, ModelAnswer, says
from callagain.testing.chat_completions import completion
from callagain.testing.http_messages import Fault

_REQUEST: JsonObject = {"model": "scripted"}


def fixed_answers(answers: Sequence[AnyAnswer]) -> list[Answer]:
    """The answers as whole responses: with ids of calls that are new to the conversation.

    Raises NotRunError for a fault of the connection, which a design has no words for.
    """
    used = {call.id for answer in answers if isinstance(answer, ModelAnswer) for call in answer.calls}
    ids = (each for number in count(1) if (each := f"call_{number}") not in used)
    return [_fixed(answer, number, ids) for number, answer in enumerate(answers, 1)]


def _fixed(answer: AnyAnswer, number: int, ids: Iterator[str]) -> Answer:
    match answer:
        case Faulty():
            raise NotRunError(f"answer {number} is a fault of the connection; give one that arrives")
        case Answer():
            if answer.fault != Fault():
                raise NotRunError(f"answer {number} is a fault of the connection; give one that arrives")
            return answer
        case str():
            return _fixed(says(answer), number, ids)
        case ModelAnswer():
            calls = tuple(_with_id(call, ids) for call in answer.calls)
            body = completion(replace(answer, calls=calls), _REQUEST, number=number, request_size=0)
            return Answer(body=body)
        case _:
            return Answer(body=dict(answer))


def _with_id(call: Call, ids: Iterator[str]) -> Call:
    return call if call.id is not None else replace(call, id=next(ids))

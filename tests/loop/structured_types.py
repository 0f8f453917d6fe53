"""What type checkers know of `result.output`: this file is checked by mypy and pyright, and never run."""

from dataclasses import dataclass
from typing import Any, assert_type

from pydantic import BaseModel
from typing_extensions import TypedDict

from callagain import Conversation, Result, RunStream, ToolLoop


class Invoice(BaseModel):
    number: str


@dataclass
class Point:
    x: int


class Order(TypedDict):
    id: int


async def check_of_a_model(base_url: str) -> None:
    loop = ToolLoop(model="m", base_url=base_url, response_format=Invoice)
    assert_type(loop, ToolLoop[Invoice])
    result = loop.run("Go")
    assert_type(result, Result[Invoice])
    assert_type(result.output, Invoice)
    assert_type(result.raise_for_outcome().output, Invoice)
    assert_type((await loop.arun("Go")).output, Invoice)
    assert_type(loop.start("Go").run().output, Invoice)
    assert_type(loop.resume(result, changes={"max_output_repairs": 3}).output, Invoice)
    assert_type(loop.load(result).output, Invoice)
    stream = loop.stream("Go")
    assert_type(stream, RunStream[Invoice])
    assert_type(stream.result, Result[Invoice] | None)
    conversation = loop.conversation("ada")
    assert_type(conversation, Conversation[Invoice])
    assert_type(conversation.run("Go").output, Invoice)
    assert_type((await conversation.arun("Go")).output, Invoice)


def check_of_other_types(base_url: str) -> None:
    assert_type(ToolLoop(model="m", base_url=base_url, response_format=Point).run("Go").output, Point)
    assert_type(ToolLoop(model="m", base_url=base_url, response_format=Order).run("Go").output, Order)


def check_without_one(base_url: str, options: dict[str, Any]) -> None:
    result = ToolLoop(model="m", base_url=base_url).run("Go")
    assert_type(result, Result[str | None])
    assert_type(result.output, str | None)
    takes_a_bare_result(result)
    takes_a_bare_loop(ToolLoop(model="m", **options))


def takes_a_bare_loop(loop: ToolLoop) -> Result:
    return loop.run("Go")


def takes_a_bare_result(result: Result) -> str | None:
    return result.output


def takes_any_result(result: Result[object]) -> str:
    return result.outcome


def check_that_any_result_is_taken(loop: ToolLoop[Invoice]) -> str:
    return takes_any_result(loop.run("Go"))

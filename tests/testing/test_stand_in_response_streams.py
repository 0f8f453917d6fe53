"""The Responses API as a stream: the events, and what OpenAI's client makes of them."""

import http.client
import json
from collections.abc import Callable
from typing import Any
from urllib.parse import urlsplit

import openai

from callagain.testing import StandIn, calls, says
from callagain.testing.plugin import StartStandIn

Send = Callable[..., tuple[int, Any]]
Body = dict[str, Any]

PATH = "/v1/responses"
TOOL: Any = {"type": "function", "name": "get_weather", "parameters": {"type": "object"}, "strict": False}


def events(server: StandIn, asked: Any = "Hi", **settings: Any) -> list[Body]:
    """The events of a streamed response, whose names and numbers must be right."""
    connection = http.client.HTTPConnection(urlsplit(server.base_url).netloc, timeout=10)
    body = json.dumps({"model": "m", "input": asked, "stream": True, **settings}).encode()
    connection.request("POST", PATH, body, {"api-key": "any"})
    response = connection.getresponse()
    assert response.headers["content-type"] == "text/event-stream; charset=utf-8"
    *texts, rest = response.read().decode().split("\n\n")
    connection.close()
    assert rest == ""
    lines = [text.split("\n") for text in texts]
    received: list[Body] = [json.loads(data.removeprefix("data: ")) for _, data in lines]
    assert [name for name, _ in lines] == [f"event: {event['type']}" for event in received]
    assert [event["sequence_number"] for event in received] == list(range(len(received)))
    return received


def kinds(received: list[Body]) -> list[str]:
    return [event["type"].removeprefix("response.") for event in received]


def test_a_text_comes_as_events(stand_in: StartStandIn) -> None:
    received = events(stand_in([says("Hello.")]))
    assert kinds(received) == [
        "created",
        "in_progress",
        "output_item.added",
        "content_part.added",
        "output_text.delta",
        "output_text.delta",
        "output_text.done",
        "content_part.done",
        "output_item.done",
        "completed",
    ]
    created, _, added, part_added, *deltas, text_done, part_done, item_done, completed = received
    assert (created["response"]["status"], created["response"]["output"]) == ("in_progress", [])
    assert (added["item"]["status"], added["item"]["content"]) == ("in_progress", [])
    assert part_added["part"]["text"] == ""
    place = {"item_id": "msg_stand-in-1", "output_index": 0, "content_index": 0}
    assert [delta["delta"] for delta in deltas] == ["Hell", "o."]
    assert all(event | place == event for event in (part_added, *deltas, text_done, part_done))
    assert text_done["text"] == "Hello."
    assert part_done["part"]["text"] == "Hello."
    assert item_done["item"] == completed["response"]["output"][0]


def test_reasoning_and_calls_come_as_events(stand_in: StartStandIn) -> None:
    answer = calls(("f", {"a": 12}), reasoning="Hm.")
    received = events(stand_in([answer]), reasoning={"summary": "auto"})
    assert kinds(received)[2:-1] == [
        "output_item.added",
        "reasoning_summary_part.added",
        "reasoning_summary_text.delta",
        "reasoning_summary_text.done",
        "reasoning_summary_part.done",
        "output_item.done",
        "output_item.added",
        "function_call_arguments.delta",
        "function_call_arguments.delta",
        "function_call_arguments.done",
        "output_item.done",
    ]
    added, *deltas, done, _ = received[8:-1]
    assert added["item"]["arguments"] == ""
    assert added["item"]["name"] == "f"
    assert [delta["delta"] for delta in deltas] == ['{"a"', ":12}"]
    assert (done["arguments"], done["item_id"], done["output_index"]) == ('{"a":12}', "fc_stand-in-1-1", 1)


def test_a_whole_body_is_streamed_as_well(stand_in: StartStandIn) -> None:
    output = [
        {"type": "web_search_call", "id": "ws_1", "status": "completed"},
        {"type": "message", "id": "msg_1", "content": [{"type": "refusal", "refusal": "No."}]},
    ]
    received = events(stand_in([{"id": "resp_x", "status": "completed", "output": output}]))
    assert kinds(received)[2:-1] == [
        "output_item.added",
        "output_item.done",
        "output_item.added",
        "content_part.added",
        "refusal.delta",
        "refusal.done",
        "content_part.done",
        "output_item.done",
    ]
    assert received[-1]["response"]["output"] == output


def test_a_body_without_an_output_is_sent_as_json(stand_in: StartStandIn, send: Send) -> None:
    body = {"model": "m", "input": "Hi", "stream": True}
    assert send(stand_in([{"error": "x"}]), body, path=PATH) == (200, {"error": "x"})


def test_the_last_event_says_that_a_response_is_incomplete(stand_in: StartStandIn) -> None:
    last = events(stand_in([says("Hel", finish_reason="length")]))[-1]
    assert last["type"] == "response.incomplete"
    assert last["response"]["incomplete_details"] == {"reason": "max_output_tokens"}


async def test_the_async_client_puts_the_events_together(stand_in: StartStandIn) -> None:
    server = stand_in([calls(("get_weather", {"city": "Rome"}), text="I look.", reasoning="Hm.")])
    async with (
        openai.AsyncOpenAI(base_url=server.base_url, api_key="any", max_retries=0) as client,
        client.responses.stream(model="m", input="Hi", tools=[TOOL]) as stream,
    ):
        deltas = [event.delta async for event in stream if event.type == "response.output_text.delta"]
        whole = await stream.get_final_response()
    assert "".join(deltas) == whole.output_text == "I look."
    assert [item.type for item in whole.output] == ["reasoning", "message", "function_call"]


def test_the_openai_client_reads_the_events(stand_in: StartStandIn) -> None:
    with openai.OpenAI(base_url=stand_in(["Hello, world."]).base_url, api_key="any", max_retries=0) as client:
        received = list(client.responses.create(model="m", input="Hi", stream=True))
    last = received[-1]
    assert last.type == "response.completed"
    assert last.response.output_text == "Hello, world."

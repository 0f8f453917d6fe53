"""What the Responses API refuses in a conversation as a whole: items that do not belong together."""

from collections.abc import Callable
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from callagain.testing import calls, refuse_responses, says
from callagain.testing.plugin import StartStandIn

Send = Callable[..., tuple[int, Any]]
Body = dict[str, Any]

PATH = "/v1/responses"
USER = {"role": "user", "content": "Weather in Rome?"}
ENCRYPTED: Body = {"include": ["reasoning.encrypted_content"], "store": False}


def request(*items: Any, **more: Any) -> Body:
    return {"model": "m", "input": list(items) or "Hi", **more}


def made_call(call_id: Any = "call_1", **more: Any) -> Body:
    return {"type": "function_call", "call_id": call_id, "name": "f", "arguments": "{}"} | more


def output_of(call_id: Any = "call_1", output: Any = "21") -> Body:
    return {"type": "function_call_output", "call_id": call_id, "output": output}


def thought(id_: str = "rs_1") -> Body:
    return {"type": "reasoning", "id": id_, "summary": []}


@pytest.mark.parametrize(
    ("items", "message"),
    [
        ([output_of()], "No tool call found for function call output with call_id call_1."),
        (
            [made_call(), output_of("call_2")],
            "No tool call found for function call output with call_id call_2.",
        ),
        (
            [output_of(), made_call()],
            "No tool call found for function call output with call_id call_1.",
        ),
        ([USER, made_call(), USER], "No tool output found for function call call_1."),
        (
            [made_call(), made_call("call_2"), output_of("call_1")],
            "No tool output found for function call call_2.",
        ),
        (
            [made_call(), output_of(), made_call(), output_of()],
            "Invalid 'input': call_ids must be unique, but 'call_1' stands twice.",
        ),
        ([made_call(), output_of(), output_of()], "Invalid 'input': the call 'call_1' has two outputs."),
        (
            [{"type": "custom_tool_call", "call_id": "c", "name": "f", "input": ""}],
            "No tool output found for custom tool call c.",
        ),
        (
            [{"type": "custom_tool_call_output", "call_id": "c", "output": ""}],
            "No tool call found for custom tool call output with call_id c.",
        ),
        (
            [made_call(id="fc_1"), output_of(), made_call("call_2", id="fc_1"), output_of("call_2")],
            "Duplicate item found with id fc_1. Remove duplicate items from your input and try again.",
        ),
        (
            [USER, thought()],
            "Item 'rs_1' of type 'reasoning' was provided without its required following item.",
        ),
        (
            [thought(), USER],
            "Item 'rs_1' of type 'reasoning' was provided without its required following item.",
        ),
        (
            [made_call(), thought(), output_of()],
            "Item 'rs_1' of type 'reasoning' was provided without its required following item.",
        ),
    ],
)
def test_refuses_items_that_do_not_belong_together(
    stand_in: StartStandIn, send: Send, items: list[Body], message: str
) -> None:
    status, answer = send(stand_in([]), request(*items), path=PATH)
    assert (status, answer["error"].pop("message")) == (400, message)
    assert answer["error"] == {"type": "invalid_request_error", "param": "input", "code": None}


def test_refuses_a_reference_to_an_unknown_item(stand_in: StartStandIn, send: Send) -> None:
    status, answer = send(stand_in([]), request({"type": "item_reference", "id": "fc_9"}), path=PATH)
    assert (status, answer["error"]["message"]) == (404, "Item with id 'fc_9' not found.")


@pytest.mark.parametrize(
    "body",
    [
        request(made_call(), made_call("call_2"), output_of("call_2"), USER, output_of("call_1")),
        request(USER, thought(), made_call(id="fc_1"), output_of()),
        request(USER, thought(), {"role": "assistant", "content": "Sunny."}),
    ],
)
def test_accepts_a_valid_history(stand_in: StartStandIn, send: Send, body: Body) -> None:
    assert send(stand_in(["accepted"]), body, path=PATH)[0] == 200


# What this server gave


class Conversation:
    """A question, and the output that a server gave to it."""

    def __init__(self, stand_in: StartStandIn, send: Send, **settings: Any) -> None:
        answer = calls(("f", {}), ("f", {}), text="I look.", reasoning="Hm.")
        self._server = stand_in([answer, says("done")], repeat_last=True)
        self._send = send
        self._settings = settings
        _, response = send(self._server, request(USER, **settings), path=PATH)
        self.response_id: str = response["id"]
        self.reasoning, self.message, *self.calls = response["output"]
        self.outputs = [output_of("call_1"), output_of("call_2")]

    def status_and_message(self, *items: Body, **more: Any) -> tuple[int, str]:
        """Of the next answer; the message is empty if it is no error."""
        body = request(*items, **self._settings, **more)
        status, answer = self._send(self._server, body, path=PATH)
        return status, answer["error"]["message"] if status != 200 else ""


@pytest.mark.parametrize("settings", [{}, ENCRYPTED])
def test_accepts_what_it_gave_as_it_gave_it(stand_in: StartStandIn, send: Send, settings: Body) -> None:
    talk = Conversation(stand_in, send, **settings)
    given = [USER, talk.reasoning, talk.message, *talk.calls, *talk.outputs]
    assert talk.status_and_message(*given) == (200, "")


def test_a_call_needs_the_reasoning_that_it_was_given_with(stand_in: StartStandIn, send: Send) -> None:
    talk = Conversation(stand_in, send)
    for item, kind in ((talk.calls[0], "function_call"), (talk.message, "message")):
        outputs = talk.outputs[:1] if item is talk.calls[0] else []
        assert talk.status_and_message(USER, item, *outputs) == (
            400,
            f"Item '{item['id']}' of type '{kind}' was provided without its required 'reasoning' item: "
            f"'{talk.reasoning['id']}'.",
        )


def test_a_call_without_its_id_is_not_recognised(stand_in: StartStandIn, send: Send) -> None:
    talk = Conversation(stand_in, send)
    unknown = {key: value for key, value in talk.calls[0].items() if key != "id"}
    assert talk.status_and_message(USER, unknown, talk.outputs[0]) == (200, "")


def test_reasoning_needs_the_item_that_followed_it(stand_in: StartStandIn, send: Send) -> None:
    talk = Conversation(stand_in, send)
    status, message = talk.status_and_message(USER, talk.reasoning, *talk.calls, *talk.outputs)
    assert (status, message) == (
        400,
        f"Item '{talk.reasoning['id']}' of type 'reasoning' was provided without its required "
        "following item.",
    )


def test_reasoning_that_was_not_stored_needs_its_content(stand_in: StartStandIn, send: Send) -> None:
    talk = Conversation(stand_in, send, **ENCRYPTED)
    given = [talk.message, *talk.calls, *talk.outputs]
    bare = {key: value for key, value in talk.reasoning.items() if key != "encrypted_content"}
    assert talk.status_and_message(USER, bare, *given) == (
        404,
        f"Item with id '{talk.reasoning['id']}' not found. Items are not persisted when `store` is set to "
        "false. Try again with `store` set to true, or remove this item from your input.",
    )
    spoiled = talk.reasoning | {"encrypted_content": "x"}
    status, message = talk.status_and_message(USER, spoiled, *given)
    assert status == 400
    assert message.startswith(f"The encrypted content for item {talk.reasoning['id']} could not be verified.")


def test_a_remembered_conversation_is_checked_with_the_new_input(stand_in: StartStandIn, send: Send) -> None:
    talk = Conversation(stand_in, send)
    previous = {"previous_response_id": talk.response_id}
    assert talk.status_and_message(*talk.outputs, **previous) == (200, "")
    assert talk.status_and_message(USER, **previous) == (
        400,
        "No tool output found for function call call_1.",
    )
    status, message = talk.status_and_message(*talk.calls, *talk.outputs, **previous)
    assert (status, message.split(".")[0]) == (400, f"Duplicate item found with id {talk.calls[0]['id']}")


json_values = st.recursive(
    st.none()
    | st.booleans()
    | st.integers()
    | st.text(max_size=5)
    | st.sampled_from(
        ["user", "assistant", "function_call", "function_call_output", "reasoning", "function"]
    ),
    lambda inner: (
        st.lists(inner, max_size=3)
        | st.dictionaries(
            st.sampled_from(
                ["type", "role", "content", "id", "call_id", "name", "arguments", "output", "summary"]
            ),
            inner,
            max_size=6,
        )
    ),
    max_leaves=20,
)


@given(asked=json_values, tools=json_values, tool_choice=json_values)
def test_any_json_is_accepted_or_refused_with_a_message(asked: Any, tools: Any, tool_choice: Any) -> None:
    refusal = refuse_responses({"model": "m", "input": asked, "tools": tools, "tool_choice": tool_choice})
    assert refusal is None or refusal.message

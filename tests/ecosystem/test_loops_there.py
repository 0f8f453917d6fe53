"""A loop in a chain of LangChain, and as a tool of agents of LangChain and LlamaIndex."""

import asyncio
import copy
import pickle
import sys
from collections.abc import Callable, Iterator
from importlib import import_module
from pathlib import Path
from typing import Any

import pytest

from callagain import ConfigurationError, OutcomeError, ToolLoop, ToolSchemaError, approve
from callagain.langchain import NotCompletedError, as_runnable
from callagain.langchain import as_tool as as_langchain_tool
from callagain.llamaindex import as_tool as as_llamaindex_tool
from callagain.testing import Rule, StandIn, calls, says

WORDS = {"name": "ask_orders", "description": "Ask about orders, in words."}


def get_order_status(order_id: str) -> str:
    """Look up an order."""
    return f"{order_id} is shipped"


@pytest.fixture(scope="module")
def endpoint() -> Iterator[StandIn]:
    answers = [calls(("get_order_status", {"order_id": "{id}"})), says("{id} is on its way.")]
    with StandIn(
        [Rule(asked=r"order (?P<id>\d+)", then=answers), Rule(asked="", then=[says("Hello.")])]
    ) as it:
        yield it


def loop_at(endpoint: StandIn, **options: Any) -> ToolLoop:
    return ToolLoop(model="m", base_url=endpoint.base_url, tools=[get_order_status], **options)


def test_a_loop_stands_where_a_chat_model_stands(endpoint: StandIn) -> None:
    from langchain_core.output_parsers import StrOutputParser
    from langchain_core.prompts import ChatPromptTemplate

    prompt = ChatPromptTemplate.from_messages(
        [("system", "Be brief."), ("placeholder", "{earlier}"), ("human", "Where is order {id}?")]
    )
    chain = prompt | as_runnable(loop_at(endpoint)) | StrOutputParser()
    given: list[dict[str, Any]] = [{"id": "1"}, {"id": "2"}]
    assert chain.batch(given) == ["1 is on its way.", "2 is on its way."]
    assert asyncio.run(chain.ainvoke({"id": "3"})) == "3 is on its way."
    assert list(chain.stream({"id": "4", "earlier": [("human", "Hi."), ("ai", "Hello.")]})) == [
        "4 is on its way."
    ]
    assert [each["role"] for each in endpoint.requests[-1].json["messages"]] == [
        "system", "user", "assistant", "user", "assistant", "tool",
    ]  # fmt: skip


def test_its_message_tells_of_the_run(endpoint: StandIn) -> None:
    message = as_runnable(loop_at(endpoint)).invoke("Where is order 1?")
    assert message.response_metadata["loop_count"] == 1
    assert message.usage_metadata is not None
    assert message.usage_metadata["input_tokens"] > 0


def test_a_history_of_langchain_with_calls_and_pictures_goes_on(endpoint: StandIn) -> None:
    from langchain_core.messages import AIMessage, HumanMessage, ToolMessage

    picture = {"type": "image_url", "image_url": {"url": "https://example.com/a.png"}}
    earlier = AIMessage("", tool_calls=[{"name": "get_order_status", "args": {"order_id": "1"}, "id": "c1"}])
    messages = [
        HumanMessage("1?"),
        earlier,
        ToolMessage("1 is shipped", tool_call_id="c1"),
        AIMessage("Yes."),
    ]
    said = as_runnable(loop_at(endpoint)).invoke(
        [*messages, HumanMessage([{"type": "text", "text": "Hi."}, picture])]
    )
    assert said.content == "Hello."
    assert endpoint.requests[-1].json["messages"][-1]["content"][1] == picture


def test_a_run_that_did_not_complete_is_raised_with_its_result(endpoint: StandIn) -> None:
    loop = loop_at(endpoint, approve_effects=True)
    with pytest.raises(NotCompletedError, match=r"^suspended \(approval_required\): ") as raised:
        as_runnable(loop).invoke("Where is order 1?")
    result = raised.value.result
    assert (result.outcome, result.pending_calls[0].name) == ("suspended", "get_order_status")
    assert loop.resume(result, decisions={result.pending_calls[0].id: approve}).outcome == "completed"
    assert copy.deepcopy(raised.value).result is copy.copy(raised.value).result is result
    sent = pickle.loads(pickle.dumps(raised.value))
    assert (type(sent), str(sent), sent.outcome) == (OutcomeError, str(raised.value), "suspended")


def test_two_system_prompts_are_one_too_many(endpoint: StandIn) -> None:
    messages = [("system", "Never mention prices."), ("human", "Hi.")]
    as_runnable(loop_at(endpoint)).invoke(messages)
    assert endpoint.requests[-1].json["messages"][0] == {"role": "system", "content": "Never mention prices."}
    with pytest.raises(ConfigurationError, match=r"and the loop has a system_prompt; give one of the two"):
        as_runnable(loop_at(endpoint, system_prompt="You know orders.")).invoke(messages)


@pytest.mark.parametrize("as_tool", [as_langchain_tool, as_llamaindex_tool])
def test_a_name_that_no_endpoint_takes_is_told_at_once(
    endpoint: StandIn, as_tool: Callable[..., object]
) -> None:
    with pytest.raises(ToolSchemaError, match="'a b!'"):
        as_tool(loop_at(endpoint), name="a b!", description="Ask.")


def test_a_run_that_waits_is_told_by_its_id_and_goes_on_by_it(endpoint: StandIn, tmp_path: Path) -> None:
    loop = loop_at(endpoint, approve_effects=True, journal=tmp_path / "runs.db")
    call = {"type": "tool_call", "id": "c1", "name": "ask_orders", "args": {"message": "Where is order 1?"}}
    told = as_langchain_tool(loop, **WORDS).invoke(call).content
    assert loop.journal is not None
    (kept,) = loop.journal.list()
    assert told == (
        "ask_orders waits for somebody who decides about get_order_status; whoever runs this program finds "
        f"it as the run {kept.run_id}"
    )
    with pytest.raises(
        OutcomeError, match=r"ask_orders waits for somebody who decides about get_order_status"
    ):
        as_llamaindex_tool(loop, **WORDS).call(message="Where is order 1?")
    waiting = loop.load(kept.run_id).pending_calls[0]
    assert loop.resume(kept.run_id, decisions={waiting.id: approve}).outcome == "completed"


@pytest.mark.parametrize(
    ("given", "problem"),
    [
        ([], "there are no messages; the last one is what the run answers"),
        (
            [("human", "Hi."), ("ai", "Hello.")],
            "the last message is of the role assistant; it must be the user's",
        ),
        (
            {"messages": []},
            "a loop takes a text, a message, messages or a prompt, as a chat model does, not dict; of a ",
        ),
        (b"Hi.", "a loop takes a text, a message, messages or a prompt, as a chat model does, not bytes; "),
        (None, "a loop takes a text, a message, messages or a prompt, as a chat model does, not NoneType; "),
        ([3], "LangChain cannot read these messages: "),
        ([{"foo": "user"}], "LangChain cannot read these messages: "),
    ],
)
def test_an_input_that_no_run_can_begin_with_is_told(endpoint: StandIn, given: Any, problem: str) -> None:
    with pytest.raises(ConfigurationError) as raised:
        as_runnable(loop_at(endpoint)).invoke(given)
    assert str(raised.value).startswith(problem)


def test_a_single_message_is_taken(endpoint: StandIn) -> None:
    from langchain_core.messages import HumanMessage

    runnable: Any = as_runnable(loop_at(endpoint))
    for given in (HumanMessage("Where is order 1?"), {"role": "user", "content": "Where is order 1?"}):
        assert runnable.invoke(given).content == "1 is on its way."


def test_thoughts_in_the_history_are_left_out_and_names_are_kept(endpoint: StandIn) -> None:
    from langchain_core.messages import AIMessage, HumanMessage

    thought = {"type": "thinking", "thinking": "Hm.", "signature": "s"}
    answer = AIMessage([thought, {"type": "text", "text": "Hello."}])
    as_runnable(loop_at(endpoint)).invoke([HumanMessage("Hi.", name="ada"), answer, HumanMessage("Well?")])
    assert endpoint.requests[-1].json["messages"] == [
        {"role": "user", "name": "ada", "content": "Hi."},
        {"role": "assistant", "content": [{"type": "text", "text": "Hello."}]},
        {"role": "user", "content": "Well?"},
    ]


@pytest.mark.parametrize("use", [as_runnable, as_langchain_tool, as_llamaindex_tool])
def test_what_is_no_loop_is_told_at_once(use: Any) -> None:
    with pytest.raises(ConfigurationError, match=" takes a ToolLoop, not str$"):
        use("loop", **({} if use is as_runnable else WORDS))


def test_an_agent_of_langchain_asks_a_loop_and_is_told_how_it_ended(endpoint: StandIn) -> None:
    tool = as_langchain_tool(loop_at(endpoint), **WORDS)
    assert tool.args["message"]["description"] == "What to do, in words."
    assert tool.invoke({"message": "Where is order 1?"}) == "1 is on its way."
    assert asyncio.run(tool.ainvoke({"message": "Where is order 2?"})) == "2 is on its way."
    stopped = as_langchain_tool(loop_at(endpoint, max_iterations=0), **WORDS)
    call = {"type": "tool_call", "id": "c1", "name": "ask_orders", "args": {"message": "Where is order 1?"}}
    told = stopped.invoke(call)
    assert told.status == "error"
    assert told.content.startswith("ask_orders ended as limit: ")


def test_an_agent_of_llamaindex_asks_a_loop_and_is_told_how_it_ended(endpoint: StandIn) -> None:
    calling: Any = import_module("llama_index.core.tools.calling")
    tool: Any = as_llamaindex_tool(loop_at(endpoint), **WORDS)
    assert (
        tool.metadata.get_parameters_dict()["properties"]["message"]["description"] == "What to do, in words."
    )
    assert calling.call_tool(tool, {"message": "Where is order 1?"}).content == "1 is on its way."
    assert asyncio.run(tool.acall("Where is order 2?")).content == "2 is on its way."
    told = calling.call_tool(
        as_llamaindex_tool(loop_at(endpoint, max_iterations=0), **WORDS), {"message": "order 1"}
    )
    assert told.is_error
    assert told.content.startswith("Encountered error: limit (")


@pytest.mark.parametrize(
    ("use", "package", "extra"),
    [
        (as_runnable, "langchain_core", "langchain"),
        (as_langchain_tool, "langchain_core", "langchain"),
        (as_llamaindex_tool, "llama_index", "llamaindex"),
    ],
)
def test_a_missing_extra_is_named(
    endpoint: StandIn, monkeypatch: pytest.MonkeyPatch, use: Callable[..., object], package: str, extra: str
) -> None:
    for name in [name for name in sys.modules if name.split(".")[0] == package] or [package]:
        monkeypatch.setitem(sys.modules, name, None)
    with pytest.raises(ConfigurationError, match=rf"is missing: pip install 'callagain\[{extra}\]'"):
        use(loop_at(endpoint), **({} if use is as_runnable else WORDS))

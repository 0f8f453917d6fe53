"""The loop as a state machine of Burr, around the plain SDK. The graph is made once, an application a run."""

import json
from collections.abc import Awaitable, Callable
from typing import Any

import openai
from benchmarks.task import PROMPT, TIMEOUT, TOOLS, Orders, Task
from burr.core import ApplicationBuilder, Graph, GraphBuilder, State, action, default, expr

PACKAGES = ["apache-burr", "openai"]


def prepare_async(task: Task, orders: Orders, base_url: str) -> Callable[[], Awaitable[str]]:
    client = openai.AsyncOpenAI(api_key="any", base_url=base_url, timeout=TIMEOUT)
    graph = _graph(task, orders, client)

    async def run() -> str:
        builder = ApplicationBuilder().with_graph(graph).with_state(State()).with_entrypoint("initialize")
        _, _, state = await builder.build().arun(halt_after=["extract_final"], inputs={"prompt": PROMPT})
        return str(state["final"])

    return run


@action(reads=[], writes=["messages"])
async def initialize(state: State, prompt: str) -> State:
    return state.update(messages=[{"role": "user", "content": prompt}])


@action(reads=["messages"], writes=["response"])
async def llm_call(state: State, client: Any, model: str) -> State:
    response = await client.chat.completions.create(model=model, tools=TOOLS, messages=state["messages"])
    return state.update(response=response)


@action(reads=["response", "messages"], writes=["tool_calls", "messages", "final", "has_calls"])
async def parse_response(state: State) -> State:
    message = state["response"].choices[0].message
    calls = message.tool_calls or []
    messages = [*state["messages"], message.model_dump(exclude_none=True)]
    return state.update(tool_calls=calls, has_calls=bool(calls), final=message.content, messages=messages)


@action(reads=["tool_calls"], writes=["results"])
async def tool_dispatcher(state: State, orders: Orders) -> State:
    results: list[Any] = []
    for call in state["tool_calls"]:
        content = orders.status_json(**json.loads(call.function.arguments))
        results.append({"role": "tool", "tool_call_id": call.id, "content": content})
    return state.update(results=results)


@action(reads=["messages", "results"], writes=["messages"])
async def append_tool_result(state: State) -> State:
    return state.update(messages=state["messages"] + state["results"])


@action(reads=["final"], writes=[])
async def extract_final(state: State) -> State:
    return state


def _graph(task: Task, orders: Orders, client: openai.AsyncOpenAI) -> Graph:
    return (
        GraphBuilder()
        .with_actions(
            initialize,
            llm_call.bind(client=client, model=task.model()),
            parse_response,
            tool_dispatcher.bind(orders=orders),
            append_tool_result,
            extract_final,
        )
        .with_transitions(
            ("initialize", "llm_call"),
            ("llm_call", "parse_response"),
            ("parse_response", "tool_dispatcher", expr("has_calls")),
            ("parse_response", "extract_final", default),
            ("tool_dispatcher", "append_tool_result"),
            ("append_tool_result", "llm_call"),
        )
        .build()
    )

"""Multi-turn chat: load the history of a session, run the tool-calling loop, store what was said.

A run is one turn. Its run id is SESSION/TURN, such as "ada/1"; `turn_id("ada")` gives one that is new. Two
functions of the loop are the session store:

    load_history(session_id) -> messages         those of the turns before, in order; [] for a new session
    store_messages(session_id, turn_id, messages)   the user's message and the answer of this turn

The messages of tools are not stored. A turn that does not come to an answer stores nothing.

Each turn is stored once, whatever happens: if a run was interrupted while its messages were stored, the
resumed run calls store_messages again, with the same turn_id, and the store keeps a turn that it has already
as it is.

Source: Jitterbit's guide "Build a multi-turn LLM chat with conversation history".
"""

import uuid
from collections.abc import Sequence
from dataclasses import replace

from callagain.chains.first_request import build_first_request
from callagain.chains.functions import value_of
from callagain.engine.chain import Chain
from callagain.engine.commands import CallFunction
from callagain.engine.errors import Failure
from callagain.engine.json_text import Json
from callagain.engine.links import ANY_OPERATION, COMPLETED, FAILED, LIMIT, ON_FAIL, ON_SUCCESS, Link
from callagain.engine.operation import Activity, Script
from callagain.engine.table import GUARDS
from callagain.engine.variables import Variables
from callagain.operations import TOOL_CALLING_LOOP, Initialize

LOAD_HISTORY, STORE_MESSAGES = "load_history", "store_messages"


def turn_id(session_id: str) -> str:
    """A run id for the next turn of this session."""
    return f"{session_id}/{uuid.uuid4().hex}"


class LoadHistory(Activity):
    """Has the messages of the earlier turns loaded, by the id of the session.

    Reads the run id. Writes own["load_history"], the messages.
    Fails with operation_failed if the run id names no session, or if the function fails; with invalid_history
    if what it returns is no list.
    """

    kind = "Function"
    title = "Load history\nby session id"

    def request(self, variables: Variables) -> Sequence[CallFunction]:
        session_id = session_of(variables)
        # To read a second time does no harm.
        return [CallFunction(LOAD_HISTORY, {"session_id": session_id}, on_unknown="retry")]

    def receive(self, variables: Variables, receipts: Sequence[Json]) -> None:
        loaded = value_of(receipts)
        if not isinstance(loaded, list):
            kind = type(loaded).__name__
            told = f"{LOAD_HISTORY} must return a list of messages, not {kind}; of a new session []"
            raise Failure("invalid_history", told)
        variables.own[LOAD_HISTORY] = loaded


class InitializeWithHistory(Script):
    """Initialize, with the history that was loaded: base messages = system, history, user.

    Reads own["load_history"], and what Initialize reads. A history that was given to the run follows the
    loaded one.
    Fails with invalid_history if the history cannot be sent.
    """

    part = Initialize.part
    title = Initialize.title

    def run(self, variables: Variables) -> None:
        inputs, loaded = variables.inputs, variables.own.get(LOAD_HISTORY)
        history = loaded if isinstance(loaded, list) else []
        build_first_request(variables, replace(inputs, history=(*history, *inputs.history)))


class StoreMessages(Activity):
    """Has the user's message and the answer stored, and not what was between them.

    Reads the run id, the user's message, final_response.
    Fails with operation_failed if the function fails. The resumed run stores again, and asks nothing again.
    """

    kind = "Function"
    title = "Store user and\nassistant message"

    def request(self, variables: Variables) -> Sequence[CallFunction]:
        messages: list[Json] = [
            {"role": "user", "content": variables.inputs.user_message},
            {"role": "assistant", "content": variables.final_response},
        ]
        arguments: dict[str, Json] = {
            "session_id": session_of(variables),
            "turn_id": variables.inputs.run_id,
            "messages": messages,
        }
        # The store knows by the turn_id what it has already.
        return [CallFunction(STORE_MESSAGES, arguments, on_unknown="retry")]

    def receive(self, variables: Variables, receipts: Sequence[Json]) -> None:  # noqa: ARG002 - it may only fail
        value_of(receipts)


def session_of(variables: Variables) -> str:
    """The id of the session that the run is a turn of. Raises Failure if its run id names none."""
    run_id = variables.inputs.run_id
    session_id = run_id.rpartition("/")[0]
    if not session_id:
        raise Failure(
            "operation_failed",
            f"the run id {run_id!r} names no session; begin the turn with run_id=turn_id(session_id), or "
            "with SESSION/TURN",
        )
    return session_id


MULTI_TURN_CHAT = Chain(
    name="multi_turn_chat",
    links=(
        Link("load_history", ON_SUCCESS, "initialize"),
        Link("initialize", ON_SUCCESS, "llm_call"),
        Link("llm_call", ON_SUCCESS, "parse_response"),
        Link("parse_response", ON_SUCCESS, "tool_dispatcher", ("call_llm_again", "iterations_left")),
        Link("parse_response", ON_SUCCESS, LIMIT, ("call_llm_again", "not iterations_left")),
        Link("parse_response", ON_SUCCESS, "extract_final", ("not call_llm_again",)),
        Link("tool_dispatcher", ON_SUCCESS, "append_tool_result"),
        Link("append_tool_result", ON_SUCCESS, "llm_call"),
        Link("extract_final", ON_SUCCESS, "store_messages"),
        Link("store_messages", ON_SUCCESS, COMPLETED),
        Link(ANY_OPERATION, ON_FAIL, FAILED),
    ),
    operations={
        "load_history": LoadHistory(),
        **TOOL_CALLING_LOOP.operations,
        "initialize": InitializeWithHistory(),
        "store_messages": StoreMessages(),
    },
    guards=GUARDS,
    initial="load_history",
)
"""The loop with a history that the chain itself loads and stores."""

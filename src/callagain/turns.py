"""The turns of a conversation: what is kept of each, and how much of it later turns are told."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Literal, TypeAlias

from callagain.connectors.tools import Tool
from callagain.engine.journal.store import StoredTurn
from callagain.engine.json_text import Json, JsonObject, decode
from callagain.engine.receipts import ToolResult
from callagain.engine.spending import Spent
from callagain.engine.variables import Variables

Keep: TypeAlias = Literal["messages", "tools"]

# Errors of calls that were not run.
_NOT_RUN = frozenset(
    {"invalid_arguments", "truncated_arguments", "unknown_tool", "unsupported_call_type", "denied"}
    | {"not_executed"}
)
_NO_ANSWER = "[This turn ended without an answer. What its calls did is done, and stands above.]"


@dataclass(frozen=True, slots=True)
class Turn:
    """A user's message, and the run that answers it.

    number: 1, 2, 3 … in the conversation. message: what the user said. status: completed, limit, failed,
    suspended; running; interrupted, if its process ended or it was left; discarded. kind: the error kind,
    unless completed. messages: what later turns are told of it. spent: what it has used; None while it may go
    on.
    """

    number: int
    run_id: str
    message: Json
    status: str
    kind: str | None
    messages: tuple[JsonObject, ...]
    spent: Spent | None


def kept_messages(variables: Variables, keep: Keep, tools: Mapping[str, Tool]) -> list[JsonObject]:
    """What later turns are told of a turn that ended with these variables.

    The user's message and the answer, with the rounds between them if keep is "tools"; nothing if there was
    no answer. But what was done is told in any case: a turn without an answer, in which a call had effects,
    is told with its rounds, so that nothing is done a second time.
    """
    user: JsonObject = {"role": "user", "content": variables.inputs.user_message}
    answer = variables.final_response
    if answer is not None:
        rounds = _rounds(variables) if keep == "tools" else []
        return [user, *rounds, {"role": "assistant", "content": answer}]
    if not any(_had_effects(result, tools) for result in variables.tool_results):
        return []
    return [user, *_rounds(variables), {"role": "assistant", "content": _NO_ANSWER}]


def first_told(turns: Sequence[StoredTurn], max_turns: int | None, max_messages: int | None) -> int | None:
    """The number of the oldest turn that the next one is told of, if it is told of any.

    The newest turns that are within both limits, each of them whole.
    """
    first, told, messages = None, 0, 0
    for turn in reversed(turns):
        if turn.kept == 0:
            continue
        told, messages = told + 1, messages + turn.kept
        if (max_turns is not None and told > max_turns) or (
            max_messages is not None and messages > max_messages
        ):
            break
        first = turn.number
    return first


def _rounds(variables: Variables) -> list[JsonObject]:
    """Each assistant message with the answers to all its calls."""
    rounds = decode(f"[{b','.join(variables.tools_messages).decode()}]")
    return [message for message in rounds if isinstance(message, dict)] if isinstance(rounds, list) else []


def _had_effects(result: ToolResult, tools: Mapping[str, Tool]) -> bool:
    tool = tools.get(result.name)
    return result.error not in _NOT_RUN and (tool is None or not tool.read_only)

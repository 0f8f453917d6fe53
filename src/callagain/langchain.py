"""A ToolLoop in LangChain: as a Runnable, or as a tool of an agent.

    chain = prompt | as_runnable(loop) | StrOutputParser()

A ToolLoop takes LangChain's own tools as they are. What is needed of LangChain is imported when it is used:
`pip install "callagain[langchain]"`.
"""

from collections.abc import Sequence
from typing import TYPE_CHECKING, Annotated, cast

from callagain.completed_answer import NotCompletedError, check_loop, completed_answer, words_for_a_model
from callagain.connectors.tools.callables import legal_name
from callagain.connectors.tools.problem import first_sentence
from callagain.engine.errors import ConfigurationError
from callagain.engine.json_text import Json, JsonObject
from callagain.loop import ToolLoop
from callagain.result import Result

__all__ = ["NotCompletedError", "as_runnable", "as_tool"]

if TYPE_CHECKING:
    from langchain_core.language_models import LanguageModelInput
    from langchain_core.messages import AIMessage, MessageLikeRepresentation
    from langchain_core.runnables import Runnable
    from langchain_core.tools import BaseTool

_MISSING = "langchain-core is missing: pip install 'callagain[langchain]'"

# Blocks of an answer that only the model that wrote them takes back; ChatOpenAI leaves them out too.
_THOUGHTS = ("thinking", "redacted_thinking", "reasoning", "reasoning_content")


def as_runnable(
    loop: ToolLoop[object], *, name: str = "ToolLoop"
) -> "Runnable[LanguageModelInput, AIMessage]":
    """The loop where LangChain has a chat model: invoke, ainvoke, batch, abatch, and `|`.

    It takes a text, a message, messages or the value of a prompt. The last message is the user's; those
    before it are the history. It gives an AIMessage with the answer; response_metadata has `run_id` and
    `loop_count`, usage_metadata the tokens of the whole run. `stream` gives it in one piece.

    The Runnable raises NotCompletedError, with the result, for a run that did not complete, and
    ConfigurationError for an input that no run can begin with. Raises ConfigurationError without the extra.
    """
    check_loop(loop, "as_runnable")
    try:
        from langchain_core.language_models import LanguageModelInput
        from langchain_core.messages import AIMessage
        from langchain_core.runnables import RunnableLambda
    except ImportError:
        raise ConfigurationError(_MISSING) from None

    def invoke(given: LanguageModelInput) -> AIMessage:
        message, history = _conversation(given, loop)
        return _ai_message(loop.run(message, history=history))

    async def ainvoke(given: LanguageModelInput) -> AIMessage:
        message, history = _conversation(given, loop)
        return _ai_message(await loop.arun(message, history=history))

    return RunnableLambda(invoke, afunc=ainvoke, name=name)


def as_tool(loop: ToolLoop[object], *, name: str, description: str) -> "BaseTool":
    """The loop as a tool of an agent of LangChain, which asks it in words and gets its answer.

    The agent is told how a run ended that did not complete. Where tools of the loop want approval, give it a
    journal: the agent is told the id of the run that waits, and `loop.resume` goes on with it. Asked again,
    the loop begins a new run.
    Raises ConfigurationError without the extra, ToolSchemaError for a name that no endpoint takes.
    """
    check_loop(loop, "as_tool")
    legal_name(name)
    try:
        from langchain_core.tools import StructuredTool, ToolException
    except ImportError:
        raise ConfigurationError(_MISSING) from None

    def told(result: Result[object]) -> str:
        try:
            return completed_answer(result)
        except NotCompletedError as error:
            raise ToolException(words_for_a_model(name, loop, result)) from error

    def ask(message: Annotated[str, "What to do, in words."]) -> str:
        return told(loop.run(message))

    async def aask(message: str) -> str:
        return told(await loop.arun(message))

    return StructuredTool.from_function(
        ask, coroutine=aask, name=name, description=description, handle_tool_error=True
    )


def _conversation(given: "LanguageModelInput", loop: ToolLoop[object]) -> tuple[Json, list[Json]]:
    """What the user says, and what was said before."""
    from langchain_core.messages import BaseMessage
    from langchain_core.prompt_values import PromptValue

    if isinstance(given, str):
        return given, []
    if isinstance(given, PromptValue):
        given = given.to_messages()
    if isinstance(given, BaseMessage) or (isinstance(given, dict) and "role" in given):
        given = [cast("MessageLikeRepresentation", given)]
    if not isinstance(given, Sequence) or isinstance(given, bytes):  # pyright: ignore[reportUnnecessaryIsInstance]
        raise ConfigurationError(
            "a loop takes a text, a message, messages or a prompt, as a chat model does, "
            f"not {type(given).__name__}; "
            'of a state give its messages: state["messages"]'
        )
    messages = _messages_of_openai(given)
    if loop.system_prompt is not None and messages and messages[0]["role"] in ("system", "developer"):
        raise ConfigurationError(
            "the messages begin with a system message, and the loop has a system_prompt; give one of the two"
        )
    if not messages:
        raise ConfigurationError("there are no messages; the last one is what the run answers")
    if (role := messages[-1]["role"]) != "user":
        raise ConfigurationError(
            f"the last message is of the role {role}; it must be the user's, since the run answers it"
        )
    return messages[-1]["content"], list(messages[:-1])


def _messages_of_openai(given: "Sequence[MessageLikeRepresentation]") -> list[JsonObject]:
    from langchain_core.messages import convert_to_openai_messages

    try:
        messages = cast("list[JsonObject]", convert_to_openai_messages(given))
    except Exception as error:
        raise ConfigurationError(
            f"LangChain cannot read these messages: {first_sentence(error)}; "
            "give messages, as [HumanMessage(…)]"
        ) from None
    return [_without_thoughts(message) for message in messages]


def _without_thoughts(message: JsonObject) -> JsonObject:
    content = message.get("content")
    if message["role"] != "assistant" or not isinstance(content, list):
        return message
    said = [part for part in content if not (isinstance(part, dict) and part.get("type") in _THOUGHTS)]
    return {**message, "content": said or ""}


def _ai_message(result: Result[object]) -> "AIMessage":
    from langchain_core.messages import AIMessage
    from langchain_core.messages.ai import UsageMetadata

    usage = result.usage
    return AIMessage(
        completed_answer(result),
        response_metadata={"run_id": result.run_id, "loop_count": result.loop_count},
        usage_metadata=UsageMetadata(
            input_tokens=usage.prompt_tokens,
            output_tokens=usage.completion_tokens,
            total_tokens=usage.total_tokens,
        ),
    )

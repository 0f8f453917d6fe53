"""A ToolLoop in LlamaIndex, as a tool of an agent there.

    FunctionAgent(tools=[as_tool(loop, name="ask_orders", description="Ask about orders, in words.")], llm=…)

A ToolLoop takes LlamaIndex's own tools as they are. What is needed of LlamaIndex is imported when it is used:
`pip install "callagain[llamaindex]"`.
"""

from typing import TYPE_CHECKING, Annotated

from callagain.completed_answer import NotCompletedError, check_loop, completed_answer, words_for_a_model
from callagain.connectors.tools.callables import legal_name
from callagain.engine.errors import ConfigurationError
from callagain.loop import ToolLoop
from callagain.result import Result

__all__ = ["NotCompletedError", "as_tool"]

if TYPE_CHECKING:
    from llama_index.core.tools import FunctionTool


def as_tool(loop: ToolLoop[object], *, name: str, description: str) -> "FunctionTool":
    """The loop as a tool that is asked in words, and answers; `call` and `acall` both run it.

    They raise NotCompletedError, with the result, for a run that did not complete; LlamaIndex tells its agent
    so. Where tools of the loop want approval, give it a journal: the agent is told the id of the run that
    waits, and `loop.resume` goes on with it. Asked again, the loop begins a new run.
    Raises ConfigurationError without the extra, ToolSchemaError for a name that no endpoint takes.
    """
    check_loop(loop, "as_tool")
    legal_name(name)
    try:
        from llama_index.core.tools import FunctionTool
    except ImportError:
        raise ConfigurationError("llama-index-core is missing: pip install 'callagain[llamaindex]'") from None

    def told(result: Result[object]) -> str:
        try:
            return completed_answer(result)
        except NotCompletedError as error:
            raise NotCompletedError(result, error.kind, words_for_a_model(name, loop, result)) from None

    def ask(message: Annotated[str, "What to do, in words."]) -> str:
        return told(loop.run(message))

    async def aask(message: str) -> str:
        return told(await loop.arun(message))

    return FunctionTool.from_defaults(ask, async_fn=aask, name=name, description=description)

"""`verbatim=True` on a tool: what it says is the final response, to the letter.

Source: Genkit's guide on tool calling, a use of which are literal texts, such as terms of service.
"""

from dataclasses import replace

from callagain.engine.chain import Chain
from callagain.engine.errors import ChainError, Failure
from callagain.engine.links import ON_SUCCESS, Link
from callagain.engine.operation import Script
from callagain.engine.receipts import ToolResult
from callagain.engine.variables import Variables

NAME = "take_result"
VERBATIM_RESULT = "verbatim_result"
SOURCE, TARGET = "append_tool_result", "extract_final"


class TakeResult(Script):
    """Puts the result of a verbatim tool in the place of the answer that Extract Final reads.

    Reads tool_results. Writes the text of reply, and call_llm_again: the model is not asked again. Of several
    such results in one response the first counts.
    """

    title = "Take the result as the answer"

    def run(self, variables: Variables) -> None:
        results = _verbatim_results(variables)
        if not results or variables.reply is None:
            raise Failure("operation_failed", "there is no verbatim result to take")
        if len(results) > 1:
            names = ", ".join(result.name for result in results)
            variables.warn("verbatim_ignored", f"of the results of {names} only the first is the answer")
        variables.reply = replace(variables.reply, text=results[0].said, calls=())
        variables.call_llm_again = False


def verbatim_result(variables: Variables) -> bool:
    """A verbatim tool was called in the round that has just been appended, and gave its result."""
    return bool(_verbatim_results(variables))


def with_verbatim_results(chain: Chain) -> Chain:
    """The way back to the LLM Call is split: a verbatim result goes to Extract Final."""
    links: list[Link] = []
    for link in chain.links:
        if (link.source, link.event) == (SOURCE, ON_SUCCESS):
            links.append(replace(link, when=(*link.when, f"not {VERBATIM_RESULT}")))
        else:
            links.append(link)
    if len({SOURCE, TARGET} & set(chain.operations)) < 2:
        raise ChainError(f"chain {chain.name!r} has no {SOURCE} and {TARGET}, which a verbatim tool needs")
    links.append(Link(SOURCE, ON_SUCCESS, NAME, (VERBATIM_RESULT,)))
    links.append(Link(NAME, ON_SUCCESS, TARGET))
    return chain.replace(
        links=tuple(links), operations={NAME: TakeResult()}, guards={VERBATIM_RESULT: verbatim_result}
    )


def _verbatim_results(variables: Variables) -> list[ToolResult]:
    """Those of the last round, while its answers are the newest."""
    count = len(variables.function_resps)
    last = list(variables.tool_results)[-count:] if count else []
    return [
        result
        for result in last
        if result.error is None and (tool := variables.inputs.tool(result.name)) is not None and tool.verbatim
    ]

"""`on_limit="final_answer"`: at the limit, ask once more, for an answer without tools."""

from dataclasses import replace

from callagain.engine.chain import Chain
from callagain.engine.errors import ChainError
from callagain.engine.links import COMPLETED, LIMIT, ON_SUCCESS, Link
from callagain.engine.operation import Script
from callagain.engine.request_body import RequestBody
from callagain.engine.variables import Variables

NAME = "ask_for_answer"
ANSWER_ASKED_FOR = "answer_asked_for"
REBUILT = ("append_tool_result", ON_SUCCESS)


class AskForAnswer(Script):
    """Forbids further tool calls in the next request.

    The calls that reached the limit are not in it, since they have no answers; they stay in
    `result.pending_calls`. The run ends at its limit, with the answer in final_response.

    Departs from the guide in If at the limit: the guide asks no more. With on_limit="final_answer" there is
    one LLM Call after the last round, so that somebody who waits for an answer gets the best that there is.
    """

    title = "Ask for an answer without tools"
    is_closing = True

    def run(self, variables: Variables) -> None:
        fields = variables.inputs.wire.without_tools(variables.request.fields)
        variables.request = RequestBody.around_messages(fields, variables.request.messages_field)
        variables.assigned_request = None
        variables.own[NAME] = True


def answer_asked_for(variables: Variables) -> bool:
    """The closing request has been made ready."""
    return variables.own.get(NAME) is True


def with_final_answer(chain: Chain) -> Chain:
    """The limit is reached by way of ask_for_answer and one LLM Call more, and then the end is the limit.

    Every link of On Success to limit or to completed is split by a guard, so that it does not matter what
    else was inserted into the chain. The request takes the way that every rebuilt request takes.
    """
    links: list[Link] = []
    for link in chain.links:
        if link.event != ON_SUCCESS or link.target not in (LIMIT, COMPLETED):
            links.append(link)
            continue
        before = NAME if link.target == LIMIT else COMPLETED
        links.append(replace(link, target=before, when=(*link.when, f"not {ANSWER_ASKED_FOR}")))
        links.append(replace(link, target=LIMIT, when=(*link.when, ANSWER_ASKED_FOR)))
    ways = [replace(link, source=NAME) for link in chain.links if (link.source, link.event) == REBUILT]
    if not ways:
        raise ChainError(f"chain {chain.name!r} has no append_tool_result, whose way a closing request takes")
    links.extend(ways)
    return chain.replace(
        links=tuple(links),
        operations={NAME: AskForAnswer()},
        guards={ANSWER_ASKED_FOR: answer_asked_for},
    )

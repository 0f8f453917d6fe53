"""`max_tokens_ceiling=N`: calls that the output limit cut off are asked for again, with a larger limit."""

from dataclasses import replace

from callagain.engine.chain import Chain
from callagain.engine.errors import ChainError
from callagain.engine.links import ON_SUCCESS, Link
from callagain.engine.operation import Script
from callagain.engine.variables import Variables
from callagain.engine.wire.output_limit import output_limit

NAME = "raise_output_limit"
CUT_BELOW_CEILING = "cut_below_ceiling"
DISPATCHED = ("parse_response", ON_SUCCESS, "tool_dispatcher")


class RaiseOutputLimit(Script):
    """Doubles the limit of the next request, up to the ceiling; it stays there for the rest of the run.

    ceiling: tokens. Nothing of the response that was cut off runs, and no round counts. At the ceiling the
    loop goes on as without this extension: the model is told that its calls were cut off.
    """

    title = "Ask again with a larger output limit"

    def __init__(self, ceiling: int) -> None:
        self.ceiling = ceiling

    def run(self, variables: Variables) -> None:
        names = variables.inputs.wire.output_limit_fields
        field = next((name for name in names if name in variables.request.fields), None)
        if field is None:
            preferred = variables.inputs.profile.output_limit_field
            field = preferred if preferred in names else names[0]
        sent = _limit_sent(variables)
        limit = min(self.ceiling, 2 * sent)
        variables.request = variables.request.changed(field, limit)
        variables.assigned_request = None
        variables.warn(
            "output_limit_raised",
            f"the response was cut off at {field} {sent}; it is asked for again with {limit}",
        )


def with_larger_output_limit(chain: Chain, ceiling: int) -> Chain:
    """Splits the way from parse_response to tool_dispatcher: cut calls lead back to llm_call first."""

    def cut_below_ceiling(variables: Variables) -> bool:
        """The output limit cut calls off, and may still be raised."""
        reply = variables.reply
        cut = reply is not None and bool(reply.calls) and reply.finish_reason == "length"
        return cut and 0 < _limit_sent(variables) < ceiling

    links: list[Link] = []
    for link in chain.links:
        if (link.source, link.event, link.target) == DISPATCHED:
            links.append(replace(link, when=(*link.when, f"not {CUT_BELOW_CEILING}")))
            links.append(replace(link, target=NAME, when=(*link.when, CUT_BELOW_CEILING)))
        else:
            links.append(link)
    if len(links) == len(chain.links):
        raise ChainError(
            f"chain {chain.name!r} has no way from parse_response to tool_dispatcher, so max_tokens_ceiling "
            "does not apply to it"
        )
    links.append(Link(NAME, ON_SUCCESS, "llm_call"))
    return chain.replace(
        links=tuple(links),
        operations={NAME: RaiseOutputLimit(ceiling)},
        guards={CUT_BELOW_CEILING: cut_below_ceiling},
    )


def _limit_sent(variables: Variables) -> int:
    """The limit that the request named; else as many tokens as the response had when it was cut."""
    names = variables.inputs.wire.output_limit_fields
    limit = output_limit(variables.request.fields, names)
    reply = variables.reply
    return limit or (0 if reply is None else reply.usage.completion_tokens)

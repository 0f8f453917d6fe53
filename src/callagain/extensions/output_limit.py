"""`max_tokens_ceiling=N`: calls that the output limit cut off are asked for again, with a larger limit."""

from dataclasses import replace

from callagain.engine.chain import Chain
from callagain.engine.errors import ChainError
from callagain.engine.json_text import JsonObject, decode, encode
from callagain.engine.links import ON_SUCCESS, Link
from callagain.engine.operation import Script
from callagain.engine.variables import Variables
from callagain.engine.wire.output_limit import output_limit

NAME = "raise_output_limit"
CUT_BELOW_CEILING = "cut_below_ceiling"
DISPATCHER = "tool_dispatcher"
# Where a request comes from; a chain that makes only one has no append_tool_result.
REQUESTS_COME_FROM = ("append_tool_result", "initialize")


class RaiseOutputLimit(Script):
    """Doubles the limit of the next request, up to the ceiling; it stays there for the rest of the run.

    The ceiling is limits.max_tokens_ceiling, in tokens. Nothing of the response that was cut off runs, and no
    round counts. At the ceiling the loop goes on as without this extension: the model is told that its calls
    were cut off.
    """

    title = "Ask again with a larger output limit"

    def run(self, variables: Variables) -> None:
        fields, wire = variables.request.fields, variables.inputs.wire
        named = next((name for name in wire.output_limit_fields if name in fields), None)
        field = named or _preferred_field(variables)
        sent = output_limit(fields, wire.output_limit_fields)
        known = sent or _tokens_of_response(variables)
        ceiling = variables.limits.max_tokens_ceiling or known
        limit = min(ceiling, 2 * known) if known else ceiling
        variables.request = variables.request.changed(field, limit)
        if variables.assigned_request is not None:
            variables.assigned_request = _changed(variables.assigned_request, field, limit)
        cut = f"at {field} {sent}" if sent else f"although no {field} was sent"
        variables.warn(
            "output_limit_raised",
            f"the output limit cut calls off, {cut}; they are asked for again with {field} {limit}",
        )


def cut_below_ceiling(variables: Variables) -> bool:
    """The output limit cut calls off, and may still be raised."""
    reply, ceiling = variables.reply, variables.limits.max_tokens_ceiling
    if ceiling is None or reply is None or not reply.calls or reply.finish_reason != "length":
        return False
    sent = output_limit(variables.request.fields, variables.inputs.wire.output_limit_fields)
    return (sent or _tokens_of_response(variables)) < ceiling


def with_larger_output_limit(chain: Chain) -> Chain:
    """Splits every way to tool_dispatcher: cut calls lead back to the LLM Call first.

    The request takes the way that every rebuilt request takes, through whatever was inserted there.
    """

    links: list[Link] = []
    for link in chain.links:
        if (link.event, link.target) == (ON_SUCCESS, DISPATCHER):
            links.append(replace(link, when=(*link.when, f"not {CUT_BELOW_CEILING}")))
            links.append(replace(link, target=NAME, when=(*link.when, CUT_BELOW_CEILING)))
        else:
            links.append(link)
    if len(links) == len(chain.links):
        raise ChainError(
            f"chain {chain.name!r} has no {DISPATCHER}, so max_tokens_ceiling does not apply to it"
        )
    return chain.replace(
        links=(*links, *ways_to_llm_call(chain, NAME)),
        operations={NAME: RaiseOutputLimit()},
        guards={CUT_BELOW_CEILING: cut_below_ceiling},
    )


def ways_to_llm_call(chain: Chain, source: str) -> list[Link]:
    """From this operation to the LLM Call, by the way that every rebuilt request takes. Raises ChainError."""
    for place in REQUESTS_COME_FROM:
        ways = [link for link in chain.links if (link.source, link.event) == (place, ON_SUCCESS)]
        if ways:
            return [replace(link, source=source) for link in ways]
    raise ChainError(
        f"chain {chain.name!r} has neither {' nor '.join(REQUESTS_COME_FROM)}, whose way a request that is "
        "asked again takes"
    )


def _preferred_field(variables: Variables) -> str:
    names, preferred = variables.inputs.wire.output_limit_fields, variables.inputs.profile.output_limit_field
    return preferred if preferred in names else names[0]


def _tokens_of_response(variables: Variables) -> int:
    """0 if the endpoint does not say."""
    return 0 if variables.reply is None else variables.reply.usage.completion_tokens


def _changed(request: bytes, field: str, limit: int) -> bytes:
    """A request that is sent as it was assigned, save for the limit."""
    fields = decode(request.decode())
    changed: JsonObject = {**fields, field: limit} if isinstance(fields, dict) else {}
    return encode(changed) if changed else request

"""The chain of a run: the loop's own, with an extension for each option that changes the path."""

from callagain.engine.chain import Chain
from callagain.engine.errors import ConfigurationError
from callagain.engine.links import LIMIT
from callagain.engine.run_inputs import Inputs
from callagain.extensions import (
    with_budget,
    with_compaction,
    with_deadline,
    with_final_answer,
    with_larger_output_limit,
    with_valid_output,
    with_verbatim_results,
)


def extended_chain(chain: Chain, inputs: Inputs) -> Chain:
    """The chain as the inputs want it; with the defaults, the chain itself.

    The order counts: what is inserted before a request comes after what adds requests, and the deadline,
    which changes the way of every failure, is the last. Raises ChainError, ConfigurationError.
    """
    limits = inputs.limits
    if inputs.on_limit == "final_answer":
        if LIMIT not in chain.final_states:
            raise ConfigurationError(f"chain {chain.name!r} has no limit, so on_limit does not apply to it")
        chain = with_final_answer(chain)
    if inputs.output_schema is not None:
        chain = with_valid_output(chain)
    if limits.max_tokens_ceiling is not None:
        chain = with_larger_output_limit(chain)
    if limits.compact_at is not None:
        chain = with_compaction(chain)
    if limits.has_budget:
        chain = with_budget(chain)
    if any(tool.verbatim for tool in inputs.tools):
        chain = with_verbatim_results(chain)
    return chain if limits.deadline is None else with_deadline(chain)

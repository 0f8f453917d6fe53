"""The chains that the command line knows: those of callagain itself."""

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from callagain.engine.chain import Chain
    from callagain.engine.run_inputs import Inputs

CHAINS = ("tool_calling_loop", "function_routing", "prompt_routing", "retry_controller", "multi_turn_chat")


def chain_named(name: str) -> "Chain | None":
    """The chain of this name; None for one of somebody's own."""
    from callagain.chains import FUNCTION_ROUTING, MULTI_TURN_CHAT, PROMPT_ROUTING, RETRY_CONTROLLER
    from callagain.operations import TOOL_CALLING_LOOP

    chains = (TOOL_CALLING_LOOP, FUNCTION_ROUTING, PROMPT_ROUTING, RETRY_CONTROLLER, MULTI_TURN_CHAT)
    return {chain.name: chain for chain in chains}.get(name)


def chain_that_fits(inputs: "Inputs", fingerprint: str) -> "Chain | None":
    """The chain that a run with these inputs and this fingerprint began with; None if it is none of ours."""
    from callagain.engine.errors import CallAgainError
    from callagain.engine.journal.fingerprint import fingerprint as fingerprint_of
    from callagain.extended_chain import extended_chain

    for name in CHAINS:
        chain = chain_named(name)
        assert chain is not None
        try:
            if fingerprint_of(extended_chain(chain, inputs), inputs) == fingerprint:
                return chain
        except CallAgainError:
            # It does not have what an option of the run adds to.
            continue
    return None

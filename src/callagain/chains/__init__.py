"""Further chains of the guide's family, made of the same operations by tables of their own."""

from callagain.chains.function_routing import FUNCTION_ROUTING
from callagain.chains.multi_turn_chat import MULTI_TURN_CHAT, turn_id
from callagain.chains.prompt_routing import PROMPT_ROUTING
from callagain.chains.retry_controller import RETRY_CONTROLLER

__all__ = ["FUNCTION_ROUTING", "MULTI_TURN_CHAT", "PROMPT_ROUTING", "RETRY_CONTROLLER", "turn_id"]

"""Further chains of the guide's family, made of the same operations by tables of their own."""

from callagain.chains.function_routing import FUNCTION_ROUTING

__all__ = ["FUNCTION_ROUTING"]

"""Orders Assistant, ported from Jitterbit. README.md says how to run it."""

from orders_assistant.chain import CHAIN, ask, make_loop
from orders_assistant.project import PROJECT

__all__ = ["CHAIN", "PROJECT", "ask", "make_loop"]

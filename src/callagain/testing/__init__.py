"""The stand-in endpoint: an LLM endpoint on the loopback interface that answers from a script.

It needs no key, no network and no model, and it refuses what a real API refuses.
"""

from callagain.testing.answers import Answer, AnyAnswer, Call, ModelAnswer, call, calls, says
from callagain.testing.refusal import Refusal
from callagain.testing.refusals import refuse
from callagain.testing.rules import Rule, Turn
from callagain.testing.script import Answers, Rules, Script
from callagain.testing.script_file import load_script
from callagain.testing.stand_in import ReceivedRequest, StandIn, serve

__all__ = [
    "Answer",
    "Answers",
    "AnyAnswer",
    "Call",
    "ModelAnswer",
    "ReceivedRequest",
    "Refusal",
    "Rule",
    "Rules",
    "Script",
    "StandIn",
    "Turn",
    "call",
    "calls",
    "load_script",
    "refuse",
    "says",
    "serve",
]

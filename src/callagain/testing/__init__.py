"""For tests: the stand-in endpoint, trajectories of tool calls, and the coverage of a chain's links.

The stand-in is an LLM endpoint on the loopback interface that answers from a script. It speaks Chat
Completions and the Responses API, streamed or not. It needs no key, no network and no model, and it refuses
what a real API refuses.
"""

from callagain.testing.answers import (
    Answer,
    AnyAnswer,
    Call,
    Faulty,
    ModelAnswer,
    call,
    calls,
    faulty,
    says,
)
from callagain.testing.clock import SkippingClock
from callagain.testing.refusal import Refusal
from callagain.testing.refusals import refuse
from callagain.testing.responses_refusals import refuse_responses
from callagain.testing.rules import Rule, Turn
from callagain.testing.script import Answers, Rules, Script
from callagain.testing.script_file import load_script
from callagain.testing.stand_in import ReceivedRequest, StandIn, serve
from callagain.testing.trajectory_assertions import assert_trajectory, called, trajectory
from callagain.testing.trajectory_expected import ExpectedCall
from callagain.testing.transition_coverage import TransitionCoverage
from callagain.testing.transition_coverage_report import ChainCoverage

__all__ = [
    "Answer",
    "Answers",
    "AnyAnswer",
    "Call",
    "ChainCoverage",
    "ExpectedCall",
    "Faulty",
    "ModelAnswer",
    "ReceivedRequest",
    "Refusal",
    "Rule",
    "Rules",
    "Script",
    "SkippingClock",
    "StandIn",
    "TransitionCoverage",
    "Turn",
    "assert_trajectory",
    "call",
    "called",
    "calls",
    "faulty",
    "load_script",
    "refuse",
    "refuse_responses",
    "says",
    "serve",
    "trajectory",
]

"""Scenarios: runs against the stand-in endpoint, each of which shows one thing about the loop.

`callagain demo` plays them. One file has one scenario, with its question, its tools, and the answers of the
stand-in; `scenario` says what a scenario is, and `playing` how it is played.
"""

from collections.abc import Sequence
from difflib import get_close_matches

from callagain.engine.errors import ConfigurationError
from callagain.scenarios.approval import APPROVAL
from callagain.scenarios.crash_and_resume import CRASH_AND_RESUME
from callagain.scenarios.limit import LIMIT
from callagain.scenarios.no_tool import NO_TOOL
from callagain.scenarios.parallel_calls import PARALLEL_CALLS
from callagain.scenarios.playing import play, verified
from callagain.scenarios.scenario import Play, Scenario, Watcher
from callagain.scenarios.tool_error import TOOL_ERROR
from callagain.scenarios.two_tools import TWO_TOOLS
from callagain.scenarios.wrong_id import WRONG_ID

__all__ = ["SCENARIOS", "Play", "Scenario", "Watcher", "play", "scenario_named", "verified"]

# In the order in which they are best looked at; the first one is the default.
SCENARIOS: Sequence[Scenario] = (
    TWO_TOOLS,
    NO_TOOL,
    PARALLEL_CALLS,
    TOOL_ERROR,
    LIMIT,
    WRONG_ID,
    APPROVAL,
    CRASH_AND_RESUME,
)


def scenario_named(name: str) -> Scenario:
    """The scenario of this name. Raises ConfigurationError, with the names, if there is none."""
    by_name = {scenario.name: scenario for scenario in SCENARIOS}
    if name in by_name:
        return by_name[name]
    close = get_close_matches(name.lower(), by_name, n=1)
    nearest = f"the nearest is {close[0]}; " if close else ""
    raise ConfigurationError(f"there is no scenario {name!r}; {nearest}there are {', '.join(by_name)}")

"""How a scenario is played: by a loop against a stand-in of its own, one operation after the other."""

from collections.abc import Generator
from contextlib import contextmanager
from typing import Any

from callagain.approval import Approver
from callagain.live_run import LiveRun
from callagain.loop import ToolLoop
from callagain.result import Result
from callagain.scenarios.scenario import Scenario, Watcher
from callagain.testing import StandIn
from callagain.verify import Check, verify_no_call, verify_one_call, verify_two_calls

# The points of the guide's Verify list that need another message than one for exactly one tool call.
_VERIFY = {3: verify_two_calls, 4: verify_no_call}


def play(scenario: Scenario, watcher: Watcher, approver: Approver | None = None) -> Result:
    """Plays it, and gives what the run came to.

    approver: who is asked about calls that wait for approval; without one the run is suspended there.
    """
    return (scenario.played_by or in_one_run)(scenario, watcher, approver)


def in_one_run(scenario: Scenario, watcher: Watcher, approver: Approver | None) -> Result:
    """One loop, one run: how most scenarios are played."""
    with (
        StandIn(scenario.answers) as stand_in,
        loop_at(stand_in.base_url, scenario, approver=approver) as loop,
    ):
        return to_its_outcome(loop, loop.start(scenario.question), watcher)


def to_its_outcome(loop: ToolLoop, live: LiveRun, watcher: Watcher) -> Result:
    """Drives a run, and shows each operation when it has ended."""
    while (step := live.step()) is not None:
        watcher.show(loop.chain, step)
    assert live.result is not None
    return live.result


@contextmanager
def loop_at(base_url: str, scenario: Scenario, **more: Any) -> Generator[ToolLoop, None, None]:
    """The loop of a scenario, for as long as it is needed. more: options beside those of the scenario."""
    import httpx2
    from openai import OpenAI

    # The environment may name a proxy, which could not reach this machine's loopback interface.
    http_client = httpx2.Client(trust_env=False)
    with OpenAI(base_url=base_url, api_key="no-key", http_client=http_client) as client:
        yield ToolLoop(
            model="stand-in",
            client=client,
            tools=scenario.tools,
            system_prompt=scenario.system_prompt,
            **scenario.options,
            **more,
        )


def verified(scenario: Scenario) -> list[Check]:
    """What `callagain verify` says at the point of the guide's list that the scenario is about.

    The question is asked once more for it. Empty if no point is about the scenario.
    """
    if scenario.point is None:
        return []
    verify = _VERIFY.get(scenario.point, verify_one_call)
    with StandIn(scenario.answers) as stand_in, loop_at(stand_in.base_url, scenario) as loop:
        return [check for check in verify(loop, scenario.question) if check.point == scenario.point]

"""A loop in other processes, as docs/embedding.md says."""

import asyncio
import multiprocessing
import pickle
from multiprocessing.queues import Queue
from pathlib import Path

import pytest

from callagain import ToolLoop, open_journal, tool
from callagain.testing import Rule, calls, says
from callagain.testing.plugin import StartStandIn

FORK = multiprocessing.get_context("fork")
SENDS = Rule(
    asked=r"order (?P<order_id>\d+)",
    then=[calls(("send_invoice", {"order_id": "{order_id}"})), says("{order_id} is sent.")],
)


@tool
async def send_invoice(order_id: str) -> str:
    """Send the invoice of an order."""
    await asyncio.sleep(0)
    return order_id


@pytest.fixture
def loop(stand_in: StartStandIn, tmp_path: Path) -> ToolLoop:
    return ToolLoop(
        model="m",
        base_url=stand_in([SENDS]).base_url,
        api_key="any",
        tools=[send_invoice],
        journal=tmp_path / "runs.db",
    )


def asked(loop: ToolLoop, answers: "Queue[list[str | None]]", number: int) -> None:
    """In a child: by either driver."""
    first = loop.run(f"order {number}")
    second = asyncio.run(loop.arun(f"order {number + 1}"))
    answers.put([first.final_response, second.final_response])


@pytest.mark.filterwarnings("ignore:.*use of fork.*:DeprecationWarning")
def test_a_loop_in_use_goes_on_in_the_forks_and_in_the_parent(loop: ToolLoop, tmp_path: Path) -> None:
    async def meanwhile() -> list[str | None]:
        """Runs are under way in the parent while it forks."""
        running = [asyncio.create_task(loop.arun(f"order {number}")) for number in range(10, 20)]
        await asyncio.sleep(0.02)
        for child in children:
            child.start()
        return [(await each).final_response for each in running]

    answers: Queue[list[str | None]] = FORK.Queue()
    children = [FORK.Process(target=asked, args=(loop, answers, number)) for number in (1, 3)]
    assert loop.run("order 9").final_response == "9 is sent."
    assert asyncio.run(meanwhile()) == [f"{number} is sent." for number in range(10, 20)]
    told = sorted(str(answer) for _ in children for answer in answers.get(timeout=20))
    assert told == [f"{number} is sent." for number in (1, 2, 3, 4)]
    for child in children:
        child.join(20)
        assert child.exitcode == 0
    runs = open_journal(tmp_path / "runs.db").list()
    assert [run.status for run in runs] == ["completed"] * 15


def test_a_loop_that_is_sent_to_a_spawned_process_says_what_to_do(loop: ToolLoop) -> None:
    with pytest.raises(
        TypeError, match="^a ToolLoop cannot be pickled .*make it in the process that uses it$"
    ):
        pickle.dumps(loop.run)

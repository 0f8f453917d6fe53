"""A crash and resume: a process is killed in the middle of a run, and this one takes the run up.

The first half runs in a process of its own, which is killed from here, by SIGKILL, in the middle of a tool
call. All that it leaves behind is the journal, and what its tools did.
"""

import os
import subprocess
import sys
import tempfile
from collections.abc import Callable
from contextlib import closing
from dataclasses import replace
from pathlib import Path

import callagain
from callagain import Result, Tool, ToolContext, open_journal, tool
from callagain.approval import Approver
from callagain.engine.errors import ConfigurationError
from callagain.scenarios.ending import ended_by_signals
from callagain.scenarios.playing import loop_at, to_its_outcome
from callagain.scenarios.scenario import Scenario, Watcher
from callagain.testing import Rule, StandIn, calls

RUN_ID = "order-481516"

# Where callagain is not installed, the other process finds it on the path that this one found it on.
_OTHER_PROCESS = """\
import sys
sys.path.append(sys.argv[1])
from callagain.scenarios.crash_and_resume import first_half
first_half(*sys.argv[2:])"""


class Shop:
    """Does what the tools do, and keeps a line in `done.txt` of each thing that happens.

    pause: what a call of mail_receipt does in its middle.
    """

    def __init__(self, folder: Path, pause: Callable[[], object] = lambda: None) -> None:
        self._done = folder / "done.txt"
        self._pause = pause

    @property
    def tools(self) -> list[Tool]:
        return [tool(self.charge_card), tool(idempotent=True)(self.mail_receipt)]

    def charge_card(self, order_id: str, dollars: int) -> dict[str, object]:
        """Charge the customer's card for an order, in whole US dollars. Not for refunds."""
        self._write(f"charge_card charged {dollars} dollars for order {order_id}")
        return {"charge_id": "ch_23", "dollars": dollars}

    def mail_receipt(self, charge_id: str, context: ToolContext) -> str:
        """Mail the customer a receipt, by the id of the charge, as in ch_23."""
        self._write(f"mail_receipt began, with the key {context.idempotency_key}")
        self._pause()
        self._write(f"mail_receipt mailed the receipt of {charge_id}")
        return "mailed"

    def _write(self, what: str) -> None:
        with self._done.open("a", encoding="utf-8") as file:
            file.write(f"process {os.getpid()}: {what}\n")

    @property
    def done(self) -> str:
        return self._done.read_text("utf-8").rstrip()


def play(scenario: Scenario, watcher: Watcher, _: Approver | None) -> Result:
    with ended_by_signals(), tempfile.TemporaryDirectory(prefix="callagain-") as folder:
        return play_in(Path(folder), scenario, watcher)


def play_in(folder: Path, scenario: Scenario, watcher: Watcher) -> Result:
    """folder: for the journal, and for what the tools did."""
    shop = Shop(folder)
    with StandIn(scenario.answers) as stand_in:
        _play_first_half(folder, stand_in.base_url, watcher)
        with (
            closing(open_journal(folder / "runs.db")) as journal,
            loop_at(stand_in.base_url, replace(scenario, tools=shop.tools), journal=journal) as loop,
        ):
            live = loop.reopen(RUN_ID)
            for step in live.trace:
                watcher.show(loop.chain, step)
            watcher.note(f"Process {os.getpid()} takes the run up from there:")
            result = to_its_outcome(loop, live, watcher)
    watcher.note(f"What the tools did:\n{shop.done}")
    return result


def _play_first_half(folder: Path, base_url: str, watcher: Watcher) -> None:
    """In a process of its own, which is killed as soon as it is in the middle of mail_receipt."""
    home = Path(callagain.__file__).parents[1]
    process = subprocess.Popen(
        [sys.executable, "-P", "-c", _OTHER_PROCESS, home, folder, base_url],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        encoding="utf-8",
        # Ctrl-C is for this process, which ends that one.
        start_new_session=True,
    )
    assert process.stdout is not None
    try:
        watcher.note(f"Process {process.pid} begins the run, and keeps it in a journal.")
        is_in_the_middle = process.stdout.readline() != ""
    finally:
        process.kill()
        _, errors = process.communicate()
    if not is_in_the_middle:
        last_line = errors.strip().rpartition("\n")[2] or f"exit code {process.returncode}"
        raise ConfigurationError(f"the process that was to be killed ended before: {last_line}; try it again")
    watcher.note(
        f"Process {process.pid} was killed by SIGKILL, in the middle of mail_receipt. The journal has these "
        "operations of it:"
    )


def first_half(folder: str, base_url: str) -> None:
    """What the other process does. It does not come to its end."""
    shop = Shop(Path(folder), pause=_wait_to_be_killed)
    scenario = replace(CRASH_AND_RESUME, tools=shop.tools)
    with loop_at(base_url, scenario, journal=Path(folder, "runs.db")) as loop:
        loop.run(scenario.question, run_id=RUN_ID)


def _wait_to_be_killed() -> None:
    print("in the middle", flush=True)
    # The pipe ends with the process that holds its other end, should that one be killed first.
    sys.stdin.read()


CRASH_AND_RESUME = Scenario(
    name="crash-and-resume",
    title="A crash and resume",
    shows="A process is killed in the middle of a run. Another one takes the run up from the journal.",
    look_at="the calls: what the first process has done, the second one does not do again.",
    saw="The card was charged once: the result of charge_card was in the journal, so it was not called "
    "again. Of mail_receipt nobody knew what it had done; it is idempotent, so it was called again, with the "
    "same key. About a tool that is not, somebody would have been asked.",
    parts=("Part 3", "Part 5"),
    lesson="6-control-the-loop.md",
    page="journal.md",
    question="Charge 40 dollars for order 481516, and mail the receipt.",
    tools=[],
    answers=[
        Rule(
            asked=r"charge (?P<dollars>\d+) dollars for order (?P<order_id>\d+)",
            then=[
                calls(("charge_card", {"order_id": "{order_id}", "dollars": "{dollars:number}"})),
                calls(("mail_receipt", {"charge_id": "{result.charge_id}"})),
                "Order {order_id} is paid, and the receipt is {result}.",
            ],
        )
    ],
    played_by=play,
)

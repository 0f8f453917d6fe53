"""Tasks of Luigi: an answer is a target, and a run is called as its task is.

    PYTHONPATH=. LUIGI_CONFIG_PATH=luigi.cfg luigi --module pipeline Report --folder out --orders '["481516"]'

A task that failed makes the command end with 30. The next start tries it once more, and its run goes on where
it stands.
"""

# Luigi tells types to its own plugin of mypy alone: what a parameter is, and what its functions take.
# mypy: disable-error-code="assignment, no-untyped-call"
# pyright: basic, reportAssignmentType=false

import logging
import os
from functools import cache
from pathlib import Path

import luigi

from callagain import ToolLoop, run_once, tool

LOGGER = logging.getLogger("pipeline")


@tool
def send_reminder(order_id: str) -> str:
    """Remind the customer of an order that it is not paid.

    Args:
        order_id: six digits, such as 481516
    """
    LOGGER.info("a reminder of %s is sent", order_id)
    return "sent"


# By this name `callagain runs resume --tools pipeline.py` finds them.
TOOLS = [send_reminder]


@cache
def loop(journal: Path) -> ToolLoop:
    """One for all tasks. With several workers Luigi forks a process for each task, which a loop survives."""
    return ToolLoop(
        model=os.environ.get("OPENAI_MODEL", "gpt-4o"),
        tools=TOOLS,
        journal=journal,
        deadline=600,
        request_options={"temperature": 0.2},
    )


class Reminder(luigi.Task):
    """A customer is reminded, in the model's own words."""

    folder: str = luigi.Parameter()
    order_id: str = luigi.Parameter()

    def output(self) -> luigi.LocalTarget:
        return luigi.LocalTarget(Path(self.folder) / f"{self.order_id}.txt")

    def run(self) -> None:
        self.output().makedirs()
        result = run_once(
            loop(Path(self.folder) / "runs.db"),
            f"Remind the customer of order {self.order_id}.",
            # Luigi's name of the task: its class and its parameters, and so the same for each attempt.
            run_id=self.task_id,
        )
        # An exception is how Luigi is told that a task has failed, or waits for somebody.
        result.raise_for_outcome()
        # Whole, or not there: Luigi writes to another file, and gives it its name at the end.
        with self.output().open("w") as file:
            file.write(str(result.final_response))


class Report(luigi.Task):
    """All reminders in one file."""

    folder: str = luigi.Parameter()
    orders: tuple[str, ...] = luigi.ListParameter()

    def requires(self) -> list[Reminder]:
        return [Reminder(folder=self.folder, order_id=order_id) for order_id in self.orders]

    def output(self) -> luigi.LocalTarget:
        return luigi.LocalTarget(Path(self.folder) / "report.txt")

    def run(self) -> None:
        with self.output().open("w") as file:
            for reminder in self.requires():
                text = Path(reminder.output().path).read_text("utf-8")
                file.write(f"{reminder.order_id}: {text}\n")

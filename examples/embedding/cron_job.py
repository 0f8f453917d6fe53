"""A job for cron: answers the letters of a folder, a run for each.

    */15 * * * *  cd /srv/letters && /srv/venv/bin/python cron_job.py inbox outbox 2>> job.log

The answer to `inbox/ada.txt` is `outbox/ada.txt`. The run is called as the letter is, so what one job has
left, because it was ended or the endpoint was away, the next one goes on with; no tool runs twice.

Exit codes: 0 all letters are answered; 1 a run failed; 3 a run reached a limit; 4 a run waits for a decision;
75 another job is still at work; 143 ended by SIGTERM, and 130 by Ctrl-C.
"""

import argparse
import fcntl
import logging
import os
import signal
import sys
from collections.abc import Generator
from contextlib import contextmanager
from pathlib import Path
from types import FrameType

from callagain import ToolLoop, run_once, tool

LOGGER = logging.getLogger("cron_job")
EXIT_CODES = {"completed": 0, "failed": 1, "limit": 3, "suspended": 4}
ALREADY_AT_WORK = 75


@tool
def send_invoice(order_id: str) -> str:
    """Send the invoice of an order once more.

    Args:
        order_id: six digits, such as 481516
    """
    LOGGER.info("the invoice of %s is sent", order_id)
    return "sent"


# By this name `callagain runs resume --tools cron_job.py` finds them.
TOOLS = [send_invoice]


def answer_letters(inbox: Path, outbox: Path) -> int:
    """The exit code: of the letter that went worst."""
    loop = ToolLoop(
        model=os.environ.get("OPENAI_MODEL", "gpt-4o"),
        tools=TOOLS,
        journal=outbox / "runs.db",
        # A job has nobody who waits for it, and is to be done before the next one.
        deadline=600,
        request_options={"temperature": 0.2},
    )
    worst = 0
    for letter in sorted(inbox.glob("*.txt")):
        answer = outbox / letter.name
        if answer.exists():
            continue
        result = run_once(loop, letter.read_text("utf-8"), run_id=letter.stem)
        if result.outcome == "completed":
            write_whole(answer, str(result.final_response))
        else:
            LOGGER.error("%s: %s, %s", letter.name, result.outcome, result.error and result.error.message)
        worst = max(worst, EXIT_CODES[result.outcome])
    return worst


def write_whole(file: Path, text: str) -> None:
    """The file is there with all of the text, or it is not there."""
    part = file.with_suffix(".part")
    part.write_text(text, "utf-8")
    part.replace(file)


@contextmanager
def alone(folder: Path) -> Generator[bool, None, None]:
    """Whether this job is the only one; the lock ends with the process, however that ends."""
    with (folder / "job.lock").open("w") as lock:
        try:
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            yield False
        else:
            yield True


def end(number: int, _: FrameType | None) -> None:
    """SIGTERM, as a shutdown sends it, leaves the run as Ctrl-C does: in the journal, where it stands."""
    raise SystemExit(128 + number)


def main(arguments: list[str] | None = None) -> int:
    parser = argparse.ArgumentParser(description="Answers the letters of a folder.")
    parser.add_argument("inbox", type=Path)
    parser.add_argument("outbox", type=Path)
    chosen = parser.parse_args(arguments)
    # To stderr. The operation log of every run is there too, each line with its run_id.
    logging.basicConfig(level=logging.INFO, format="%(asctime)s %(levelname)s %(name)s %(message)s")
    signal.signal(signal.SIGTERM, end)
    chosen.outbox.mkdir(parents=True, exist_ok=True)
    with alone(chosen.outbox) as is_alone:
        if not is_alone:
            LOGGER.warning("another job is still at work")
            return ALREADY_AT_WORK
        return answer_letters(chosen.inbox, chosen.outbox)


if __name__ == "__main__":
    sys.exit(main())

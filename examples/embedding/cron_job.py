"""A job for cron: answers the letters of a folder, a run for each.

    */15 * * * *  cd /srv/letters && /srv/venv/bin/python cron_job.py inbox outbox 2>> job.log

The answer to `inbox/ada.txt` is `outbox/ada.txt`. The run is called as the letter is, so what one job has
left, because it was ended or the endpoint was away, the next one goes on with; no tool runs twice.

Exit codes: 0 all letters are answered; 1 a letter has failed; 2 nothing could begin, as without a key;
3 a run reached a limit; 4 a run waits for a decision; 75 another job is still at work; 143 ended by SIGTERM,
and 130 by Ctrl-C.
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

from callagain import CallAgainError, JournalFile, ToolLoop, open_journal, run_once, tool

LOGGER = logging.getLogger("cron_job")
# The next job may have more luck with these; any other failure stays until somebody has mended its cause.
WORTH_ANOTHER_ATTEMPT = ("rate_limited", "provider_unavailable", "stream_interrupted")
EXIT_CODES = {"completed": 0, "failed": 1, "limit": 3, "suspended": 4}
UNUSABLE = 2
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
    journal = open_journal(outbox / "runs.db")
    loop = ToolLoop(
        model=os.environ.get("OPENAI_MODEL", "gpt-4o"),
        tools=TOOLS,
        journal=journal,
        # A job has nobody who waits for it, and is to be done before the next one.
        deadline=600,
        request_options={"temperature": 0.2},
    )
    worst = 0
    for letter in sorted(inbox.glob("*.txt")):
        if not letter.is_file() or (outbox / letter.name).exists():
            continue
        try:
            outcome = "failed" if is_given_up(journal, letter) else answer_letter(loop, letter, outbox)
        except (CallAgainError, OSError, UnicodeError) as error:
            # Of this letter alone, which was changed or cannot be read; the others have their turn.
            LOGGER.error("%s: %s", letter.name, error)
            outcome = "failed"
        worst = max(worst, EXIT_CODES[outcome])
    return worst


def is_given_up(journal: JournalFile, letter: Path) -> bool:
    """Whether an earlier job has failed at the letter in a way that does not pass by itself."""
    if not journal.has(letter.stem):
        return False
    run = journal.written(letter.stem)
    if run.status != "failed" or run.kind in WORTH_ANOTHER_ATTEMPT:
        return False
    LOGGER.error("%s: not tried again after %s; when that is mended, resume the run", letter.name, run.kind)
    return True


def answer_letter(loop: ToolLoop, letter: Path, outbox: Path) -> str:
    """The outcome of its run; the answer is in the outbox if there is one."""
    result = run_once(loop, letter.read_text("utf-8"), run_id=letter.stem)
    if result.error is None:
        write_whole(outbox / letter.name, str(result.final_response))
    else:
        LOGGER.error("%s: %s, %s", letter.name, result.outcome, result.error.message)
    return result.outcome


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
    if not chosen.inbox.is_dir():
        LOGGER.error("there is no folder %s; name the folder that the letters are in", chosen.inbox)
        return UNUSABLE
    try:
        chosen.outbox.mkdir(parents=True, exist_ok=True)
        with alone(chosen.outbox) as is_alone:
            if not is_alone:
                LOGGER.warning("another job is still at work")
                return ALREADY_AT_WORK
            return answer_letters(chosen.inbox, chosen.outbox)
    except (CallAgainError, OSError) as error:
        LOGGER.error("%s", error)
        return UNUSABLE


if __name__ == "__main__":
    sys.exit(main())

"""`callagain worker`: runs of a loop that were enqueued in PostgreSQL."""

import argparse
import os
import signal
from typing import TYPE_CHECKING

from callagain.cli.exit_codes import ExitCode, environment
from callagain.cli.loop_file import load_loop
from callagain.cli.option_types import at_least_one, seconds, seconds_of_grace
from callagain.cli.parser import AddParser, Parser, add_command
from callagain.cli.terminal import complain, note
from callagain.engine.errors import ConfigurationError, DatabaseError

if TYPE_CHECKING:
    from callagain.durable import DurableWorker

DATABASE_VARIABLE = "CALLAGAIN_DATABASE"

EXAMPLES = """\
examples:
  callagain worker orders.py --executor-id "$HOSTNAME-1"
  callagain worker shop.orders:loop --executor-id w2 --worker-concurrency 4
  callagain worker orders.py --executor-id w3 --queue night --rate 100/60

The loop is the ToolLoop named `loop` of the file or module, or the one behind
the colon. A program enqueues runs by DurableToolLoop, with the same loop
(docs/durable.md). Each worker needs an executor id of its own, and keeps it
when it starts again. Ctrl-C and SIGTERM end it: it takes no more runs, waits
for those under way, and gives the rest to other workers; a second one ends it
at once, as a crash does."""

EXIT_CODES = """\
exit codes:
  0    ended by Ctrl-C or SIGTERM
  1    the database cannot be used, or another worker has taken the executor id
  2    misuse: wrong options, a loop that cannot be made, an executor id that a
       living worker has
  130  ended at once by a second Ctrl-C or SIGTERM"""


def add_to(add_parser: AddParser) -> None:
    parser = add_command(
        add_parser,
        "worker",
        execute,
        usage="worker LOOP --executor-id ID [options]",
        description="Run what was enqueued for a loop, together with other workers; pip install\n"
        "'callagain[dbos]' makes it work.",
        epilog="\n\n".join([EXAMPLES, environment(DATABASE_VARIABLE, "OPENAI_API_KEY"), EXIT_CODES]),
    )
    parser.add_argument("loop", metavar="LOOP", help="FILE.py:NAME or package.module:NAME")
    parser.add_argument("--executor-id", metavar="ID", required=True, help="the name of this worker alone")
    parser.add_argument(
        "--database",
        metavar="URL",
        help=f"postgresql://user@host:5432/name (default: ${DATABASE_VARIABLE}, which no list of processes "
        "shows: the place for a password)",
    )
    _add_queue_options(parser)
    _add_time_options(parser)


def _add_queue_options(parser: Parser) -> None:
    parser.add_argument("--queue", metavar="NAME", default="callagain", help="(default: callagain)")
    parser.add_argument(
        "--worker-concurrency",
        metavar="N",
        type=at_least_one,
        help="in this worker (default: 8, or fewer if all have fewer)",
    )
    parser.add_argument("--concurrency", metavar="N", type=at_least_one, help="in all workers of the queue")
    parser.add_argument(
        "--rate", metavar="N/SECONDS", type=_rate, help="at most N runs begin in SECONDS, in all workers"
    )
    parser.add_argument(
        "--max-crashes",
        metavar="N",
        type=at_least_one,
        default=3,
        help="a run that ends its worker N times in the same place is set aside (default: 3)",
    )


def _add_time_options(parser: Parser) -> None:
    parser.add_argument(
        "--dead-after",
        metavar="SECONDS",
        type=seconds,
        default=10.0,
        help="a worker that is silent for so long is dead; the same for all workers (default: 10)",
    )
    parser.add_argument(
        "--beat", metavar="SECONDS", type=seconds, default=2.0, help="between its own signs (default: 2)"
    )
    parser.add_argument(
        "--poll",
        metavar="SECONDS",
        type=seconds,
        default=0.5,
        help="how often it looks for new runs (default: 0.5)",
    )
    parser.add_argument(
        "--grace",
        metavar="SECONDS",
        type=seconds_of_grace,
        default=10.0,
        help="how long it waits for the runs under way when it is ended (default: 10)",
    )


def execute(arguments: argparse.Namespace) -> int:
    url = arguments.database or os.environ.get(DATABASE_VARIABLE)
    if not url:
        raise ConfigurationError(f"no database: set {DATABASE_VARIABLE}, or give --database URL")
    loop = load_loop(arguments.loop)
    from callagain.durable import DurableWorker

    worker = DurableWorker(
        loop,
        url,
        arguments.executor_id,
        queue=arguments.queue,
        concurrency=arguments.concurrency,
        worker_concurrency=arguments.worker_concurrency,
        rate=arguments.rate,
        max_crashes=arguments.max_crashes,
        beat_seconds=arguments.beat,
        dead_after=arguments.dead_after,
        poll_seconds=arguments.poll,
        tell=_tell,
    )
    try:
        worker.start()
    except DatabaseError as error:
        complain(f"error: {error}")
        return ExitCode.FAILED
    _tell(
        f"worker {arguments.executor_id!r} runs what is in the queue {arguments.queue!r} of "
        f"{worker.database.name}; Ctrl-C ends it"
    )
    _wait(worker)
    _tell(f"ending; waiting up to {arguments.grace:g} s for the runs under way")
    code = ExitCode.FAILED if worker.is_lost else ExitCode.COMPLETED
    try:
        worker.stop(arguments.grace)
    except KeyboardInterrupt:
        _tell("ended at once; other workers take its runs over")
        code = ExitCode.INTERRUPTED
    # The end of the interpreter would wait for threads that wait for the database, or for a tool.
    os._exit(code)


def _wait(worker: "DurableWorker") -> None:
    """Until the first signal; a second one, of either kind, is an interruption."""

    def end(_number: int, _frame: object) -> None:
        for each in (signal.SIGINT, signal.SIGTERM):
            signal.signal(each, signal.default_int_handler)
        worker.end()

    for each in (signal.SIGINT, signal.SIGTERM):
        signal.signal(each, end)
    worker.wait()


def _tell(sentence: str) -> None:
    note(f"callagain: {sentence}")


def _rate(text: str) -> tuple[int, float]:
    runs, slash, period = text.partition("/")
    if not slash:
        raise argparse.ArgumentTypeError(f"must be N/SECONDS, as in 100/60, not {text!r}")
    return at_least_one(runs), seconds(period)

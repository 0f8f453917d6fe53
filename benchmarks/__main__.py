"""Measures what runs cost: `make bench` and `make bench-quick` set up what this needs."""

import argparse
import sys

from benchmarks.machine import machine
from benchmarks.places import SCRATCH
from benchmarks.results import Results
from benchmarks.roster import PEERS, QUICK
from benchmarks.session import Session, say
from benchmarks.tables import everything
from benchmarks.works import ONE_AFTER_THE_OTHER, WORKS

QUICK_WORKS = [work.name for work in ONE_AFTER_THE_OTHER]
QUICK_PEERS = [peer.name for peer in QUICK]


def main() -> int:
    options = _parser().parse_args()
    peers = options.peers or (QUICK_PEERS if options.quick else list(PEERS))
    works = options.works or (QUICK_WORKS if options.quick else list(WORKS))
    session = Session(Results(machine()), peers, options.repeats)
    try:
        session.set_up()
        session.measure_imports()
        session.measure_engine()
        session.measure([WORKS[name] for name in works])
    except KeyboardInterrupt:
        say("interrupted; the results of earlier sessions are as they were")
        return 130
    file = SCRATCH / "results.json"
    session.results.write(file)
    say(f"written to {file}")
    print(everything(session.results))
    return 0


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="python -m benchmarks", description=__doc__)
    parser.add_argument(
        "--quick",
        action="store_true",
        help="callagain, the plain SDK and the floor, in about two minutes",
    )
    parser.add_argument(
        "--repeats", type=int, default=5, metavar="N", help="turns of each peer; default: %(default)s"
    )
    parser.add_argument("--peers", nargs="+", choices=PEERS, metavar="PEER", help=", ".join(PEERS))
    parser.add_argument("--works", nargs="+", choices=WORKS, metavar="WORK", help=", ".join(WORKS))
    return parser


if __name__ == "__main__":
    sys.exit(main())

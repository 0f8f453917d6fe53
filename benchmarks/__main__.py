"""Measures what runs cost: `make bench` and `make bench-quick` set up what this needs.

A session of all peers and works is kept in benchmarks/results.json, and docs/performance.md is written from
it. Others print their tables.
"""

import argparse
import sys
from pathlib import Path

from benchmarks.machine import load, machine
from benchmarks.places import PAGE, RESULTS, SCRATCH
from benchmarks.results import Results
from benchmarks.roster import PEERS, QUICK
from benchmarks.session import Session, say
from benchmarks.tables import everything
from benchmarks.works import ONE_AFTER_THE_OTHER, WORKS

QUICK_WORKS = [work.name for work in ONE_AFTER_THE_OTHER]
QUICK_PEERS = [peer.name for peer in QUICK]


def main() -> int:
    options = _parser().parse_args()
    is_whole = options.report or not (options.quick or options.peers or options.works)
    file = options.results or SCRATCH / ("results.json" if is_whole else "partial.json")
    return _report(file) if options.report else _measure(options, file, is_whole=is_whole)


def _measure(options: argparse.Namespace, file: Path, *, is_whole: bool) -> int:
    peers = options.peers or (QUICK_PEERS if options.quick else list(PEERS))
    works = options.works or (QUICK_WORKS if options.quick else list(WORKS))
    session = Session(Results(machine()), peers, options.repeats)
    try:
        session.set_up()
        session.measure_imports()
        session.measure_engine()
        session.measure([WORKS[name] for name in works])
    except KeyboardInterrupt:
        say(f"interrupted; {file} is as it was")
        return 130
    session.results.machine["load at the end"] = load()
    session.results.write(file)
    say(f"written to {file}")
    print(everything(session.results))
    return _report(file) if is_whole else 0


def _report(file: Path) -> int:
    # What only measures needs no matplotlib.
    try:
        from benchmarks.report import write_page
    except ModuleNotFoundError as error:
        say(f"no page without {error.name}: pip install 'callagain[bench]', or make bench")
        return 2
    if file.exists():
        results = Results.read(file)
        if missing := WORKS.keys() - {sample.work for sample in results.samples}:
            say(f"{file} is no whole session: {', '.join(sorted(missing))} are missing; run make bench")
            return 2
        results.write(RESULTS)
    if not RESULTS.exists():
        say(f"nothing to report: neither {file} nor {RESULTS} is there; measure first")
        return 2
    write_page(Results.read(RESULTS))
    say(f"written to {PAGE}")
    return 0


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="python -m benchmarks", description=__doc__)
    parser.add_argument(
        "--quick",
        action="store_true",
        help="callagain, the plain SDK and the floor, in about two minutes",
    )
    parser.add_argument(
        "--repeats",
        type=int,
        default=5,
        metavar="N",
        help="turns of each peer; what takes long has 3 at the most, or 1; default: %(default)s",
    )
    parser.add_argument("--peers", nargs="+", choices=PEERS, metavar="PEER", help=", ".join(PEERS))
    parser.add_argument("--works", nargs="+", choices=WORKS, metavar="WORK", help=", ".join(WORKS))
    parser.add_argument(
        "--results", type=Path, metavar="FILE", help="of what was measured; default: in build/bench"
    )
    parser.add_argument(
        "--report",
        action="store_true",
        help="measure nothing: keep the last results, and write docs/performance.md from them",
    )
    return parser


if __name__ == "__main__":
    sys.exit(main())

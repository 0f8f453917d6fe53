"""Kills as many workers as are wanted: `python -m tests.journal.soak --kills 5000`.

Ends with status 0 if no run was lost and nothing happened twice; otherwise the exception says what did.
"""

import argparse
import random
import tempfile
import time
from pathlib import Path

from tests.journal.orders import Model, Orders
from tests.journal.storm import Storm

from callagain.testing import StandIn

# A file with too many runs in it would take longer and longer to look through.
_KILLS_PER_FILE = 250


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m tests.journal.soak", description=__doc__)
    parser.add_argument("--kills", type=int, default=2000, metavar="N", help="how many; default: %(default)s")
    parser.add_argument("--seed", type=int, default=random.randrange(10**6), help="of the times to kill at")
    arguments = parser.parse_args()
    began, kills, runs = time.monotonic(), 0, 0
    print(f"seed {arguments.seed}")
    while kills < arguments.kills:
        with tempfile.TemporaryDirectory() as folder, StandIn(Model()) as server:
            storm = Storm(Orders(server, Path(folder)), Path(folder) / "runs.db", arguments.seed + kills)
            storm.rage(min(_KILLS_PER_FILE, arguments.kills - kills))
            runs += storm.settle()
            kills += storm.kills
        print(f"{kills} kills, {runs} runs, {time.monotonic() - began:.0f} s", flush=True)


if __name__ == "__main__":
    main()

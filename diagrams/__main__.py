"""Draws the files of the project's own chains anew: python -m callagain.diagrams [--check] [FOLDER]."""

import argparse
import sys
from collections.abc import Sequence
from pathlib import Path

from callagain.chains import FUNCTION_ROUTING, MULTI_TURN_CHAT, PROMPT_ROUTING, RETRY_CONTROLLER
from callagain.diagrams.drawn_files import stale_files, write_files
from callagain.operations import TOOL_CALLING_LOOP

CHAINS = (TOOL_CALLING_LOOP, FUNCTION_ROUTING, PROMPT_ROUTING, RETRY_CONTROLLER, MULTI_TURN_CHAT)
FOLDER = Path(__file__).resolve().parent


def main(arguments: Sequence[str] | None = None) -> int:
    """Returns the exit status: 1 if a file is stale and was only to be checked."""
    parser = argparse.ArgumentParser(
        prog="python -m callagain.diagrams",
        description=f"Draw the diagrams of the chains {', '.join(chain.name for chain in CHAINS)}.",
    )
    parser.add_argument("--check", action="store_true", help="write nothing; fail if a file is stale")
    parser.add_argument(
        "folder", nargs="?", type=Path, default=FOLDER, help="where the files are (default: %(default)s)"
    )
    options = parser.parse_args(arguments)
    if not options.folder.is_dir():
        parser.error(f"{options.folder} is no folder; make it first, or name another")
    return _check(options.folder) if options.check else _draw(options.folder)


def _check(folder: Path) -> int:
    stale = [name for chain in CHAINS for name in stale_files(chain, folder)]
    for name in stale:
        print(
            f"{folder / name} does not show its chain as it is now; run python -m callagain.diagrams",
            file=sys.stderr,
        )
    return 1 if stale else 0


def _draw(folder: Path) -> int:
    for chain in CHAINS:
        for name in write_files(chain, folder):
            print(folder / name)
    return 0


if __name__ == "__main__":
    sys.exit(main())

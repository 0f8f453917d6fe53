"""A file that a run is written to: a new one, or the one of the same run."""

import os
from collections.abc import Callable
from pathlib import Path

from callagain.cli.terminal import complain
from callagain.engine.errors import CallAgainError, ConfigurationError
from callagain.engine.json_text import JsonError, decode


class RecordFile:
    """The file is looked at when this is made, so that nothing is lost when there is something to write.

    Raises ConfigurationError for a file that is there already and is not of this run, and for one that
    cannot be written.
    """

    def __init__(self, given: str, run_id: str) -> None:
        self._given = given
        # A link stays a link.
        self._path = Path(os.path.realpath(given))
        if os.path.lexists(self._path) and _run_in(self._path) != run_id:
            raise ConfigurationError(
                f"{given} is there already, and does not hold this run; move it away, or choose another path"
            )
        folder = self._path.parent
        if not os.path.isdir(folder):
            raise ConfigurationError(f"the folder of {given} does not exist; make it, or choose another path")
        if not os.access(folder, os.W_OK | os.X_OK):
            raise ConfigurationError(f"this user may not write to the folder of {given}; choose another path")

    def write(self, text: Callable[[], str]) -> bool:
        """Writes it; False if that cannot be done, which is told on stderr, and is no reason to stop."""
        from callagain.recording import write_whole

        try:
            write_whole(self._path, text())
        except OSError as error:
            complain(
                f"error: the run could not be written to {self._given}: {error.strerror}; make room for it, "
                "or choose another path"
            )
            return False
        except CallAgainError as error:
            complain(f"error: the run could not be written to {self._given}: {error}")
            return False
        return True


def _run_in(path: Path) -> str | None:
    """The id of the run whose export this file is."""
    try:
        value = decode(path.read_text("utf-8"), max_depth=1_000) if path.is_file() else None
    except (OSError, UnicodeDecodeError, JsonError):
        return None
    if not isinstance(value, dict) or value.get("callagain") != "snapshot":
        return None
    run_id = value.get("run_id")
    return run_id if isinstance(run_id, str) else None

"""What the command's exit codes mean, and which environment variables it reads."""

from enum import IntEnum
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from callagain.engine.run import Outcome


class ExitCode(IntEnum):
    """The exit codes of every command."""

    COMPLETED = 0
    FAILED = 1
    MISUSE = 2
    LIMIT = 3
    SUSPENDED = 4
    INTERRUPTED = 130
    OUTPUT_CLOSED = 141

    @classmethod
    def of(cls, outcome: "Outcome") -> "ExitCode":
        """The exit code of a run with this outcome."""
        return cls[outcome.upper()]


EXIT_CODES = """\
exit codes:
  0    the run completed; the command did what it was asked
  1    the run failed, or could not be recorded; a `replay` differs; a check of
       `verify` did not pass; `check` found a problem; `port` left something to
       write; `parity` found a difference
  2    misuse: wrong options, a file that cannot be used, no endpoint
  3    the run reached a limit
  4    the run is suspended: a call waits for a decision
  130  interrupted by Ctrl-C
  141  the reader of the output closed it, as `head` does"""

_VARIABLES = {
    "OPENAI_API_KEY": "the key; it has no option, so that no shell keeps it",
    "OPENAI_BASE_URL": "the endpoint, unless --base-url is given",
    "OPENAI_MODEL": "the model, unless --model is given",
    "CALLAGAIN_JOURNAL": "the file that keeps runs, unless --journal is given",
    "CALLAGAIN_DATABASE": "postgresql://…, where `worker` finds its runs",
    "CALLAGAIN_SNAPSHOT_KEY": "signs exported runs; it has no option either",
    "CALLAGAIN_SERVE_TOKEN": "the token that `serve` wants; it has no option either",
    "NO_COLOR": "no colours, also on a terminal",
}


def environment(*names: str) -> str:
    """The part of a help text about these variables."""
    width = max(map(len, names))
    return "\n".join(["environment:", *(f"  {name:<{width}}  {_VARIABLES[name]}" for name in names)])


ENVIRONMENT = environment(*_VARIABLES)

"""Who drives a run: a process, told apart from every other one that has ever been."""

import os
import platform
from dataclasses import dataclass
from pathlib import Path

_DEAD = ("Z", "X", "x")


@dataclass(frozen=True, slots=True)
class Process:
    """start: when it began, in the clock ticks of /proc/PID/stat; a process id alone is given anew.

    boot_id, pid_namespace: the boot of the machine and the container in which the id means this process.
    All three are empty where the system does not tell.
    """

    host: str
    pid: int
    start: str
    boot_id: str
    pid_namespace: str

    @classmethod
    def current(cls) -> "Process":
        pid = os.getpid()
        return cls(
            host=platform.node(),
            pid=pid,
            start=_start_of(pid) or "",
            boot_id=_boot_id(),
            pid_namespace=_pid_namespace(),
        )

    def is_gone(self, here: "Process") -> bool:
        """Whether it has certainly ended, as far as the process `here` can tell.

        What began with another boot has ended: the file is shared by processes of one machine.
        """
        if self.boot_id != here.boot_id:
            return True
        # Elsewhere than on POSIX, to ask for a process by a signal would end it.
        if self.pid_namespace != here.pid_namespace or os.name != "posix":
            return False
        try:
            os.kill(self.pid, 0)
        except ProcessLookupError:
            return True
        except OSError:
            pass  # It is there, and belongs to another user.
        start = _start_of(self.pid)
        return start is None or (start != "" and start != self.start)


def _start_of(pid: int) -> str | None:
    """None for a process that has ended, and waits for its parent to notice; empty if nothing can be told."""
    try:
        text = Path(f"/proc/{pid}/stat").read_text("utf-8", "replace")
    except OSError:
        return ""
    # The second field is a name, which may hold anything; see proc_pid_stat(5).
    state, *fields = text.rpartition(")")[2].split()
    return None if state in _DEAD else fields[18]


def _boot_id() -> str:
    try:
        return Path("/proc/sys/kernel/random/boot_id").read_text("ascii").strip()
    except OSError:
        return ""


def _pid_namespace() -> str:
    try:
        return os.readlink("/proc/self/ns/pid")
    except OSError:
        return ""

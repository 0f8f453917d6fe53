"""What the session ran on."""

import os
import platform
from datetime import UTC, datetime
from pathlib import Path


def machine() -> dict[str, str]:
    return {
        "date": datetime.now(UTC).strftime("%Y-%m-%d"),
        "processor": _processor(),
        "cores": str(os.cpu_count()),
        "system": f"{platform.system()} {platform.release()}",
        "Python": platform.python_version(),
        "load at the beginning": load(),
    }


def load() -> str:
    """How many processes wanted a processor lately, this one included."""
    return f"{os.getloadavg()[0]:.1f}"


def _processor() -> str:
    """Linux tells it in a file, and `platform` does not know it there."""
    file = Path("/proc/cpuinfo")
    if file.exists():
        for line in file.read_text(encoding="utf-8").splitlines():
            if line.startswith("model name"):
                return line.partition(":")[2].strip()
    return platform.processor() or platform.machine()

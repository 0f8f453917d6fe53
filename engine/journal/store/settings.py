"""What can be chosen about a journal: how safe a write is, and the times that leases and locks go by."""

from dataclasses import dataclass
from typing import Literal, TypeAlias, get_args

Durability: TypeAlias = Literal["effects", "every_entry", "process"]
DURABILITIES: tuple[Durability, ...] = get_args(Durability)


@dataclass(frozen=True, slots=True)
class Timing:
    """Seconds.

    lazy: how long an entry that can be had again, and that nobody waits for, may wait for others to be kept
    with. soon: the same of one that cannot, where no write waits for the disk. heartbeat: how often a process
    that drives runs says that it lives. lease: after how long without a heartbeat its runs may be taken over.
    lock: how long to wait for another process that writes.
    """

    lazy: float = 0.02
    soon: float = 0.005
    heartbeat: float = 10.0
    lease: float = 60.0
    lock: float = 10.0


TIMING = Timing()

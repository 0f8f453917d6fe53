"""Drivers perform what a run asks for: here are the clock, the threads and the event loop.

`drive` is the synchronous one, `drive_async` the other; both are generators of events over the same Run, and
share everything but how they start a piece of work and how they wait for one.
"""

from callagain.engine.drivers.asynchronous import DriveAsync, drive_async
from callagain.engine.drivers.cancellation import Cancellation
from callagain.engine.drivers.clock import SYSTEM_CLOCK, Clock, SystemClock
from callagain.engine.drivers.performer import Again, OneAttempt, Performer, Tell, Work
from callagain.engine.drivers.synchronous import drive

__all__ = [
    "SYSTEM_CLOCK",
    "Again",
    "Cancellation",
    "Clock",
    "DriveAsync",
    "OneAttempt",
    "Performer",
    "SystemClock",
    "Tell",
    "Work",
    "drive",
    "drive_async",
]

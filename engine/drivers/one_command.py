"""What comes of one command alone, with all its attempts, its timeout and the run's deadline."""

from collections.abc import Callable
from contextlib import aclosing
from typing import TypeAlias

from callagain.engine.commands import Key
from callagain.engine.drivers.asynchronous import drive_async
from callagain.engine.drivers.clock import SYSTEM_CLOCK, Clock
from callagain.engine.drivers.performer import Performer
from callagain.engine.events import CommandEnded, CommandHeld, CommandStarted, Event
from callagain.engine.log_entries import Held, Receipt
from callagain.engine.run import Run

# Told of what happens while a command is performed.
TellEvent: TypeAlias = Callable[[Event], None]


async def perform_command(
    run: Run,
    key: Key,
    performer: Performer,
    tell: TellEvent,
    *,
    deadline: float | None = None,
    clock: Clock = SYSTEM_CLOCK,
) -> Receipt | Held:
    """Performs the open command of this key on the running event loop. The run is not changed.

    deadline: seconds from now. tell: gets what happens in between: attempts that were discarded, waits,
    pieces of a response.
    """
    alone = run.with_only(key)
    async with aclosing(drive_async(alone, performer, deadline=deadline, clock=clock)) as events:
        async for event in events:
            match event:
                case CommandEnded():
                    return Receipt(key, event.receipt)
                case CommandHeld():
                    return alone.open.held[key]
                case CommandStarted():
                    pass
                case _:
                    tell(event)
    raise AssertionError(f"the command {key} ended neither with a receipt nor held")

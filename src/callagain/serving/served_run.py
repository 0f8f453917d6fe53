"""A run that this process drives or has driven, apart from whoever asked for it."""

import asyncio
import hashlib
import logging
from collections.abc import Sequence
from contextlib import aclosing

from callagain.engine.errors import CallAgainError, RunExistsError, RunInProgressError
from callagain.engine.json_text import Json, canonical
from callagain.live_run import LiveRun
from callagain.serving.event_feed import EventFeed
from callagain.serving.event_json import event_as_json
from callagain.serving.problems import RequestProblem

LOGGER = logging.getLogger("callagain.serving")


def request_digest(message: Json, history: Sequence[Json]) -> str:
    """The same for the same request."""
    return hashlib.sha256(canonical([message, list(history)]).encode()).hexdigest()


class ServedRun:
    """request: the digest of what it was begun with; empty where that is not known yet.

    rests: set while nobody prepares or drives it. refusal: why it could not be begun or gone on with.
    is_elsewhere: another process was before this one, and drives it; what comes of it is in the journal.
    """

    def __init__(self, run_id: str, request: str) -> None:
        self.run_id = run_id
        self.request = request
        self.feed = EventFeed()
        self.rests = asyncio.Event()
        self.refusal: RequestProblem | None = None
        self.is_elsewhere = False
        self.live: LiveRun | None = None
        self.task: asyncio.Task[None] | None = None

    @property
    def is_busy(self) -> bool:
        return not self.rests.is_set()

    def occupy(self) -> None:
        """Somebody is about to go on with it."""
        self.refusal = None
        self.is_elsewhere = False
        self.rests.clear()
        self.feed.open()

    def rest(self) -> None:
        self.task = None
        self.rests.set()
        self.feed.close()

    def drive(self, live: LiveRun) -> None:
        """Goes on with it to its outcome, by a task of its own, whoever listens."""
        self.live = live
        self.task = asyncio.get_running_loop().create_task(self._driven(live), name=f"run {self.run_id}")

    async def _driven(self, live: LiveRun) -> None:
        try:
            async with aclosing(live.aevents()) as events:
                async for event in events:
                    self.feed.add(*event_as_json(event))
        except asyncio.CancelledError:
            raise
        except (RunExistsError, RunInProgressError):
            LOGGER.info("run %s is driven by another process", self.run_id)
            self.is_elsewhere = True
        except CallAgainError as error:
            LOGGER.error("run %s was interrupted: %s", self.run_id, error)
        except BaseException as error:
            # A tool that calls sys.exit ends its run, and not the server.
            LOGGER.error("run %s was interrupted", self.run_id, exc_info=error)
        finally:
            self.rest()

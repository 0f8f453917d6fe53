"""The clients of a session, each started when its peer first has something to do."""

from pathlib import Path
from types import TracebackType
from typing import Self

from benchmarks.client import Order
from benchmarks.measurement import Measured
from benchmarks.processes import ClientProcess, Endpoint, PeerError
from benchmarks.roster import Peer


class Clients:
    """As a context, which ends them. pythons: the interpreters of the environments. versions: of the packages
    of each peer that was started."""

    def __init__(self, pythons: dict[str, Path], endpoint: Endpoint, folder: Path) -> None:
        self.versions: dict[str, dict[str, str]] = {}
        self._pythons = pythons
        self._endpoint = endpoint
        self._folder = folder
        self._running: dict[str, ClientProcess] = {}

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        for client in self._running.values():
            client.close()

    def carry_out(self, peer: Peer, order: Order) -> Measured:
        """Raises PeerError. The next order gets a new process then, since runs may still be under way."""
        client = self._running.get(peer.name) or self._start(peer)
        try:
            return client.carry_out(order)
        except PeerError:
            client.close()
            del self._running[peer.name]
            raise

    def _start(self, peer: Peer) -> ClientProcess:
        client = ClientProcess(self._pythons[peer.environment], peer.entry, self._endpoint, self._folder)
        self._running[peer.name] = client
        self.versions[peer.name] = client.versions
        return client

"""One run of all: the peers work by turns, so that what disturbs the machine disturbs all of them."""

import json
import subprocess
import sys
import tempfile
import time
from collections.abc import Collection, Sequence
from pathlib import Path

from benchmarks.client import Order
from benchmarks.clients import Clients
from benchmarks.environments import InstallError, is_set_up, python_of
from benchmarks.measurement import Measured
from benchmarks.places import SCRATCH
from benchmarks.processes import Endpoint, PeerError, environment, last_line
from benchmarks.results import EngineShare, Failure, Results, Sample
from benchmarks.roster import CHECKOUT, OURS, PEERS, Peer
from benchmarks.works import Work, turns

CPU_SECONDS = 0.25
# A measurement of the baseline serves those that follow so soon, as long as the machine is likely the same.
FRESH_SECONDS = 5.0
IMPORT = "import time; began = time.process_time(); import {}; print(time.process_time() - began)"


def say(text: str) -> None:
    print(text, file=sys.stderr, flush=True)


class Session:
    """Fills `results`. names: the peers that take part. repeats: how often each of them does each work.

    What fails is told of and counted, and takes part in the next turn again.
    """

    def __init__(self, results: Results, names: Collection[str], repeats: int) -> None:
        self.results = results
        self._names = names
        self._repeats = repeats
        self._pythons: dict[str, Path] = {}

    def set_up(self) -> None:
        """The environments of the peers and their baselines."""
        peers = [PEERS[name] for name in self._names]
        peers += [PEERS[peer.baseline] for peer in peers if peer.baseline]
        for name in dict.fromkeys(peer.environment for peer in peers):
            if not is_set_up(name):
                say(f"installing {name}")
            try:
                self._pythons[name] = python_of(name)
            except InstallError as error:
                for peer in dict.fromkeys(peer for peer in peers if peer.environment == name):
                    self._fail(peer.name, "install", f"could not be installed: {error}")

    def measure(self, works: Sequence[Work]) -> None:
        """All works, by turns."""
        one_by_one = [work for work in works if not work.at_once]
        at_once = [work for work in works if work.at_once]
        SCRATCH.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryDirectory(dir=SCRATCH) as name, Endpoint() as endpoint:
            folder = Path(name)
            with Clients(self._pythons, endpoint, folder) as clients:
                for repeat in range(self._repeats):
                    for work in one_by_one:
                        self._one_by_one(work, repeat, clients)
                self.results.versions |= clients.versions
            for repeat in range(self._repeats):
                self._at_once(at_once, repeat, endpoint, folder)

    def measure_imports(self) -> None:
        """What `import callagain` and `import openai` cost, by turns."""
        say("imports")
        for _ in range(2 * self._repeats + 1):
            for module in ("callagain", "openai"):
                if told := self._told("import", "-c", IMPORT.format(module)):
                    self.results.imports.setdefault(module, []).append(float(told))

    def measure_engine(self) -> None:
        """What the engine costs without HTTP."""
        say("engine without HTTP")
        if told := self._told("engine without HTTP", "-m", "benchmarks.engine_share", str(self._repeats)):
            self.results.engine = EngineShare(**json.loads(told))

    def _told(self, work: str, *arguments: str) -> str:
        """What the interpreter in which the project is installed prints; nothing if it is not, or fails."""
        if CHECKOUT not in self._pythons:
            return ""
        command = [str(self._pythons[CHECKOUT]), *arguments]
        done = subprocess.run(command, env=environment(), capture_output=True, text=True, check=False)
        if done.returncode:
            self._fail(OURS.name, work, last_line(done.stderr))
            return ""
        return done.stdout

    def _one_by_one(self, work: Work, repeat: int, clients: Clients) -> None:
        """Each peer, right behind its baseline."""
        order = Order(work.task, CPU_SECONDS)
        fresh: dict[str, tuple[float, Measured]] = {}
        for peer in self._taking_part(work, repeat):
            baseline = None
            if work.compared and peer.baseline is not None:
                measured_at, baseline = fresh.get(peer.baseline, (0.0, None))
                if time.monotonic() - measured_at > FRESH_SECONDS:
                    baseline = self._measured(PEERS[peer.baseline], work, order, clients)
                    if baseline is not None:
                        fresh[peer.baseline] = time.monotonic(), baseline
            if own := self._measured(peer, work, order, clients):
                fresh[peer.name] = time.monotonic(), own
                self._add(Sample(work.name, peer.name, repeat, own, baseline))

    def _at_once(self, works: Sequence[Work], repeat: int, endpoint: Endpoint, folder: Path) -> None:
        """Each peer in a new process, whose memory is that of these runs alone."""
        works_of: dict[Peer, list[Work]] = {}
        for work in works:
            for peer in self._taking_part(work, repeat):
                works_of.setdefault(peer, []).append(work)
        measured: dict[tuple[str, str | None], Measured] = {}
        for peer, its_works in works_of.items():
            with Clients(self._pythons, endpoint, folder) as clients:
                for work in its_works:
                    order = Order(work.task, at_once=work.at_once)
                    if own := self._measured(peer, work, order, clients):
                        measured[work.name, peer.name] = own
                        baseline = measured.get((work.name, peer.baseline))
                        self._add(Sample(work.name, peer.name, repeat, own, baseline))
                self.results.versions |= clients.versions

    def _taking_part(self, work: Work, repeat: int) -> list[Peer]:
        return [
            peer
            for peer in work.peers
            if peer.name in self._names
            and peer.environment in self._pythons
            and repeat < turns(work, peer, self._repeats)
        ]

    def _measured(self, peer: Peer, work: Work, order: Order, clients: Clients) -> Measured | None:
        """None if the peer fails, or was not installed."""
        if peer.environment not in self._pythons:
            return None
        try:
            return clients.carry_out(peer, order)
        except PeerError as error:
            self._fail(peer.name, work.name, str(error))
            return None

    def _add(self, sample: Sample) -> None:
        self.results.samples.append(sample)
        own, baseline = sample.own, sample.baseline
        told = f"{own.cpu * 1000:.2f} ms of CPU" + (f", × {own.cpu / baseline.cpu:.3f}" if baseline else "")
        say(f"{sample.repeat + 1}/{self._repeats} {sample.work} {sample.peer}: {told}")

    def _fail(self, peer: str, work: str, why: str) -> None:
        say(f"{peer}: {work}: {why}")
        self.results.failures.append(Failure(peer, work, why))

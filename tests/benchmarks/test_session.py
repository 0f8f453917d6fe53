"""A session with real processes: an endpoint, and a client for each peer, in the interpreter of the tests."""

import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from benchmarks.client import Order
from benchmarks.clients import Clients
from benchmarks.processes import Endpoint, PeerError
from benchmarks.roster import CHECKOUT, OURS_ASYNC, POST, SDK, SDK_ASYNC, Peer
from benchmarks.task import Task

pytestmark = pytest.mark.slow


@pytest.fixture(scope="module")
def clients(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Clients]:
    pythons = {CHECKOUT: Path(sys.executable), "openai": Path(sys.executable)}
    with Endpoint() as endpoint, Clients(pythons, endpoint, tmp_path_factory.mktemp("session")) as clients:
        yield clients


@pytest.mark.parametrize("peer", [POST, SDK_ASYNC, OURS_ASYNC], ids=lambda peer: peer.name)
def test_a_peer_does_its_runs_and_tells_what_they_cost(peer: Peer, clients: Clients) -> None:
    measured = clients.carry_out(peer, Order(Task(rounds=2, calls=3)))
    assert measured.runs == 1
    assert measured.cpu > 0
    assert measured.endpoint is not None
    assert clients.versions[peer.name]["openai"]


def test_runs_at_once_tell_of_their_memory(clients: Clients) -> None:
    measured = clients.carry_out(OURS_ASYNC, Order(Task(rounds=1, wait_ms=1), at_once=20))
    assert measured.runs == 20
    assert measured.memory is not None


def test_a_peer_that_cannot_begin_is_told_with_its_last_words(clients: Clients) -> None:
    with pytest.raises(PeerError, match="ModuleNotFoundError: No module named 'benchmarks.peers.nobody'"):
        clients.carry_out(Peer("nobody", "nobody", CHECKOUT, "nobody:prepare"), Order(Task(1)))


def test_a_peer_without_the_endpoint_is_told_with_its_error_and_goes_on(clients: Clients) -> None:
    unknown = Order(Task(rounds=1, calls=-1))
    with pytest.raises(PeerError, match="model= must be the name of a task"):
        clients.carry_out(SDK, unknown)
    assert clients.carry_out(SDK, Order(Task(rounds=1))).runs == 1

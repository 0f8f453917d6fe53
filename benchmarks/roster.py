"""Who is measured."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Peer:
    """name: by which it is chosen. title: by which it is told of. environment: what is
    installed for it, as requirements/ENVIRONMENT.txt says. entry: module and function in benchmarks/peers.
    baseline: the name of the peer that it is held against."""

    name: str
    title: str
    environment: str
    entry: str
    baseline: str | None = None

    @property
    def is_async(self) -> bool:
        return self.entry.endswith(":prepare_async")


# The environment in which the project itself is installed, as users install it.
CHECKOUT = "callagain"

SDK = Peer("sdk", "plain SDK loop", "openai", "plain_sdk:prepare")
SDK_ASYNC = Peer("sdk-async", "plain SDK loop, async", "openai", "plain_sdk:prepare_async")
OURS = Peer("callagain", "callagain", CHECKOUT, "callagain_loop:prepare", "sdk")
OURS_ASYNC = Peer(
    "callagain-async", "callagain, async", CHECKOUT, "callagain_loop:prepare_async", "sdk-async"
)
POST = Peer("post", "client.post, ready bytes", "openai", "sdk_post:prepare", "sdk")
POST_ASYNC = Peer(
    "post-async", "client.post, ready bytes, async", "openai", "sdk_post:prepare_async", "sdk-async"
)
POST_AIOHTTP = Peer(
    "post-aiohttp",
    "client.post, ready bytes, aiohttp",
    "openai",
    "sdk_aiohttp:prepare_async",
    "sdk-async",
)
AIOHTTP = Peer("aiohttp", "aiohttp without an SDK", "openai", "bare_aiohttp:prepare_async", "sdk-async")

LIBRARIES = (
    Peer("burr", "Burr", "burr", "burr:prepare_async", "sdk-async"),
    Peer("haystack", "Haystack", "haystack", "haystack:prepare", "sdk"),
    Peer("haystack-async", "Haystack, async", "haystack", "haystack:prepare_async", "sdk-async"),
    Peer("langgraph", "LangGraph", "langgraph", "langgraph:prepare_async", "sdk-async"),
    Peer("openai-agents", "openai-agents", "openai-agents", "openai_agents:prepare_async", "sdk-async"),
    Peer("pydantic-ai", "pydantic-ai", "pydantic-ai", "pydantic_ai:prepare_async", "sdk-async"),
    Peer("smolagents", "smolagents", "smolagents", "smolagents:prepare", "sdk"),
)
JOURNALED = tuple(
    Peer(
        f"journal-{durability.replace('_', '-')}",
        f'callagain, journal "{durability}"',
        CHECKOUT,
        f"callagain_loop:prepare_{durability}",
        "callagain",
    )
    for durability in ("process", "effects", "every_entry")
)

# Those of `make bench-quick`.
QUICK = (SDK, OURS, POST, SDK_ASYNC, OURS_ASYNC, POST_ASYNC, POST_AIOHTTP)
PEERS = {peer.name: peer for peer in (*QUICK, AIOHTTP, *LIBRARIES, *JOURNALED)}

"""Whether a kept run still means what it meant: one text for the chain and the tools that it began with."""

import hashlib
from collections.abc import Sequence

from callagain.engine.chain import Chain
from callagain.engine.json_text import canonical
from callagain.engine.run_inputs import AnnouncedTool, Inputs

# Raised by hand when a run that was kept would mean something else than before, although no name changed.
FORMAT = 1

_SHOWN_NAMES = 5


def fingerprint(chain: Chain, inputs: Inputs) -> str:
    """The SHA-256 of FORMAT, the chain (its name, links, guards, operations by their names, and initial
    state), name and entry of each tool, in their order, and the schema of the answer, if it has one.

    The order of links and operations, and that of the keys of a schema, are of no matter.
    """
    described: dict[str, object] = {
        "format": FORMAT,
        "chain": chain.name,
        "initial": chain.initial,
        "links": sorted([link.source, link.event, link.target, list(link.when)] for link in chain.links),
        "operations": sorted(chain.operations),
        "guards": sorted(chain.guards),
        "tools": [[tool.name, tool.entry] for tool in inputs.tools],
    }
    if inputs.output_schema is not None:
        described["output"] = inputs.output_schema
    return hashlib.sha256(canonical(described).encode()).hexdigest()


def difference(chain: Chain, tools_now: Sequence[AnnouncedTool], tools_then: Sequence[AnnouncedTool]) -> str:
    """Why two fingerprints differ, in words for people: by the tools, or else by the chain."""
    now, then = _entries(tools_now), _entries(tools_then)
    changes = {
        "added": [name for name in now if name not in then],
        "removed": [name for name in then if name not in now],
        "with another schema or description": [
            name for name in now if name in then and now[name] != then[name]
        ],
    }
    told = [f"{what}: {_listed(names)}" for what, names in changes.items() if names]
    if told:
        return f"the tools are not those that it began with ({'; '.join(told)})"
    if list(now) != list(then):
        return "the tools stand in another order than when it began"
    return (
        f"it began with another chain than {chain.name!r} as it is now (its links, its guards or the names "
        "of its operations), or with another version of callagain"
    )


def _entries(tools: Sequence[AnnouncedTool]) -> dict[str, str]:
    return {tool.name: canonical(tool.entry) for tool in tools}


def _listed(names: Sequence[str]) -> str:
    shown = ", ".join(map(repr, names[:_SHOWN_NAMES]))
    more = len(names) - _SHOWN_NAMES
    return f"{shown} and {more} more" if more > 0 else shown

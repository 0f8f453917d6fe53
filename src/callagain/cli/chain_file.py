"""The chain that is named on the command line: one of callagain's own, or FILE.py:NAME."""

import argparse
from difflib import get_close_matches
from typing import TYPE_CHECKING

from callagain.cli.chain_names import CHAINS, chain_named
from callagain.cli.python_file import import_python_file
from callagain.engine.errors import ConfigurationError

if TYPE_CHECKING:
    from callagain.engine.chain import Chain

DEFAULT_NAME = "chain"


def chain_given(text: str) -> str:
    """The type of an option. Raises ArgumentTypeError for what is neither a known name nor that of a file."""
    if text in CHAINS or _place_and_name(text)[0].endswith(".py"):
        return text
    close = get_close_matches(text, CHAINS, n=1)
    nearest = f"; the nearest is {close[0]}" if close else ""
    raise argparse.ArgumentTypeError(
        f"invalid choice: {text!r}{nearest}; give {', '.join(CHAINS)}, or FILE.py:NAME"
    )


def load_chain(given: str) -> "Chain":
    """given: without a name, `chain` is meant; a loop stands for its chain.

    Raises ConfigurationError, and what making the chain raises.
    """
    from callagain.engine.chain import Chain
    from callagain.loop import ToolLoop

    if (known := chain_named(given)) is not None:
        return known
    place, name = _place_and_name(given)
    module = import_python_file(place, "chain file")
    found = getattr(module, name, None)
    if isinstance(found, ToolLoop):
        return found.chain
    if isinstance(found, Chain):
        return found
    kind = "class" if isinstance(found, type) else type(found).__name__
    has = "no" if found is None else f"a {kind}, and no Chain,"
    others = sorted(key for key, value in vars(module).items() if isinstance(value, Chain | ToolLoop))
    hint = (
        f"name one of its chains or loops: {', '.join(f'{place}:{each}' for each in others)}"
        if others
        else f"write {name} = Chain(…) into it"
    )
    raise ConfigurationError(f"{place} has {has} {name!r}; {hint}")


def _place_and_name(given: str) -> tuple[str, str]:
    if given.endswith(".py"):
        return given, DEFAULT_NAME
    place, _, name = given.rpartition(":")
    return place, name or DEFAULT_NAME

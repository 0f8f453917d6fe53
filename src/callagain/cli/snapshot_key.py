"""The key that signs what is exported. There is no option for it, so that no shell keeps it."""

import os
from collections.abc import Generator
from contextlib import contextmanager

from callagain.engine.errors import ConfigurationError, SnapshotError

KEY_VARIABLE = "CALLAGAIN_SNAPSHOT_KEY"
_WORDS = (
    ("give the key that signed it, snapshot_key=", f"set {KEY_VARIABLE} to the key that signed it"),
    ("and snapshot_key= is given", f"and {KEY_VARIABLE} is set"),
    ("resume it without a key", "unset it"),
    ("with another key than this snapshot_key=", f"with another key than {KEY_VARIABLE}"),
)


def snapshot_key() -> bytes | None:
    """The key in the environment. Raises ConfigurationError for one that is too short."""
    from callagain.settings_check import checked_snapshot_key

    try:
        return checked_snapshot_key(os.environ.get(KEY_VARIABLE) or None)
    except ConfigurationError as error:
        told = str(error).removesuffix(", or None").replace("snapshot_key", KEY_VARIABLE)
        raise ConfigurationError(f"{told}; set a longer one, or unset it") from None


@contextmanager
def told_of_the_variable() -> Generator[None, None, None]:
    """What is told of the argument of a loop is told of the variable."""
    try:
        yield
    except SnapshotError as error:
        message = str(error)
        for argument, variable in _WORDS:
            message = message.replace(argument, variable)
        raise SnapshotError(message) from None

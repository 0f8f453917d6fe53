"""What keeps a package, or a case, from being compared."""

from callagain.engine.errors import ConfigurationError


class ParityError(ConfigurationError):
    """The folder is no ported package, or the cases cannot be read. The message is one line."""


class NotRunError(Exception):
    """A case cannot be run; the message says why, and what to do."""

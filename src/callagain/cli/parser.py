"""The parser: argparse, with errors of one line and help that goes through our own output."""

import argparse
import platform
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any, NoReturn, TypeAlias

from callagain.cli.terminal import say
from callagain.engine.errors import ConfigurationError

if TYPE_CHECKING:
    from _typeshed import SupportsWrite

Execute: TypeAlias = Callable[[argparse.Namespace], int]


class Parser(argparse.ArgumentParser):
    """No abbreviated options: a script that uses one would break when an option is added."""

    def __init__(self, **settings: Any) -> None:
        settings.setdefault("formatter_class", argparse.RawDescriptionHelpFormatter)
        super().__init__(allow_abbrev=False, **settings)

    def error(self, message: str) -> NoReturn:
        """Raises ConfigurationError, which says where help is."""
        raise ConfigurationError(f"{message}; see {self.prog} --help")

    def parse(self, arguments: Sequence[str] | None) -> argparse.Namespace:
        """The arguments. What nobody knows is refused by the command among them, which names its own help."""
        parsed, unknown = self.parse_known_args(arguments)
        if unknown:
            command: Parser = getattr(parsed, "command", self)
            command.error(f"unrecognized arguments: {' '.join(unknown)}")
        return parsed

    def print_help(self, file: "SupportsWrite[str] | None" = None) -> None:
        if file is None:
            say(self.format_help().rstrip())
        else:
            super().print_help(file)


# What argparse's add_subparsers gives a command to add itself with.
AddParser: TypeAlias = Callable[..., Parser]


def add_command(
    add_parser: AddParser,
    name: str,
    execute: Execute,
    *,
    usage: str,
    description: str,
    epilog: str,
) -> Parser:
    """Adds one command. usage: what stands behind `callagain`. epilog: what help ends with, as it stands."""
    parser = add_parser(name, usage=f"callagain {usage}", description=description, epilog=epilog)
    parser.set_defaults(execute=execute, command=parser)
    return parser


class ShowVersion(argparse.Action):
    """`--version`, looked up only when asked for."""

    def __init__(self, option_strings: Sequence[str], dest: str, **settings: Any) -> None:
        super().__init__(option_strings, dest, nargs=0, default=argparse.SUPPRESS, **settings)

    def __call__(self, parser: argparse.ArgumentParser, *_: object) -> None:
        from importlib.metadata import PackageNotFoundError, version

        try:
            found = version("callagain")
        except PackageNotFoundError:
            found = "(a source tree that is not installed)"
        say(f"callagain {found}, Python {platform.python_version()}")
        parser.exit()

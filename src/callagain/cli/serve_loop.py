"""`callagain serve`: a loop over HTTP, for programs that know no Python."""

import argparse
import logging
import os
import stat
from pathlib import Path

from callagain.cli.exit_codes import ENVIRONMENT, ExitCode
from callagain.cli.journal_option import add_journal_option, journal_of
from callagain.cli.option_types import at_least_one, path_of_a_file, port, seconds, seconds_of_grace
from callagain.cli.options import add_loop_options, build_loop
from callagain.cli.parser import AddParser, Parser, add_command
from callagain.cli.run_options import add_approve_effects_option, approver
from callagain.cli.snapshot_key import snapshot_key
from callagain.cli.terminal import flat, note
from callagain.engine.errors import ConfigurationError

TOKEN_VARIABLE = "CALLAGAIN_SERVE_TOKEN"
# What a token file may hold, so that a wrong path is told, and not read.
_MOST_CHARACTERS = 4096

EXAMPLES = f"""\
examples:
  callagain serve --tools orders.py --model gpt-4o --journal runs.db
  callagain serve --tools orders.py --model gpt-4o --approve-effects --port 8080
  callagain serve --tools orders.py --model gpt-4o --host 0.0.0.0 \\
      --token-file /run/secrets/token

  curl http://127.0.0.1:8000/runs -H 'Content-Type: application/json' \\
      -d '{{"message": "Where is order 481516?"}}'

/openapi.json describes it all, and docs/serving.md explains it. Without a token
it answers this machine alone; with one, whoever sends it as a bearer token. The
token is in ${TOKEN_VARIABLE} or in a file, and never an option. Put the
server behind a proxy that speaks HTTPS where it is asked from elsewhere. Ctrl-C
and SIGTERM end it: it takes no more runs, and waits for those under way; with a
journal the rest go on when they are asked for again. A second one does not wait."""

EXIT_CODES = """\
exit codes:
  0    ended by Ctrl-C or SIGTERM
  2    misuse: wrong options, a file, host or port that cannot be used"""


def add_to(add_parser: AddParser) -> None:
    parser = add_command(
        add_parser,
        "serve",
        execute,
        usage="serve [--tools FILE.py] [options]",
        description="Serve a loop over HTTP: begin runs, watch them, decide about their calls;\n"
        "pip install 'callagain[serve]' makes it work.",
        epilog="\n\n".join([EXAMPLES, ENVIRONMENT, EXIT_CODES]),
    )
    add_loop_options(parser)
    _add_run_options(parser)
    _add_server_options(parser)


def _add_run_options(parser: Parser) -> None:
    group = parser.add_argument_group("approval, and what is kept")
    add_approve_effects_option(group)
    group.add_argument(
        "--approve",
        choices=("wait", "all", "none"),
        default="wait",
        help="the run waits until somebody decides over HTTP; or all are approved unseen, or none (wait)",
    )
    add_journal_option(group)


def _add_server_options(parser: Parser) -> None:
    group = parser.add_argument_group("server")
    add = group.add_argument
    add("--host", metavar="HOST", default="127.0.0.1", help="where it listens (127.0.0.1)")
    add("--port", metavar="N", type=port, default=8000, help="0 takes a free one (8000)")
    add(
        "--token-file",
        metavar="FILE",
        type=path_of_a_file,
        help=f"the file that the token stands in (default: ${TOKEN_VARIABLE})",
    )
    add("--max-runs", metavar="N", type=at_least_one, default=8, help="runs at the same time (8)")
    add(
        "--max-requests",
        metavar="N",
        type=at_least_one,
        help="requests at the same time, those that wait for a run included; as many more may watch events "
        "(100, or twice --max-runs)",
    )
    add(
        "--max-body",
        metavar="BYTES",
        type=at_least_one,
        default=1_000_000,
        help="of one request (1,000,000)",
    )
    add(
        "--wait",
        metavar="S",
        type=seconds,
        default=120.0,
        help="an answer waits so long for its run at the most, and is 202 then (120)",
    )
    add(
        "--grace",
        metavar="S",
        type=seconds_of_grace,
        default=10.0,
        help="how long it waits for the runs under way when it is ended (10)",
    )


def execute(arguments: argparse.Namespace) -> int:
    token = _token(arguments.token_file)
    loop = build_loop(
        arguments,
        approve_effects=arguments.approve_effects,
        approver_for=lambda tools: approver(arguments, tools, can_ask=False),
        journal=journal_of(arguments),
        snapshot_key=snapshot_key(),
    )
    from callagain.serving import ServingLimits, serve

    _show_log()
    if arguments.token_file is not None:
        _warn_of_readers(arguments.token_file)
    serve(
        loop,
        host=arguments.host,
        port=arguments.port,
        token=token,
        limits=ServingLimits(
            max_body_bytes=arguments.max_body,
            max_runs=arguments.max_runs,
            max_requests=arguments.max_requests,
            wait_seconds=arguments.wait,
        ),
        grace=arguments.grace,
        tell=lambda sentence: note(f"callagain: {sentence}"),
    )
    return ExitCode.COMPLETED


def _token(path: str | None) -> str | None:
    """From the file, or else from the environment. Raises ConfigurationError."""
    if path is None:
        return os.environ.get(TOKEN_VARIABLE) or None
    try:
        with Path(path).open(encoding="ascii") as file:
            token = file.read(_MOST_CHARACTERS)
    except OSError as error:
        raise ConfigurationError(f"cannot read the token file {path}: {error.strerror or error}") from None
    except UnicodeDecodeError:
        raise ConfigurationError(f"the token file {path} holds more than ASCII characters") from None
    if len(token) == _MOST_CHARACTERS:
        raise ConfigurationError(f"the token file {path} is too long for a token; give another file")
    if not token.strip():
        raise ConfigurationError(f"the token file {path} is empty; write the token into it")
    return token


def _warn_of_readers(path: str) -> None:
    """Where files have no such permissions, as on Windows, nothing is known."""
    if os.name == "posix" and Path(path).stat().st_mode & stat.S_IROTH:
        logging.getLogger("callagain.serving").warning(
            "everybody on this machine can read the token file %s; chmod 600 keeps it to its owner", path
        )


def _show_log() -> None:
    """What the server has to tell of itself goes to stderr."""
    handler = logging.StreamHandler()
    handler.setFormatter(_OneLine("callagain: %(levelname)s: %(message)s"))
    for name in ("callagain.serving", "uvicorn.error"):
        logging.getLogger(name).addHandler(handler)


class _OneLine(logging.Formatter):
    """With the traceback of a bug behind it."""

    def formatMessage(self, record: logging.LogRecord) -> str:
        return flat(super().formatMessage(record))

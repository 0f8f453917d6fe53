"""`callagain port`: a Jitterbit design becomes a Python package."""

import argparse
import keyword
import os
import sys
from pathlib import Path
from typing import TYPE_CHECKING

from callagain.cli.exit_codes import ExitCode, environment
from callagain.cli.parser import AddParser, add_command
from callagain.cli.terminal import Style, columns, complain, note, say
from callagain.engine.errors import ConfigurationError

if TYPE_CHECKING:
    from callagain.porting.report import Report

EXAMPLES = """\
examples:
  callagain port orders.json -o orders
  callagain port scripts/ -o orders --package orders_assistant
  callagain port project.jpk --report markdown > report.md

INPUT is a project export of Studio (JSON), a project of Design Studio (.jpk), a
folder of scripts, with a design.json or without, or a Mermaid flowchart. What it
says is never run here, and its secrets are left out. Without -o nothing is
written but the report. With -o the report is in the package as well, as
REPORT.md and report.json."""

PORT_CODES = """\
exit codes:
  0    everything is converted, or kept as a script that runs
  1    something is left to write by hand: the report says what
  2    misuse: wrong options, a file that is no design, a folder that is not empty"""


def add_to(add_parser: AddParser) -> None:
    parser = add_command(
        add_parser,
        "port",
        execute,
        usage="port INPUT [-o DIR] [options]",
        description="Make a Python package of a Jitterbit design: its chain, its tools, its scripts as\n"
        "Python, tests, and a report of what became of each part.",
        epilog=f"{EXAMPLES}\n\n{environment('NO_COLOR')}\n\n{PORT_CODES}",
    )
    parser.add_argument("input", metavar="INPUT", help="the design: a file or a folder")
    parser.add_argument("-o", "--output", metavar="DIR", help="the folder of the package, new or empty")
    parser.add_argument(
        "--package", metavar="NAME", help="what Python imports it by (default: made of the design's name)"
    )
    parser.add_argument(
        "--report",
        choices=("text", "markdown", "json"),
        default="text",
        help="the form of the report on stdout (default: text)",
    )
    parser.add_argument("--force", action="store_true", help="replace a ported package that is there")


def execute(arguments: argparse.Namespace) -> int:
    from callagain.porting.design import DesignError, read_design
    from callagain.porting.package import port, write_package

    name = _checked_name(arguments.package)
    try:
        design = read_design(Path(arguments.input))
        package = port(design, package=name)
        if arguments.output is not None:
            write_package(package, Path(arguments.output), force=arguments.force)
    except DesignError as error:
        complain(f"error: {error}")
        return ExitCode.MISUSE
    say(_shown(package.report, arguments.report), end="")
    if arguments.output is not None:
        note(f"written: {os.path.normpath(arguments.output)}; README.md there says how to run it")
    return package.report.exit_code


def _checked_name(name: str | None) -> str | None:
    if name is None or (name.isidentifier() and name.isascii() and not keyword.iskeyword(name)):
        return name
    raise ConfigurationError(f"--package {name!r}: Python cannot import that; use letters, digits and _")


def _shown(report: "Report", form: str) -> str:
    from callagain.porting.report import report_json, report_markdown, report_text

    match form:
        case "json":
            text = report_json(report)
        case "markdown":
            text = report_markdown(report)
        case _:
            text = report_text(report, columns(), Style.of(sys.stdout).coloured)
    return text if text.endswith("\n") else f"{text}\n"

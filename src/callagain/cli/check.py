"""`callagain check`: tool schemas held against what makes models call them right."""

import argparse
import dataclasses
import sys
import warnings
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, cast

from callagain.cli.exit_codes import ExitCode
from callagain.cli.options import stdout_for_the_answer
from callagain.cli.parser import AddParser, add_command
from callagain.cli.terminal import Style, flat, say
from callagain.engine.errors import ConfigurationError, ToolSchemaError
from callagain.engine.json_text import Json, JsonError, JsonObject, decode, encode
from callagain.tool_check.rules import RULES, Severity

if TYPE_CHECKING:
    from callagain.connectors.tools import Tool
    from callagain.tool_check import Finding

EXAMPLES = """\
examples:
  callagain check orders.py
  callagain check orders.py crm.py --strict
  callagain check tools.json --ignore description-when-not
  jq .tools request.json | callagain check - --json

The tools of one file are taken to be offered together. No tool is run, and no
model is asked; a Python file is imported. Rules about words know English only:
they are silent about a tool whose descriptions are in another language."""

EXIT_CODES = """\
exit codes:
  0    no problem was found, and with --strict no advice
  1    a problem was found, or with --strict advice
  2    misuse: wrong options, a file that cannot be used, a schema that is none"""

_STDIN = "-"


def add_to(add_parser: AddParser) -> None:
    parser = add_command(
        add_parser,
        "check",
        execute,
        usage="check TOOLS [TOOLS …] [options]",
        description="Say what in the schemas of your tools will mislead a model: names, descriptions,\n"
        "parameters, values.",
        epilog="\n\n".join([_rules("problems", "problem"), _rules("advice", "advice"), EXAMPLES, EXIT_CODES]),
    )
    parser.add_argument(
        "tools",
        metavar="TOOLS",
        nargs="+",
        help="a Python file, as `callagain run --tools` takes it, or a toolsJson file, which ends in .json; "
        "- reads toolsJson from stdin",
    )
    parser.add_argument("--strict", action="store_true", help="advice counts as a problem does")
    parser.add_argument(
        "--ignore",
        metavar="CODE",
        action="append",
        default=[],
        help="a rule to pass over; may be given several times",
    )
    parser.add_argument("--json", action="store_true", help="print one JSON document")


def execute(arguments: argparse.Namespace) -> int:
    from callagain.tool_check import check_tools

    count = 0
    found: list[tuple[str, Finding]] = []
    for path in arguments.tools:
        tools = _load(path)
        count += len(tools)
        found += [(_shown(path), each) for each in check_tools(tools, ignore=arguments.ignore)]
    passed = not any(arguments.strict or each.severity == "problem" for _, each in found)
    if arguments.json:
        findings = [{"file": file, **dataclasses.asdict(each)} for file, each in found]
        say(encode({"passed": passed, "tools": count, "findings": findings}).decode())
    else:
        _show(found, count)
    return ExitCode.COMPLETED if passed else ExitCode.FAILED


def _load(path: str) -> "list[Tool]":
    """The tools of one file. Raises ConfigurationError, ToolSchemaError, DuplicateToolError."""
    from callagain.connectors.tools import ToolDescriptionWarning

    with warnings.catch_warnings(), stdout_for_the_answer():
        # It is among the findings.
        warnings.simplefilter("ignore", ToolDescriptionWarning)
        if Path(path).suffix == ".py":
            from callagain.cli.tools_file import load_tools

            return load_tools([path])
        if path == _STDIN or Path(path).suffix == ".json":
            return _tools_of_json(_shown(path), _read(path))
    raise ConfigurationError(
        f"cannot check {path}: give a Python file, which ends in .py, a toolsJson file, which ends in .json, "
        "or - for JSON on stdin"
    )


def _read(path: str) -> str:
    try:
        return sys.stdin.read() if path == _STDIN else Path(path).read_text("utf-8-sig")
    except UnicodeDecodeError as error:
        raise ConfigurationError(f"{_shown(path)} is not {error.encoding} text; convert it first") from None
    except OSError as error:
        raise ConfigurationError(
            f"cannot read {_shown(path)}: {error.strerror or error}; give the path of a toolsJson file"
        ) from None


def _tools_of_json(shown: str, text: str) -> "list[Tool]":
    """The tools that the text announces; none of them can be called."""
    from callagain.connectors.tools import tools_from_json

    try:
        entries = decode(text, unique_keys=True)
    except JsonError as error:
        raise ConfigurationError(
            f"{shown} is not JSON: {error}; give the array of tools of a request"
        ) from None
    if not isinstance(entries, list) or not entries:
        raise ConfigurationError(
            f"{shown} must be an array of tools, as in the tools field of a request, with one tool at least"
        )
    try:
        return tools_from_json(cast("list[JsonObject]", entries), dict.fromkeys(_names(entries), _not_called))
    except ToolSchemaError as error:
        raise type(error)(f"{shown}: {error}") from None


def _names(entries: list[Json]) -> list[str]:
    """The names of the entries that have one; what is wrong with the others is told when they are read."""
    functions = [entry.get("function") for entry in entries if isinstance(entry, dict)]
    names = [function.get("name") for function in functions if isinstance(function, dict)]
    return [name for name in names if isinstance(name, str)]


def _not_called(**arguments: object) -> None: ...


def _show(found: "list[tuple[str, Finding]]", count: int) -> None:
    style = Style.of(sys.stdout)
    for file, each in found:
        code = style.bad(each.code) if each.severity == "problem" else f"{each.code} (advice)"
        say(f"{flat(file)}: {style.bold(flat(each.place))}: {code}: {flat(each.message)}")
    if found:
        say()
    severities = [each.severity for _, each in found]
    say(f"{_counted(count, 'tool')}: {_total(severities)}")


def _total(severities: Sequence[str]) -> str:
    if not severities:
        return "nothing found"
    problems, advice = severities.count("problem"), severities.count("advice")
    return f"{_counted(problems, 'problem')}, {_counted(advice, 'piece')} of advice"


def _counted(number: int, word: str) -> str:
    return f"{number} {word}{'' if number == 1 else 's'}"


def _shown(path: str) -> str:
    return "stdin" if path == _STDIN else path


def _rules(title: str, severity: Severity) -> str:
    """The codes of one severity, with what each finds."""
    chosen = [rule for rule in RULES.values() if rule.severity == severity]
    return "\n".join([f"{title}:", *(f"  {rule.code:<26} {rule.finds}" for rule in chosen)])

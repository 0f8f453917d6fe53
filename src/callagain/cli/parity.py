"""`callagain parity`: a ported package beside the design it came from."""

import argparse
import dataclasses
import sys
from collections import Counter
from collections.abc import Iterator, Sequence
from contextlib import closing
from pathlib import Path
from typing import TYPE_CHECKING

from callagain.cli.exit_codes import ExitCode
from callagain.cli.options import stdout_for_the_answer
from callagain.cli.parser import AddParser, add_command
from callagain.cli.terminal import Style, columns, filled, flat, say
from callagain.engine.json_text import encode

if TYPE_CHECKING:
    from callagain.porting.parity import Case, CaseResult, Difference

EXAMPLES = """\
examples:
  callagain parity orders_assistant
  callagain parity orders_assistant --cases conversations.json
  callagain parity . --json

The package is imported and run, and so are the original scripts that it keeps.
No model is asked: the answers stand in the cases. The functions in activities.py
really run, on both sides."""

EXIT_CODES = """\
exit codes:
  0    every case was run, and none has a difference that no trap explains
  1    there is a difference, or a case could not be run
  2    misuse: wrong options, no ported package, cases that cannot be read"""


def add_to(add_parser: AddParser) -> None:
    parser = add_command(
        add_parser,
        "parity",
        execute,
        usage="parity DIR [options]",
        description="Run a ported package and the design it came from on the same inputs, and compare\n"
        "all variables, requests and logs, operation by operation.",
        epilog=f"{EXAMPLES}\n\n{EXIT_CODES}",
    )
    parser.add_argument("folder", metavar="DIR", type=Path, help="what `callagain port` has written")
    parser.add_argument(
        "--cases",
        metavar="FILE",
        type=Path,
        help="a JSON file with cases of your own, in place of those that are made of the design",
    )
    parser.add_argument("--json", action="store_true", help="print one JSON document")


def execute(arguments: argparse.Namespace) -> int:
    from callagain.porting.parity import Parity, read_cases

    cases: Sequence[Case] | None = None if arguments.cases is None else read_cases(arguments.cases)
    results: list[CaseResult] = []
    for result in _results(arguments.folder, cases):
        results.append(result)
        if not arguments.json:
            _show(result)
    found = Parity(tuple(results))
    if arguments.json:
        say(encode({"holds": found.holds, "cases": [dataclasses.asdict(each) for each in found]}).decode())
    else:
        _conclude(results)
    return ExitCode.COMPLETED if found.holds else ExitCode.FAILED


def _results(folder: Path, cases: "Sequence[Case] | None") -> "Iterator[CaseResult]":
    """Each as soon as it is there. What the package prints goes to stderr."""
    from callagain.porting.parity import case_results

    with closing(case_results(folder, cases=cases)) as running:
        while True:
            with stdout_for_the_answer():
                result = next(running, None)
            if result is None:
                return
            yield result


def _show(result: "CaseResult") -> None:
    style = Style.of(sys.stdout)
    word = f"{result.status:<9}"
    painted = style.good(word) if result.status == "same" else style.bad(word)
    say(f"{painted}  {style.bold(flat(result.name))}")
    if result.reason is not None:
        _say_indented(result.reason)
    for difference in result.differences:
        _show_difference(difference)
    for trap, times in Counter(each.trap for each in result.explained).items():
        _say_indented(f"explained by the trap “{trap}”: {times}")


def _show_difference(difference: "Difference") -> None:
    _say_indented(f"after {difference.after}: {difference.variable}")
    _say_indented(f"design: {difference.design}", 13)
    _say_indented(f"python: {difference.python}", 13)


def _conclude(results: "Sequence[CaseResult]") -> None:
    style = Style.of(sys.stdout)
    say()
    for note in dict.fromkeys(note for each in results for note in each.notes):
        say(style.faint(f"note: {flat(note)}"))
    added = sorted({name for each in results for name in each.added})
    left_out = sorted({name for each in results for name in each.left_out})
    if added:
        say(style.faint(f"only in Python, on purpose: {flat(', '.join(added))}"))
    if left_out:
        say(style.faint(f"empty, and not sent back by Python: {flat(', '.join(left_out))}"))
    counts = Counter(each.status for each in results)
    said = [f"{number} {status}" for status, number in counts.items()]
    differences = sum(len(each.differences) for each in results)
    explained = sum(len(each.explained) for each in results)
    say(
        f"{_counted(len(results), 'case')}: {', '.join(said) or 'none'}; "
        f"{_counted(differences, 'difference')}, {explained} more explained by traps"
    )


def _say_indented(text: str, indent: int = 11) -> None:
    for line in filled(text, columns() - indent, indent=2):
        say(f"{' ' * indent}{line}")


def _counted(number: int, word: str) -> str:
    return f"{number} {word}{'' if number == 1 else 's'}"

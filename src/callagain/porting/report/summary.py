"""What every form of the report says first: how much is converted, and what its reader has to do."""

from collections import Counter
from dataclasses import dataclass

from callagain.porting.report.model import Component, FoundTrap, Report, Status

WORDS = {
    Status.CONVERTED: "converted",
    Status.CONVERTED_WITH_NOTES: "with notes",
    Status.KEPT_AS_SCRIPT: "kept as script",
    Status.STUB: "stub",
    Status.IGNORED: "ignored",
}
"""What the summary calls each status, in its order."""

_EXAMPLES = 3

COUNTED = "Places are lines and columns of a script, without the line of its mark <trans> or <javascript>."


@dataclass(frozen=True, slots=True)
class TrapGroup:
    """A trap with all places of which the same is to be said. places: (script, line and column, source)."""

    trap: str
    design_does: str
    python_does: str
    found: tuple[FoundTrap, ...]

    @property
    def where(self) -> dict[str, list[str]]:
        """Lines and columns, such as 2:16, by script; or by the place in the export, if it is no script's."""
        places: dict[str, list[str]] = {}
        for each in self.found:
            name = each.script or str(each.place)
            at = [] if each.line is None else [f"{each.line}:{each.column}"]
            places.setdefault(name, []).extend(at)
        return places


@dataclass(frozen=True, slots=True)
class Task:
    """Something that is left to the reader, and what it is about.

    section: the section of the report that lists what it is about, where that is long.
    """

    text: str
    about: tuple[str, ...] = ()
    section: str = ""

    @property
    def examples(self) -> tuple[str, ...]:
        """The shortest of what it is about, in its order."""
        shortest = sorted(self.about, key=len)[:_EXAMPLES]
        return tuple(each for each in self.about if each in shortest)[:_EXAMPLES]

    @property
    def others(self) -> str:
        """How many there are besides the examples, and where; empty if there are no others."""
        more = len(self.about) - len(self.examples)
        return f"and {more} more, listed below: {self.section}" if more else ""


def counts(report: Report) -> dict[Status, int]:
    """How many components have which status; all statuses are there."""
    counted = Counter(component.status for component in report.components)
    return {status: counted[status] for status in WORDS}


def of_status(report: Report, status: Status) -> list[Component]:
    return [component for component in report.components if component.status is status]


def grouped(report: Report) -> list[TrapGroup]:
    """The traps, those together that say the same, in the order in which they come first."""
    groups: dict[tuple[str, str, str], list[FoundTrap]] = {}
    for each in report.traps:
        groups.setdefault((each.trap, each.design_does, each.python_does), []).append(each)
    return [TrapGroup(*words, tuple(found)) for words, found in groups.items()]


def tasks(report: Report) -> list[Task]:
    """What the reader has to do, the most urgent first."""
    kept = of_status(report, Status.KEPT_AS_SCRIPT)
    traps = tuple(dict.fromkeys(each.trap for each in report.traps))
    tags = tuple(f"{each.tag} in {each.script}, {each.line}:{each.column}" for each in report.unresolved_tags)
    found = [
        _task("stub to write", "stubs to write", tuple(f"{each.kind} {each.name}" for each in report.stubs)),
        _task("secret to enter anew", "secrets to enter anew", report.secrets),
        _task(
            "function to replace",
            "functions to replace",
            tuple(each.name for each in report.unknown_functions),
        ),
        _task("tag that names nothing", "tags that name nothing", tags, "Tags that name nothing"),
        _task(
            f"trap to read about, at {_places(report)}", f"traps to read about, at {_places(report)}", traps
        ),
        _task("guess to check", "guesses to check", report.guesses, "Guesses"),
        _task(
            "script that runs as it is, to be translated when you like",
            "scripts that run as they are, to be translated when you like",
            tuple(each.name for each in kept),
        ),
    ]
    return [task for task in found if task.about]


def _task(one: str, many: str, about: tuple[str, ...], section: str = "") -> Task:
    return Task(f"{len(about)} {one if len(about) == 1 else many}", about, section)


def _places(report: Report) -> str:
    return "1 place" if len(report.traps) == 1 else f"{len(report.traps)} places"

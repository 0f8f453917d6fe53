"""Small designs, for one trap each, and the guide's own."""

from typing import Any

from tests.porting.script import guide_scripts as guide

from callagain.porting.design.model import Design, Language, Operation, Script, SourcePlace, Step, StepKind

PLACE = SourcePlace("design.json")


def jitterbit(text: str, name: str = "S") -> Script:
    return Script(name, Language.JITTERBIT_SCRIPT, text, PLACE)


def javascript(text: str, name: str = "J") -> Script:
    return Script(name, Language.JAVASCRIPT, text, PLACE)


def of(*scripts: Script | str, **parts: Any) -> Design:
    """A design of scripts, a text being a Jitterbit Script with the name S."""
    made = tuple(jitterbit(each) if isinstance(each, str) else each for each in scripts)
    return Design("A design", "a test", scripts=made, **parts)


def operation(name: str, *scripts: str, **links: Any) -> Operation:
    return Operation(name, tuple(Step(StepKind.SCRIPT, each) for each in scripts), PLACE, **links)


def guide_design(append: Script) -> Design:
    """The guide's scripts as they stand there, with one of its two ways to append."""
    return of(
        jitterbit(guide.INITIALIZE, "Initialize"),
        jitterbit(guide.PARSE_RESPONSE, "Parse Response"),
        jitterbit(guide.CONTROLLER, "Controller"),
        jitterbit(guide.DISPATCHER, "Tool Dispatcher"),
        jitterbit(guide.LOG_MESSAGES, "Log"),
        append,
    )

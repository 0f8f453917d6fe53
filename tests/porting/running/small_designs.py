"""Designs of a few operations, written down in the test that runs them."""

from collections.abc import Mapping, Sequence

from callagain.porting.design.model import (
    Activity,
    Design,
    Language,
    Operation,
    Script,
    SourcePlace,
    Step,
    StepKind,
    Variable,
)

PLACE = SourcePlace("test")


def does(
    *scripts: str,
    activity: str | None = None,
    invokes: str | None = None,
    on_success: str | None = None,
    on_fail: str | None = None,
) -> tuple[list[Step], str | None, str | None]:
    """An operation: an activity, then scripts by name, then an operation that it invokes; and its links."""
    steps = [Step(StepKind.SCRIPT, name) for name in scripts]
    if activity is not None:
        steps.insert(0, Step(StepKind.ACTIVITY, activity))
    if invokes is not None:
        steps.append(Step(StepKind.OPERATION, invokes))
    return steps, on_success, on_fail


def design(
    operations: Mapping[str, tuple[list[Step], str | None, str | None]],
    scripts: Mapping[str, str],
    *,
    variables: Sequence[Variable] = (),
    activities: Sequence[Activity] = (),
) -> Design:
    """A design of these operations and texts of Jitterbit Script, by name."""
    return Design(
        "small",
        "test",
        operations=tuple(
            Operation(name, tuple(steps), PLACE, on_success, on_fail)
            for name, (steps, on_success, on_fail) in operations.items()
        ),
        scripts=tuple(Script(name, Language.JITTERBIT_SCRIPT, text, PLACE) for name, text in scripts.items()),
        variables=tuple(variables),
        activities=tuple(activities),
    )


def posts(name: str, body: str | None = None) -> Activity:
    """An HTTP v2 POST; body: its property of this name."""
    return Activity(
        name, "HTTP v2", "post", "target", PLACE, properties={} if body is None else {"body": body}
    )

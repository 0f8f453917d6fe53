"""Each script in Python beside its original: the same operation, run by both."""

from collections.abc import Iterator

from callagain.porting.parity.findings import Findings
from callagain.porting.parity.values import MISSING, Leaf, leaves
from callagain.porting.running import DesignRun, Snapshot


def compare_scripts(design: DesignRun, python: DesignRun, findings: Findings) -> None:
    """All variables, the log and the outcome after every script and operation, in their order."""
    for position in range(max(len(design.snapshots), len(python.snapshots))):
        sides = [
            run.snapshots[position] if position < len(run.snapshots) else None for run in (design, python)
        ]
        one, other = sides
        if one is None or other is None or (one.kind, one.name) != (other.kind, other.name):
            before = _name(design.snapshots[position - 1]) if position else "the beginning"
            findings.add(before, "what runs next", Leaf("", *(_name(each) for each in sides)))
            return
        for variable, leaf in _differences(one, other):
            findings.add(_name(one), variable, leaf)


def _differences(one: Snapshot, other: Snapshot) -> Iterator[tuple[str, Leaf]]:
    for name in dict.fromkeys([*one.variables, *other.variables]):
        values = one.variables.get(name, MISSING), other.variables.get(name, MISSING)
        yield from ((name, leaf) for leaf in leaves(*values))
    yield from (("operation log", leaf) for leaf in leaves(list(one.log), list(other.log)))
    if one.outcome != other.outcome:
        yield "outcome", Leaf("", one.error or one.outcome.value, other.error or other.outcome.value)


def _name(snapshot: Snapshot | None) -> str:
    return "nothing" if snapshot is None else f"{snapshot.kind} {snapshot.name}"

"""Circles of operations and scripts: a design may have them, and whoever ports it has to know."""

import re
from collections.abc import Iterable, Iterator
from graphlib import CycleError, TopologicalSorter

from callagain.porting.design.model import Guess, Operation, Script, SourcePlace, StepKind
from callagain.porting.script import read_tag

_TAG = re.compile(r"<TAG>[^<>]{1,500}</TAG>", re.IGNORECASE)
_MOST = 20
_MOST_SHOWN = 12

# An operation or a script, and its name.
_Node = tuple[str, str]
_OPERATION, _SCRIPT = "operation", "script"


def circles(operations: Iterable[Operation], scripts: Iterable[Script]) -> Iterator[Guess]:
    """A guess for each circle: by steps, by On Success and On Fail, by the tags of scripts. At most 20."""
    places: dict[_Node, SourcePlace] = {}
    graph: dict[_Node, dict[_Node, None]] = {}
    for operation in operations:
        _add((_OPERATION, operation.name), _run_by(operation), operation.place, graph, places)
    for script in scripts:
        _add((_SCRIPT, script.name), _tagged_in(script), script.place, graph, places)
    for _ in range(_MOST):
        circle = _circle(graph)
        if not circle:
            return
        yield Guess(f"there is a circle: {_shown(circle)}", places[circle[0]])
        del graph[circle[0]][circle[1]]


def _add(
    node: _Node,
    targets: Iterable[_Node],
    place: SourcePlace,
    graph: dict[_Node, dict[_Node, None]],
    places: dict[_Node, SourcePlace],
) -> None:
    """Of two with one name the first counts, as for the tags."""
    if node not in graph:
        graph[node], places[node] = dict.fromkeys(targets), place


def _run_by(operation: Operation) -> Iterator[_Node]:
    for step in operation.steps:
        if step.kind in (StepKind.OPERATION, StepKind.SCRIPT):
            yield step.kind.value, step.name
    for target in (operation.on_success, operation.on_fail):
        if target is not None:
            yield _OPERATION, target


def _tagged_in(script: Script) -> Iterator[_Node]:
    for text in _TAG.findall(script.text):
        tag = read_tag(text)
        if tag is not None and tag.kind in (_OPERATION, _SCRIPT):
            yield tag.kind, tag.name


def _shown(circle: list[_Node]) -> str:
    shown = [f"{kind} {name!r}" for kind, name in circle]
    if len(shown) > _MOST_SHOWN:
        shown[_MOST_SHOWN - 1 : -1] = [f"{len(shown) - _MOST_SHOWN} more"]
    return " -> ".join(shown)


def _circle(graph: dict[_Node, dict[_Node, None]]) -> list[_Node]:
    """The nodes of a circle in the order in which they run, the first once more at the end; or none."""
    try:
        TopologicalSorter(graph).prepare()
    except CycleError as error:
        # The sorter has each after what it needs, so its circles run the other way round.
        found: list[_Node] = error.args[1][:0:-1]
        order = {node: position for position, node in enumerate(graph)}
        first = min(range(len(found)), key=lambda position: order[found[position]])
        return [*found[first:], *found[:first], found[first]]
    return []

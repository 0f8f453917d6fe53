"""Traps of running operations and scripts: failures that nobody sees, depth, and what does not wait."""

from bisect import bisect_right
from collections.abc import Iterator

from callagain.porting.report.reading import Reading
from callagain.porting.report.script_tree import ScriptTree, argument, is_call
from callagain.porting.report.trap import Finding, at_node, trap
from callagain.porting.script.syntax import Call, Global, Literal, Node, Statements

NESTING = 10
_LAST_ERRORS = (
    "jitterbit.operation.error",
    "jitterbit.operation.last_error",
    "jitterbit.operation.previous.error",
)


@trap(
    "failed operation unseen",
    does="If the operation fails, RunOperation gives false, which nobody looks at, and old values are used.",
    chain="A tool that fails is told to the model; any other operation that fails ends the run as failed.",
    script="The script goes on in the same way. Write If(!RunOperation(…), RaiseError(…)).",
)
def failed_operation_unseen(reading: Reading) -> Iterator[Finding]:
    """A RunOperation whose value is used by nothing, in a script that does not ask for the last error
    after it."""
    for tree in reading.trees:
        calls = tree.calls("RunOperation")
        asking = [tree.position(node) for node in _asking_for_error(tree)]
        ends = [*(tree.position(call) for call in calls[1:]), len(tree.nodes)]
        for call, end in zip(calls, ends, strict=False):
            # The last error is asked for before another operation is run.
            after = bisect_right(asking, tree.position(call))
            is_asked = after < len(asking) and asking[after] < end
            if not is_asked and not _is_asynchronous(call) and not _is_used(reading, tree, call):
                yield at_node(tree, call)


@trap(
    "asynchronous operation",
    does="The operation is only queued: what it sets is not there when the script goes on.",
    chain="Each operation has ended before the next one begins.",
    script="It runs when all else has ended, with the variables as they were; what it sets is not seen.",
)
def asynchronous_operation(reading: Reading) -> Iterator[Finding]:
    """A RunOperation whose second argument is false."""
    for tree in reading.trees:
        for call in tree.calls("RunOperation"):
            if _is_asynchronous(call):
                yield at_node(tree, call)


@trap(
    "nested too deep",
    does="Scripts and operations run each other more than 10 deep, where Jitterbit lets the operation fail.",
    chain="Operations follow on each other and are not nested.",
    script="The limit is the same, 10, unless $jitterbit.scripting.nesting.max is set.",
)
def nested_too_deep(reading: Reading) -> Iterator[Finding]:
    """A way of RunScript and RunOperation calls through more than 10 scripts, or one that comes back to where
    it was."""
    calls = {tree.name: _calls_of(reading, tree) for tree in reading.trees}
    closing = _closing_calls(calls)
    for tree, call, name in closing:
        does = f"'{name}' runs itself again by way of '{tree.name}'; Jitterbit ends that 10 levels deep."
        yield at_node(tree, call, does)
    closed = {(id(call), name) for _, call, name in closing}
    run = {name for each in calls.values() for _, call, name in each if (id(call), name) not in closed}
    level = {name for name in calls if name not in run}
    for _ in range(NESTING - 1):
        level = {
            name
            for caller in level
            for _, call, name in calls.get(caller, [])
            if (id(call), name) not in closed
        }
    for name in sorted(level):
        for tree, call, callee in calls.get(name, []):
            if (id(call), callee) not in closed:
                yield at_node(tree, call)
                break


@trap(
    "raised error",
    does="RaiseError ends the script and its operation; behind an API the caller gets HTTP 500.",
    chain="Where it is carried over, it fails its step; else the chain ends in its own way: result.outcome.",
    script="The same error ends the script and its operation; if it is that of a tool, the model is told.",
)
def raised_error(reading: Reading) -> Iterator[Finding]:
    """A RaiseError that neither Eval nor IsValid catches."""
    for tree in reading.trees:
        for call in tree.calls("RaiseError"):
            if not tree.is_caught(call):
                yield at_node(tree, call)


def _is_asynchronous(call: Call) -> bool:
    second = argument(call, 1)
    return isinstance(second, Literal) and second.value in (False, 0, "0", "false")


def _is_used(reading: Reading, tree: ScriptTree, call: Call) -> bool:
    """Whether something is done with the value of a call."""
    node: Node = call
    while (parent := tree.parent(node)) is not None:
        if not isinstance(parent, Statements):
            return True
        if parent.items[-1] is not node:
            return False
        outer = tree.parent(parent)
        if not isinstance(outer, Call):
            break
        position = next(n for n, each in enumerate(outer.arguments) if each is parent)
        if is_call(outer, "While"):
            return position == 0
        passes_on = (is_call(outer, "If") and position > 0) or (is_call(outer, "Case") and position % 2 == 1)
        if not (passes_on or is_call(outer, "Eval")):
            return True
        node = outer
    return _value_is_used(reading, tree)


def _value_is_used(reading: Reading, tree: ScriptTree) -> bool:
    """Whether a script that runs this one looks at its value."""
    for caller, call in reading.called.get(tree.name, []):
        parent = caller.parent(call)
        if not isinstance(parent, Statements) or not isinstance(caller.parent(parent), Call | None):
            return True
        outer = caller.parent(parent)
        if isinstance(outer, Call) and not is_call(outer, "While", "Case", "If"):
            return True
        if isinstance(outer, Call) and outer.arguments[0] is parent:
            return True
    return False


def _asking_for_error(tree: ScriptTree) -> list[Node]:
    """Where a script asks for the last error, in the order of the text."""
    return [
        node
        for node in tree.nodes
        if is_call(node, "GetLastError") or (isinstance(node, Global) and node.name.lower() in _LAST_ERRORS)
    ]


def _calls_of(reading: Reading, tree: ScriptTree) -> list[tuple[ScriptTree, Call, str]]:
    """The calls of a script that run other scripts, each with the script it runs."""
    return [
        (tree, call, name)
        for call in tree.calls("RunScript", "RunOperation")
        for name in dict.fromkeys(reading.scripts_run_by(tree, call))
    ]


def _closing_calls(
    calls: dict[str, list[tuple[ScriptTree, Call, str]]],
) -> list[tuple[ScriptTree, Call, str]]:
    """The calls that run a script which waits for them; without those there is no circle."""
    closing: list[tuple[ScriptTree, Call, str]] = []
    done: set[str] = set()
    for start in calls:
        if start in done:
            continue
        path = [start]
        waiting = [iter(calls[start])]
        while path:
            found = next(waiting[-1], None)
            if found is None:
                done.add(path.pop())
                waiting.pop()
            elif found[2] in path:
                closing.append(found)
            elif found[2] in calls and found[2] not in done:
                path.append(found[2])
                waiting.append(iter(calls[found[2]]))
    return closing

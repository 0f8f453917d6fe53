"""Traps of the messages that the model is sent in each round."""

import re
from collections.abc import Iterator

from callagain.porting.report.reading import Reading
from callagain.porting.report.script_tree import Assigned, ScriptTree, is_call, text_of, variable_of
from callagain.porting.report.trap import Finding, at_node, at_position, trap
from callagain.porting.script.syntax import Assignment, Global, Operations

_TOOL_MESSAGE = re.compile(r'"role"\s*:\s*"tool"')


@trap(
    "base messages changed in the loop",
    does="non_tool_messages_json is set in the loop, so messages come twice or are lost in later rounds.",
    chain="Initialize sets the base messages, and they never change; rounds go to tools_messages.",
    script="It is set in the same way; keep what comes in the loop in tools_messages.",
)
def base_messages_changed(reading: Reading) -> Iterator[Finding]:
    """An assignment of non_tool_messages_json in a While, in a script that runs in the loop, or in one that
    reads tools_resp or function_resp, or the base messages themselves."""
    base = reading.named("non_tool_messages_json")
    for tree in reading.trees:
        in_loop = tree.name in reading.loop_scripts or _reads(reading, tree, "tools_resp", "function_resp")
        for each in tree.assigned_to(reading.variable("non_tool_messages_json")):
            grows = each.value is not None and any(
                variable_of(node) == each.variable for node in tree.below(each.value)
            )
            if in_loop or grows or any(is_call(outer, "While") for outer in tree.above(each.node)):
                yield at_node(tree, each.node)
    for script in reading.javascripts:
        for match in script.find(rf"\${re.escape(base)}\s*=(?!=)"):
            used = {reading.named(name) for name in ("tools_resp", "function_resp")} & script.used
            if used or script.name in reading.loop_scripts:
                yield at_position(script, match.start())


@trap(
    "messages not replaced",
    does="tools_messages grows, but no script puts it into InAndOut, so the model is never sent the results.",
    chain="Append Tool Result rebuilds InAndOut in each round: base messages, then all rounds.",
    script="InAndOut stays as it is here too; the port supplies the step only where it recognises the loop.",
)
def messages_not_replaced(reading: Reading) -> Iterator[Finding]:
    """A script that builds tool messages into tools_messages as text, in a design in which no script both
    reads tools_messages and sets InAndOut."""
    if _replaces_messages(reading):
        return
    for tree in reading.trees:
        messages = tree.assigned_to(reading.variable("tools_messages"))
        built = [each for each in messages if _is_built(tree, each)]
        if built and any(_TOOL_MESSAGE.search(text_of(node) or "") for node in tree.nodes):
            yield at_node(tree, built[0].node)


def _is_built(tree: ScriptTree, each: Assigned) -> bool:
    if each.value is None:
        return False
    return each.operator == "+=" or any(isinstance(node, Operations) for node in tree.below(each.value))


def _replaces_messages(reading: Reading) -> bool:
    messages, request = reading.named("tools_messages"), reading.named("InAndOut")
    for tree in reading.trees:
        if tree.assigned_to(reading.variable("InAndOut")) and _reads(reading, tree, "tools_messages"):
            return True
    return any(messages in script.used and request in script.assigned for script in reading.javascripts)


def _reads(reading: Reading, tree: ScriptTree, *guide_names: str) -> bool:
    """Whether a script reads one of these variables, and does not only set it."""
    names = {reading.named(name) for name in guide_names}
    targets = {id(node.target) for node in tree.nodes if isinstance(node, Assignment)}
    return any(
        isinstance(node, Global) and node.name in names and id(node) not in targets for node in tree.nodes
    )

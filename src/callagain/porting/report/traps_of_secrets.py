"""Traps of secrets: those that the export leaves out, those that it does not, and those that are logged."""

import re
from collections.abc import Iterator
from itertools import pairwise

from callagain.porting.design.secrets import MASK, has_secret_form
from callagain.porting.report.reading import Reading
from callagain.porting.report.script_tree import ScriptTree, text_of, variable_of
from callagain.porting.report.trap import Finding, at_node, at_position, trap
from callagain.porting.script.syntax import Assignment, Call, Node

_WORDS = re.compile(r"[A-Z]+(?![a-z])|[A-Z]?[a-z]+|\d+")
_SECRET_WORDS = {
    "password",
    "passwd",
    "pwd",
    "secret",
    "token",
    "apikey",
    "authorization",
    "credential",
    "credentials",
}
_SECRET_KEYS = {"api", "access", "private", "secret", "client", "subscription"}
# A token of a model is no secret.
_COUNTED = {
    "max",
    "count",
    "total",
    "used",
    "usage",
    "limit",
    "prompt",
    "completion",
    "input",
    "output",
    "number",
}
# What a reader of designs puts in the place of a secret, alone or in an address.
_MASKED = re.compile(rf"(\A|=|://){re.escape(MASK)}(\Z|@|&)")
_MASKED_IN_PORT = "The port has *** in its place: read it from the environment, and have it changed."
_HEADER = re.compile(r"\b(authorization|bearer|password|api[ _-]?key)\b[^\w]*\Z", re.IGNORECASE)
_JAVASCRIPT_LOG = r"\bWriteToOperationLog\s*\(([^;\n]*)"


@trap(
    "secret to enter",
    does="The export holds no value for it, or one that only Jitterbit can read.",
    script="No value was taken over: enter it anew.",
)
def secret_to_enter(reading: Reading) -> Iterator[Finding]:
    """Every project variable that is a secret, and every secret property of a connection or an activity."""
    for variable in reading.design.variables:
        if variable.is_secret:
            does = (
                f"The project variable {variable.name} is a secret; its value is not taken from the export."
            )
            yield Finding(variable.place, does=does)
    for connection in reading.design.connections:
        for name in connection.secrets:
            yield Finding(connection.place, does=_left_out(name, f"the connection {connection.name}"))
    for activity in reading.design.activities:
        for name in activity.secrets:
            yield Finding(activity.place, does=_left_out(name, f"the activity {activity.name}"))


@trap(
    "secret in a script",
    does="A key, a password or a token is written in the script, for all who can read the project.",
    chain=_MASKED_IN_PORT,
    script=_MASKED_IN_PORT,
)
def secret_in_script(reading: Reading) -> Iterator[Finding]:
    """A text that has the form of a key or token, *** where a reader has put it in the place of one, or a
    text that is assigned to a variable named like a secret."""
    for tree in reading.trees:
        for node in tree.nodes:
            text = text_of(node)
            if text and (_has_secret(text) or _is_assigned_to_secret(tree, node, text)):
                yield at_node(tree, node)
    for script in reading.javascripts:
        for position, text in script.strings:
            if _has_secret(text):
                yield at_position(script, position)


@trap(
    "secret in the log",
    does="What is written to the operation log may hold a secret, for all who can read the log.",
    script="The line is written too: take the variable out of it.",
)
def secret_in_log(reading: Reading) -> Iterator[Finding]:
    """A WriteToOperationLog of a variable that is a secret of the design or is named like one, or of a value
    behind a text such as "Authorization: "."""
    secrets = {variable.name for variable in reading.design.variables if variable.is_secret}
    for tree in reading.trees:
        for call in tree.calls("WriteToOperationLog"):
            if _may_hold_secret(tree, call, secrets):
                yield at_node(tree, call)
    for script in reading.javascripts:
        for match in script.find(_JAVASCRIPT_LOG):
            names = re.findall(r"[$A-Za-z_][\w$]*", match[1])
            if any(name.removeprefix("$") in secrets or names_a_secret(name) for name in names):
                yield at_position(script, match.start())


def _left_out(name: str, of_what: str) -> str:
    return f"{name} of {of_what} is a secret, whose value is not taken from the export."


def names_a_secret(name: str) -> bool:
    """Whether a variable is named like a password, a key of an API or a token.

    Stricter than what readers leave out: a `key` alone is mostly that of a record.
    """
    words = [word.lower() for word in _WORDS.findall(name)]
    if _COUNTED & set(words):
        return False
    pairs = pairwise(words)
    return bool(_SECRET_WORDS & set(words)) or any(a in _SECRET_KEYS and b == "key" for a, b in pairs)


def _has_secret(text: str) -> bool:
    return has_secret_form(text) or _MASKED.search(text) is not None


def _is_assigned_to_secret(tree: ScriptTree, node: Node, text: str) -> bool:
    parent = tree.parent(node)
    if not isinstance(parent, Assignment) or parent.value is not node:
        return False
    variable = variable_of(parent.target)
    return (
        variable is not None and names_a_secret(variable[0]) and len(text) >= 6 and not text.startswith("[")
    )


def _may_hold_secret(tree: ScriptTree, call: Call, secrets: set[str]) -> bool:
    after_header = False
    for node in (each for argument in call.arguments for each in tree.below(argument)):
        variable = variable_of(node)
        if variable is not None and (after_header or variable[0] in secrets or names_a_secret(variable[0])):
            return True
        if (text := text_of(node)) is not None:
            after_header = _HEADER.search(text) is not None
    return False

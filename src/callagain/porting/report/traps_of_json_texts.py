"""Traps of JSON that is put together as text."""

import re
from collections.abc import Iterator
from itertools import pairwise

from callagain.porting.report.escaping import Escaping
from callagain.porting.report.kinds import COLLECTIONS, Kind
from callagain.porting.report.reading import Reading
from callagain.porting.report.script_tree import (
    ScriptTree,
    argument,
    argument_holding,
    is_call,
    operands,
    text_of,
    variable_of,
)
from callagain.porting.report.trap import Finding, at_node, at_position, trap
from callagain.porting.report.traps_of_json_paths import path_of
from callagain.porting.script.syntax import (
    Call,
    Expression,
    Global,
    Index,
    Local,
    Node,
    Operation,
    Operations,
    Statements,
)

# A member of a JSON object that is written in a text.
_JSON_MEMBER = re.compile(r'"\s*:')
# The text before a value that stands between the quotes of a JSON string.
_OPEN_QUOTE = re.compile(r'("\s*[:,]|\[)\s*"[^"]*\Z')
_TEXT_SEGMENT = re.compile(
    r"(address|answer|body|comments?|content|description|message|names?|notes?|output_text|query|question|reason"
    r"|refusal|subject|summary|text|title)\Z",
    re.IGNORECASE,
)
# In JavaScript, quotes by escaped quotes, and line breaks by whatever.
_QUOTES_REPLACED = re.compile(r"""\.replace\(\s*(?:/"/g?|'"'|"\\"")\s*,\s*(?:'\\\\"'|"\\\\\\"")\s*\)""")
_BREAKS_REPLACED = re.compile(r"\.replace\(\s*(/[^/\n]*\\[nrs]|[\"']\\n[\"'])")
_TOUCHES = ("Trim", "TrimChars", "ToLower", "ToUpper")
FREE_TEXTS = ("systemPrompt", "userMessage", "function_resp", "final_response", "function_arguments")
"""Variables of the guide that hold text of people, of the model or of other systems."""


@trap(
    "quotes escaped only",
    does="Only quotes are escaped: a line break, a tab or a backslash in the text breaks the JSON.",
    chain="Messages are data, encoded once: line breaks and backslashes are as safe as quotes.",
    script="The text is the same, and as broken: use JSONStringify on a dictionary.",
)
def quotes_escaped_only(reading: Reading) -> Iterator[Finding]:
    """A Replace of quotes by escaped quotes, for a text that is not also cleared of backslashes and line
    breaks, in a script that writes JSON as text."""
    for tree in filter(_writes_json, reading.trees):
        escaping = Escaping(tree)
        for call in tree.calls("Replace"):
            old, new = tree.constant(argument(call, 1)), tree.constant(argument(call, 2))
            if old == '"' and new in ('\\"', '"') and not {"\\", "\n"} <= escaping.of(call):
                does = "A quote is replaced by a quote, which escapes nothing: the JSON breaks at it."
                yield at_node(tree, call, does if new == '"' else None)
    for script in reading.javascripts:
        breaks = _BREAKS_REPLACED.search(script.script.text)
        for match in () if breaks else _QUOTES_REPLACED.finditer(script.script.text):
            if script.code[match.start()] == ".":
                yield at_position(script, match.start())


@trap(
    "unescaped text in JSON",
    does="A text is put into a JSON string as it is: one quote or line break breaks the JSON.",
    chain="Messages and results are data, encoded once: nothing in them can break the request.",
    script="The text is the same, and as broken: use JSONStringify on a dictionary.",
)
def unescaped_text(reading: Reading) -> Iterator[Finding]:
    """A prompt, a tool's result, arguments, an error, or a name, title, message and the like that was read
    from JSON, which is added to a text inside the quotes of a JSON string without any Replace."""
    free = {reading.named(name) for name in FREE_TEXTS}
    for tree in reading.trees:
        for node in tree.nodes:
            if isinstance(node, Operations) and node.rest[0].operator == "+":
                for before, part in pairwise(operands(node)):
                    if _OPEN_QUOTE.search(text_of(before) or "") and _is_free_text(tree, part, free):
                        yield at_node(tree, part)


@trap(
    "quotes trimmed from text",
    does="TrimChars takes all quotes off both ends, also those that belong to the text.",
    chain="The response is decoded once, and each text is what it says.",
    script="TrimChars does the same; leave it out, GetJSONString gives strings without quotes.",
)
def quotes_trimmed(reading: Reading) -> Iterator[Finding]:
    """A TrimChars, LTrimChars or RTrimChars of quotes on the content of a message, or another free text."""
    free = {reading.named(name) for name in FREE_TEXTS}
    for tree in reading.trees:
        for call in tree.calls("TrimChars", "LTrimChars", "RTrimChars"):
            if '"' in (tree.constant(argument(call, 1)) or "") and _is_content(tree, argument(call, 0), free):
                yield at_node(tree, call)


@trap(
    "object as text",
    does='A dictionary or an array is turned into text that is no JSON: [object Object], or [key=>"value"].',
    chain="What a tool returns is written as JSON, and what has no JSON form is an error.",
    script="The text is the same; use JSON.stringify or JSONStringify before.",
)
def object_as_text(reading: Reading) -> Iterator[Finding]:
    """String() of a global that the design sets to a dictionary or an array, or, in JavaScript, that nothing
    in the design sets to a text; in Jitterbit Script also one that is added to a text or given to Replace."""
    for script in reading.javascripts:
        for match in script.find(r"(?<![\w.$])String\s*\(\s*\$(\w+)\s*\)"):
            if _may_be_object(reading, match[1]):
                yield at_position(script, match.start())
    for tree in reading.trees:
        for node in tree.nodes:
            if isinstance(node, Local | Global | Call) and _becomes_text(reading, tree, node):
                yield at_node(tree, node)


def _writes_json(tree: ScriptTree) -> bool:
    return any(_JSON_MEMBER.search(text) for node in tree.nodes if (text := text_of(node)))


def _is_free_text(tree: ScriptTree, node: Expression | None, free: set[str]) -> bool:
    match node:
        case Global(name=name):
            return name in free and not _is_replaced(tree, node)
        case Local():
            sources = [each.value for each in tree.assigned_to(variable_of(node))]
            # Not by way of a further variable, so that one that is set to itself comes to an end.
            inmost = [_untouched(each) for each in sources]
            return bool(inmost) and all(
                not isinstance(each, Local) and _is_free_text(tree, each, free) for each in inmost
            )
        case Index():
            key = tree.constant(node.keys[-1]) or ""
            return _TEXT_SEGMENT.search(key) is not None and _is_of_json(tree, node.target)
        case Call() if is_call(node, "GetJSONString", "GetJSONStringEx"):
            return _is_text_path(path_of(tree, node))
        case Call() if is_call(node, *_TOUCHES):
            return _is_free_text(tree, _untouched(node), free)
        case Call():
            return is_call(node, "GetLastError")
        case _:
            return False


def _untouched(node: Expression | None) -> Expression | None:
    """What is inside of Trim and the like."""
    while isinstance(node, Call) and is_call(node, *_TOUCHES):
        node = argument(node, 0)
    return node


def _is_text_path(path: str) -> bool:
    """Whether a path leads to a text that people or models write; the name of a function is none."""
    return _TEXT_SEGMENT.search(path) is not None and not path.endswith("/function/name")


def _is_of_json(tree: ScriptTree, node: Expression) -> bool:
    """Whether a value is what JSONParser gives."""
    sources = [each.value for each in tree.assigned_to(variable_of(node))]
    return any(is_call(each, "JSONParser") for each in (node, *sources))


def _is_replaced(tree: ScriptTree, node: Global) -> bool:
    """`$x = Replace($x, …)`: the variable is escaped in its place."""
    return any(is_call(each.value, "Replace", "RegExReplace") for each in tree.assigned_to(variable_of(node)))


def _is_content(tree: ScriptTree, node: Node | None, free: set[str]) -> bool:
    match node:
        case Call() if is_call(node, "GetJSONString", "GetJSONStringEx"):
            return _is_text_path(path_of(tree, node))
        case Global(name=name) if name in free:
            return True
        case Local() | Global():
            sources = [each.value for each in tree.assigned_to(variable_of(node))]
            return any(isinstance(each, Call) and _is_content(tree, each, free) for each in sources)
        case _:
            return False


def _may_be_object(reading: Reading, name: str) -> bool:
    """Whether the design sets a global to a collection, or shows nothing that it is set to."""
    assigned = reading.assigned.get(name, [])
    if any(reading.kinds.of(each.tree, each.value) in COLLECTIONS for each in assigned):
        return True
    in_javascript = [script for script in reading.javascripts if name in script.assigned]
    if any(script.has(rf"\${re.escape(name)}\s*=\s*(\{{|\[|JSON\s*\.\s*parse)") for script in in_javascript):
        return True
    return not assigned and name not in reading.set_elsewhere


def _becomes_text(reading: Reading, tree: ScriptTree, node: Node) -> bool:
    """Whether a collection is given to String or Replace, or a dictionary is added to a text."""
    kind = reading.kinds.of(tree, node)
    if kind not in COLLECTIONS:
        return False
    parent = tree.parent(node)
    outer = tree.parent(parent) if parent is not None else None
    if isinstance(parent, Statements):
        return is_call(outer, "String", "Replace") and argument_holding(outer, node) == 0
    chain = outer if isinstance(parent, Operation) else parent
    if kind is not Kind.DICTIONARY or not isinstance(chain, Operations) or chain.rest[0].operator != "+":
        return False
    return any(text_of(each) is not None for each in operands(chain))

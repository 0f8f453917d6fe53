"""What traps are looked for in: the scripts of a design as trees, and what is known of its variables."""

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property

from callagain.porting.design.model import Design, Language, Operation, StepKind
from callagain.porting.design.model import Script as DesignScript
from callagain.porting.recognition.model import (
    PromptBasedRouting,
    Recognition,
    RetryController,
    Shape,
    SingleRoundRouting,
    ToolCallingLoop,
)
from callagain.porting.report.javascript_text import JavaScriptText
from callagain.porting.report.kinds import Kinds, variables_set_by_name
from callagain.porting.report.script_tree import Assigned, ScriptTree, Variable
from callagain.porting.script import ScriptError, parse
from callagain.porting.script.syntax import Call, Global


@dataclass(frozen=True)
class Reading:
    """A design as it was read for traps.

    trees: its Jitterbit Scripts; one that does not parse is not among them (`unreadable_scripts` names
    those). javascripts: its JavaScript scripts, as text whose comments and strings are known.
    """

    design: Design
    recognition: Recognition
    trees: tuple[ScriptTree, ...]
    javascripts: tuple[JavaScriptText, ...]

    @cached_property
    def names(self) -> dict[str, str]:
        """The design's names of the guide's variables, where they differ."""
        return dict(self.recognition.loop.names) if self.recognition.loop else {}

    def named(self, guide_name: str) -> str:
        """The name that the design has for a variable of the guide."""
        return self.names.get(guide_name, guide_name)

    def variable(self, guide_name: str) -> Variable:
        """The variable of the design that stands for one of the guide."""
        return Variable(self.named(guide_name), True)

    def is_global(self, node: object, guide_name: str) -> bool:
        """Whether a node is this variable of the guide."""
        return isinstance(node, Global) and node.name == self.named(guide_name)

    @cached_property
    def assigned(self) -> dict[str, list[Assigned]]:
        """Every assignment of a global variable in a Jitterbit Script, by its name."""
        found: dict[str, list[Assigned]] = {}
        for tree in self.trees:
            for each in tree.assigned:
                if each.variable.is_global:
                    found.setdefault(each.variable.name, []).append(each)
        return found

    @cached_property
    def set_elsewhere(self) -> frozenset[str]:
        """Globals that are set by name or in JavaScript, or that have a value without any script."""
        variables = self.design.variables
        names = {each.name for each in variables if each.is_project or each.default is not None}
        for tree in self.trees:
            names |= variables_set_by_name(tree)
        for script in self.javascripts:
            names |= script.assigned
        return frozenset(names)

    @cached_property
    def kinds(self) -> Kinds:
        return Kinds(self.assigned, self.set_elsewhere)

    @cached_property
    def with_elements(self) -> frozenset[str]:
        """Global variables of which a script sets an element."""
        everywhere = (each.variable for tree in self.trees for each in tree.elements_set)
        return frozenset(variable.name for variable in everywhere if variable.is_global)

    def in_chain(self, script: DesignScript | None) -> bool:
        """Whether a script plays a part in a recognised shape, and so becomes an operation of a chain."""
        return script is not None and script.name in self.parts

    @cached_property
    def parts(self) -> frozenset[str]:
        """The names of the scripts that play a part in a recognised shape."""
        names = (name for shape in self.recognition.shapes for name in _parts_of(shape))
        return frozenset(name for name in names if name)

    @cached_property
    def called(self) -> dict[str, list[tuple[ScriptTree, Call]]]:
        """The scripts that RunScript runs, by their names, with the calls."""
        found: dict[str, list[tuple[ScriptTree, Call]]] = {}
        for tree in self.trees:
            for call in tree.calls("RunScript"):
                if (tag := tree.tag(call)) is not None:
                    found.setdefault(tag.name, []).append((tree, call))
        return found

    def scripts_run_by(self, tree: ScriptTree, call: Call) -> Iterator[str]:
        """The scripts that a call of RunScript or RunOperation runs at once, by name."""
        tag = tree.tag(call)
        if tag is None:
            return
        if tag.kind == "script":
            yield tag.name
        elif tag.kind == "operation" and (operation := self.design.operation(tag.name)) is not None:
            yield from self.scripts_of(operation)

    def scripts_of(self, operation: Operation) -> Iterator[str]:
        """The scripts of an operation, of those that it invokes, and of those that follow on it."""
        seen: set[str] = set()
        waiting: list[str | None] = [operation.name]
        while waiting:
            name = waiting.pop()
            current = self.design.operation(name) if name and name not in seen else None
            if current is None:
                continue
            seen.add(current.name)
            yield from (step.name for step in current.steps if step.kind is StepKind.SCRIPT)
            waiting += [step.name for step in current.steps if step.kind is StepKind.OPERATION]
            waiting += [current.on_success, current.on_fail]

    @cached_property
    def loop_scripts(self) -> frozenset[str]:
        """Scripts that run in every round of a tool-calling loop: its parts, and what its While runs."""
        loop = self.recognition.loop
        parts = (loop.response_parser, loop.dispatcher, loop.append_tool_result) if loop else ()
        found = {name for name in parts if name}
        waiting = [name for tree in self.trees for name in self._run_in_loops(tree)]
        while waiting:
            name = waiting.pop()
            if name not in found:
                found.add(name)
                waiting += self._run_by_name.get(name, [])
        return frozenset(found)

    def llm_loops(self, tree: ScriptTree) -> Iterator[Call]:
        """The While loops that ask call_llm_again whether to go on."""
        for call in tree.calls("While"):
            if call.arguments and any(
                self.is_global(node, "call_llm_again") for node in tree.below(call.arguments[0])
            ):
                yield call

    def _run_in_loops(self, tree: ScriptTree) -> Iterator[str]:
        loops = {id(loop) for loop in self.llm_loops(tree)}
        for call in tree.calls("RunScript", "RunOperation"):
            if any(id(outer) in loops for outer in tree.above(call)):
                yield from self.scripts_run_by(tree, call)

    @cached_property
    def _run_by_name(self) -> dict[str, list[str]]:
        """The scripts that each script runs."""
        return {
            tree.name: [
                name
                for call in tree.calls("RunScript", "RunOperation")
                for name in self.scripts_run_by(tree, call)
            ]
            for tree in self.trees
        }


def read_design(design: Design, recognition: Recognition) -> Reading:
    """A design with the trees of its scripts."""
    trees: list[ScriptTree] = []
    javascripts: list[JavaScriptText] = []
    for script in design.scripts:
        if script.language is Language.JAVASCRIPT:
            javascripts.append(JavaScriptText(script))
            continue
        try:
            trees.append(ScriptTree(script, parse(script.text, script.name)))
        except ScriptError:
            continue
    return Reading(design, recognition, tuple(trees), tuple(javascripts))


def unreadable_scripts(design: Design) -> dict[str, str]:
    """Scripts that cannot be read as Jitterbit Script: the name, and the error in one line."""
    found: dict[str, str] = {}
    for script in design.scripts:
        if script.language is Language.JITTERBIT_SCRIPT:
            try:
                parse(script.text, script.name)
            except ScriptError as error:
                found[script.name] = error.headline
    return found


def _parts_of(shape: Shape) -> tuple[str | None, ...]:
    match shape:
        case ToolCallingLoop():
            middle = (shape.response_parser, shape.dispatcher, shape.append_tool_result)
            return (shape.controller, shape.initialise, *middle)
        case SingleRoundRouting():
            return (shape.initialise, shape.response_parser, shape.dispatcher)
        case PromptBasedRouting():
            return (shape.initialise, shape.dispatcher)
        case RetryController():
            return (shape.controller,)

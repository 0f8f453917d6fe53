"""What becomes of each part of a design, before anything is written."""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace

from callagain.porting import jitterbit
from callagain.porting.design.model import (
    Design,
    Language,
    Operation,
    Script,
    Step,
    StepKind,
    ToolSchema,
)
from callagain.porting.names import python_name, python_names
from callagain.porting.recognition import (
    DispatchedTool,
    PromptBasedRouting,
    Recognition,
    RetryController,
    Shape,
    SingleRoundRouting,
    ToolCallingLoop,
)
from callagain.porting.script import ScriptError, parse, unknown_calls
from callagain.porting.translation import NotTranslatable, Translation, translate

# What a script of a loop does, a built-in operation does here.
_OF_THE_CHAIN = ("initialise", "response_parser", "controller", "dispatcher", "append_tool_result")
_RUN_AS_THEY_ARE = (StepKind.SCRIPT, StepKind.OPERATION)
_MODULES = ("chain", "project", "scripts", "activities", "tools", "design", "tests")


@dataclass(frozen=True, slots=True)
class PlannedTool:
    """A tool of the model: what is announced, and the operation that answers.

    operation: None where the design does not say what runs. guessed: the schema is ours, not the design's.
    """

    schema: ToolSchema
    operation: str | None
    is_guessed: bool = False


@dataclass(frozen=True, slots=True)
class MainOperation:
    """The operation that a conversation is, and the operations that run before, after and for its loop."""

    name: str
    before: str | None = None
    after: str | None = None
    on_success: str | None = None
    on_fail: str | None = None


@dataclass(frozen=True, slots=True)
class Plan:
    """What becomes of a design.

    package: the name that Python imports. shape: what the chain is made by; None for a design without one.
    translations, kept: scripts as Python, and the others with the reason, by name. replaced: scripts and
    operations that the chain has in their place, with their role. stubs: steps that somebody has to write, by
    name, with the name of their function.
    """

    design: Design
    recognition: Recognition
    package: str
    shape: Shape | None
    main: MainOperation | None
    translations: Mapping[str, Translation]
    kept: Mapping[str, str]
    replaced: Mapping[str, str]
    tools: tuple[PlannedTool, ...]
    stubs: Mapping[str, str]

    @property
    def default_response(self) -> str | None:
        return None if isinstance(self.shape, RetryController | None) else self.shape.default_response


def make_plan(design: Design, recognition: Recognition, package: str | None = None) -> Plan:
    """Decides about every part. package: its name; by default made of the design's."""
    shape = _main_shape(recognition)
    main = _main_operation(design, shape)
    design = _with_branches(_with_parts(design, shape, main), shape)
    replaced = dict(_replaced(design, shape))
    translations, kept = _scripts(design, replaced)
    llm_calls = {name for name, role in replaced.items() if role == "llm_call"}
    stubs = python_names(_stubs(design, llm_calls), otherwise="activity")
    name = package or python_name(design.name, otherwise="ported_design")
    return Plan(
        design=design,
        recognition=recognition,
        package=f"{name}_design" if name in _MODULES or name == "callagain" else name,
        shape=shape,
        main=main,
        translations=translations,
        kept=kept,
        replaced=replaced,
        tools=tuple(_tools(design, shape)),
        stubs=stubs,
    )


def _main_shape(recognition: Recognition) -> Shape | None:
    """The loop before what is less than one; the retry of an expression stays in its script."""
    order = (ToolCallingLoop, SingleRoundRouting, PromptBasedRouting, RetryController)
    shapes = (each for each in recognition.shapes if not isinstance(each, RetryController) or each.operation)
    return min(shapes, key=lambda shape: order.index(type(shape)), default=None)


def _with_branches(design: Design, shape: Shape | None) -> Design:
    """The design, with an operation for each branch of its dispatcher that does more than run one."""
    branches = [branch for branch in _branches(shape) if branch.script is not None]
    if not branches:
        return design
    dispatcher = next(
        (script for script in design.scripts if script.name == getattr(shape, "dispatcher", None)),
        design.scripts[0],
    )
    operations, scripts = list(design.operations), list(design.scripts)
    for branch in branches:
        name = f"Branch {branch.function_name}"
        scripts.append(Script(name, Language.JITTERBIT_SCRIPT, branch.script or "", dispatcher.place))
        operations.append(Operation(name, (Step(StepKind.SCRIPT, name),), dispatcher.place))
    return replace(design, operations=tuple(operations), scripts=tuple(scripts))


def _operation_of(branch: DispatchedTool) -> str | None:
    """What answers; None where the dispatcher has a branch that does nothing."""
    return branch.operation if branch.script is None else f"Branch {branch.function_name}"


def _replaced(design: Design, shape: Shape | None) -> Iterator[tuple[str, str]]:
    """Scripts and operations that are a part of the chain."""
    if shape is None or isinstance(shape, RetryController):
        return
    for role in (*_OF_THE_CHAIN, "llm_call", "tool_dispatcher"):
        name = getattr(shape, role, None)
        if name is not None:
            yield name, role
    parser = getattr(shape, "response_parser", None)
    for operation in design.operations:
        # An operation that only parses, linked On Success to the LLM Call.
        if [step.name for step in operation.steps] == [parser]:
            yield operation.name, "response_parser"


def _scripts(design: Design, replaced: Mapping[str, str]) -> tuple[dict[str, Translation], dict[str, str]]:
    taken = ("state", "error", *jitterbit.__all__)
    names = python_names((script.name for script in design.scripts), otherwise="script", taken=taken)
    translations: dict[str, Translation] = {}
    kept: dict[str, str] = {}
    for script in design.scripts:
        if script.name in replaced or script.name in translations or script.name in kept:
            continue
        became = _translated(script, names[script.name])
        if isinstance(became, Translation):
            translations[script.name] = became
        else:
            kept[script.name] = became
    return translations, kept


def _translated(script: Script, function: str) -> Translation | str:
    """The translation, or why there is none."""
    if script.language is Language.JAVASCRIPT:
        return "JavaScript is run by QuickJS: pip install 'callagain[jitterbit]'"
    try:
        tree = parse(script.text, script.name)
        if unknown := unknown_calls(tree):
            call = unknown[0]
            return f"line {call.place.line}: there is no function '{call.name}'"
        return translate(tree, function=function)
    except NotTranslatable as reason:
        return str(reason)
    except ScriptError as error:
        return error.headline


def _stubs(design: Design, llm_calls: Iterable[str]) -> Iterator[str]:
    """Steps that are neither scripts nor operations, but for the request of the loop itself."""
    of_the_loop = set(llm_calls)
    for operation in design.operations:
        if operation.name not in of_the_loop:
            yield from (step.name for step in operation.steps if step.kind not in _RUN_AS_THEY_ARE)


def _main_operation(design: Design, shape: Shape | None) -> MainOperation | None:
    operation = _operation_with(design, shape)
    if operation is None:
        return None
    before, after = _beside_the_loop(operation, shape)
    return MainOperation(
        operation.name,
        f"{operation.name} - before the loop" if before else None,
        f"{operation.name} - after the loop" if after else None,
        operation.on_success,
        operation.on_fail,
    )


def _operation_with(design: Design, shape: Shape | None) -> Operation | None:
    """The operation that has the controller as a step."""
    if not isinstance(shape, ToolCallingLoop) or shape.controller is None:
        return None
    return next((each for each in design.operations if _runs(each, shape.controller)), None)


def _beside_the_loop(operation: Operation, shape: Shape | None) -> tuple[tuple[Step, ...], tuple[Step, ...]]:
    """Steps before and behind the controller that are no part of the loop."""
    of_the_chain = {getattr(shape, role, None) for role in (*_OF_THE_CHAIN, "llm_call", "tool_dispatcher")}
    names = [step.name for step in operation.steps]
    at = names.index(getattr(shape, "controller", ""))
    before, after = (
        tuple(step for step in steps if step.name not in of_the_chain)
        for steps in (operation.steps[:at], operation.steps[at + 1 :])
    )
    return before, after


def _with_parts(design: Design, shape: Shape | None, main: MainOperation | None) -> Design:
    """The design, with operations of the steps that stand beside the loop."""
    operation = _operation_with(design, shape)
    if main is None or operation is None:
        return design
    parts = zip((main.before, main.after), _beside_the_loop(operation, shape), strict=True)
    added = tuple(Operation(name, steps, operation.place) for name, steps in parts if name is not None)
    return replace(design, operations=(*design.operations, *added))


def _runs(operation: Operation, script: str) -> bool:
    return any(step.kind is StepKind.SCRIPT and step.name == script for step in operation.steps)


def _tools(design: Design, shape: Shape | None) -> Iterator[PlannedTool]:
    """The tools that the design announces, and those that only its dispatcher knows."""
    branches = {branch.function_name: branch for branch in _branches(shape)}
    announced = {tool.name: tool for tool in design.tools}
    for tool in announced.values():
        branch = branches.get(tool.name)
        yield PlannedTool(tool, None if branch is None else _operation_of(branch))
    for name, branch in branches.items():
        if name not in announced:
            place = design.operations[0].place if design.operations else design.scripts[0].place
            words = python_name(name, otherwise="tool").replace("_", " ").strip()
            schema = ToolSchema(name, words, {"type": "object", "properties": {}}, place)
            # Prompt-based routing announces nothing.
            is_guessed = not isinstance(shape, PromptBasedRouting)
            yield PlannedTool(schema, _operation_of(branch), is_guessed)


def _branches(shape: Shape | None) -> tuple[DispatchedTool, ...]:
    match shape:
        case ToolCallingLoop() | SingleRoundRouting():
            return shape.tools
        case PromptBasedRouting():
            return shape.routes
        case _:
            return ()

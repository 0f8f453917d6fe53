"""What becomes of each part of a design, before anything is written."""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace

from callagain.engine.errors import ConfigurationError
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
from callagain.porting.javascript import syntax_problem
from callagain.porting.names import python_name, python_names
from callagain.porting.package.conversation import OF_THE_CHAIN, Conversation, with_conversation
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
class Kept:
    """A script that is not translated: why, and whether it runs as it stands."""

    reason: str
    runs: bool = True


@dataclass(frozen=True, slots=True)
class Plan:
    """What becomes of a design.

    package: the name that Python imports. shape: what the chain is made by; None for a design without one.
    main: the conversation.
    translations, kept: scripts as Python, and the others with the reason, by name. replaced,
    replaced_operations: what the chain does in their place, with their role. stubs: steps that somebody has
    to write, by name, with the name of their function.
    """

    design: Design
    recognition: Recognition
    package: str
    shape: Shape | None
    main: Conversation
    translations: Mapping[str, Translation]
    kept: Mapping[str, Kept]
    replaced: Mapping[str, str]
    replaced_operations: Mapping[str, str]
    tools: tuple[PlannedTool, ...]
    stubs: Mapping[str, str]


def make_plan(design: Design, recognition: Recognition, package: str | None = None) -> Plan:
    """Decides about every part. package: its name; by default made of the design's."""
    shape = _main_shape(recognition)
    design, main = with_conversation(_with_branches(design, shape), shape)
    replaced = dict(_replaced_scripts(shape))
    if main.builds_request:
        del replaced[getattr(shape, "initialise", "")]
    operations = dict(_replaced_operations(design, shape))
    translations, kept = _scripts(design, replaced)
    llm_calls = {name for name, role in operations.items() if role == "llm_call"}
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
        replaced_operations=operations,
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


def _replaced_scripts(shape: Shape | None) -> Iterator[tuple[str, str]]:
    """Scripts that are a part of the chain, with their role."""
    if isinstance(shape, RetryController):
        yield shape.controller, "retry_controller"
        return
    for role in OF_THE_CHAIN:
        name = getattr(shape, role, None)
        if name is not None:
            yield name, role


def _replaced_operations(design: Design, shape: Shape | None) -> Iterator[tuple[str, str]]:
    """Operations that are a part of the chain, with their role."""
    for role in ("llm_call", "tool_dispatcher"):
        name = getattr(shape, role, None)
        if name is not None:
            yield name, role
    parser = getattr(shape, "response_parser", None)
    for operation in design.operations:
        # One that only parses, linked On Success to the LLM Call.
        if [step.name for step in operation.steps] == [parser]:
            yield operation.name, "response_parser"


def _scripts(design: Design, replaced: Mapping[str, str]) -> tuple[dict[str, Translation], dict[str, Kept]]:
    taken = ("state", "error", *jitterbit.__all__)
    names = python_names((script.name for script in design.scripts), otherwise="script", taken=taken)
    translations: dict[str, Translation] = {}
    kept: dict[str, Kept] = {}
    for script in design.scripts:
        if script.name in replaced or script.name in translations or script.name in kept:
            continue
        became = _translated(script, names[script.name])
        if isinstance(became, Translation):
            translations[script.name] = became
        else:
            kept[script.name] = became
    return translations, kept


def _translated(script: Script, function: str) -> Translation | Kept:
    if script.language is Language.JAVASCRIPT:
        return _kept_javascript(script)
    try:
        tree = parse(script.text, script.name)
        if unknown := unknown_calls(tree):
            call = unknown[0]
            return Kept(f"line {call.place.line}: there is no function '{call.name}'", runs=False)
        return translate(tree, function=function)
    except NotTranslatable as reason:
        return Kept(str(reason))
    except ScriptError as error:
        return Kept(error.headline, runs=False)


def _kept_javascript(script: Script) -> Kept:
    try:
        problem = syntax_problem(script.text, script.name)
    except ConfigurationError:
        # Without QuickJS nobody can tell; the package asks for it.
        problem = None
    return Kept("JavaScript is run by QuickJS") if problem is None else Kept(problem, runs=False)


def _stubs(design: Design, llm_calls: Iterable[str]) -> Iterator[str]:
    """Steps that are neither scripts nor operations, but for the request of the loop itself."""
    of_the_loop = set(llm_calls)
    for operation in design.operations:
        if operation.name not in of_the_loop:
            yield from (step.name for step in operation.steps if step.kind not in _RUN_AS_THEY_ARE)


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

"""A design as a Python package."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace

from callagain.chains import FUNCTION_ROUTING, PROMPT_ROUTING, RETRY_CONTROLLER
from callagain.diagrams.mermaid import flowchart_mermaid
from callagain.engine.chain import Chain
from callagain.operations import TOOL_CALLING_LOOP
from callagain.porting.design import Design, DesignError, SourcePlace
from callagain.porting.package.chain_file import MODEL_OTHERWISE, chain_source
from callagain.porting.package.components import components, names
from callagain.porting.package.module_files import (
    activities_source,
    init_source,
    main_source,
    project_source,
    scripts_source,
    tools_json,
    tools_source,
)
from callagain.porting.package.plan import Plan, make_plan
from callagain.porting.package.test_files import tests_of_parity, tests_of_the_chain
from callagain.porting.package.text_files import pyproject, readme
from callagain.porting.recognition import (
    PromptBasedRouting,
    Recognition,
    RetryController,
    Shape,
    SingleRoundRouting,
    ToolCallingLoop,
    recognise,
)
from callagain.porting.report import (
    Report,
    find_traps,
    inventory,
    report_json,
    report_markdown,
    unknown_functions,
    unresolved_tags,
)


@dataclass(frozen=True, slots=True)
class Package:
    """A package that is not written yet. files: the texts by path; the design's own folder comes beside."""

    plan: Plan
    report: Report
    files: Mapping[str, str]


def port(design: Design, *, package: str | None = None) -> Package:
    """The package that a design becomes. package: the name that Python imports; made of the design's.

    Raises DesignError for a design that has nothing to port.
    """
    if not (design.operations or design.scripts or design.activities or design.flowchart):
        problem = f"this {design.form} has no operations, scripts, activities or flowchart; is it a design?"
        raise DesignError(SourcePlace(design.name), problem)
    recognition = recognise(design)
    plan = make_plan(design, recognition, package)
    report = _report(design, plan)
    return Package(plan, report, dict(_files(plan, report)))


def _report(design: Design, plan: Plan) -> Report:
    traps = find_traps(design, _as_replaced(plan))
    return Report(
        design=design.name,
        form=design.form,
        package=plan.package,
        inventory=inventory(design),
        components=tuple(components(plan, traps)),
        unknown_functions=unknown_functions(design),
        unresolved_tags=unresolved_tags(design),
        traps=traps,
        names=names(plan),
        secrets=tuple(_secrets(design)),
        guesses=tuple(_guesses(design, plan)),
        diagram="" if plan.shape is None else flowchart_mermaid(chain_with(plan.shape)),
    )


def _as_replaced(plan: Plan) -> Recognition:
    """Without the script that initialises, where that goes on to run: it does then what it did."""
    if not plan.main.builds_request or plan.shape is None or isinstance(plan.shape, RetryController):
        return plan.recognition
    shapes = [
        replace(plan.shape, initialise=None) if each is plan.shape else each
        for each in plan.recognition.shapes
    ]
    return replace(plan.recognition, shapes=tuple(shapes))


def chain_with(shape: Shape) -> Chain:
    """The chain of callagain that has this shape."""
    match shape:
        case ToolCallingLoop():
            return TOOL_CALLING_LOOP
        case SingleRoundRouting():
            return FUNCTION_ROUTING
        case PromptBasedRouting():
            return PROMPT_ROUTING
        case RetryController():
            return RETRY_CONTROLLER


def _secrets(design: Design) -> Iterator[str]:
    yield from (variable.name for variable in design.variables if variable.is_secret)
    for connection in design.connections:
        yield from (f"{connection.name}: {secret}" for secret in connection.secrets)


def _guesses(design: Design, plan: Plan) -> Iterator[str]:
    for guess in (*design.guesses, *plan.recognition.guesses):
        yield f"{guess.place}: {guess.text}"
    model = getattr(plan.shape, "model", None)
    asks_a_model = plan.shape is not None and not isinstance(plan.shape, RetryController)
    if asks_a_model and model is None and not plan.main.builds_request:
        yield f"the design does not say which model it asks; chain.py says {MODEL_OTHERWISE}"


def _files(plan: Plan, report: Report) -> Iterator[tuple[str, str]]:
    package = plan.package
    yield "pyproject.toml", pyproject(plan)
    yield "README.md", readme(plan, report)
    yield "REPORT.md", report_markdown(report)
    yield "report.json", report_json(report)
    yield f"{package}/__init__.py", init_source(plan)
    yield f"{package}/project.py", project_source(plan)
    if plan.translations:
        yield f"{package}/scripts.py", scripts_source(plan)
    if plan.stubs:
        yield f"{package}/activities.py", activities_source(plan)
    if plan.shape is not None:
        yield f"{package}/chain.py", chain_source(plan, plan.shape)
        yield f"{package}/__main__.py", main_source(plan)
        yield "diagrams/chain.mmd", report.diagram
        if not isinstance(plan.shape, RetryController):
            yield f"{package}/tools.py", tools_source(plan)
            yield f"{package}/tools.json", tools_json(plan)
    tests = tests_of_the_chain(plan)
    if tests is not None:
        yield "tests/test_chain.py", tests
    yield "tests/test_parity.py", tests_of_parity(plan, report)

"""What became of each component of the design, for the report."""

from collections.abc import Iterator, Mapping, Sequence

from callagain.porting.design.model import Operation, SourcePlace, StepKind
from callagain.porting.names import environment_name
from callagain.porting.package.plan import Plan, PlannedTool
from callagain.porting.recognition import RetryController
from callagain.porting.report import Component, FoundTrap, Status

# What may be missing in a package that is as good as the design.
_HARMLESS = ("writes to the log",)

_RUN = (StepKind.SCRIPT, StepKind.OPERATION)

_OPERATION_OF = {
    "initialise": "Initialize",
    "llm_call": "LLM Call",
    "response_parser": "Parse Response and Extract Final",
    "tool_dispatcher": "Tool Dispatcher",
    "dispatcher": "Tool Dispatcher",
    "append_tool_result": "Append Tool Result",
    "controller": "the links of the chain",
    "retry_controller": "the links of the chain",
}


def components(plan: Plan, traps: Sequence[FoundTrap]) -> Iterator[Component]:
    """Workflows, operations, scripts, activities, connections, variables, tools, and what has no place."""
    yield from _workflows(plan)
    yield from (_operation(plan, operation) for operation in plan.design.operations)
    yield from _scripts(plan, traps)
    yield from _activities(plan)
    yield from _connections(plan)
    yield from _variables(plan)
    yield from _tools(plan)
    yield from _flowchart(plan)
    for ignored in plan.design.ignored:
        notes = (ignored.why,) if ignored.why else ()
        yield Component(ignored.kind, ignored.name, ignored.place, Status.IGNORED, notes=notes)


def _workflows(plan: Plan) -> Iterator[Component]:
    for workflow in plan.design.workflows:
        became = f"{plan.package}/design/design.json"
        yield Component("workflow", workflow.name, workflow.place, Status.CONVERTED, became)


def _operation(plan: Plan, operation: Operation) -> Component:
    role = plan.replaced_operations.get(operation.name)
    main = plan.main
    if role is not None:
        became, status = _built_in(role), Status.CONVERTED
    elif main.name == operation.name:
        became, status = f"{plan.package}/chain.py: ask", Status.CONVERTED
    else:
        became, status = f"{plan.package}/design/design.json: {operation.name}", _status(plan, operation)
    notes = [
        f"its step {step.name} is still to be written"
        for step in operation.steps
        if step.name in plan.stubs and step.kind not in _RUN
    ]
    if role is not None:
        links = (("On Success", operation.on_success), ("On Fail", operation.on_fail))
        lost = [
            f"not carried over: {link}, {to}"
            for link, to in links
            if to and to not in plan.replaced_operations
        ]
        notes += lost
        status = Status.STUB if lost else status
    return Component("operation", operation.name, operation.place, status, became, tuple(notes))


def _status(plan: Plan, operation: Operation) -> Status:
    kinds = {step.kind: step for step in operation.steps if step.name in plan.stubs}
    if any(kind not in _RUN for kind in kinds):
        return Status.STUB
    if any(step.kind is StepKind.SCRIPT and step.name in plan.kept for step in operation.steps):
        return Status.KEPT_AS_SCRIPT
    return Status.CONVERTED


def _scripts(plan: Plan, traps: Sequence[FoundTrap]) -> Iterator[Component]:
    for script in plan.design.scripts:
        if script.name in plan.replaced:
            status, became, notes = _replaced(plan, script.name, traps)
        elif (translation := plan.translations.get(script.name)) is not None:
            # A translation does what the script did, traps included.
            became, notes = f"{plan.package}/scripts.py: {translation.function}", list(translation.notes)
            status = Status.CONVERTED_WITH_NOTES if notes else Status.CONVERTED
        else:
            kept = plan.kept[script.name]
            became, notes = f"{plan.package}/design/scripts", [kept.reason]
            status = Status.KEPT_AS_SCRIPT if kept.runs else Status.STUB
        yield Component("script", script.name, script.place, status, became, tuple(notes))


def _replaced(plan: Plan, script: str, traps: Sequence[FoundTrap]) -> tuple[Status, str, list[str]]:
    """A script in whose place there is a part of the chain; what it did besides has to be written."""
    of_script = dict.fromkeys(found.trap for found in traps if found.script == script)
    notes = [f"behaves otherwise: {', '.join(of_script)}"] if of_script else []
    lost = [each for each in plan.main.lost if each.script == script]
    notes += [f"not carried over, line {each.line}: {', '.join(each.effects)}" for each in lost]
    status = Status.CONVERTED_WITH_NOTES if notes else Status.CONVERTED
    if any(effect not in _HARMLESS for each in lost for effect in each.effects):
        status = Status.STUB
    return status, _built_in(plan.replaced[script]), notes


def _activities(plan: Plan) -> Iterator[Component]:
    llm_calls = {name for name, role in plan.replaced_operations.items() if role == "llm_call"}
    requested = {
        step.name
        for operation in plan.design.operations
        if operation.name in llm_calls
        for step in operation.steps
        if step.kind is StepKind.ACTIVITY
    }
    known = {activity.name for activity in plan.design.activities}
    for activity in plan.design.activities:
        kind = f"activity ({activity.connector})" if activity.connector else "activity"
        if activity.name in plan.stubs:
            yield _stub(plan, kind, activity.name, activity.place)
        elif activity.name in requested:
            became = "callagain: the request of LLM Call"
            yield Component(kind, activity.name, activity.place, Status.CONVERTED, became)
        else:
            notes = ("no operation runs it",)
            yield Component(kind, activity.name, activity.place, Status.IGNORED, notes=notes)
    for operation in plan.design.operations:
        for step in operation.steps:
            if step.name in plan.stubs and step.name not in known and step.kind is not StepKind.SCRIPT:
                known.add(step.name)
                yield _stub(plan, str(step.kind), step.name, operation.place)


def _stub(plan: Plan, kind: str, name: str, place: SourcePlace) -> Component:
    became = f"{plan.package}/activities.py: {plan.stubs[name]}"
    return Component(kind, name, place, Status.STUB, became, ("write what it does, in Python",))


def _connections(plan: Plan) -> Iterator[Component]:
    for connection in plan.design.connections:
        notes = ["give base_url= and OPENAI_API_KEY if the loop asks it; else the functions of activities do"]
        notes += [f"enter {secret} anew" for secret in connection.secrets]
        yield Component(
            "connection", connection.name, connection.place, Status.CONVERTED_WITH_NOTES, None, tuple(notes)
        )


def _variables(plan: Plan) -> Iterator[Component]:
    for variable in plan.design.variables:
        kind = "project variable" if variable.is_project else "global variable"
        became = f'variables["{variable.name}"]'
        if variable.is_secret:
            notes = (f"its value is not in the export; it is read from {environment_name(variable.name)}",)
            yield Component(kind, variable.name, variable.place, Status.CONVERTED_WITH_NOTES, became, notes)
        else:
            yield Component(kind, variable.name, variable.place, Status.CONVERTED, became)


def _tools(plan: Plan) -> Iterator[Component]:
    yield from (_tool(plan, tool) for tool in plan.tools)
    if plan.shape is not None and not plan.tools and not isinstance(plan.shape, RetryController):
        notes = ("the design names no tools: announce them here, and give each an operation in tools.py",)
        place = SourcePlace(plan.design.name)
        yield Component("tool", "(no tools)", place, Status.STUB, f"{plan.package}/tools.json", notes)


def _tool(plan: Plan, tool: PlannedTool) -> Component:
    schema, notes = tool.schema, list[str]()
    status = Status.CONVERTED
    if tool.is_guessed:
        status = Status.STUB
        notes.append("the design does not announce it: write its description and its parameters")
    if tool.operation is None:
        status = Status.STUB
        notes.append("no branch of the dispatcher runs it: write what answers")
    elif plan.design.operation(tool.operation) is None:
        status = Status.STUB
        notes.append(f"the design has no operation '{tool.operation}': write what answers")
    return Component("tool", schema.name, schema.place, status, f"{plan.package}/tools.json", tuple(notes))


def _flowchart(plan: Plan) -> Iterator[Component]:
    for node in plan.design.flowchart:
        notes = ("a picture does not say what it does",)
        name = " ".join(node.text.split())
        yield Component("flowchart node", name, node.place, Status.CONVERTED_WITH_NOTES, None, notes)


def _built_in(role: str) -> str:
    return f"callagain: {_OPERATION_OF.get(role.split(',')[0], role)}"


def names(plan: Plan) -> Mapping[str, Mapping[str, str]]:
    """The Python name of each script, step and tool."""
    named: dict[str, Mapping[str, str]] = {
        "script": {name: each.function for name, each in plan.translations.items()},
        "activity": plan.stubs,
        "secret": {
            each.name: environment_name(each.name) for each in plan.design.variables if each.is_secret
        },
    }
    return {kind: names for kind, names in named.items() if names}

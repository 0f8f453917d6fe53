"""Cases: what is asked, and what the model answers; those that a design itself suggests."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from callagain.engine.json_text import JsonObject, encode
from callagain.porting.package.sample_arguments import sample_arguments
from callagain.porting.parity.roles import Roles
from callagain.porting.ported import PortedDesign
from callagain.porting.recognition import DispatchedTool
from callagain.porting.script import Value
from callagain.testing import AnyAnswer, calls

_ROUNDS_WITHOUT_LIMIT = 5
_MOST_ROUNDS = 50


@dataclass(frozen=True, slots=True)
class Case:
    """A conversation to compare, or one operation.

    message: what the user says. answers: what the model answers, one a request; faults of the connection are
    refused. variables: global variables to begin with, by their names in the design, besides those of the
    project. operation: this operation alone is run, by its original scripts and by those in Python; None is
    the whole conversation.
    """

    name: str
    message: str = ""
    answers: Sequence[AnyAnswer] = ()
    variables: Mapping[str, Value] = field(default_factory=dict[str, Value])
    operation: str | None = None


def default_cases(project: PortedDesign) -> tuple[Case, ...]:
    """Cases made of the design: no tool, each tool, two tools, the limit; then each tool's operation alone.

    The limit is left out where it is above 50 rounds. A design without a tool-calling loop has a case for
    each of its operations. Arguments are made of the
    tools' schemas, and all texts are plain: quotes and line breaks are where the scripts of the guide go
    wrong, which the traps of the report say.
    """
    roles = Roles.of(project)
    made = _of_the_loop(roles) if roles.main is not None else _of_each_operation(roles)
    return tuple(made)


def _of_the_loop(roles: Roles) -> Iterator[Case]:
    tools = [(tool, sample_arguments(roles.parameters(tool.function_name))) for tool in roles.tools]
    yield Case("no tool", "Good morning", ["Good morning to you."])
    for tool, arguments in tools:
        name = tool.function_name
        yield Case(f"tool {name}", f"Use {name}", [calls((name, arguments)), "Done."])
    if len(tools) > 1 and not roles.has_one_round:
        (first, of_first), (second, of_second) = tools[:2]
        names = first.function_name, second.function_name
        both = [calls((names[0], of_first)), calls((names[1], of_second))]
        yield Case(" then ".join(names), f"Use {names[0]}, then {names[1]}", [*both, "Both are done."])
    rounds = roles.limit or _ROUNDS_WITHOUT_LIMIT
    if tools and rounds <= _MOST_ROUNDS and not roles.has_one_round:
        name, arguments = tools[0][0].function_name, tools[0][1]
        again = [calls((name, arguments)) for _ in range(rounds + 1)]
        yield Case("limit", f"Use {name} again and again", [*again, "Done."])
    for tool, arguments in tools:
        if tool.operation is not None:
            yield _of_tool(roles, tool, arguments)


def _of_tool(roles: Roles, tool: DispatchedTool, arguments: JsonObject) -> Case:
    """The operation of a tool alone, with the variables that the dispatcher leaves to it."""
    called = {
        "function_name": tool.function_name,
        "function_arguments": encode(arguments).decode(),
        "tool_call_id": "call_1",
    }
    variables: dict[str, Value] = {roles.named(name): value for name, value in called.items()}
    return Case(f"operation {tool.operation}", variables=variables, operation=tool.operation)


def _of_each_operation(roles: Roles) -> Iterator[Case]:
    by_operation = {tool.operation: tool for tool in roles.tools if tool.operation is not None}
    for operation in roles.design.operations:
        tool = by_operation.get(operation.name)
        if tool is not None:
            yield _of_tool(roles, tool, sample_arguments(roles.parameters(tool.function_name)))
        else:
            name = operation.name
            yield Case(f"operation {name}", "Good morning", _answers(roles), operation=name)


def _answers(roles: Roles) -> Sequence[AnyAnswer]:
    """What a model says to a design that asks it once: the first tool, or the first name."""
    if not roles.tools:
        return ["Good morning to you."]
    name = roles.tools[0].function_name
    if roles.routes_by_prompt:
        return [name]
    return [calls((name, sample_arguments(roles.parameters(name)))), "Done."]

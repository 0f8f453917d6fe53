"""The other modules of a package: the project with its scripts, the activities to write, the tools."""

import json
from collections.abc import Iterator

from callagain.porting.package.plan import Plan
from callagain.porting.recognition import RetryController
from callagain.porting.translation import module_source
from callagain.porting.translation.comments import shown
from callagain.porting.translation.layout import literal


def init_source(plan: Plan) -> str:
    names = ["PROJECT"] if plan.shape is None else ["CHAIN", "PROJECT", "ask", "make_loop"]
    chain = [f"from {plan.package}.chain import CHAIN, ask, make_loop"] if plan.shape is not None else []
    lines = [
        f'"""{shown(plan.design.name)}, ported from Jitterbit. README.md says how to run it."""',
        "",
        *chain,
        f"from {plan.package}.project import PROJECT",
        "",
        f"__all__ = [{', '.join(literal(name) for name in names)}]",
    ]
    return "\n".join([*lines, ""])


def main_source(plan: Plan) -> str:
    """`python -m package QUESTION`."""
    return f'''"""Asks one question: python -m {plan.package} "Where is order 481516?"."""

import sys

from {plan.package}.chain import ask


def main() -> int:
    if len(sys.argv) != 2:
        print('usage: python -m {plan.package} "QUESTION"', file=sys.stderr)
        return 2
    answer = ask(sys.argv[1])
    if answer.result.error is not None:
        print(answer.result.error.message, file=sys.stderr)
        return 1
    print(answer.result.final_response or answer.result.variables.function_resp)
    return 0


if __name__ == "__main__":
    sys.exit(main())
'''


def project_source(plan: Plan) -> str:
    """The design, which of its scripts are Python, and what runs its activities."""
    return "\n".join(_project(plan))


def _project(plan: Plan) -> Iterator[str]:
    yield '"""The design in the folder design, and the scripts of it that are Python."""'
    yield ""
    yield "from pathlib import Path"
    yield ""
    yield "from callagain.porting.ported import PortedDesign"
    yield ""
    modules = [name for name, used in (("activities", plan.stubs), ("scripts", plan.translations)) if used]
    if modules:
        yield f"from {plan.package} import {', '.join(modules)}"
        yield ""
    yield "PROJECT = PortedDesign("
    yield '    Path(__file__).parent / "design",'
    # A script that is not among them is run as it stands.
    yield from _mapping(
        "python", {name: f"scripts.{each.function}" for name, each in plan.translations.items()}
    )
    if plan.stubs:
        yield from _mapping("activities", {name: f"activities.{each}" for name, each in plan.stubs.items()})
    if plan.shape is not None and not isinstance(plan.shape, RetryController):
        yield '    tools=Path(__file__).parent / "tools.json",'
    renamed = getattr(plan.shape, "names", {})
    if renamed:
        yield from _mapping("names", {guide: literal(name) for guide, name in renamed.items()})
    yield ")"
    yield ""


def _mapping(argument: str, values: dict[str, str]) -> Iterator[str]:
    if not values:
        yield f"    {argument}={{}},"
        return
    yield f"    {argument}={{"
    yield from (f"        {literal(name)}: {value}," for name, value in values.items())
    yield "    },"


def scripts_source(plan: Plan) -> str:
    return module_source(
        list(plan.translations.values()), "The scripts of the design as Python, each below its original."
    )


def activities_source(plan: Plan) -> str:
    """A function for each step that talks to an endpoint, to be written."""
    lines = [
        '"""What talks to endpoints: each function gets the request body and the variables.',
        "",
        "What it returns becomes $jitterbit.response. It may set variables as well.",
        '"""',
        "",
        "from callagain.porting.ported import Variables",
        "from callagain.porting.script import OperationFailed",
    ]
    for name, function in plan.stubs.items():
        activity = plan.design.activity(name)
        what = shown(name if activity is None else f"{name} ({activity.connector} {activity.function})")
        lines += [
            "",
            "",
            f"def {function}(body: str, variables: Variables) -> str | None:",
            f'    """{what}."""',
            f"    raise OperationFailed({literal(f'{function} in activities.py is still to be written')})",
        ]
    return "\n".join([*lines, ""])


def tools_source(plan: Plan) -> str:
    """tools.json as tools, each run by an operation of the design."""
    return "\n".join(_tools(plan))


def _tools(plan: Plan) -> Iterator[str]:
    yield '"""The tools that the model may call: announced by tools.json, answered by operations."""'
    yield ""
    yield "import json"
    yield "from pathlib import Path"
    yield ""
    yield "from callagain import Tool"
    yield "from callagain.porting.ported import Variables"
    yield ""
    yield f"from {plan.package}.project import PROJECT"
    yield ""
    yield "SCHEMAS = {"
    yield '    entry["function"]["name"]: entry["function"]'
    yield '    for entry in json.loads((Path(__file__).parent / "tools.json").read_text("utf-8"))'
    yield "}"
    yield ""
    yield ""
    yield "def make_tools(variables: Variables) -> list[Tool]:"
    yield '    """The tools of one conversation, whose calls share its variables."""'
    if not plan.tools:
        yield "    return []"
    else:
        yield "    return ["
        for tool in plan.tools:
            operation = literal(tool.operation) if tool.operation is not None else literal("")
            yield f"        PROJECT.tool(SCHEMAS[{literal(tool.schema.name)}], {operation}, variables),"
        yield "    ]"
    yield ""


def tools_json(plan: Plan) -> str:
    """The guide's toolsJson."""
    entries: list[dict[str, object]] = [
        {
            "type": "function",
            "function": {
                "name": tool.schema.name,
                "description": tool.schema.description,
                # A function that takes nothing may be announced without.
                "parameters": {"type": "object", "properties": {}, **tool.schema.parameters},
            },
        }
        for tool in plan.tools
    ]
    return json.dumps(entries, indent=2, ensure_ascii=False) + "\n"

"""The tests that a package comes with: of its chain, against the stand-in, and of parity with the design."""

from collections.abc import Iterator

from callagain.engine.json_text import Json
from callagain.porting.package.chain_file import ITERATIONS_OTHERWISE
from callagain.porting.package.plan import Plan, PlannedTool
from callagain.porting.package.sample_arguments import sample_arguments
from callagain.porting.recognition import SingleRoundRouting, ToolCallingLoop
from callagain.porting.report import Report
from callagain.porting.translation.layout import literal


def tests_of_the_chain(plan: Plan) -> str | None:
    """test_chain.py; None for a design that has no model to ask."""
    match plan.shape:
        case ToolCallingLoop():
            return "\n".join([*_head(plan), *_answer(), *_each_tool(plan), *_limit(plan)])
        case SingleRoundRouting():
            return "\n".join([*_head(plan), *_answer(), *_each_tool(plan)])
        case _:
            return None


def tests_of_parity(plan: Plan, report: Report) -> str:
    """test_parity.py. While an activity is left to write, some cases cannot be run; while statements of the
    design run nowhere, the two need not be the same."""
    is_whole = not any(each.kind in ("operation", "script") for each in report.stubs)
    return _PARITY.format(
        mark="" if is_whole else _MARK,
        pytest="" if is_whole else "\nimport pytest",
        holds="differences == ()" if plan.stubs else "holds",
    )


_MARK = '@pytest.mark.xfail(reason="something is left to write: see README.md", strict=False)\n'
_PARITY = '''"""The design and the package do the same."""

from pathlib import Path
{pytest}
from callagain.porting.parity import parity

FOLDER = Path(__file__).parents[1]


{mark}def test_the_package_does_what_the_design_does() -> None:
    assert parity(FOLDER).{holds}
'''


def _head(plan: Plan) -> Iterator[str]:
    yield '"""The chain runs against a stand-in of the endpoint."""'
    yield ""
    if plan.tools:
        yield "import pytest"
    yield (
        "from callagain.testing import StandIn, calls"
        if plan.tools
        else "from callagain.testing import StandIn"
    )
    yield ""
    yield f"from {plan.package} import ask"
    yield ""


def _answer() -> Iterator[str]:
    yield ""
    yield "def test_an_answer_without_a_tool_is_the_final_response() -> None:"
    yield '    with StandIn(["Good morning."]) as endpoint:'
    yield '        answer = ask("Hello", base_url=endpoint.base_url, api_key="any")'
    yield '    assert answer.result.outcome == "completed"'
    yield '    assert answer.result.final_response == "Good morning."'
    yield "    assert answer.result.loop_count == 0"
    yield ""


def _each_tool(plan: Plan) -> Iterator[str]:
    if not plan.tools:
        return
    after = "" if isinstance(plan.shape, SingleRoundRouting) else ', "Done."'
    yield ""
    yield "@pytest.mark.parametrize("
    yield '    ("name", "arguments"),'
    yield "    ["
    yield from (f"        {_example(tool)}," for tool in plan.tools)
    yield "    ],"
    yield ")"
    yield "def test_a_call_is_answered(name: str, arguments: dict[str, object]) -> None:"
    yield f"    with StandIn([calls((name, arguments)){after}]) as endpoint:"
    yield '        answer = ask("Do it", base_url=endpoint.base_url, api_key="any")'
    yield '    assert answer.result.outcome == "completed"'
    yield "    assert [each.name for each in answer.result.tool_results] == [name]"
    yield ""


def _limit(plan: Plan) -> Iterator[str]:
    if not plan.tools or not isinstance(plan.shape, ToolCallingLoop):
        return
    limit = plan.shape.max_iterations or ITERATIONS_OTHERWISE
    name, arguments = plan.tools[0].schema.name, sample_arguments(plan.tools[0].schema.parameters)
    yield ""
    yield "def test_a_model_that_never_ends_reaches_the_limit() -> None:"
    yield f"    again = calls(({literal(name)}, {_python(arguments)}))"
    yield "    with StandIn([again], repeat_last=True) as endpoint:"
    yield '        answer = ask("Do it", base_url=endpoint.base_url, api_key="any")'
    yield '    assert answer.result.outcome == "limit"'
    yield f"    assert answer.result.loop_count == {limit}"
    yield ""


def _example(tool: PlannedTool) -> str:
    return f"({literal(tool.schema.name)}, {_python(sample_arguments(tool.schema.parameters))})"


def _python(value: Json) -> str:
    """A JSON value in Python, strings in double quotes."""
    match value:
        case dict():
            return f"{{{', '.join(f'{literal(key)}: {_python(each)}' for key, each in value.items())}}}"
        case list():
            return f"[{', '.join(map(_python, value))}]"
        case str():
            return literal(value)
        case _:
            return repr(value)

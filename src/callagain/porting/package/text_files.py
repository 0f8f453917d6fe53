"""What a package has beside its modules: pyproject.toml, README.md."""

from collections.abc import Iterator

from callagain.porting.design.model import Language
from callagain.porting.names import environment_name
from callagain.porting.package.plan import Plan
from callagain.porting.package.test_files import tests_of_the_chain
from callagain.porting.recognition import RetryController, explain
from callagain.porting.report import Report, Status
from callagain.porting.report.safe_text import fenced, markdown

_LONGEST_PARAGRAPH = 4_000


def pyproject(plan: Plan) -> str:
    extra = "[jitterbit]" if any(each.language is Language.JAVASCRIPT for each in plan.design.scripts) else ""
    return f'''[build-system]
requires = ["setuptools>=80"]
build-backend = "setuptools.build_meta"

[project]
name = "{plan.package.replace("_", "-")}"
version = "0.1.0"
description = "Ported from a Jitterbit design by callagain"
requires-python = ">=3.11"
dependencies = ["callagain{extra}"]

[project.optional-dependencies]
dev = ["mypy", "pytest", "ruff"]

[tool.setuptools]
packages = ["{plan.package}"]

[tool.setuptools.package-data]
{plan.package} = ["tools.json", "design/*.json", "design/scripts/*"]

[tool.callagain.port]
package = "{plan.package}"

[tool.pytest.ini_options]
pythonpath = ["."]
testpaths = ["tests"]

[tool.mypy]
strict = true

[tool.ruff]
line-length = 110
'''


def readme(plan: Plan, report: Report) -> str:
    return "\n".join(_readme(plan, report))


def _readme(plan: Plan, report: Report) -> Iterator[str]:
    yield f"# {markdown(plan.design.name)}"
    yield ""
    yield "Ported from a Jitterbit design. [REPORT.md](REPORT.md) says what became of each of its parts, and"
    yield "where the Python behaves otherwise."
    yield ""
    for shape in plan.recognition.shapes:
        yield markdown(explain(shape), _LONGEST_PARAGRAPH)
        yield ""
    if report.diagram:
        yield fenced(report.diagram.rstrip(), "mermaid")
        yield ""
    yield from _running(plan)
    yield from _to_do(report)
    yield from _layout(plan)


def _running(plan: Plan) -> Iterator[str]:
    yield "## Run it"
    yield ""
    yield "```sh"
    yield "pip install -e '.[dev]'"
    yield "pytest"
    if plan.shape is not None:
        yield f'python -m {plan.package} "Hello"'
    yield "callagain parity ."
    yield "```"
    yield ""
    if plan.shape is not None and not isinstance(plan.shape, RetryController):
        yield "The key and the address of the endpoint come from `OPENAI_API_KEY` and `OPENAI_BASE_URL`, or"
        yield "from `ask(question, api_key=…, base_url=…)`. Every other setting of `callagain.ToolLoop` can"
        yield 'be given there, too: `journal=` keeps runs. `inputs={"name": value}` sets further variables.'
    elif plan.shape is not None:
        yield 'No model is asked. `ask(message, inputs={"name": value})` sets variables to begin with.'
    else:
        yield "`PROJECT.run(NAME, PROJECT.variables())` runs an operation."
    secrets = [each.name for each in plan.design.variables if each.is_secret]
    if secrets:
        yield ""
        yield "The export holds no secrets. They are read from the environment:"
        yield ""
        yield from (f"- `{environment_name(name)}` is `${markdown(name)}`" for name in secrets)
    yield ""


def _to_do(report: Report) -> Iterator[str]:
    if report.stubs:
        yield "## Left to write"
        yield ""
        for component in report.stubs:
            notes, became = "; ".join(component.notes), component.became or ""
            yield f"- {component.kind} {markdown(component.name)}: {markdown(notes)} ({markdown(became)})"
        yield ""
    kept = [
        each for each in report.components if each.status is Status.KEPT_AS_SCRIPT and each.kind == "script"
    ]
    if kept:
        yield "## Scripts that run as they are"
        yield ""
        for component in kept:
            yield f"- {markdown(component.name)}: {markdown('; '.join(component.notes))}"
        yield ""
        yield "Write one as a function of `State`, as those in scripts.py are, and name it in project.py: the"
        yield "tests and `callagain parity .` then hold it against its original."
        yield ""


def _layout(plan: Plan) -> Iterator[str]:
    package = plan.package
    yield "## What is where"
    yield ""
    yield "| file | what it has |"
    yield "| --- | --- |"
    if plan.shape is not None:
        yield f"| {package}/chain.py | the chain, its settings, `ask` |"
    if plan.shape is not None and not isinstance(plan.shape, RetryController):
        yield f"| {package}/tools.py, tools.json | what the model may call |"
    if plan.translations:
        yield f"| {package}/scripts.py | the scripts as Python, each below its original |"
    if plan.stubs:
        yield f"| {package}/activities.py | what talks to endpoints |"
    yield f"| {package}/project.py | which script is run by which function |"
    yield f"| {package}/design/ | the design: operations, links, original scripts |"
    chain = "the chain against a stand-in of the endpoint; " if tests_of_the_chain(plan) else ""
    yield f"| tests/ | {chain}parity with the design |"
    yield ""

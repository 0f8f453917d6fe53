"""Designs made in code, from short texts."""

from collections.abc import Iterable, Mapping

from tests.porting.script import guide_scripts as guide

from callagain.porting.design.model import (
    Activity,
    Design,
    Language,
    Operation,
    Script,
    SourcePlace,
    Step,
    StepKind,
    ToolSchema,
    Variable,
)

JAVASCRIPT = frozenset(("Append Tool Result",))

SCRIPTS = {
    "Initialize": guide.INITIALIZE,
    "Controller": guide.CONTROLLER,
    "Parse Response": guide.PARSE_RESPONSE,
    "Dispatch": guide.DISPATCHER,
    "Append Tool Result": guide.APPEND_TOOL_RESULT,
    "Order Status": guide.ORDER_STATUS,
}

OPERATIONS = {
    "Main": "Initialize, Controller",
    "LLM Call": "@Send Request, Parse Response",
    "Tool Dispatcher": "Dispatch",
    "Tool - Order Status": "Order Status",
    "Tool - Invoice": "@Read Invoice",
}
"""The steps of each operation: scripts, activities after `@`, operations after `>`; the link after `->`."""

WITHOUT_TOOLS = guide.INITIALIZE.replace('    + "\\"tools\\":" + $toolsJson + ","\n', "").replace(
    ',"\n    + "\\"tool_choice\\":\\"auto\\"}"', '}"'
)
READ = r'$answer = Trim(TrimChars(GetJSONString($jitterbit.response, "/choices/0/message/content"), "\""));'
ROUTE = """Case(
    $answer == "hr", RunOperation("<TAG>operation:Notify HR</TAG>"),
    $answer == "it", RunOperation("<TAG>operation:Provision IT</TAG>"),
    true, $result = "No such operation: " + $answer
)"""

RETRY = """
maxRetries = 3; attempt = 0; success = false;
While(attempt < maxRetries && !success,
    attempt = attempt + 1;
    If(RunOperation("<TAG>operation:Target</TAG>"), success = true, WriteToOperationLog(GetLastError()));
);
If(!success, RaiseError("failed"))
"""


def design(
    scripts: Mapping[str, str],
    operations: Mapping[str, str] | None = None,
    *,
    javascript: Iterable[str] = JAVASCRIPT,
    variables: Mapping[str, str | None] | None = None,
    activities: Mapping[str, Mapping[str, str]] | None = None,
    tools: Iterable[str] = (),
) -> Design:
    """A design of scripts by name, and of operations as short texts, such as "@Send, Parse -> Next"."""
    languages = {True: Language.JAVASCRIPT, False: Language.JITTERBIT_SCRIPT}
    return Design(
        name="test",
        form="test",
        operations=tuple(_operation(name, text) for name, text in (operations or {}).items()),
        scripts=tuple(
            Script(name, languages[name in set(javascript)], text, SourcePlace(f"scripts/{name}"))
            for name, text in scripts.items()
        ),
        activities=tuple(
            Activity(name, "http", "post", "target", SourcePlace("design.json"), properties=properties)
            for name, properties in (activities or {}).items()
        ),
        variables=tuple(
            Variable(name, SourcePlace("design.json"), default=default)
            for name, default in (variables or {}).items()
        ),
        tools=tuple(ToolSchema(name, "", {}, SourcePlace("design.json")) for name in tools),
    )


def guide_design(**changed: str | None) -> Design:
    """The guide's design with scripts changed or (None) left out; a name is written with `_` for spaces."""
    texts = SCRIPTS | {name.replace("_", " "): text for name, text in changed.items()}
    scripts = {name: text for name, text in texts.items() if text is not None}
    return design(scripts, OPERATIONS)


def _operation(name: str, text: str) -> Operation:
    steps, _, link = text.partition("->")
    names = [each.strip() for each in steps.split(",") if each.strip()]
    return Operation(name, tuple(map(_step, names)), SourcePlace("design.json", name), link.strip() or None)


def _step(text: str) -> Step:
    kinds = {"@": StepKind.ACTIVITY, ">": StepKind.OPERATION}
    kind = kinds.get(text[0])
    return Step(kind, text[1:]) if kind else Step(StepKind.SCRIPT, text)

"""chain.py of a package: the chain that the design has become, and the loop that runs it."""

from collections.abc import Iterator

from callagain.porting.package.plan import Plan
from callagain.porting.recognition import (
    PromptBasedRouting,
    RetryController,
    Shape,
    SingleRoundRouting,
    ToolCallingLoop,
)
from callagain.porting.translation.comments import shown
from callagain.porting.translation.layout import literal

MODEL_OTHERWISE = "gpt-4o"
ITERATIONS_OTHERWISE = 5

_CHAINS: dict[type, tuple[str, str]] = {
    ToolCallingLoop: ("callagain", "TOOL_CALLING_LOOP"),
    SingleRoundRouting: ("callagain.chains", "FUNCTION_ROUTING"),
    PromptBasedRouting: ("callagain.chains", "PROMPT_ROUTING"),
    RetryController: ("callagain.chains", "RETRY_CONTROLLER"),
}


def chain_of(shape: Shape) -> tuple[str, str]:
    """The module and the name of the chain that has this shape."""
    return _CHAINS[type(shape)]


def chain_source(plan: Plan, shape: Shape) -> str:
    """The module; plan has this shape."""
    if isinstance(shape, RetryController):
        loop = _retry_loop(shape)
    elif plan.main.builds_request:
        loop = _loop_of_a_request(shape)
    else:
        loop = _loop(shape)
    return "\n".join([*_head(plan, shape), *loop, *_ask(plan, shape)])


def _head(plan: Plan, shape: Shape) -> Iterator[str]:
    module, name = chain_of(shape)
    asks_a_model = not isinstance(shape, RetryController)
    main = plan.main
    yield '"""The chain of the design: its links are the table of callagain, and its settings are below."""'
    yield ""
    yield "from collections.abc import Mapping"
    yield "from typing import Any"
    yield ""
    if module == "callagain":
        yield f"from callagain import {name}, ToolLoop"
    else:
        yield "from callagain import ToolLoop"
        yield f"from {module} import {name}"
    if asks_a_model and not main.builds_request:
        yield "from callagain.porting.jitterbit import text"
    request = "FirstRequest, " if main.builds_request else ""
    yield f"from callagain.porting.ported import Answer, {request}Variables"
    yield "from callagain.porting.script import Value"
    yield ""
    yield f"from {plan.package}.project import PROJECT"
    if asks_a_model:
        yield f"from {plan.package}.tools import make_tools"
    yield ""
    yield f"CHAIN = {name}"


def _loop(shape: Shape) -> Iterator[str]:
    model = getattr(shape, "model", None) or MODEL_OTHERWISE
    yield f"MODEL = {literal(model)}"
    yield from _limit(shape)
    yield ""
    yield ""
    yield "def make_loop(variables: Variables, **settings: Any) -> ToolLoop:"
    yield '    """The loop of one conversation. settings: of ToolLoop, such as base_url and journal."""'
    yield "    chosen: dict[str, Any] = {"
    yield '        "model": MODEL,'
    prompt = getattr(shape, "names", {}).get("systemPrompt", "systemPrompt")
    yield f'        "system_prompt": text(variables.get({literal(prompt)})) or None,'
    parallel_tool_calls = getattr(shape, "parallel_tool_calls", None)
    if parallel_tool_calls is not None:
        yield f'        "parallel_tool_calls": {parallel_tool_calls},'
    if options := _request_options(shape):
        yield f'        "request_options": {{{options}}},'
    yield from _end_of_a_loop(shape)


def _loop_of_a_request(shape: Shape) -> Iterator[str]:
    yield from _limit(shape)
    yield ""
    yield ""
    yield "def make_loop(variables: Variables, request: FirstRequest, **settings: Any) -> ToolLoop:"
    yield '    """The loop of one conversation, by the request that the design built."""'
    yield "    chosen: dict[str, Any] = {"
    yield "        **request.settings,"
    yield from _end_of_a_loop(shape)


def _limit(shape: Shape) -> Iterator[str]:
    if isinstance(shape, ToolCallingLoop):
        yield f"MAX_ITERATIONS = {shape.max_iterations or ITERATIONS_OTHERWISE}"


def _end_of_a_loop(shape: Shape) -> Iterator[str]:
    yield '        "tools": make_tools(variables),'
    if isinstance(shape, ToolCallingLoop):
        yield '        "max_iterations": MAX_ITERATIONS,'
    yield '        "chain": CHAIN,'
    yield "    }"
    yield "    return ToolLoop(**{**chosen, **settings})"
    yield ""
    yield ""


def _request_options(shape: Shape) -> str:
    """Further fields of the first request, as Python."""
    options = [f"{literal(name)}: {number}" for name, number in getattr(shape, "numbers", {}).items()]
    tool_choice = getattr(shape, "tool_choice", None)
    if tool_choice not in (None, "auto"):
        options.append(f'"tool_choice": {literal(tool_choice)}')
    return ", ".join(options)


def _retry_loop(shape: RetryController) -> Iterator[str]:
    yield f"MAX_RETRIES = {shape.max_retries or ITERATIONS_OTHERWISE}"
    yield ""
    yield ""
    yield "def make_loop(variables: Variables, **settings: Any) -> ToolLoop:"
    yield '    """The controller of one run, which asks no model. settings: of ToolLoop, such as journal."""'
    yield ""
    yield "    def target(message: str) -> str:"
    yield "        PROJECT.run(" + literal(shape.operation) + ", variables)"
    yield "        return message"
    yield ""
    yield "    chosen: dict[str, Any] = {"
    yield '        "model": "none",'
    yield '        "base_url": "http://127.0.0.1:9/v1",'
    yield '        "functions": {"target": target},'
    yield '        "max_iterations": MAX_RETRIES,'
    yield '        "chain": CHAIN,'
    yield "    }"
    yield "    return ToolLoop(**{**chosen, **settings})"
    yield ""
    yield ""


def _ask(plan: Plan, shape: Shape) -> Iterator[str]:
    main = plan.main
    what = "One conversation" if main.name is None else f"The operation '{shown(main.name)}'"
    inputs = "inputs: Mapping[str, Value] | None = None"
    yield f"def ask(user_message: str, *, {inputs}, **settings: Any) -> Answer:"
    yield f'    """{what}. inputs: other variables to begin with. settings: of ToolLoop."""'
    yield "    variables = PROJECT.variables(user_message, inputs)"
    if main.before is not None:
        yield f"    PROJECT.run({literal(main.before)}, variables)"
    if main.builds_request:
        yield "    request = PROJECT.first_request(variables)"
        yield "    loop = make_loop(variables, request, **settings)"
        yield "    result = loop.run(request.message, history=request.history)"
    else:
        if main.before is not None and not isinstance(shape, RetryController):
            name = getattr(shape, "names", {}).get("userMessage", "userMessage")
            yield f"    user_message = text(variables[{literal(name)}])"
        yield "    result = make_loop(variables, **settings).run(user_message)"
    yield "    PROJECT.take_result(result, variables)"
    yield from _links(main.after, main.on_success, main.on_fail)
    yield "    return Answer(result, variables)"
    yield ""


def _links(after: str | None, on_success: str | None, on_fail: str | None) -> Iterator[str]:
    """What the design runs behind the loop. Its loop ends well at the limit, too."""
    following = [name for name in (after, on_success) if name is not None]
    if following:
        yield '    if result.outcome in ("completed", "limit"):'
        yield from (f"        PROJECT.run({literal(name)}, variables)" for name in following)
    if on_fail is not None:
        yield '    if result.outcome == "failed":'
        yield f"        PROJECT.run({literal(on_fail)}, variables)"

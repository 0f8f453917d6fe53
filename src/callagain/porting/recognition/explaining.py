"""What was recognised, in words: a paragraph for each shape, and the role of each script and operation."""

from collections.abc import Iterable, Mapping

from callagain.porting.recognition.model import (
    DispatchedTool,
    PromptBasedRouting,
    Recognition,
    RetryController,
    Shape,
    SingleRoundRouting,
    ToolCallingLoop,
)

_LONGEST = 80


def explain(shape: Shape) -> str:
    """One paragraph: which shape this is, and by what it was recognised."""
    match shape:
        case ToolCallingLoop():
            return _sentences(_of_loop(shape))
        case SingleRoundRouting():
            return _sentences(_of_single_round(shape))
        case PromptBasedRouting():
            return _sentences(_of_prompt_based(shape))
        case RetryController():
            return _sentences(_of_retry(shape))


def roles(recognition: Recognition) -> Mapping[str, str]:
    """The role of every script and operation that has one, by name; several of one name with a comma between.

    The words are those of the shapes: `controller`, `initialise`, `llm_call`, `response_parser`,
    `tool_dispatcher`, `dispatcher`, `append_tool_result`, `tool`, `route`, `retry_controller`,
    `retried_operation`.
    """
    found: dict[str, dict[str, None]] = {}
    for shape in recognition.shapes:
        for name, role in _roles_of(shape):
            if name:
                found.setdefault(name, {})[role] = None
    return {name: ", ".join(each) for name, each in found.items()}


def _roles_of(shape: Shape) -> Iterable[tuple[str | None, str]]:
    match shape:
        case ToolCallingLoop():
            yield shape.controller, "controller"
            yield shape.initialise, "initialise"
            yield shape.llm_call, "llm_call"
            yield shape.response_parser, "response_parser"
            yield shape.tool_dispatcher, "tool_dispatcher"
            yield shape.dispatcher, "dispatcher"
            yield shape.append_tool_result, "append_tool_result"
            yield from ((tool.operation, "tool") for tool in shape.tools)
        case SingleRoundRouting():
            yield shape.initialise, "initialise"
            yield shape.llm_call, "llm_call"
            yield shape.response_parser, "response_parser"
            yield shape.dispatcher, "dispatcher"
            yield from ((tool.operation, "tool") for tool in shape.tools)
        case PromptBasedRouting():
            yield shape.initialise, "initialise"
            yield shape.llm_call, "llm_call"
            yield shape.dispatcher, "dispatcher"
            yield from ((route.operation, "route") for route in shape.routes)
        case RetryController():
            yield shape.controller, "retry_controller"
            yield shape.operation, "retried_operation"


def _of_loop(loop: ToolCallingLoop) -> Iterable[str]:
    yield "A tool-calling loop"
    if loop.controller:
        yield f"'{loop.controller}' goes back to the LLM Call for as long as the response has tool calls"
    elif loop.llm_call:
        yield "No controller goes round: operations lead back to the LLM Call, or the controller is missing"
    yield _limit(loop.max_iterations, "Its limit is {} iterations", "It has no limit that the design says")
    yield from _beginning(loop.initialise, loop.llm_call, loop.tools_variable)
    if loop.response_parser:
        yield f"'{loop.response_parser}' reads tool_calls in the response"
    yield from _dispatch(loop.dispatcher, loop.tools, loop.default_response)
    if loop.append_tool_result:
        form = {"javascript": " in JavaScript", "strings": " by joining strings"}.get(
            loop.append_form or "", ""
        )
        yield f"'{loop.append_tool_result}' makes the message of the role tool{form}"
    missing = [
        part
        for part, name in (
            ("the first request", loop.initialise),
            ("the LLM Call", loop.llm_call),
            ("the response parser", loop.response_parser),
            ("the dispatcher", loop.dispatcher),
            ("the tool result's message", loop.append_tool_result),
        )
        if name is None
    ]
    if missing:
        yield f"Not found: {', '.join(missing)}"


def _of_single_round(shape: SingleRoundRouting) -> Iterable[str]:
    yield "Single-round routing by function calling: nothing leads back to the model"
    yield from _beginning(shape.initialise, shape.llm_call, shape.tools_variable)
    yield f"'{shape.response_parser}' reads tool_calls in the response"
    yield from _dispatch(shape.dispatcher, shape.tools, shape.default_response)


def _of_prompt_based(shape: PromptBasedRouting) -> Iterable[str]:
    yield "Prompt-based routing: the model answers with a name as text"
    yield from _beginning(shape.initialise, shape.llm_call, None)
    yield from _dispatch(shape.dispatcher, shape.routes, shape.default_response)


def _of_retry(shape: RetryController) -> Iterable[str]:
    what = f"the operation '{shape.operation}'" if shape.operation else f"`{shortened(shape.expression)}`"
    yield f"A retry controller: '{shape.controller}' tries {what} again in a While until it succeeds"
    yield _limit(shape.max_retries, "It makes {} attempts at most", "It has no limit that the design says")


def _beginning(initialise: str | None, llm_call: str | None, tools: str | None) -> Iterable[str]:
    if initialise:
        yield f"'{initialise}' writes the first request" + (f", with the tools of ${tools}" if tools else "")
    if llm_call:
        yield f"'{llm_call}' sends it to the model"


def _dispatch(script: str | None, tools: tuple[DispatchedTool, ...], default: str | None) -> Iterable[str]:
    if script is None:
        return
    names = ", ".join(tool.function_name for tool in tools) or "no names that the design says"
    otherwise = "has no default" if default is None else "has a default for all others"
    yield f"'{script}' compares the name with {names}, and {otherwise}"


def shortened(source: str) -> str:
    """The beginning of a source text, as much as a sentence can hold."""
    return source if len(source) <= _LONGEST else f"{source[: _LONGEST - 3]}..."


def _limit(number: int | None, known: str, unknown: str) -> str:
    return unknown if number is None else known.format(number)


def _sentences(parts: Iterable[str]) -> str:
    return " ".join(f"{part}." for part in parts)

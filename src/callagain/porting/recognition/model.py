"""What recognition finds: shapes of the guides, with the parts of the design that play their roles."""

from collections.abc import Mapping
from dataclasses import dataclass, field

from callagain.porting.design.model import Guess


@dataclass(frozen=True, slots=True)
class DispatchedTool:
    """A branch of the dispatcher: the function name of the model, and the operation that is run for it.

    operation is None where the branch sets `function_resp` itself; `script` is then the source of the branch.
    """

    function_name: str
    operation: str | None
    script: str | None = None


@dataclass(frozen=True, slots=True)
class ToolCallingLoop:
    """The guide's loop. Scripts and operations are given by name; None where the design has no such part.

    controller, initialise, response_parser, append_tool_result: scripts. llm_call, tool_dispatcher:
    operations. dispatcher: the script of the tool_dispatcher operation. max_iterations: None if the
    design has no limit, which is a trap. append_form: "javascript" or "strings". tools_variable: the
    project variable that holds the tools, `toolsJson` or `gpt.registeredTools`. model, tool_choice,
    parallel_tool_calls: as the initial request has them. default_response: what the dispatcher answers
    for an unknown function, None where it has no default, which is a trap. names: the guide's name of a
    variable to the name that the design has for it, where they differ. numbers: further fields of the initial
    request, such as temperature. default_script: the source of the dispatcher's default if it does more than
    to set the answer to a text.
    """

    controller: str | None
    initialise: str | None
    llm_call: str | None
    response_parser: str | None
    tool_dispatcher: str | None
    dispatcher: str | None
    append_tool_result: str | None
    append_form: str | None
    max_iterations: int | None
    tools: tuple[DispatchedTool, ...] = ()
    default_response: str | None = None
    tools_variable: str = "toolsJson"
    model: str | None = None
    tool_choice: str | None = None
    parallel_tool_calls: bool | None = None
    names: Mapping[str, str] = field(default_factory=dict[str, str])
    numbers: Mapping[str, float] = field(default_factory=dict[str, float])
    default_script: str | None = None


@dataclass(frozen=True, slots=True)
class SingleRoundRouting:
    """Route LLM responses, part 1: one request with tools, one dispatch, no way back to the model.

    Its fields are as those of ToolCallingLoop.
    """

    initialise: str | None
    llm_call: str | None
    response_parser: str
    dispatcher: str | None
    tools: tuple[DispatchedTool, ...] = ()
    default_response: str | None = None
    tools_variable: str = "toolsJson"
    model: str | None = None
    numbers: Mapping[str, float] = field(default_factory=dict[str, float])
    names: Mapping[str, str] = field(default_factory=dict[str, str])
    tool_choice: str | None = None
    default_script: str | None = None


@dataclass(frozen=True, slots=True)
class PromptBasedRouting:
    """Route LLM responses, part 2: the model answers with a name as text, and a Case runs the operation.

    names: function_name is the variable with the text of the model. The other fields are as those of
    ToolCallingLoop.
    """

    initialise: str | None
    llm_call: str | None
    dispatcher: str
    routes: tuple[DispatchedTool, ...] = ()
    default_response: str | None = None
    model: str | None = None
    names: Mapping[str, str] = field(default_factory=dict[str, str])
    numbers: Mapping[str, float] = field(default_factory=dict[str, float])
    default_script: str | None = None


@dataclass(frozen=True, slots=True)
class RetryController:
    """Retry a failed operation: `maxRetries`, `attempt`, `success`, and RunOperation in a While.

    operation: empty where an expression is tried again, by Eval, and no operation; `expression` is then its
    source. max_retries: the attempts in all, the first one included; None if there is no limit.
    """

    controller: str
    operation: str
    max_retries: int | None
    expression: str = ""


Shape = ToolCallingLoop | SingleRoundRouting | PromptBasedRouting | RetryController


@dataclass(frozen=True, slots=True)
class Recognition:
    """The shapes of a design, what was guessed, and why a script that looked like a part is none."""

    shapes: tuple[Shape, ...] = ()
    guesses: tuple[Guess, ...] = ()

    @property
    def loop(self) -> ToolCallingLoop | None:
        return next((shape for shape in self.shapes if isinstance(shape, ToolCallingLoop)), None)

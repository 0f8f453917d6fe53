"""What tells that a script plays a part: a request that it writes, a response that it reads, a tool message.

Each look is at the facts of one script, whatever its language. The names that come out are the guide's names
of variables, with the names that the script has for them.
"""

from collections.abc import Callable
from dataclasses import dataclass, field

from callagain.porting.recognition.facts import Facts, Write
from callagain.porting.recognition.values import Filling, Part, Source, Template, Value, Variable

TOOL_CALLS = "tool_calls"
_MEMBERS = ("tools", "model", "tool_choice", "parallel_tool_calls")
_NUMBERS = (
    "temperature",
    "top_p",
    "max_tokens",
    "max_completion_tokens",
    "seed",
    "presence_penalty",
    "frequency_penalty",
)


@dataclass(frozen=True, slots=True)
class Request:
    """A request body that a script writes into a variable, with what stands for its members there.

    numbers: further members, such as temperature.
    """

    variable: str
    line: int
    tools: Filling | None
    model: Filling | None
    tool_choice: Filling | None
    parallel_tool_calls: Filling | None
    names: dict[str, str] = field(default_factory=dict[str, str])
    numbers: dict[str, Filling] = field(default_factory=dict[str, Filling])


@dataclass(frozen=True, slots=True)
class ParsedResponse:
    """A response whose tool calls a script takes apart.

    switches: the variables that may be call_llm_again. opposites: those that are true without tool calls.
    """

    names: dict[str, str]
    switches: tuple[str, ...] = ()
    opposites: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class ToolMessage:
    """A message of the role tool that a script makes."""

    line: int
    names: dict[str, str]


def request_in(facts: Facts) -> Request | None:
    """The request that a script writes, without tool messages; of several the one with the most members."""
    found: list[tuple[int, Request]] = []
    for write, template in facts.templates:
        if not write.is_global or not template.has("messages") or template.message("tool"):
            continue
        members = {key: template.member(key) for key in _MEMBERS}
        numbers = {key: value for key in _NUMBERS if (value := template.member(key)) is not None}
        names = _names_of_prompts(template)
        request = Request(write.name, write.line, **members, names=names, numbers=numbers)
        found.append((sum(member is not None for member in members.values()), request))
    if not found:
        return None
    request = max(reversed(found), key=lambda pair: pair[0])[1]
    request.names["InAndOut"] = request.variable
    for write, template in facts.templates:
        if write.is_global and template.text.lstrip().startswith("[") and _is_base(template):
            request.names.setdefault("non_tool_messages_json", write.name)
    if isinstance(request.tools, Variable):
        request.names["toolsJson"] = request.tools.name
    elif isinstance(request.tools, Part) and request.tools.variable:
        request.names["toolsJson"] = request.tools.variable
    return request


def parsed_response_in(facts: Facts) -> ParsedResponse | None:
    """What a script takes out of the tool calls of a response; None if it does not look at them."""
    responses = [part for part in facts.parts if TOOL_CALLS in part.path]
    if not responses:
        return None
    names: dict[str, str] = {}
    for write in facts.global_writes:
        part = write.value.only
        if isinstance(part, Part) and (name := _name_of_part(part)):
            names.setdefault(name, write.name)
    if kept := _kept_response(facts, {part.variable for part in responses if part.variable}):
        names["tools_resp"] = kept
    whole = (part.variable for part in responses if part.variable and part.path[0] == "choices")
    if response := next(whole, None):
        names["jitterbit.response"] = response
    switches, opposites = _switches(facts)
    if not switches and not opposites and not names.keys() & {"function_name", "function_arguments"}:
        return None
    return ParsedResponse(names, switches, opposites)


def _kept_response(facts: Facts, variables: set[str]) -> str | None:
    """The variable that keeps the whole response: where there are tool calls, if there are several."""
    copies: dict[str, Write] = {}
    for write in facts.global_writes:
        whole = _whole(write.value)
        if (whole in variables or whole in copies) and write.name not in variables:
            copies[write.name] = write
    with_calls = {write.branch for write in facts.writes if _is_of_calls(write)}
    inside = [name for name, write in copies.items() if write.branch in with_calls]
    return next(iter(inside or copies), None)


def content_in(facts: Facts) -> tuple[str, ...] | None:
    """The global variables into which a script takes the text of a response; None if it does not read it."""
    if not any(is_content(part) for part in facts.parts):
        return None
    writes = (write for write in facts.global_writes if isinstance(write.value.only, Part))
    return tuple(dict.fromkeys(write.name for write in writes if is_content(write.value.only)))


def is_content(source: Source | None) -> bool:
    """Whether this is the text of a response."""
    if not isinstance(source, Part) or "choices" not in source.path:
        return False
    return source.path[-1:] == ("content",)


def is_function_name(source: Source | None) -> bool:
    return isinstance(source, Part) and _name_of_part(source) == "function_name"


def tool_message_in(facts: Facts) -> ToolMessage | None:
    """The tool message that a script builds, as text or as an object; it has a role and a tool_call_id."""
    names: dict[str, str] = {}
    line: int | None = None
    for write, template in facts.templates:
        where = template.message("tool")
        if where is None or not template.has("tool_call_id"):
            continue
        line = line or write.line
        _name(names, "tool_call_id", template.filling("tool_call_id", *where))
        _name(names, "function_resp", template.filling("content", *where))
        if not write.is_global:
            continue
        if template.has("messages"):
            names.setdefault("InAndOut", write.name)
        else:
            names.setdefault("tools_messages", write.name)
    if line is None:
        return None
    _names_of_messages(facts, names)
    return ToolMessage(line, names)


def _names_of_messages(facts: Facts, names: dict[str, str]) -> None:
    """The assistant message comes out of tools_resp; the base messages stand first in the new request."""
    for part in facts.parts:
        if part.variable and part.path[-1:] == ("message",):
            names.setdefault("tools_resp", part.variable)
    own = {names.get("InAndOut"), names.get("tools_messages")}
    for write, template in facts.templates:
        if write.name != names.get("InAndOut"):
            continue
        for member in template.members("messages"):
            base = template.first_filling(member.position)
            if isinstance(base, Variable | Part) and _variable(base) not in own:
                _name(names, "non_tool_messages_json", base)


def _switches(facts: Facts) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """Globals that are true where there are tool calls and false elsewhere, and their opposites."""
    with_calls = {
        write.branch[:length]
        for write in facts.writes
        if _is_of_calls(write)
        for length in range(1, len(write.branch) + 1)
    }
    values: dict[str, set[bool]] = {}
    agreeing: dict[str, set[bool]] = {}
    computed: dict[str, None] = {}
    for write in facts.global_writes:
        truth = _truth(write.value)
        if truth is not None:
            values.setdefault(write.name, set()).add(truth)
            agreeing.setdefault(write.name, set()).add(truth == (write.branch in with_calls))
        elif not _is_of_calls(write) and any(_is_all_calls(each) for each in write.value.sources):
            computed[write.name] = None
    both = [name for name, truths in values.items() if truths == {True, False}]
    if not with_calls:
        return (*both, *computed), ()
    positive = [name for name in both if agreeing[name] == {True}]
    negative = [name for name in both if agreeing[name] == {False}]
    return (*positive, *computed), tuple(negative)


def _is_of_calls(write: Write) -> bool:
    part = write.value.only
    return isinstance(part, Part) and TOOL_CALLS in part.path and part.path[-1] != TOOL_CALLS


def _is_all_calls(source: Source) -> bool:
    return isinstance(source, Part) and source.path[-1:] == (TOOL_CALLS,)


def _truth(value: Value) -> bool | None:
    if isinstance(value.constant, bool):
        return value.constant
    return {"true": True, "false": False}.get((value.text or "").lower())


_PARTS: tuple[tuple[str, Callable[[tuple[str, ...]], bool]], ...] = (
    ("function_name", lambda path: path[-2:] == ("function", "name")),
    ("function_arguments", lambda path: path[-2:] == ("function", "arguments")),
    ("tool_call_id", lambda path: TOOL_CALLS in path and path[-1] == "id"),
    ("final_response", lambda path: path[-2:] == ("message", "content")),
)


def _name_of_part(part: Part) -> str | None:
    """The guide's name of the variable that this part of a response goes into."""
    return next((name for name, fits in _PARTS if fits(part.path)), None)


def _whole(value: Value) -> str | None:
    """The variable that a value is the whole of, perhaps parsed."""
    match value.only:
        case Variable(name) | Part(str(name), ()):
            return name
        case _:
            return None


def _is_base(template: Template) -> bool:
    roles = {member.value for member in template.members("role")}
    return bool(roles & {"system", "user", "developer"}) and "tool" not in roles


def _names_of_prompts(template: Template) -> dict[str, str]:
    names: dict[str, str] = {}
    for role, name in (("system", "systemPrompt"), ("developer", "systemPrompt"), ("user", "userMessage")):
        where = template.message(role)
        if where and name not in names:
            _name(names, name, template.filling("content", *where))
    return names


def _name(names: dict[str, str], name: str, source: Source | None) -> None:
    variable = _variable(source)
    if variable:
        names.setdefault(name, variable)


def _variable(source: Source | None) -> str | None:
    match source:
        case Variable(name, True):
            return name
        case Part(variable, ()):
            return variable
        case _:
            return None

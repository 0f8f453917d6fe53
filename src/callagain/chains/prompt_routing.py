"""Prompt-based routing: the model names an operation in plain text, and a Case dispatches to it.

No schema is sent. The operations are the loop's tools. They are described in the system prompt, by name and
description, and the text that comes back is matched to one of the names. The operation runs, and the
interaction ends with function_resp. For a text that is no name there is a default, which says what was asked.

The model chooses no arguments. An operation that has a parameter `user_message` gets the user's message.

Source: Jitterbit's guide "Route LLM responses to Studio operations using function calling", part 2.
"""

import re
from collections.abc import Mapping, Sequence
from dataclasses import replace

from callagain.chains.first_request import build_first_request
from callagain.engine.chain import Chain
from callagain.engine.error_kinds import advised
from callagain.engine.errors import Failure
from callagain.engine.json_text import Json, JsonObject, encode
from callagain.engine.links import ANY_OPERATION, COMPLETED, FAILED, ON_FAIL, ON_SUCCESS, Link
from callagain.engine.operation import Script
from callagain.engine.run_inputs import AnnouncedTool
from callagain.engine.variables import Variables
from callagain.engine.wire.reply import Call
from callagain.operations import LLMCall, ParseResponse, ToolDispatcher

USER_MESSAGE = "user_message"
OPERATION_NAMED = "operation_named"

_CALL_ID = "call_1"
_SHOWN_CHARS = 100
# What may stand around a name: quotes, Markdown's marks, and the full stop of a sentence.
_AROUND = " \t\r\n\"'`*“”‘’«»."
_BETWEEN_WORDS = re.compile(r"[\s_-]+")


class DescribeOperations(Script):
    """Builds the first request: the operations as plain text in the system prompt, and no schema.

    Reads the inputs. Writes what Initialize writes. A system prompt that names all operations describes them
    already, and is sent as it stands.
    Fails with operation_failed if there is no tool, or one that needs an argument besides user_message.
    """

    title = "Describe operations\nin the system prompt"

    def run(self, variables: Variables) -> None:
        inputs = variables.inputs
        if not inputs.tools:
            raise Failure("operation_failed", "there is no operation to route to; give the loop tools=")
        for tool in inputs.tools:
            _check_parameters(tool)
        prompt = inputs.system_prompt or ""
        if not all(_is_named_in(prompt, tool.name) for tool in inputs.tools):
            prompt = f"{prompt}\n\n{_description(inputs.tools)}".lstrip()
        build_first_request(variables, replace(inputs, system_prompt=prompt, tools=()))


class MatchFunctionName(ParseResponse):
    """Reads the response, and matches its text to the name of an operation.

    Case does not matter, nor quotes, Markdown's marks and full stops around the name, nor whether its words
    are parted by underscores, hyphens or spaces. A name inside a sentence is no match, since the sentence may
    advise against it.
    Reads the response. Writes function_name, by which the Case dispatches: the name of an operation, or else
    the text as it came. Writes the call that Tool Dispatcher makes.
    """

    title = "Match the text\nto a function_name"
    question = ""

    def run(self, variables: Variables) -> None:
        super().run(variables)
        reply = variables.reply
        assert reply is not None
        # Some models call what they were only told of.
        asked = reply.text if reply.text.strip() or not reply.calls else reply.calls[0].name
        name = matched_name(asked, [tool.name for tool in variables.inputs.tools])
        call = None if name is None else _call(variables, name)
        variables.call_llm_again = False
        variables.function_name = name or asked.strip()
        variables.tool_calls = () if call is None else (call,)
        variables.tool_call_id = "" if call is None else call.id
        variables.function_arguments = "" if call is None else call.arguments_text


class SayWhatWasAsked(Script):
    """The default of the Case: function_resp says what was asked, and which operations there are.

    Reads the user's message, function_name. Writes function_resp.
    Fails with unknown_tool if the loop was made with on_unknown_tool="fail".
    """

    title = "Say what was asked\n(the default)"

    def run(self, variables: Variables) -> None:
        asked, said = _shown(_message(variables)), _shown(variables.function_name)
        names = ", ".join(tool.name for tool in variables.inputs.tools)
        told = f"no operation for {asked}: the model said {said}; there are {names}"
        if variables.inputs.fail_on_unknown_tool:
            raise Failure("unknown_tool", advised("unknown_tool", told))
        variables.function_resp = told
        variables.write_to_operation_log(told)


def operation_named(variables: Variables) -> bool:
    """function_name is the name of an operation: a line of the Case fits."""
    return variables.inputs.tool(variables.function_name) is not None


def matched_name(text: str, names: Sequence[str]) -> str | None:
    """The name that the text is; None if it is none of them, or if it could be several."""
    text = text.strip(_AROUND)
    if text in names:
        return text
    alike = [name for name in names if _plain(name) == _plain(text)]
    return alike[0] if len(alike) == 1 else None


def _plain(name: str) -> str:
    return _BETWEEN_WORDS.sub("_", name).casefold()


def _is_named_in(prompt: str, name: str) -> bool:
    words = r"[\s_-]+".join(map(re.escape, _BETWEEN_WORDS.split(name)))
    return re.search(rf"(?<!\w){words}(?!\w)", prompt, re.IGNORECASE) is not None


def _description(tools: Sequence[AnnouncedTool]) -> str:
    lines = ["Choose the operation that answers the user's message. The operations:"]
    lines += [f"- {tool.name}: {_text_of(tool, 'description')}".rstrip(": ") for tool in tools]
    lines.append("Answer with the name of one operation, and with nothing else. If none fits, answer: none")
    return "\n".join(lines)


def _call(variables: Variables, name: str) -> Call:
    """The call of an operation: with the user's message, if it takes one."""
    tool = variables.inputs.tool(name)
    takes_message = tool is not None and USER_MESSAGE in _parameters(tool, "properties")
    arguments: JsonObject = {USER_MESSAGE: _message(variables)} if takes_message else {}
    return Call(_CALL_ID, name, arguments, encode(arguments).decode(), received={})


def _message(variables: Variables) -> str:
    """As the guide holds userMessage: a list of content parts is the text of its JSON."""
    message = variables.inputs.user_message
    return message if isinstance(message, str) else encode(message).decode()


def _shown(text: str) -> str:
    return repr(text if len(text) <= _SHOWN_CHARS else f"{text[:_SHOWN_CHARS]}…")


def _check_parameters(tool: AnnouncedTool) -> None:
    others = [name for name in _parameters(tool, "required") if name != USER_MESSAGE]
    if others:
        raise Failure(
            "operation_failed",
            f"{tool.name} needs {', '.join(map(str, others))}, and the model chooses no arguments here; let "
            f"it take {USER_MESSAGE} alone, or take the chain FUNCTION_ROUTING",
        )


def _function(tool: AnnouncedTool) -> Mapping[str, Json]:
    function = tool.entry.get("function")
    return function if isinstance(function, dict) else {}


def _text_of(tool: AnnouncedTool, field: str) -> str:
    """In one line."""
    return " ".join(str(_function(tool).get(field) or "").split())


def _parameters(tool: AnnouncedTool, field: str) -> Sequence[Json]:
    """Of a schema of parameters: the names of `properties`, or the members of `required`."""
    schema = _function(tool).get("parameters")
    found = schema.get(field) if isinstance(schema, dict) else None
    return list(found) if isinstance(found, dict | list) else []


PROMPT_ROUTING = Chain(
    name="prompt_routing",
    links=(
        Link("initialize", ON_SUCCESS, "llm_call"),
        Link("llm_call", ON_SUCCESS, "parse_response"),
        Link("parse_response", ON_SUCCESS, "tool_dispatcher", (OPERATION_NAMED,)),
        Link("parse_response", ON_SUCCESS, "say_what_was_asked", (f"not {OPERATION_NAMED}",)),
        Link("tool_dispatcher", ON_SUCCESS, COMPLETED),
        Link("say_what_was_asked", ON_SUCCESS, COMPLETED),
        Link(ANY_OPERATION, ON_FAIL, FAILED),
    ),
    operations={
        "initialize": DescribeOperations(),
        "llm_call": LLMCall(),
        "parse_response": MatchFunctionName(),
        "tool_dispatcher": ToolDispatcher(),
        "say_what_was_asked": SayWhatWasAsked(),
    },
    guards={OPERATION_NAMED: operation_named},
)
"""The model answers with the name of an operation, announced in the system prompt, which is run."""

"""What a script's assignments mean to the operations around it.

The scripts of the guide know one call, by its three variables. The operations know the whole response. So a
script that does the work of one of them does what that one does besides:

- one that sets `$call_llm_again` after an LLM Call has parsed the response: all of its calls are there for
  Tool Dispatcher, and its usage counts; what the script says of the first call, or of the answer, holds.
- one that sets `$function_resp` by `$function_name` while a call waits for its answer has dispatched it: the
  answer is that of the first call, and loop_count is one more, unless the script counts itself.
"""

import hashlib
import re
from collections.abc import Mapping
from dataclasses import replace

from callagain.engine.errors import Failure
from callagain.engine.json_text import JsonObject, decode
from callagain.engine.receipts import ToolReceipt
from callagain.engine.tool_answers import take_answers
from callagain.engine.variables import JitterbitValue, Variables
from callagain.engine.wire.reply import Call
from callagain.engine.wire.tool_names import resolve_name
from callagain.operations import ParseResponse
from callagain.porting.jitterbit_script_variables import OWN, ScriptVariables

STATE = f"{OWN}_state"
"""Where `variables.own` keeps what is known of the scripts themselves."""

_READ = "response_read"
_ASSIGNMENT = re.compile(r"\$(\w+)\s*[-+]?=(?!=)", re.ASCII)
_OF_A_RESPONSE = (
    "tool_call_id",
    "function_name",
    "function_arguments",
    "tools_resp",
    "call_llm_again",
    "final_response",
)


def apply(variables: Variables, values: ScriptVariables, text: str) -> None:
    """Writes what a script left behind into the run. text: the script's.

    Raises Failure if the guide's variables do not hold what they must, ScriptValueError for other values.
    """
    forms = values.in_forms()
    variables.own = {**variables.own, OWN: values.own()}
    # JavaScript tells what changed alone, so the text says what was assigned.
    assigned = values.assigned | set(_ASSIGNMENT.findall(text))
    parses = "call_llm_again" in assigned and _is_unread(variables)
    changed = {name: value for name, value in forms.items() if value != values.of_the_guide[name]}
    if parses:
        _parse(variables)
        changed |= {name: forms[name] for name in _OF_A_RESPONSE if name in assigned}
    answer = str(forms["function_resp"]) if "function_resp" in assigned else None
    _assign(variables, changed)
    if parses and variables.call_llm_again and not variables.open_calls:
        _call_by_its_variables(variables)
    if "final_response" in assigned and variables.reply is not None and not variables.call_llm_again:
        variables.reply = replace(variables.reply, text=variables.final_response or "")
    dispatches = "$function_name" in text or "$function_arguments" in text
    if answer is not None and dispatches and not parses and variables.open_calls:
        _answer(variables, answer, counts="loop_count" not in changed)


def _is_unread(variables: Variables) -> bool:
    """Whether no operation has parsed the last response."""
    if variables.response is None:
        return False
    state = variables.own.get(STATE)
    if isinstance(state, dict) and _READ in state:
        return state[_READ] != _mark(variables)
    reply = variables.reply
    if reply is None:
        return True
    return bool(reply.calls) and variables.tools_resp != variables.response.body


def _mark(variables: Variables) -> str:
    body = "" if variables.response is None else variables.response.body
    return f"{variables.requests}:{hashlib.sha256(body.encode(errors='replace')).hexdigest()[:16]}"


def _parse(variables: Variables) -> None:
    """Reads the response as Parse Response does.

    One that it refuses is the script's to take or leave, as in the guide: there is a warning then.
    """
    state = variables.own.get(STATE)
    kept: JsonObject = state if isinstance(state, dict) else {}
    variables.own = {**variables.own, STATE: {**kept, _READ: _mark(variables)}}
    before = variables.copy(variables.notes)
    try:
        ParseResponse().run(variables)
    except Failure as failure:
        if failure.problem.kind == "unknown_tool" or before.response is None:
            raise
        inputs = variables.inputs
        variables.reply = inputs.wire.read(before.response, inputs.profile, inputs.run_id)
        variables.warn(failure.problem.kind, f"taken as it is: {failure.problem.message}")
    if not variables.call_llm_again:
        variables.tool_calls, variables.function_resps = (), ()


def _assign(variables: Variables, values: Mapping[str, JitterbitValue]) -> None:
    current = variables.as_jitterbit()
    for name, value in values.items():
        if value == current[name]:
            continue
        try:
            variables.assign_jitterbit(name, value)
        except ValueError as error:
            raise Failure("operation_failed", f"{error}") from None


def _call_by_its_variables(variables: Variables) -> None:
    """A call that the response does not hold as one: a script read it out of the text."""
    text = variables.function_arguments or "{}"
    try:
        arguments = decode(text)
    except ValueError as error:
        raise Failure("operation_failed", f"function_arguments must be a JSON object: {error}") from None
    if not isinstance(arguments, dict):
        raise Failure("operation_failed", f"function_arguments must be a JSON object, got {text[:40]}")
    call_id = variables.tool_call_id or f"call_{variables.loop_count + 1}"
    call = Call(call_id, variables.function_name, arguments, text, {})
    announced = [tool.name for tool in variables.inputs.tools]
    variables.tool_calls = (resolve_name(call, announced)[0],)
    variables.function_resps = ()
    variables.tool_call_id = call_id


def _answer(variables: Variables, answer: str, *, counts: bool) -> None:
    others = [
        call.error or ToolReceipt.of_error("not_executed", "one call of a response is run; call it again")
        for call in variables.tool_calls[1:]
    ]
    take_answers(variables, [ToolReceipt(answer), *others])
    variables.function_resp = variables.function_resps[0]
    variables.loop_count += counts

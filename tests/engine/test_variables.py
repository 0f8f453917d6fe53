"""The variables in Jitterbit's form, and back."""

import json

import pytest

from callagain.engine.errors import Failure
from callagain.engine.growing_sequence import GrowingSequence
from callagain.engine.json_text import JsonObject
from callagain.engine.run_inputs import AnnouncedTool, Inputs
from callagain.engine.variables import JitterbitValue, Variables
from callagain.engine.wire.reply import Call, Reply
from callagain.engine.wire.tool_names import resolve_name
from callagain.operations import AppendToolResult, Initialize, ToolDispatcher

ENTRY: JsonObject = {"type": "function", "function": {"name": "ping", "parameters": {"type": "object"}}}


@pytest.fixture
def variables() -> Variables:
    tools = (AnnouncedTool("ping", ENTRY),)
    inputs = Inputs("r", "gpt-4o", 'Say "hi"\n', system_prompt="Be \\brief.", tools=tools, max_iterations=3)
    made = Variables.of(inputs)
    Initialize().run(made)
    return made


def test_the_view_has_every_variable_of_the_guide(variables: Variables) -> None:
    base = '{"role":"system","content":"Be \\\\brief."},{"role":"user","content":"Say \\"hi\\"\\n"}'
    tools = json.dumps([ENTRY], separators=(",", ":"))
    assert variables.as_jitterbit() == {
        "systemPrompt": "Be \\brief.",
        "userMessage": 'Say "hi"\n',
        "toolsJson": tools,
        "maxIterations": 3,
        "InAndOut": f'{{"model":"gpt-4o","messages":[{base}],"tools":{tools},"tool_choice":"auto"}}',
        "non_tool_messages_json": f"[{base}]",
        "tools_messages": "",
        "tools_resp": "",
        "call_llm_again": False,
        "loop_count": 0,
        "tool_call_id": "",
        "function_name": "",
        "function_arguments": "",
        "function_resp": "",
        "final_response": "",
    }


def test_there_is_no_request_before_it_is_built() -> None:
    before = Variables.of(Inputs("run", "gpt-4o", "Hello")).as_jitterbit()
    assert (before["InAndOut"], before["non_tool_messages_json"]) == ("", "")


ROUND = [
    {"role": "assistant", "content": None, "tool_calls": [{"id": "a", "type": "function"}]},
    {"role": "tool", "tool_call_id": "a", "content": "pong"},
]


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("tools_messages", json.dumps(ROUND, separators=(",", ":"))),
        ("tools_messages", ""),
        ("non_tool_messages_json", '[{"role":"user","content":"other"}]'),
        ("InAndOut", '{ "messages": [], "model": "other", "temperature": 1 }'),
        ("tools_resp", "{}"),
        ("tool_call_id", "call_1"),
        ("function_name", "ping"),
        ("function_arguments", '{"a":1}'),
        ("function_resp", "pong"),
        ("final_response", "Done."),
        ("call_llm_again", True),
        ("loop_count", 2),
        ("maxIterations", 9),
    ],
)
def test_what_is_assigned_is_read_again(variables: Variables, name: str, value: JitterbitValue) -> None:
    before = variables.as_jitterbit()
    variables.assign_jitterbit(name, value)
    after = variables.as_jitterbit()
    assert after[name] == value
    follows = {"InAndOut"} if "messages" in name else set[str]()
    changed = {key for key in after if after[key] != before[key]}
    assert changed <= {name} | follows


def test_a_round_appended_after_the_guides_script_stands_in_the_request(variables: Variables) -> None:
    """Part 4 in JavaScript assigns tools_messages and InAndOut whole; the loop goes on from there."""
    request = json.loads(str(variables.as_jitterbit()["InAndOut"]))
    request["messages"] += ROUND
    request["temperature"] = 0.2
    variables.assign_jitterbit("tools_messages", json.dumps(ROUND))
    variables.assign_jitterbit("InAndOut", json.dumps(request))
    assert json.loads(variables.InAndOut) == request

    variables.reply = Reply(message={"role": "assistant"})
    variables.tool_calls, variables.function_resps = (), ()
    AppendToolResult().run(variables)
    again = json.loads(variables.InAndOut)
    assert again["temperature"] == 0.2
    assert again["messages"][: len(request["messages"])] == request["messages"]


@pytest.mark.parametrize(
    ("name", "value", "message"),
    [
        ("InAndOut", "[]", "InAndOut must be a JSON object, got []"),
        ("InAndOut", "{", "InAndOut must be a JSON object: Expecting property name"),
        ("tools_messages", "{}", "tools_messages must be a JSON array, got {}"),
        ("tools_messages", "[", "tools_messages must be a JSON array: "),
        ("toolsJson", "[]", "toolsJson is set when the run begins, and stays as it is"),
        ("loop_count", "2", "there is no variable 'loop_count' that can hold a str"),
        ("loop_count", True, "there is no variable 'loop_count' that can hold a bool"),
        ("call_llm_again", 1, "there is no variable 'call_llm_again' that can hold a int"),
        ("loopcount", 1, "there is no variable 'loopcount' that can hold a int"),
    ],
)
def test_what_cannot_be_assigned_is_said(
    variables: Variables, name: str, value: JitterbitValue, message: str
) -> None:
    before = variables.as_jitterbit()
    with pytest.raises(ValueError, match="must be|there is no|is set when") as caught:
        variables.assign_jitterbit(name, value)
    assert str(caught.value).startswith(message)
    assert variables.as_jitterbit() == before


def test_a_copy_of_the_variables_is_apart(variables: Variables) -> None:
    variables.own["seen"] = 1
    copied = variables.copy()
    copied.own["seen"] = 2
    copied.tools_messages = copied.tools_messages.plus(b"{}")
    assert (variables.own, list(variables.tools_messages)) == ({"seen": 1}, [])


def test_an_appended_sequence_leaves_its_earlier_versions_alone() -> None:
    none: GrowingSequence[int] = GrowingSequence()
    one = none.plus(1)
    two = one.plus(2)
    other = one.plus(3, 4)
    assert [list(version) for version in (none, one, two, other)] == [[], [1], [1, 2], [1, 3, 4]]
    assert (len(other), other == GrowingSequence(1, 3, 4), one == two) == (3, True, False)
    assert repr(two) == "GrowingSequence(1, 2)"


def test_what_is_assigned_to_the_first_call_is_what_goes_back_to_the_model(variables: Variables) -> None:
    """A script of the guide's kind may redact function_resp, or mend an id, between two operations."""
    calls = tuple(Call(call_id, "ping", {}, "{}", {}) for call_id in ("a", "b"))
    variables.reply = Reply(message={"role": "assistant", "content": None})
    variables.tool_calls, variables.function_resps = calls, ("secret", "pong")
    variables.assign_jitterbit("function_resp", "[redacted]")
    variables.assign_jitterbit("tool_call_id", "mended")
    variables.assign_jitterbit("function_arguments", '{"x":1}')
    variables.assign_jitterbit("tools_resp", '{"choices":[{"message":{"content":"thinking"}}]}')
    AppendToolResult().run(variables)
    assistant, first, second = json.loads(str(variables.as_jitterbit()["tools_messages"]))
    assert assistant["content"] == "thinking"
    assert assistant["tool_calls"][0] == {
        "id": "mended",
        "type": "function",
        "function": {"name": "ping", "arguments": '{"x":1}'},
    }
    assert first == {"role": "tool", "tool_call_id": "mended", "content": "[redacted]"}
    assert second == {"role": "tool", "tool_call_id": "b", "content": "pong"}
    assert variables.tool_calls[0].arguments == {"x": 1}


def test_a_function_name_that_no_tool_has_is_told_to_the_model(variables: Variables) -> None:
    variables.tool_calls = (Call("a", "ping", {}, "{}", {}),)
    variables.assign_jitterbit("function_name", "pong")
    error = variables.tool_calls[0].error
    assert error is not None
    assert error.error == "unknown_tool"
    with pytest.raises(ValueError, match="function_arguments must be a JSON object"):
        variables.assign_jitterbit("function_arguments", "no object")
    variables.reply = Reply(message={})
    with pytest.raises(ValueError, match="tools_resp must hold a response"):
        variables.assign_jitterbit("tools_resp", "{}")


def test_a_function_name_that_is_mended_makes_the_call_runnable_again(variables: Variables) -> None:
    received = Call("a", "pongg", {"x": 1}, '{"x":1}', {})
    for names in (["ping"], ["nope", "ping"]):
        variables.tool_calls = (resolve_name(received, ["ping"])[0],)
        for name in names:
            variables.assign_jitterbit("function_name", name)
        (call,) = variables.tool_calls
        assert (call.name, call.arguments, call.error) == ("ping", {"x": 1}, None)
        assert [command.name for command in ToolDispatcher().request(variables.copy())] == ["ping"]


def test_there_is_nothing_to_dispatch_where_no_call_is_open(variables: Variables) -> None:
    variables.assign_jitterbit("call_llm_again", True)
    with pytest.raises(Failure, match="call_llm_again is true, but there is no open call"):
        ToolDispatcher().request(variables)
    variables.tool_calls, variables.function_resps = (Call("a", "ping", {}, "{}", {}),), ("pong",)
    with pytest.raises(Failure, match="there is no open call"):
        ToolDispatcher().request(variables)
    assert variables.loop_count == 0

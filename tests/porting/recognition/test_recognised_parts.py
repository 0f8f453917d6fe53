"""Where the parts of a loop stand in a design, and in which language and form they are written."""

import re

import pytest
from tests.porting.recognition.designs import OPERATIONS, SCRIPTS, design, guide_design
from tests.porting.recognition.parts import GUIDE_PARTS, PARTS, guesses_of, loop_of, parts_of
from tests.porting.script import guide_scripts as guide

from callagain.porting.recognition import recognise

LLM_CALL = 'RunOperation("<TAG>operation:LLM Call</TAG>")'
DISPATCHER = 'RunOperation("<TAG>operation:Tool Dispatcher</TAG>")'
APPEND = 'RunScript("<TAG>script:Append Tool Result</TAG>")'
NO_CONTROLLER = {name: text for name, text in SCRIPTS.items() if name != "Controller"}
CIRCLE = OPERATIONS | {
    "Main": "Initialize -> LLM Call",
    "LLM Call": "@Send Request, Parse Response, Check -> Tool Dispatcher",
    "Tool Dispatcher": "Dispatch -> Append",
    "Append": "Append Tool Result -> LLM Call",
}


PLACES: dict[str, tuple[dict[str, str], dict[str, str]]] = {
    "the parser follows on success": ({}, {"LLM Call": "@Send -> Parse", "Parse": "Parse Response"}),
    "the parser is run by the controller": (
        {"Controller": guide.CONTROLLER.replace(
            LLM_CALL, f'{LLM_CALL}; RunScript("<TAG>script:Parse Response</TAG>")')},
        {"LLM Call": "@Send"},
    ),
    "the loop runs one operation that leads to the others": (
        {"Controller": f"{LLM_CALL}; While($call_llm_again && $loop_count < 5, $loop_count++; {DISPATCHER})"},
        {"Tool Dispatcher": "Dispatch -> Append", "Append": "Append Tool Result -> LLM Call"},
    ),
    "the activity is in an operation that is invoked": (
        {}, {"LLM Call": ">Send, Parse Response", "Send": "@Send Request"},
    ),
    "a failed LLM Call ends the loop": (
        {"Controller": guide.CONTROLLER.replace(
            f"    {LLM_CALL};\n);", f"    If(!{LLM_CALL}, $call_llm_again = false);\n);")}, {},
    ),
    "another loop goes round it": (
        {"Batch": 'While(i < n, i++; RunOperation("<TAG>operation:Main</TAG>"))'}, {"Batch": "Batch"},
    ),
}  # fmt: skip


@pytest.mark.parametrize("where", PLACES)
def test_the_parts_are_found_wherever_they_stand(where: str) -> None:
    scripts, operations = PLACES[where]
    changed = design(SCRIPTS | scripts, OPERATIONS | operations)
    assert parts_of(changed) == GUIDE_PARTS
    assert loop_of(changed).max_iterations == 5
    assert recognise(changed).guesses == ()


def test_a_circle_of_operations_is_a_loop_without_a_controller() -> None:
    check = '$loop_count++; If(!$call_llm_again || $loop_count >= 4, CancelOperationChain("done"))'
    circle = design(NO_CONTROLLER | {"Check": check}, CIRCLE)
    assert parts_of(circle) == GUIDE_PARTS | {"controller": None}
    assert loop_of(circle).max_iterations == 4
    assert [str(guess.place) for guess in recognise(circle).guesses] == ["scripts/Parse Response"]


def test_a_script_that_runs_the_operation_it_is_a_step_of_is_no_controller() -> None:
    again = f"If($call_llm_again && $loop_count < 6, $loop_count++; {DISPATCHER}; {APPEND}; {LLM_CALL})"
    operations = OPERATIONS | {"Main": "Initialize -> LLM Call", "LLM Call": "@Send, Parse Response, Again"}
    recursive = design(NO_CONTROLLER | {"Again": again}, operations)
    assert parts_of(recursive) == GUIDE_PARTS | {"controller": None}
    assert loop_of(recursive).max_iterations == 6


def test_a_loop_around_a_circle_is_not_its_controller() -> None:
    batch = 'While(i < 9, i++; RunOperation("<TAG>operation:Main</TAG>"))'
    circle = design(NO_CONTROLLER | {"Batch": batch}, CIRCLE | {"Batch": "Batch"})
    assert parts_of(circle) == GUIDE_PARTS | {"controller": None}
    assert loop_of(circle).max_iterations is None


def test_two_loops_in_one_design_keep_apart() -> None:
    def renamed(text: str) -> str:
        return re.sub(r"(?<![\w.])\$([A-Za-z]\w*)", r"$two_\1", text).replace("</TAG>", " Two</TAG>")

    scripts = SCRIPTS | {f"{name} Two": renamed(text) for name, text in SCRIPTS.items()}
    operations = OPERATIONS | {
        f"{name} Two": ", ".join(f"{step.strip()} Two" for step in steps.split(","))
        for name, steps in OPERATIONS.items()
    }
    javascript = ("Append Tool Result", "Append Tool Result Two")
    first, second = recognise(design(scripts, operations, javascript=javascript)).shapes
    assert {part: getattr(first, part) for part in PARTS} == GUIDE_PARTS
    assert {part: getattr(second, part) for part in PARTS} == {
        part: f"{name} Two" for part, name in GUIDE_PARTS.items()
    }


def test_one_script_may_play_all_parts() -> None:
    text = guide.INITIALIZE + guide.CONTROLLER
    text = text.replace(f"{LLM_CALL};", f"{LLM_CALL};{guide.PARSE_RESPONSE}")
    text = text.replace(f"{DISPATCHER};", guide.DISPATCHER).replace(f"{APPEND};", guide.APPEND_BY_STRINGS)
    loop = loop_of(design({"All": text}, {"Main": "All", "LLM Call": "@Send"}))
    assert (loop.controller, loop.initialise, loop.response_parser) == ("All", "All", "All")
    assert (loop.dispatcher, loop.tool_dispatcher, loop.append_tool_result) == ("All", None, "All")
    assert (loop.llm_call, loop.max_iterations, loop.append_form, loop.names) == (
        "LLM Call",
        5,
        "strings",
        {},
    )


def test_without_activities_the_llm_call_is_a_guess() -> None:
    bare = design(SCRIPTS, OPERATIONS | {"LLM Call": "Parse Response"})
    assert parts_of(bare) == GUIDE_PARTS
    assert [guess.text for guess in recognise(bare).guesses] == [
        "operation 'LLM Call' is taken for the LLM Call by what reads its response; it has no activity here"
    ]


def test_the_activity_that_sends_the_request_is_the_llm_call_though_another_is_nearer() -> None:
    operations = OPERATIONS | {"LLM Call": "@Ask -> Keep", "Keep": "@Store, Parse Response"}
    stored = design(
        SCRIPTS, operations, activities={"Ask": {"body": "[InAndOut]"}, "Store": {"path": "/tmp"}}
    )
    assert parts_of(stored) == GUIDE_PARTS


SAID = '{role: "tool", tool_call_id: $tool_call_id, content: $function_resp}'
IN_JAVASCRIPT = {
    "without semicolons": f"""
        const answered = JSON.parse($tools_resp)
        let all = []
        if ($tools_messages) {{ all = JSON.parse($tools_messages) }}
        all.push(answered.choices[0].message, {SAID})
        $tools_messages = JSON.stringify(all)
        var body = JSON.parse($InAndOut)
        body.messages = JSON.parse($non_tool_messages_json).concat(all)
        $InAndOut = JSON.stringify(body)""",
    "the id out of the response": """
        var m = JSON.parse($tools_messages || "[]"), r = JSON.parse($tools_resp).choices[0].message;
        m.push(r);
        m.push({'role': 'tool', 'tool_call_id': r.tool_calls[0].id, 'content': $function_resp});
        $tools_messages = JSON.stringify(m);""",
    "every call": """
        var out = [], calls = JSON.parse($tools_resp).choices[0].message.tool_calls;
        calls.forEach(function (c) {
            out.push({"content": $function_resp, "tool_call_id": c.id, "role": "tool"});
        });
        $tools_messages = JSON.stringify(out);""",
    "by a function": f"""
        function add(list, x) {{ list.push(x); return list; }}
        $tools_messages = JSON.stringify(add(JSON.parse($tools_messages), {SAID}));""",
    "as text": """
        var t = "{\\"role\\":\\"tool\\",\\"tool_call_id\\":\\"" + $tool_call_id + "\\",\\"content\\":\\"" +
            $function_resp.replace(/"/g, '\\\\"') + "\\"}";
        $tools_messages = "[" + t + "]";""",
}


@pytest.mark.parametrize("form", IN_JAVASCRIPT)
def test_the_tool_message_is_found_in_javascript(form: str) -> None:
    loop = loop_of(guide_design(Append_Tool_Result=IN_JAVASCRIPT[form]))
    assert (loop.append_tool_result, loop.append_form) == ("Append Tool Result", "javascript")
    assert loop.names == {}


def test_the_names_are_those_of_the_javascript_if_nothing_else_says_them() -> None:
    text = """
    var all = [], said = {role: "tool", tool_call_id: $id, content: $result};
    all.push(JSON.parse($last).choices[0].message, said);
    $so_far = JSON.stringify(all);
    var body = JSON.parse($body);
    body.messages = JSON.parse($first).concat(all);
    $body = JSON.stringify(body);
    """
    loop = loop_of(guide_design(Append_Tool_Result=text, Initialize=None, Parse_Response=None))
    assert loop.names == {
        "InAndOut": "body",
        "function_resp": "result",
        "non_tool_messages_json": "first",
        "tool_call_id": "id",
        "tools_messages": "so_far",
        "tools_resp": "last",
    }


def test_a_parser_in_javascript() -> None:
    text = """
    var r = JSON.parse(Jitterbit.GetVar("$jitterbit.response")), m = r.choices[0].message;
    if (m.tool_calls && m.tool_calls.length) {
        var c = m.tool_calls[0];
        $tool_call_id = c.id; $function_name = c.function.name; $args = c.function.arguments;
        $tools_resp = JSON.stringify(r); $call_llm_again = true;
    } else { $call_llm_again = false; $answer = m.content; }
    """
    scripts = SCRIPTS | {"Parse Response": text}
    loop = loop_of(design(scripts, OPERATIONS, javascript=("Append Tool Result", "Parse Response")))
    assert loop.response_parser == "Parse Response"
    assert loop.names == {"final_response": "answer", "function_arguments": "args"}


INITIALISE = {
    "javascript": """
        var msgs = [{role: "system", content: $systemPrompt}, {role: "user", content: $question}];
        var req = {model: "gpt-4o", messages: msgs, tools: JSON.parse($schemas), tool_choice: "auto",
                   parallel_tool_calls: false};
        $non_tool_messages_json = JSON.stringify(msgs);
        $InAndOut = JSON.stringify(req);""",
    "dictionaries": """
        s = Dict(); s["role"] = "system"; s["content"] = $systemPrompt;
        u = Dict(); AddToDict(u, "role", "user"); AddToDict(u, "content", $question);
        r = Dict(); r["model"] = "gpt-4o"; r["messages"] = {s, u}; r["tools"] = JSONParser($schemas);
        r["tool_choice"] = "auto"; r["parallel_tool_calls"] = false;
        $InAndOut = JSONStringify(r); $non_tool_messages_json = JSONStringify({s, u});""",
    "piece by piece": r"""
        b = "[{\"role\":\"system\",\"content\":\"" + $systemPrompt + "\"},";
        b += "{\"role\":\"user\",\"content\":\"" + $question + "\"}]";
        Set("non_tool_messages_json", b);
        q = "{ \"model\" : \"" + $model + "\", \"tool_choice\": \"auto\", \"parallel_tool_calls\": false,";
        q = q + "\"messages\":" + b + ",\"tools\":" + $schemas + "}";
        $InAndOut = q;""",
}


@pytest.mark.parametrize("form", INITIALISE)
def test_the_first_request_is_found_in_any_form(form: str) -> None:
    javascript = ("Append Tool Result", "Initialize" if form == "javascript" else "")
    scripts = SCRIPTS | {"Initialize": INITIALISE[form]}
    loop = loop_of(design(scripts, OPERATIONS, javascript=javascript, variables={"model": "gpt-4o"}))
    assert (loop.initialise, loop.model, loop.tool_choice) == ("Initialize", "gpt-4o", "auto")
    assert (loop.parallel_tool_calls, loop.tools_variable) == (False, "schemas")
    assert loop.names == {"toolsJson": "schemas", "userMessage": "question"}


def test_what_the_request_does_not_say_is_a_guess_with_its_line() -> None:
    text = guide.INITIALIZE.replace(r"\"gpt-4o\"", r'\"" + $gpt.model + "\"')
    text = text.replace('+ $toolsJson + ","', '+ "[{\\"type\\":\\"function\\"}]" + ","')
    changed = guide_design(Initialize=text)
    assert (loop_of(changed).model, loop_of(changed).tools_variable) == (None, "toolsJson")
    assert guesses_of(changed) == [
        "scripts/Initialize: line 10: script 'Initialize': "
        "the tools stand in the text of the request, and in no variable",
        "scripts/Initialize: line 10: script 'Initialize': "
        "'model' of the request is in $gpt.model, which has no value in the design",
    ]


@pytest.mark.parametrize("model", ['gpt-" + $size + "', '" + If($big, "gpt-4o", "gpt-4o-mini") + "'])
def test_a_model_that_is_computed_is_a_guess(model: str) -> None:
    changed = guide_design(Initialize=guide.INITIALIZE.replace("gpt-4o", model))
    assert loop_of(changed).model is None
    assert [guess.text for guess in recognise(changed).guesses] == [
        "script 'Initialize': 'model' of the request is computed; its value is not known"
    ]


def test_a_prompt_that_has_a_default_keeps_its_name() -> None:
    text = 'If(IsNull($ask), $ask = "Be brief.");' + guide.INITIALIZE.replace("systemPrompt", "ask")
    assert loop_of(guide_design(Initialize=text)).names == {"systemPrompt": "ask"}


REBUILT = r"""
$InAndOut = "{\"model\":\"gpt-4o\",\"messages\":" + Left($base, Length($base) - 1) + ","
    + Mid($tools_messages, 1, 100000) + ",\"tools\":" + $gpt.registeredTools + "}";
"""


def test_the_variant_of_the_hr_agent() -> None:
    initialise = guide.INITIALIZE.replace("toolsJson", "gpt.registeredTools")
    scripts = SCRIPTS | {
        "Initialize": initialise.replace("non_tool_messages_json", "base"),
        "Append Tool Result": guide.APPEND_BY_STRINGS + REBUILT,
    }
    loop = loop_of(design(scripts, OPERATIONS, javascript=()))
    assert (loop.initialise, loop.append_tool_result, loop.append_form) == (
        "Initialize", "Append Tool Result", "strings",
    )  # fmt: skip
    assert loop.tools_variable == "gpt.registeredTools"
    assert loop.names == {"non_tool_messages_json": "base", "toolsJson": "gpt.registeredTools"}


def test_one_variable_for_all_messages_is_told() -> None:
    scripts = SCRIPTS | {
        "Initialize": guide.INITIALIZE.replace("non_tool_messages_json", "hr.messages"),
        "Append Tool Result": guide.APPEND_BY_STRINGS.replace("$tools_messages", "$hr.messages"),
    }
    one = design(scripts, OPERATIONS, javascript=())
    assert loop_of(one).names == {"non_tool_messages_json": "hr.messages", "tools_messages": "hr.messages"}
    (guess,) = recognise(one).guesses
    assert guess.text == (
        "script 'Append Tool Result': $hr.messages holds the base messages and the tool messages; "
        "the guide has two variables"
    )
